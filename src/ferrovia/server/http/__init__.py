"""HTTP and WebSockets: endpoints, sockets, rate limits, and who may call."""
