"""Structures and rules in the reader's language."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import pgettext

from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy, ngettext
from payouts.engine.exact import exact_decimal, exact_text
from payouts.engine.seasons.breakdown import EventVerdict
from payouts.engine.seasons.season import SeasonEvent
from payouts.engine.seasons.selection import Verdict
from payouts.engine.structures.formula_parts import FormulaParts
from payouts.engine.structures.settings import NAMES
from payouts.engine.structures.structure import PointsStructure
from payouts.models import ClubMoney, SeasonRules

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
    "balance": gettext_lazy("Balances alone"),
    "expression": gettext_lazy("Formula of your own"),
}
# Descriptions of structures whose formula depends on settings, for a list to choose from.
SHAPES: Mapping[str, Any] = {
    "fixed": gettext_lazy("40, 25, 15, ... percent, seats by these votes"),
    "custom": gettext_lazy("a list of votes, then nothing, c/n or a power"),
    "fixed_table": gettext_lazy("a list of points, then nothing"),
    "percentage_pool": gettext_lazy("a list of percentages of c*n points"),
    "expression": gettext_lazy("in n, k, entries, knockouts, buy_in, paid, balance"),
}
# Formulas with variables besides n and k, by these variables.
WITH_VARIABLES: Mapping[tuple[str, ...], Any] = {
    ("b",): gettext_lazy("%(formula)s, b the buy-in"),
    ("b", "e"): gettext_lazy("%(formula)s, b the buy-in, e the player's total cost"),
}
TIE_BREAKS: Mapping[str, Any] = {
    "points": gettext_lazy("points without attendance"),
    "wins": gettext_lazy("%(wins_word)s"),
    "best_places": gettext_lazy("best places"),
    "head_to_head": gettext_lazy("head to head"),
    "events": gettext_lazy("%(events_word)s played"),
    "profit": gettext_lazy("profit per tourney"),
    "alphabetical": gettext_lazy("name"),
}


def formula_in_words(structure: PointsStructure) -> str:
    """Write the structure's exact formula."""
    if structure.name == "balance":
        return _balance_in_words(structure.per_balance)
    parts = structure.parts
    text = _places_in_words(parts)
    if parts.variables:
        text = WITH_VARIABLES[parts.variables] % {"formula": text}
    if parts.cap is not None:
        text = _("%(formula)s; above %(n)d entries %(n)d seats, each worth entries/%(n)d") % {
            "formula": text,
            "n": parts.cap,
        }
    if structure.per_balance is None:
        return text
    return _("%(formula)s; plus %(balance)s") % {
        "formula": text,
        "balance": _balance_in_words(structure.per_balance),
    }


def _balance_in_words(per_balance: Fraction | None) -> str:
    if per_balance is None or per_balance == 1:
        return _("the balance")
    return _("%(factor)s × the balance") % {"factor": exact_text(per_balance)}


def _places_in_words(parts: FormulaParts) -> str:
    """Write the listed places and those after them, or the formula of all places."""
    if not parts.n_listed:
        return parts.head
    if not parts.tail:
        return _("%(head)s, then nothing") % {"head": parts.head}
    text = _("%(head)s, then %(tail)s for n > %(n)s") % {
        "head": parts.head,
        "tail": parts.tail,
        "n": parts.n_listed,
    }
    return text.replace("n > ", "n\u00a0>\u00a0")  # so that no line breaks within it


def structure_in_words(structure: PointsStructure) -> str:
    """Write label and formula, such as "VP_KID: 100, 60, 40, 25, then 100/n for n > 4"."""
    return f"{LABELS[structure.name]}: {formula_in_words(structure)}"


def structure_choices() -> list[tuple[str, str]]:
    """List every structure with its formula, to choose from."""
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
    """Explain the rules of a season, one sentence each."""
    return [*_structure_sentences(rules.points_structure), *standings_in_words(rules)]


def standings_in_words(rules: SeasonRules) -> list[str]:
    """Explain what of a season counts and how totals are ordered, one sentence each."""
    return [*_counting_sentences(rules), *_order_sentences(rules)]


def _structure_sentences(structure: PointsStructure) -> list[str]:
    if structure.name == "balance":
        return [_("Points are the balances.")]
    sentence = _("Points by %(structure)s.") % {"structure": structure_in_words(structure)}
    if not structure.is_dhondt:
        return [sentence]
    if structure.ties == "better":
        return [sentence, _("If two places tie for a point, the better place gets it; tied players share.")]
    return [sentence, _("If two places tie for a point, the worse place gets it; tied players share.")]


def _counting_sentences(rules: SeasonRules) -> list[str]:
    sentences = []
    if n := rules.attendance_points:
        sentences.append(
            ngettext(
                "Each %(event_word)s played adds %(n)d point for attendance.",
                "Each %(event_word)s played adds %(n)d points for attendance.",
                n,
            )
            % {"n": n}
        )
    if n := rules.best_n_per_month or 0:
        sentences.append(
            ngettext(
                "Of each month a player's best result counts.",
                "Of each month a player's best %(n)d results count.",
                n,
            )
            % {"n": n}
        )
    if n := rules.drop_worst:
        sentences.append(_drop_sentence(n, missed=rules.missed_count_as_zero))
        if rules.missed_count_as_zero and rules.points_structure.uses_balance:
            sentences.append(
                _("%(An_event_word)s missed counts as zero, so negative results are dropped before it.")
            )
    if n := rules.best_n or 0:
        sentences.append(
            ngettext(
                "Of the season a player's best result counts.",
                "Of the season a player's best %(n)d results count.",
                n,
            )
            % {"n": n}
        )
    if not rules.scoring.keeps_all:
        sentences.append(_("A final always counts."))
    return sentences


def _drop_sentence(n: int, *, missed: bool) -> str:
    if missed:
        text = ngettext(
            "A player's worst result is dropped; %(an_event_word)s missed counts as the worst.",
            "A player's worst %(n)d results are dropped; %(events_word)s missed count as the worst.",
            n,
        )
    else:
        text = ngettext(
            "A player's worst result is dropped, of the %(events_word)s played.",
            "A player's worst %(n)d results are dropped, of the %(events_word)s played.",
            n,
        )
    return text % {"n": n}


def _order_sentences(rules: SeasonRules) -> list[str]:
    sentences = []
    if rules.tie_breaks:
        order = _listed([_tie_break(name, rules) for name in rules.tie_breaks])
        sentences.append(_("Equal totals are decided by: %(order)s.") % {"order": order})
    n = rules.min_events
    if rules.pays_balances:
        text = ngettext(
            "The balance per %(game_word)s is the mean of all balances; ranked from %(n)d %(game_word)s on.",
            "The balance per %(game_word)s is the mean of all balances; ranked from %(n)d %(games_word)s on.",
            n,
        )
        return [*sentences, text % {"n": n}]
    text = ngettext(
        "Profit per tourney is (points − entries) / %(events_word)s; ranked from %(n)d %(event_word)s on.",
        "Profit per tourney is (points − entries) / %(events_word)s; ranked from %(n)d %(events_word)s on.",
        n,
    )
    return [*sentences, text % {"n": n}]


def _tie_break(name: str, rules: SeasonRules) -> str:
    if name == "profit" and rules.pays_balances:
        return _("balance per %(game_word)s")
    return str(TIE_BREAKS[name])


def bonuses_in_words(bonuses: Iterable[tuple[str, int, str]]) -> str:
    """List bonus points as (name, points, reason)."""
    texts = []
    for name, points, reason in bonuses:
        said = f"{name} {formats.signed(points)}"
        texts.append(_("%(said)s (%(reason)s)") % {"said": said, "reason": reason} if reason else said)
    return formats.listed(texts)


def inactive_in_words(rules: SeasonRules) -> str:
    """Say from when on a player is inactive, by rules under which players can be."""
    n = rules.inactive_after or 0
    text = ngettext(
        "Who has missed the last day of play is inactive, without a position, until the next %(night_word)s.",
        "Who has missed the last %(n)d days of play is inactive, without a position, until the next %(night_word)s.",
        n,
    )
    return text % {"n": n}


def first_day_of(month: str) -> date:
    """Find the first day of a month given as 1999-03."""
    return date.fromisoformat(f"{month}-01")


def verdict_in_words(verdict: EventVerdict) -> str:
    """Explain why an event counts or not."""
    month = date_format(first_day_of(verdict.month), "YEAR_MONTH_FORMAT")
    values = {"n": verdict.limit or 0, "month": month}
    texts = {
        Verdict.COUNTED: _("counts"),
        Verdict.FINAL: _("final, always counts"),
        Verdict.BELOW_MONTH_BEST: _("dropped: not among the best %(n)d of %(month)s"),
        Verdict.WORST: _("dropped: among the worst %(n)d"),
        Verdict.BELOW_BEST: _("dropped: not among the best %(n)d"),
        Verdict.MISSED: _("missed"),
    }
    return texts[verdict.verdict] % values


def weight_in_words(event: SeasonEvent) -> str:
    """Describe an event that counts specially, such as "×2, final"."""
    words = [] if event.multiplier == 1 else [f"×{exact_text(event.multiplier)}"]
    return _listed([*words, *([_("final")] if event.is_final else [])])


def _listed(words: Sequence[str]) -> str:
    return pgettext("between the words of a list", ", ").join(words)


def amount_text(
    value: Fraction | Decimal, money: ClubMoney, write: Callable[[Decimal, int], str] = formats.number
) -> str:
    """Write an amount in the club's way, such as 12.50 €; with more decimals if it has more."""
    exact = exact_decimal(Fraction(value)).normalize()
    text = write(exact, max(money.decimals, -int(exact.as_tuple().exponent)))
    return f"{text}\u00a0{money.currency}" if money.currency else text
