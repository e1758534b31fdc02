"""Processes beside the server, and how it talks to them."""
