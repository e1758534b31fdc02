"""Bots: players that see what one seat may know, and decide what to do."""

from ferrovia.bots.bot import Bot
from ferrovia.bots.registry import LEVELS, SOCIABLE, make, names, register

__all__ = ["LEVELS", "SOCIABLE", "Bot", "make", "names", "register"]
