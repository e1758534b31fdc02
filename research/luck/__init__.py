"""Luck subtracted from results: the same certainty from fewer games."""
