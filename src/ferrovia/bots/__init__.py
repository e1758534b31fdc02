"""Bots: what one seat may know, and what to do."""

from ferrovia.bots.bot import Bot
from ferrovia.bots.registry import make, names, register

__all__ = ["Bot", "make", "names", "register"]
