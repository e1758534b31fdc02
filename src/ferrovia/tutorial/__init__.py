"""Tutorials: a recorded game, and beside it a file of notes that leads through it."""
