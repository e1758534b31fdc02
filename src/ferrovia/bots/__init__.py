"""Bots: what one seat may know, and what to do."""

from ferrovia.bots.bot import Bot
from ferrovia.bots.levels import LEVELS
from ferrovia.bots.registry import make, names, register

__all__ = ["LEVELS", "Bot", "make", "names", "register"]
