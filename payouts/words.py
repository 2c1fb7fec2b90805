"""Structures, rules and what is wrong with them in the reader's language; the engine itself speaks English."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from payouts.engine.breakdown import EventVerdict
from payouts.engine.exact import exact_text
from payouts.engine.season import SeasonEvent
from payouts.engine.selection import Verdict
from payouts.engine.settings import NAMES
from payouts.engine.structure import PointsStructure
from payouts.models import SeasonRules

LABELS: Mapping[str, Any] = {
    "inverse": gettext_lazy("Inverse"),
    "vp_kid": "VP_KID",
    "vp_kid_alpha": gettext_lazy("VP_KID with a power"),
    "soft_top": gettext_lazy("Soft top"),
    "winner_takes_all": gettext_lazy("Winner takes all"),
    "fixed": gettext_lazy("Fixed percentages"),
    "custom": gettext_lazy("Votes of your own"),
    "linear": gettext_lazy("Linear"),
    "sqrt": gettext_lazy("Square root"),
    "pokerstars": "PokerStars",
    "dr_neau": "Dr. Neau",
    "log_field": gettext_lazy("Logarithm of the field"),
    "fixed_table": gettext_lazy("Fixed table of points"),
    "percentage_pool": gettext_lazy("Percentages of a pool"),
    "expression": gettext_lazy("Formula of your own"),
}
# What the structures with settings are by, before anything is typed.
SHAPES: Mapping[str, Any] = {
    "fixed": gettext_lazy("40, 25, 15, ... percent, seats by these votes"),
    "custom": gettext_lazy("a list of votes, then nothing, c/n or a power"),
    "fixed_table": gettext_lazy("a list of points, then nothing"),
    "percentage_pool": gettext_lazy("a list of percentages of c*n points"),
    "expression": gettext_lazy("in n, k, entries, knockouts, buy_in, paid"),
}
TIE_BREAKS: Mapping[str, Any] = {
    "points": gettext_lazy("points without attendance"),
    "wins": gettext_lazy("wins"),
    "best_places": gettext_lazy("best places"),
    "head_to_head": gettext_lazy("head to head"),
    "events": gettext_lazy("events played"),
    "profit": gettext_lazy("profit per tourney"),
    "alphabetical": gettext_lazy("name"),
}
# The engine's messages. What stands in named groups goes into the translation.
SAID = (
    (r"place (?P<k>\d+): '(?P<x>.*)' is not a number", gettext_lazy("Place %(k)s: “%(x)s” is not a number.")),
    (
        r"place (?P<k>\d+) has (?P<v>\S+), more than the (?P<b>\S+) of place (?P<j>\d+)",
        gettext_lazy("Place %(k)s has %(v)s, more than the %(b)s of place %(j)s."),
    ),
    (
        r"place (?P<k>\d+) has (?P<v>\S+), (?:votes )?must be positive",
        gettext_lazy("Place %(k)s has %(v)s: it must be positive."),
    ),
    (
        r"place (?P<k>\d+) has (?P<v>\S+), must not be less than 0",
        gettext_lazy("Place %(k)s has %(v)s: it must not be negative."),
    ),
    (r"at least one place is needed", gettext_lazy("At least one place is needed.")),
    (
        r"the percentages sum to (?P<s>\S+), must be 100",
        gettext_lazy("The percentages sum to %(s)s; they must sum to 100."),
    ),
    (
        r"at most (?P<n>\d+) places can be listed, got (?P<x>\d+)",
        gettext_lazy("At most %(n)s places can be listed, not %(x)s."),
    ),
    (
        r"must be more than 0, at most (?P<b>\S+), got (?P<x>\S+)",
        gettext_lazy("It must be more than 0 and at most %(b)s, not %(x)s."),
    ),
    (
        r"must be (?P<a>\S+) to (?P<b>\S+), got (?P<x>\S+)",
        gettext_lazy("It must be from %(a)s to %(b)s, not %(x)s."),
    ),
    (r"must be positive, got (?P<x>\S+)", gettext_lazy("It must be positive, not %(x)s.")),
    (r"at most (?P<n>\d+) decimals, got (?P<x>\S+)", gettext_lazy("At most %(n)s decimals, not %(x)s.")),
    (
        r"'(?P<x>.*)' is not a tail, write none, 100/n or power 1.05",
        gettext_lazy("“%(x)s” is not an end of the list: write none, 100/n or power 1.05."),
    ),
    (r"a formula is needed", gettext_lazy("A formula is needed.")),
    (r"at most (?P<n>\d+) characters, got (?P<x>\d+)", gettext_lazy("At most %(n)s characters, not %(x)s.")),
    (
        r"(?P<q>['\"])(?P<x>.*)(?P=q) is not part of a formula",
        gettext_lazy("“%(x)s” is not part of a formula."),
    ),
    (
        r"put a sign between number and name in '(?P<x>.*)', as in 2\*n",
        gettext_lazy("Put a sign between number and name in “%(x)s”, as in 2*n."),
    ),
    (r"this is not a formula", gettext_lazy("This is not a formula.")),
    (
        r"at most (?P<n>\d+) numbers, names and signs, got (?P<x>\d+)",
        gettext_lazy("At most %(n)s numbers, names and signs, not %(x)s."),
    ),
    (
        r"only numbers, names and arithmetic can be used",
        gettext_lazy("Only numbers, names and arithmetic can be used."),
    ),
    (
        r"'(?P<x>.*)' is not a function, one of: (?P<n>.*)",
        gettext_lazy("“%(x)s” is not a function. There are: %(n)s."),
    ),
    (r"'(?P<x>.*)' is not known, one of: (?P<n>.*)", gettext_lazy("“%(x)s” is not known. There are: %(n)s.")),
    (r"'?(?P<x>.*?)'? is not a number", gettext_lazy("“%(x)s” is not a number.")),
    (r"(?P<x>\w+) takes one number", gettext_lazy("%(x)s takes one number.")),
    (r"(?P<x>\w+) takes two numbers or more", gettext_lazy("%(x)s takes two numbers or more.")),
    (
        r"division by zero for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("It divides by zero for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"the result is too large for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("The result is too large for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"a root or logarithm has no value for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("A root or logarithm has no value for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"negative points for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("The points are negative for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"more points than the place before for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy(
            "The place gets more points than the one before it for %(n)s entries, place %(k)s%(o)s."
        ),
    ),
    (
        r"unknown (?:structure|tie rule) '(?P<x>.*)', one of: (?P<n>.*)",
        gettext_lazy("“%(x)s” does not exist. There are: %(n)s."),
    ),
    (
        r"number (?P<k>\d+) is unknown: (?P<x>.*), one of: (?P<n>.*)",
        gettext_lazy("Number %(k)s: %(x)s does not exist. There are: %(n)s."),
    ),
    (r"(?P<x>\w+) has no such setting", gettext_lazy("%(x)s has no such setting.")),
    (r"unknown setting, one of: (?P<n>.*)", gettext_lazy("There is no such setting. There are: %(n)s.")),
    (
        r"(?P<x>\w+) is a formula and has no (?:votes and no )?seats",
        gettext_lazy("%(x)s is a formula and has no seats."),
    ),
    (
        r"(?P<x>\w+) is a formula and shares out no total",
        gettext_lazy("%(x)s is a formula and shares out no total."),
    ),
    (r"a whole number is needed, got (?P<x>.*)", gettext_lazy("A whole number is needed, not %(x)s.")),
    (r"a text is needed, got (?P<x>.*)", gettext_lazy("A text is needed, not %(x)s.")),
    (r"a list is needed, got (?P<x>.*)", gettext_lazy("A list is needed, not %(x)s.")),
    (r"must not be negative, got (?P<x>\S+)", gettext_lazy("It must be 0 or more, not %(x)s.")),
    (
        r"must be at least (?P<a>\S+), got (?P<x>\S+)",
        gettext_lazy("It must be at least %(a)s, not %(x)s."),
    ),
)


def engine_error(error: ValueError) -> tuple[str, str]:
    """Field that an engine's message names, and the message in the reader's language."""
    field, _colon, text = str(error).partition(": ")
    for pattern, said in SAID:
        if match := re.fullmatch(pattern, text):
            return field, str(said) % match.groupdict()
    return field, text


def formula_in_words(structure: PointsStructure) -> str:
    """The structure's exact formula."""
    text, _semicolon, _capped = structure.formula.partition("; above ")
    if structure.name == "pokerstars":
        text = _("%(formula)s, b the buy-in") % {"formula": text.partition(",")[0]}
    elif structure.name == "dr_neau":
        formula = text.partition(",")[0]
        text = _("%(formula)s, b the buy-in, e the player's total cost") % {"formula": formula}
    elif match := re.fullmatch(r"(.+), then nothing", text):
        text = _("%(head)s, then nothing") % {"head": match[1]}
    elif match := re.fullmatch(r"(.+), then (.+) for n > (\d+)", text):
        text = _("%(head)s, then %(tail)s for n > %(n)s") % {
            "head": match[1],
            "tail": match[2],
            "n": match[3],
        }
    if structure.cap is not None:
        text = _("%(formula)s; above %(n)d entries %(n)d seats, each worth entries/%(n)d") % {
            "formula": text,
            "n": structure.cap,
        }
    return text


def structure_label(structure: PointsStructure) -> str:
    """VP_KID."""
    return str(LABELS[structure.name])


def structure_in_words(structure: PointsStructure) -> str:
    """VP_KID: 100, 60, 40, 25, then 100/n for n > 4."""
    return f"{LABELS[structure.name]}: {formula_in_words(structure)}"


def structure_choices() -> list[tuple[str, str]]:
    """Every structure with its formula, for a list to choose from."""
    return [
        (
            name,
            f"{LABELS[name]}: {SHAPES[name]}"
            if name in SHAPES
            else structure_in_words(PointsStructure(name)),
        )
        for name in NAMES
    ]


def rules_in_words(rules: SeasonRules) -> list[str]:
    """The rules of a season, a sentence each."""
    return [
        *_structure_sentences(rules.points_structure),
        *_counting_sentences(rules),
        *_order_sentences(rules),
    ]


def _structure_sentences(structure: PointsStructure) -> list[str]:
    said = _("Points by %(structure)s.") % {"structure": structure_in_words(structure)}
    if not structure.is_dhondt:
        return [said]
    if structure.ties == "better":
        return [said, _("An equal claim to a seat goes to the better place; tied players share.")]
    return [said, _("An equal claim to a seat goes to the worse place; tied players share.")]


def _counting_sentences(rules: SeasonRules) -> list[str]:
    said = []
    if n := rules.attendance_points:
        said.append(
            ngettext(
                "Each event played adds %(n)d point for attendance.",
                "Each event played adds %(n)d points for attendance.",
                n,
            )
            % {"n": n}
        )
    if n := rules.best_n_per_month or 0:
        said.append(
            ngettext(
                "Of each month a player's best result counts.",
                "Of each month a player's best %(n)d results count.",
                n,
            )
            % {"n": n}
        )
    if n := rules.drop_worst:
        said.append(_dropped(n, missed=rules.missed_count_as_zero))
    if n := rules.best_n or 0:
        said.append(
            ngettext(
                "Of the season a player's best result counts.",
                "Of the season a player's best %(n)d results count.",
                n,
            )
            % {"n": n}
        )
    if not rules.scoring.keeps_all:
        said.append(_("A final always counts."))
    return said


def _dropped(n: int, *, missed: bool) -> str:
    if missed:
        text = ngettext(
            "A player's worst result is dropped; an event missed counts as the worst.",
            "A player's worst %(n)d results are dropped; events missed count as the worst.",
            n,
        )
    else:
        text = ngettext(
            "A player's worst result is dropped, of the events played.",
            "A player's worst %(n)d results are dropped, of the events played.",
            n,
        )
    return text % {"n": n}


def _order_sentences(rules: SeasonRules) -> list[str]:
    said = []
    if rules.tie_breaks:
        order = ", ".join(str(TIE_BREAKS[name]) for name in rules.tie_breaks)
        said.append(_("Equal totals are decided by: %(order)s.") % {"order": order})
    n = rules.min_events
    text = ngettext(
        "Profit per tourney is (points − entries) / events; ranked from %(n)d event on.",
        "Profit per tourney is (points − entries) / events; ranked from %(n)d events on.",
        n,
    )
    return [*said, text % {"n": n}]


def verdict_in_words(verdict: EventVerdict, *, month: str = "") -> str:
    """Why an event counts or not; `month` is its name."""
    values = {"n": verdict.limit or 0, "month": month or verdict.month}
    said = {
        Verdict.COUNTED: _("counts"),
        Verdict.FINAL: _("final, always counts"),
        Verdict.BELOW_MONTH_BEST: _("dropped: not among the best %(n)d of %(month)s"),
        Verdict.WORST: _("dropped: among the worst %(n)d"),
        Verdict.BELOW_BEST: _("dropped: not among the best %(n)d"),
        Verdict.MISSED: _("missed"),
    }
    return said[verdict.verdict] % values


def weight_in_words(event: SeasonEvent) -> str:
    """×2, final: what is special about how an event counts."""
    said = [] if event.multiplier == 1 else [f"×{exact_text(event.multiplier)}"]
    return ", ".join([*said, *([_("final")] if event.is_final else [])])
