"""Processes that work for the server, and how it talks to them."""
