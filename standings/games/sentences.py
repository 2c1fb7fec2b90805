"""What a player's games say, in whole translatable sentences."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from league import formats
from league.formats import ordinal
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.explanations.sentences import filled
from standings.games.figures import GameFigures
from standings.games.record import Rate, Record, RoundGoal

# Spreads of luck from a new player's R: as far as luck alone is likely to bring a rating, and hardly ever does.
LIKELY, HARDLY = 1.0, 2.0


def stand(rank: tuple[int, int] | None, figures: GameFigures) -> str:
    """Say where the player stands by R."""
    r = formats.whole_rate(figures.r)
    if rank is None:
        return _("not ranked by R yet (%(r)s)") % {"r": r}
    return _("%(place)s of %(n)d by R (%(r)s)") % {"place": ordinal(rank[0]), "n": rank[1], "r": r}


def distance(figures: GameFigures, r0: float) -> str:
    """Say how far R is from that of a new player, in spreads of luck."""
    spreads = figures.above / figures.luck.now if figures.luck.now > 0.0 else 0.0
    text = (
        _("%(spreads)s spreads of luck above %(r0)s.")
        if spreads >= 0
        else _("%(spreads)s spreads of luck below %(r0)s.")
    )
    return text % {"spreads": formats.number(abs(spreads), 1), "r0": formats.number(r0)}


class Figure(NamedTuple):
    """One of the figures at the top: what it is, its value, and what to compare it with."""

    title: str
    value: str
    beside: str


def rates_of(record: Record, figures: GameFigures) -> list[Figure]:
    """Write the rates of places, the balance, the best score and the streak."""
    rates = [(_("Firsts"), record.first), (_("Best two"), record.best_two), (_("Not last"), record.not_last)]
    shown = [_rate(title, rate) for title, rate in rates if rate]
    if figures.balance is not None:
        a_game = _("%(balance)s a %(game_word)s") % {"balance": formats.signed(figures.balance, 2)}
        shown.append(Figure(_("Balance"), formats.signed(figures.balance_sum or 0.0, 1), a_game))
    if record.best_score:
        score, at = record.best_score
        day = date_format(localtime(at), "DATE_FORMAT")
        shown.append(Figure(_("Best score"), formats.grouped(score), day))
    longest = _("longest so far %(n)d") % {"n": record.not_last_longest}
    streak = _("%(n)d in a row") % {"n": record.not_last_now}
    return [*shown, Figure(_("Without a last place"), streak, longest)]


def _rate(title: str, rate: Rate) -> Figure:
    times = ngettext("%(n)d time, by chance %(even)s", "%(n)d times, by chance %(even)s", rate.n)
    beside = times % {"n": rate.n, "even": formats.percent(rate.even)}
    return Figure(title, formats.percent(rate.share, 1), beside)


def band_words(figures: GameFigures) -> dict[str, str]:
    """Label what the mean place is compared with."""
    return {
        "expected": _("expected %(place)s") % {"place": formats.number(figures.expected_place, 2)},
        "even": _("by chance %(place)s") % {"place": formats.number(figures.average_place, 2)},
    }


def places_in_words(counts: Sequence[int]) -> str:
    """Say how often each place was reached."""
    return formats.listed(f"{formats.finish(place)} {n}" for place, n in enumerate(counts, start=1))


def next_game(record: Record) -> str:
    """Say what the next game can do to the mean place."""
    text = _(
        "First place in the next %(game_word)s brings the mean place to %(first)s, %(place)s place to %(last)s."
    )
    return text % {
        "first": formats.number(record.if_first, 2),
        "last": formats.number(record.if_last, 2),
        "place": formats.finish(record.last_place),
    }


def next_round(goal: RoundGoal) -> str:
    """Say what the next round R takes."""
    points = max(ceil(goal.missing), 1)
    values = {"points": formats.number(points), "r": formats.number(goal.r), "n": goal.n_wins}
    if goal.n_wins is None:
        return _("%(points)s to R %(r)s.") % values
    text = ngettext(
        "%(points)s to R %(r)s: about %(n)d first place.",
        "%(points)s to R %(r)s: about %(n)d first places.",
        goal.n_wins,
    )
    return text % values


def verdict(name: str, figures: GameFigures, r0: float) -> list[SafeString]:
    """Say how much of the distance to the middle luck alone explains; nothing after few games."""
    if figures.is_few or figures.luck.now == 0.0:
        return []
    pairs = ngettext(
        "Of two equal players with %(n)d %(game_word)s, one pair in three is more than %(points)s points apart by"
        " luck alone.",
        "Of two equal players with %(n)d %(games_word)s, one pair in three is more than %(points)s points apart by"
        " luck alone.",
        figures.n_games,
    )
    apart = format_html("<b>{}</b>", formats.number(figures.luck.apart))
    return [
        filled(pairs, n=figures.n_games, points=apart),
        filled(
            _verdict(figures), name=name, points=formats.number(abs(figures.above)), r0=formats.number(r0)
        ),
    ]


def _verdict(figures: GameFigures) -> str:
    spreads = figures.above / figures.luck.now
    if abs(spreads) <= LIKELY:
        return (
            _("%(name)s is %(points)s above %(r0)s: luck alone can do that.")
            if spreads >= 0
            else _("%(name)s is %(points)s below %(r0)s: luck alone can do that.")
        )
    if abs(spreads) <= HARDLY:
        return (
            _("%(name)s is %(points)s above %(r0)s: a good sign, not yet proof.")
            if spreads > 0
            else _("%(name)s is %(points)s below %(r0)s: a bad sign, not yet proof.")
        )
    return (
        _("%(name)s is %(points)s above %(r0)s: more than luck alone explains.")
        if spreads > 0
        else _("%(name)s is %(points)s below %(r0)s: more than luck alone explains.")
    )
