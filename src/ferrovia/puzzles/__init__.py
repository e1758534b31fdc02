"""Puzzles from games of bots: posed from a seat's view, and judged exactly."""
