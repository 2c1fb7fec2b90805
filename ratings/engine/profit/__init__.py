"""R, the rating of games that end with a balance."""
