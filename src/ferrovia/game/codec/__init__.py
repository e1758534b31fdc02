"""Between the words of a game and the numbers of the kernel, both ways."""
