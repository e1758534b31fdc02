"""Bots at tables: asked in processes of their own, with the view of a seat and nothing else."""
