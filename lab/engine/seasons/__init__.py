"""Simulated seasons: who comes, who wins, and what each points structure makes of it."""
