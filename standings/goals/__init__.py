"""What a player needs for a badge or a place, and lessons about ratings."""
