"""The story of a season: as it was on any day, the race for its title, how it ended."""
