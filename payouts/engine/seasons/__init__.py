"""How the points of events become standings, awards and prospects of a season."""
