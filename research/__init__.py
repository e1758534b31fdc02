"""What made the nets and the puzzles, and what measures the project.

It may use everything in the package; nothing in the package uses it.
"""
