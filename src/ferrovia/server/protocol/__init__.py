"""The protocol between clients and the server, as types; docs/protocol.md says how it is used.

The client's types are generated from `schema()` (see ferrovia.server.protocol.schema).
"""
