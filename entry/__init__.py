"""Forms of results: an event, a night of games, an import, and what two organizers changed at once."""
