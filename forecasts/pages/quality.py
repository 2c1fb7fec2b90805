"""What the page of a pool's quality says, in words and figures."""

from collections.abc import Mapping, Sequence
from math import ceil, log
from typing import Any, NamedTuple

from league import formats
from league.vocabulary import gettext as _

COIN = log(2.0)
# A lead of so much over the coin, as a share of pairs, should be seen before anybody is told that there is none.
LEAST_LEAD = 0.03
LEAST_MISS = 0.03  # between said and was, before it is called too sure
MOST_ERROR = 0.05  # of a dot that the headline speaks of
LEAST_EVENTS = 5
LEAST_OFF = 0.001  # of an expected place, as a share of the field; less is rounding


class Verdict(NamedTuple):
    """The finding in one or two sentences, and what follows from it."""

    text: str
    follows: list[str]
    is_early: bool


class BinRow(NamedTuple):
    said: str
    was: str
    difference: str
    gain: bool
    n: int


def verdict_of(figures: Mapping[str, Any]) -> Verdict:
    """Say whether the ratings forecast better than a coin, and whether they were too sure."""
    value, error, _n = figures["pairs"]["accuracy"]
    if error is None or figures["n_events"] < LEAST_EVENTS:
        return Verdict(
            _("It is too early to say: more %(events_word)s are needed."), [_too_few()], is_early=True
        )
    lead = value - 0.5
    right = round(100 * value)
    if lead > 2 * error:
        text = _("Right in %(right)d of 100 pairs, where a coin is right in 50.") % {"right": right}
        return Verdict(f"{text} {_sureness(figures)}".strip(), _what_follows(figures), is_early=False)
    needed = ceil(figures["n_events"] * (2 * error / LEAST_LEAD) ** 2)
    if needed > figures["n_events"]:
        text = _(
            "It is too early to say. So far the ratings were right in %(right)d of 100 pairs, which a coin could be,"
            " too. With about %(needed)d %(events_word)s even a small difference would show."
        ) % {"right": right, "needed": _rounded(needed)}
        return Verdict(text, [_too_few()], is_early=True)
    text = _("Right in %(right)d of 100 pairs: no better than a coin.") % {"right": right}
    return Verdict(text, [_too_few()], is_early=False)


def _rounded(n: int) -> int:
    """Round up to two significant digits, since the number is known no more precisely."""
    step = int(10 ** max(0, len(str(n)) - 2))
    return ceil(n / step) * step


def _too_few() -> str:
    return _(
        "This does not mean that nobody is better than anybody; it means that these results cannot show it yet."
    )


def _sureness(figures: Mapping[str, Any]) -> str:
    far = _furthest(figures["pairs"]["bins"])
    if far is None:
        return _("And the chances were about right.")
    said, was = (round(100 * value) for value in far)
    words = (
        _("But too sure of themselves: when they said %(said)d %%, it was %(was)d %%.")
        if was < said
        else _("And too modest: when they said %(said)d %%, it was %(was)d %%.")
    )
    return words % {"said": said, "was": was}


def _furthest(bins: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Find the highest forecast chance that differs clearly from the observed share; None without one."""
    wrong = [
        (said, was)
        for said, was, error, _n in bins
        if error is not None and error < MOST_ERROR and abs(said - was) > max(2 * error, LEAST_MISS)
    ]
    return wrong[-1] if wrong else None


def _what_follows(figures: Mapping[str, Any]) -> list[str]:
    follows = [_("The order of the ratings can be trusted: the higher one does finish ahead more often.")]
    if figures["scale"] < 0.9:  # noqa: PLR2004  a tenth less is seen in no chance
        follows.append(
            _("Distances count for less: in chances a lead is worth %(percent)d %% of what the formula says.")
            % {"percent": round(100 * figures["scale"])}
        )
    if figures["luck"]:
        follows.append(
            _("In %(luck)d of 100 pairs luck alone decides, however far apart the two are rated.")
            % {"luck": round(100 * figures["luck"])}
        )
    follows.append(_calibrated(figures))
    return follows


def _calibrated(figures: Mapping[str, Any]) -> str:
    bins = [*figures["calibrated"]["bins"]]
    wrong = [each for each in bins if each[2] is not None and abs(each[0] - each[1]) > 2 * each[2]]
    if not wrong:
        return _("The chances shown on this site are corrected for that, and then they are right.")
    miss = max(abs(said - was) for said, was, _error, _n in wrong)
    return _(
        "The chances shown on this site are corrected for that. They are still not quite right: off by up to"
        " %(miss)d in 100."
    ) % {"miss": max(1, round(100 * miss))}


def places_in_words(figures: Mapping[str, Any]) -> str:
    """Say whether corrected expected places are right within two standard errors."""
    bins = [each for each in figures["calibrated_places"]["bins"] if each[2] is not None]
    wrong = [off for _said, off, error, _n in bins if abs(off) > max(2 * error, LEAST_OFF)]
    if not bins:
        return ""
    if not wrong:
        return _("Corrected in the same way, expected places are right within two standard errors.")
    return _(
        "Corrected in the same way, expected places are still off by up to %(percent)s %% of the field."
    ) % {"percent": formats.number(100 * max(map(abs, wrong)), 1)}


def bin_rows(bins: Sequence[Sequence[float]]) -> list[BinRow]:
    rows = []
    for said, was, _error, n in bins:
        points = round(100 * was) - round(100 * said)
        difference = formats.signed(points) if points else "0"
        rows.append(BinRow(f"{100 * said:.0f} %", f"{100 * was:.0f} %", difference, points >= 0, round(n)))
    return rows
