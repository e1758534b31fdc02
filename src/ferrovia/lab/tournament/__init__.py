"""Every bot against every other: ratings, shares of wins and how sure they are."""
