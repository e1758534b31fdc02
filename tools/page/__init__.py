"""The game as a folder of plain files: `make page`. docs/page.md says what is in it."""
