"""This computer: what it has of all that Ferrovia uses."""
