"""The languages in which people are spoken to."""

LANGUAGES = ("en", "es", "pt", "ro")
"""Their codes; where there is no other choice it is the first."""
