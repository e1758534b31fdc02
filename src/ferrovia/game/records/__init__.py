"""Records of games: the file, its replay, and how a game is split into turns."""
