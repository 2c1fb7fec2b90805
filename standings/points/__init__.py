"""The points of a season: parts of a total, the race for the title, what-if."""
