"""Chance: seeds, the shuffle that everybody has a part in, and the odds of a tunnel."""
