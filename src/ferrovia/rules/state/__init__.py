"""What the chapters work on: the records of a game, sets, chance, the log, and who may see what."""
