"""Scores of a table of a game, which become places and balances. No Django is needed here."""
