"""How the site uses its database: snapshots, many rows at once."""
