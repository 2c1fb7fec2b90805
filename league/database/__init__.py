"""Database helpers: read from one snapshot, write many rows at once."""
