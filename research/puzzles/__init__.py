"""Puzzles out of games of bots: makers pose questions, judges know the answers."""
