"""Analyses of finished games: made one at a time in a process of its own, and kept."""
