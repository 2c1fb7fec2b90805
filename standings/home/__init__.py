"""The home page of a club: its last event, records, champions."""
