"""Bots: players that see what one seat may know, and decide what to do."""

from ferrovia.bots.bot import Bot
from ferrovia.bots.registry import LEVELS, make, names, register

__all__ = ["LEVELS", "Bot", "make", "names", "register"]
