"""The server inside a page: what a browser has in place of an operating system.

A worker of the page runs it (web/src/page/server.worker.ts). Nothing here knows JavaScript: storage
and other workers are handed over, so that the tests run it on any machine.
"""
