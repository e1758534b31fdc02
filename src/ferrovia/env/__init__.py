"""Environments for learning: batches of games that step in lockstep, on a CPU or on a GPU."""
