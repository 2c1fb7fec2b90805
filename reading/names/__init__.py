"""Names as typed: which are none, and whose they may be."""
