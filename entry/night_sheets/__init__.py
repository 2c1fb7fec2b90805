"""The sheet of a night: tables, seats and scores as typed, pasted and stored."""
