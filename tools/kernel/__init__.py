"""Building the kernel: from Python to LLVM's code, and from that to a library for every system."""
