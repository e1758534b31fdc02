"""`python -m ferrovia`: the same as the command `ferrovia`."""

from ferrovia.cli import main

main()
