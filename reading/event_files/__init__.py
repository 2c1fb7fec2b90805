"""Event files: results of one or more events, in columns."""
