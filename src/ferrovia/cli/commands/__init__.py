"""The commands, one module each: its `command` is what `ferrovia NAME` runs."""
