"""All tables of a server: what they can be set up with, which are listed, and their upkeep."""
