"""The receipt of a night: what it meant for one player, with the reason, and what the next one needs."""
