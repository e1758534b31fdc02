"""The rules of docs/rules/index.md, once, as a kernel of plain functions over fixed records.

The same functions run compiled on a CPU, on an NVIDIA GPU, and uncompiled under a debugger.
`chapters` has one module per chapter, `state` what they work on; `calls` is the way in.
"""
