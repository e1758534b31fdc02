"""Films of games over HTTP, and tables that go on from them."""
