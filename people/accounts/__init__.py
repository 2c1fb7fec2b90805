"""Sign-in: waits after failures, known browsers, stored passwords."""
