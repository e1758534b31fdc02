"""From an idea to a board: others' files, boards and tickets that are proposed, reports."""
