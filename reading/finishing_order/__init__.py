"""The finishing order of an event as typed, a line for each entry."""
