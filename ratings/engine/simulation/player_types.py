"""Types of players in the publication's simulation, for engines and pages: it loads no numba.

References
----------
.. [1] TIER publication of November 2022, simulation; see scenario.py.
"""

TYPES = ("top", "strong", "average", "weak", "beginner")
# Chance of the first place relative to an average player's, no unit; for the last place it is 2 minus that [1]_.
FIRST_PLACE = (1.75, 1.25, 1.0, 0.75, 0.25)
# End of registration, fraction of the event's duration (calibrated, ratings/calibrate.py).
CLOSES_AT = 0.685
