"""Games of the bot `net:ITERATIONS` in lockstep: what it tries is played on a GPU, for all at once.

The games themselves, the options, the worlds and the halving are those of the bot on the CPU; a
decision differs from the bot's only where two options are equal to the last bits of a sum.
"""
