"""Many games: plans cut into batches, played by workers, kept in a run file."""
