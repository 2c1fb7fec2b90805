"""Label, unit and sentence of each parameter of TIER, in groups."""

from typing import Any, NamedTuple

from league.vocabulary import gettext_lazy as _

POINTS, HOURS = _("points"), _("hours")


class Parameter(NamedTuple):
    name: str  # field of TierParams or ProfitParams
    label: Any
    unit: Any
    help: Any


class Group(NamedTuple):
    label: Any
    parameters: tuple[Parameter, ...]


# Constants that the publication of TIER withholds: their defaults make its printed results (ratings/README.md).
FITTED = ("hands_scale", "hands_low", "hands_high", "late_a", "late_b", "minutes_per_entry")
# What neither publication has.
OWN = (
    "late_charge", "tau_per_day", "season_start", "season_sigma", "weight_scales_sigma", "house_per_table",
    "house_per_player", "sum_tolerance", "provisional_games",
)  # fmt: skip


START_LABELS: dict[str, Any] = {
    "carry_on": _("carry on: nothing happens"),
    "soft": _("soft reset: the rating stays, but is less certain again"),
    "full": _("full reset: everybody starts as a new player"),
}

LATE_LABELS: dict[str, Any] = {
    "published": _("as published: a small part of what it brings"),
    "full": _("in full: on average entering late never pays"),
}

GROUPS = (
    Group(
        _("Rate and badge"),
        (
            Parameter(
                "conservatism",
                _("Caution K"),
                "",
                _("The rate shown is mean − K σ + L. At 0.84, skill is higher four times out of five."),
            ),
            Parameter("offset", _("Offset L"), POINTS, _("Added to every rate that is shown.")),
            Parameter(
                "rate_floor",
                _("Floor of the rate"),
                POINTS,
                _("No rate is below it; %(an_event_word)s that would bring it lower takes no more skill."),
            ),
            Parameter(
                "badge_top",
                _("Badge S begins at"),
                POINTS,
                _("The least rate of the best badge."),
            ),
            Parameter(
                "badge_step",
                _("Height of a badge"),
                POINTS,
                _("How much lower each next badge begins."),
            ),
            Parameter(
                "provisional_entries",
                _("Entries of the placement"),
                _("entries"),
                _("Until then the badge is an outline, and TIER does not rank the player."),
            ),
        ),
    ),
    Group(
        _("New players"),
        (
            Parameter("mu0", _("Mean"), POINTS, _("What a new player's skill is taken for.")),
            Parameter(
                "sigma0",
                _("Uncertainty σ"),
                POINTS,
                _("How uncertain that is. Nobody becomes more uncertain than a new player."),
            ),
        ),
    ),
    Group(
        _("One %(event_word)s"),
        (
            Parameter(
                "beta",
                _("Chance in one %(event_word)s"),
                POINTS,
                _("Spread of one performance around skill: the more chance a game has, the wider."),
            ),
            Parameter(
                "sigma_floor",
                _("Floor of σ"),
                POINTS,
                _("No rating becomes more certain than this, so all of them stay alive."),
            ),
            Parameter(
                "minutes_per_entry",
                _("Length of %(an_event_word)s without an end"),
                _("minutes for each entry"),
                _("Assumed where the end was not recorded."),
            ),
        ),
    ),
    Group(
        _("Hands played"),
        (
            Parameter(
                "hands_scale",
                _("Weight of evidence of one hour"),
                "",
                _("Grows with the cube root of the hours played at a table of nine."),
            ),
            Parameter(
                "hands_low",
                _("Least time that counts"),
                HOURS,
                _("A shorter stay counts as this long."),
            ),
            Parameter(
                "hands_high",
                _("Most time that counts"),
                HOURS,
                _("A longer stay counts as this long."),
            ),
        ),
    ),
    Group(
        _("Weights of places"),
        (
            Parameter(
                "weight_first",
                _("First place"),
                "",
                _("Multiplies the change of the mean."),
            ),
            Parameter(
                "weight_top",
                _("Top share"),
                "",
                _("For the best places after the first."),
            ),
            Parameter(
                "weight_final_table",
                _("Final table"),
                "",
                _("For everybody who reached it."),
            ),
            Parameter("weight_bottom", _("Bottom share"), "", _("For the last places.")),
            Parameter(
                "weight_rest_low",
                _("All others, at least"),
                "",
                _("All others have one weight, which balances gains and losses of the field."),
            ),
            Parameter(
                "weight_rest_high",
                _("All others, at most"),
                "",
                _("The other end of it."),
            ),
            Parameter(
                "weight_share",
                _("Size of the top and bottom share"),
                _("of the field"),
                _("0.03 is 3 %."),
            ),
            Parameter(
                "weight_scales_sigma",
                _("Weights change σ too"),
                "",
                _("Otherwise they multiply the change of the mean alone."),
            ),
        ),
    ),
    Group(
        _("Late registration"),
        (
            Parameter(
                "late_charge",
                _("What a late entry is charged"),
                "",
                _(
                    "Taken off what the place brings. As published, entering late still pays a little on average."
                ),
            ),
            Parameter(
                "late_a",
                _("Share of what early %(busts_word)s got back"),
                "",
                _("Part of the penalty a: charged to those who came after somebody was out."),
            ),
            Parameter(
                "late_b",
                _("Share of the gain from entering late"),
                "",
                _(
                    "Part of the penalty b, where it is charged as published: what a full stack among fewer players is "
                    "worth."
                ),
            ),
            Parameter(
                "late_first",
                _("A first entry pays"),
                _("times"),
                _("Of a + b."),
            ),
            Parameter(
                "late_reentry",
                _("A re-entry pays"),
                _("times"),
                _("Of a + b."),
            ),
        ),
    ),
    Group(
        _("Seasons and time off"),
        (
            Parameter(
                "season_start",
                _("When a season begins"),
                "",
                _("What happens to a rating when its player first plays in a new season."),
            ),
            Parameter(
                "season_sigma",
                _("σ after a soft reset"),
                POINTS,
                _("A rating that is less certain than this stays as it is."),
            ),
            Parameter(
                "tau_per_day",
                _("Drift while a player is away"),
                _("points for the root of a day"),
                _("How fast a rating becomes less certain between %(events_word)s; 0 means not at all."),
            ),
        ),
    ),
    Group(
        _("Numerical limits"),
        (
            Parameter(
                "tolerance",
                _("Tolerance"),
                "",
                _("The computation of %(an_event_word)s ends when nothing moves by more."),
            ),
            Parameter(
                "max_rounds",
                _("Most rounds"),
                "",
                _("The computation of %(an_event_word)s gives up after so many."),
            ),
        ),
    ),
)
