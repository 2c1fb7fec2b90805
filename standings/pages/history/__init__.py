"""Show what was changed in a club, in its results and rights, and what is in its bin."""
