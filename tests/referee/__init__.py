"""An independent referee for game records: the rules by brute force, nothing of the package."""
