"""Who watches a table, who is present there, and what everybody is sent."""
