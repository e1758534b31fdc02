"""Records, of tables and sent by people: films, pictures and proofs that are made of them."""
