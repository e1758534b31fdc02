"""A whole game as plain text: for a terminal, a pipe or a screen reader."""
