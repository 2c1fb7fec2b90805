"""Forms of the core. That of a season has its rules on it, and is in `payouts.forms.seasons`."""
