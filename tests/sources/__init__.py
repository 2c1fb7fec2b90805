"""Rules and printed figures of the five sources, each checked on a command, the API or a page."""
