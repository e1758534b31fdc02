"""The game as a screen in the terminal: map, hand, tickets and log (extra `terminal`)."""
