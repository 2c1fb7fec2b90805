"""The log of a night: its actions, their order, and the state that follows from them. Knows nothing of Django."""
