"""A player's games that R follows."""
