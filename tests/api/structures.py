"""Invalid structures, each with the invalid field and its message."""

ALL = (
    "inverse, vp_kid, vp_kid_alpha, soft_top, winner_takes_all, fixed, custom, linear, sqrt, pokerstars, dr_neau, "
    "log_field, fixed_table, percentage_pool, balance, expression"
)
BAD = [
    ({"name": "custom", "votes": "50,60"}, "votes", "Place 2 has 60, more than the 50 of place 1."),
    ({"name": "custom", "votes": "50,40,45"}, "votes", "Place 3 has 45, more than the 40 of place 2."),
    ({"name": "custom", "votes": "50,0"}, "votes", "Place 2 has 0: votes must be positive."),
    ({"name": "custom", "votes": "-1"}, "votes", "Place 1 has -1: votes must be positive."),
    ({"name": "custom", "votes": "50,x"}, "votes", "Place 2: “x” is not a number."),
    ({"name": "custom", "votes": "50,,30"}, "votes", "Place 2: “” is not a number."),
    ({"name": "custom"}, "votes", "At least one place is needed."),
    ({"name": "custom", "votes": "50", "tail": "x"}, "tail", "“x” is not an end of the list: write none, 100/n or power 1.05."),
    ({"name": "fixed", "votes": "50,30,10"}, "votes", "The percentages sum to 90; they must sum to 100."),
    ({"name": "fixed", "votes": "60,50"}, "votes", "The percentages sum to 110; they must sum to 100."),
    ({"name": "vp_kid", "ties": "best"}, "ties", "“best” does not exist. There are: better, worse."),
    ({"name": "no"}, "structure", f"“no” does not exist. There are: {ALL}."),
    ({"name": "vp_kid_alpha", "alpha": "0.5"}, "alpha", "It must be from 1 to 10, not 0.5."),
    ({"name": "vp_kid_alpha", "alpha": "x"}, "alpha", "“x” is not a number."),
    ({"name": "inverse", "alpha": "2"}, "alpha", "inverse has no such setting."),
]  # fmt: skip
BAD_FORMULAS = [
    ({"name": "percentage_pool", "votes": "60,30"}, "votes", "The percentages sum to 90; they must sum to 100."),
    ({"name": "fixed_table", "votes": "25,30"}, "votes", "Place 2 has 30, more than the 25 of place 1."),
    ({"name": "vp_kid", "cap": 0}, "cap", "It must be from 1 to 10000000, not 0."),
    ({"name": "expression"}, "expression", "A formula is needed."),
    ({"name": "expression", "expression": "n+"}, "expression", "This is not a formula."),
    ({"name": "expression", "expression": "2n"}, "expression", "Put a sign between number and name in “2n”, as in 2*n."),
    ({"name": "expression", "expression": "__import__('os')"}, "expression", "“'” is not part of a formula."),
    ({"name": "expression", "expression": "1/(n-7)^2"}, "expression", "It divides by zero for 7 entries, place 1."),
    ({"name": "expression", "expression": "sqrt(5-k)"}, "expression", "A root or logarithm has no value for 6 entries, place 6."),
    ({"name": "expression", "expression": "3-k"}, "expression", "The points are negative for 5 entries, place 4."),
    ({"name": "expression", "expression": "k"}, "expression", "The place gets more points than the one before it for 5 entries, place 2."),
]  # fmt: skip
