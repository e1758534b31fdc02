"""What is done to a whole store: check, backup, restore, move and prune."""
