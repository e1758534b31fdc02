"""Reading untrusted board files: every problem is reported, with its line and advice."""
