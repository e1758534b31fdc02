"""Pages that need no client: plain HTML in four languages."""
