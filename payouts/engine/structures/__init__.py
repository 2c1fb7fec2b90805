"""Compute the points of an event: D'Hondt seats, formulas, the structure of a season."""
