"""Compute standings, awards and prospects of a season from the points of its events."""
