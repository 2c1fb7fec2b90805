"""Where expectation propagation ends; needs no numba."""

# Largest change of t = mean/sd of a neighbouring difference in the last round, no unit; leaves mu within
# 1e-5 points of the fixed point (tests/engine/ratings/test_chain.py, fields of 10 to 10,000).
TOLERANCE = 1e-6
# Rounds of one event before the engine gives up; the hardest of 4,000 random extreme fields took 50.
MAX_ROUNDS = 1000
