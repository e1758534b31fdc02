"""From the words of a game to the numbers of the kernel, and back."""
