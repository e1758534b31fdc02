"""Tutorials: a recorded game, with a file of notes that leads through it."""
