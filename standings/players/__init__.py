"""A player's history, figures and charts."""
