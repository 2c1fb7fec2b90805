"""Charts of ratings, games and races as SVG."""
