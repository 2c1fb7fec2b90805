"""How good ratings forecast: chances before an event, and their scores afterwards."""
