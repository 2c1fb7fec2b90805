"""An evening run live: a log of actions from several phones, and what it says."""
