"""Reading board files that may be anything: every problem is reported, with its line and advice."""
