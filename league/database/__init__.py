"""How the site uses its database: prepared queries, snapshots, many rows at once."""
