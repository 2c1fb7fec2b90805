"""The recomputation of a pool: points, ratings and standings in one transaction."""
