"""Pages that need no client: plain HTML in every language."""
