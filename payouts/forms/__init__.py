"""Forms of points and money."""
