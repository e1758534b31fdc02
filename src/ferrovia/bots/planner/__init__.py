"""The script that plans for all its tickets at once: planner, and collector by other weights."""
