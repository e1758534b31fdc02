"""The learned player: what a seat sees as small numbers, and a net over them in whole numbers."""
