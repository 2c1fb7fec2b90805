"""The published rating of poker tournaments: its parameters, its steps for one event, and why a rate changed."""
