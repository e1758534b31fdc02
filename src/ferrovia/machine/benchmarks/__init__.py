"""The benchmark page: what this machine reaches."""
