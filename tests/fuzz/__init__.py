"""Files that a stranger might write, by the million, with the bounds of every array checked.

    python -m tests.fuzz --inputs 1000000 --seed 1

Boards, ticket packs, records and positions are made by their structure: most of them are nearly
right, so that they come as far as the kernel. Each must be read or refused with an error of
its own, and a game that comes out of one must go on, be scored and be written down again.
"""
