"""What screens and players see of a night: no money that the club hides, no names that are hidden."""
