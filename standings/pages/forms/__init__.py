"""Forms of seasons, awards, archives and what-if pages."""
