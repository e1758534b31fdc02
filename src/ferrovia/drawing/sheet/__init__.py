"""Where everything lies on the sheet: geography, cities, rows of spaces, plates."""
