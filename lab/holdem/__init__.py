"""Hold'em at the practice table, and duels."""
