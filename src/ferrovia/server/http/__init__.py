"""HTTP and sockets: what comes in, how much of it, and from where."""
