"""The rules of `rules.md`, once, as a kernel of plain functions over fixed records.

The same functions run compiled on a CPU, on an NVIDIA GPU, and uncompiled under a debugger.
One module per chapter; `calls` is the way in.
"""
