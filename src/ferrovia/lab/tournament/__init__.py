"""Every bot against every other: ratings, win shares and their confidence intervals."""
