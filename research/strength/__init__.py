"""The matches of docs/strength.md, and that page."""
