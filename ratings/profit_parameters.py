"""Label, unit and sentence of each parameter of R, in groups."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from ratings.tier_parameters import POINTS, Group, Parameter

SYSTEM_LABELS: dict[str, Any] = {
    "balance": _("the balance: what was won or lost"),
    "placement": _("the place alone"),
}
GAMES, BALANCE = _("games"), _("balance")

PROFIT_GROUPS = (
    Group(
        "R",
        (
            Parameter("system", _("What moves R"), "", _("The result of a game.")),
            Parameter("r0", _("R of a new player"), POINTS, _("What everybody begins with.")),
            Parameter(
                "provisional_games",
                _("Games before R is ranked"),
                GAMES,
                _("Until then a game moves R far, and the table by R leaves the player out."),
            ),
        ),
    ),
    Group(
        _("Result"),
        (
            Parameter(
                "f",
                _("Worth of the balance f"),
                POINTS,
                _("By how much one unit of balance moves R after many games."),
            ),
            Parameter(
                "balance_unit",
                _("Unit of the balance"),
                BALANCE,
                _(
                    "The balance that f is for: 1 where balances are kept in thousands, 1000 where they are in points."
                ),
            ),
            Parameter(
                "place_first",
                _("Worth of the first place"),
                POINTS,
                _(
                    "Where the place alone counts: the last place costs as much, the others lie evenly between."
                ),
            ),
        ),
    ),
    Group(
        _("Pull to the table"),
        (
            Parameter(
                "table_pull",
                _("Pull"),
                _("of the distance"),
                _("How far a game draws R to the mean of its table after many games."),
            ),
            Parameter(
                "g",
                _("Multiple of the pull g"),
                _("times"),
                _("Where the balance counts: it belongs to f, and a calibration finds both."),
            ),
        ),
    ),
    Group(
        _("Count correction"),
        (
            Parameter(
                "games",
                _("Games until a game counts least"),
                GAMES,
                _("The first game counts in full, each later one a little less."),
            ),
            Parameter(
                "least_correction",
                _("What a game counts from then on"),
                _("of the first"),
                _("0.2 is a fifth."),
            ),
        ),
    ),
    Group(
        _("House"),
        (
            Parameter(
                "house_per_table",
                _("The house keeps of each table"),
                BALANCE,
                _("Balances must sum to minus what the house keeps."),
            ),
            Parameter(
                "house_per_player",
                _("The house keeps of each player"),
                BALANCE,
                _("The same for each player at the table."),
            ),
            Parameter(
                "sum_tolerance",
                _("Difference that is taken for rounding"),
                BALANCE,
                _("A game whose sum is further off is refused."),
            ),
        ),
    ),
    Group(
        _("Badges"),
        (
            Parameter(
                "badge_top",
                _("Badge S begins at"),
                POINTS,
                _("The least R of the best badge. Without a number there are no badges."),
            ),
            Parameter(
                "badge_step",
                _("Height of a badge"),
                POINTS,
                _("How much lower each next badge begins."),
            ),
        ),
    ),
)
