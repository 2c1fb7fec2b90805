"""Clubs, seasons, players, events and entries; also the project package."""
