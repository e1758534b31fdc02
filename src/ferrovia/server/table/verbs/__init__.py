"""Verbs: what can be done at a table.

The verb of a command is a function of its context and the command. It returns the entries for the
log, or raises `Refusal`, and changes nothing, not even the table: `Table.apply` does. Which command
has which verb is in commands.py.
"""
