"""Many games: simulation, statistics, tournaments and reports."""
