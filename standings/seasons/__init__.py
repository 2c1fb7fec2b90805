"""A season as it was after any day."""
