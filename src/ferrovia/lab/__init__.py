"""Many games: simulation and what it tells of the bots."""
