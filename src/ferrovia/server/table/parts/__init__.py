"""The parts of a table; each follows the entries that it names in `Followed`, and no others.

A part is changed by its `follow` alone, which gets an entry, already counted, and its table. See
`Table` for the order.
"""
