"""Films: games of tables and of record files, step by step, and tables that begin from them."""
