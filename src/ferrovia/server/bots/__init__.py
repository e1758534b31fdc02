"""Bots at tables: they decide in processes of their own, with the view of a seat and no more."""
