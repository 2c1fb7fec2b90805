"""Admin pages for the operator, who finds, repairs and hands over.

Results, ratings and histories are read-only here: the site changes them, and every write goes through a service.
"""

from league.admin import results

__all__ = ["results"]
