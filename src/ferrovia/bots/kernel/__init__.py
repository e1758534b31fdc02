"""Bots inside compiled code: scripts, the games between them, and what scripts share."""
