"""Awards of a season: who wins them, how they are changed, what is said of them."""
