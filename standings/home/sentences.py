"""The last event of a club in a sentence, and what it meant for those on the podium."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.text import capfirst

from league import formats
from league.models import PoolKind
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.home.queries import Finisher, LastNight
from standings.home.records import Record, Records
from standings.models import Standing


class Step(NamedTuple):
    """A step of the podium: the player, and below the name what the place means."""

    finisher: Finisher
    words: str


class RecordLine(NamedTuple):
    label: str
    value: str
    record: Record


def record_lines(records: Records) -> list[RecordLine]:
    is_by_game = records.kind == PoolKind.PROFIT
    gain = _("Biggest gain in one %(game_word)s") if is_by_game else _("Biggest gain in one %(event_word)s")
    lines = (
        (_("Highest R") if is_by_game else _("Highest rate"), records.highest_rate, formats.whole_rate),
        (_("Most wins in a season"), records.most_wins, formats.number),
        (gain, records.biggest_gain, formats.signed),
    )
    return [RecordLine(label, write(record.value), record) for label, record, write in lines if record]


def steps_of(night: LastNight) -> list[Step]:
    return [Step(each, _meaning(each)) for each in night.podium]


def _meaning(finisher: Finisher) -> str:
    """Say what the evening meant: wins and places of the season, or how else it was expected."""
    standing, parts = finisher.standing, []
    if finisher.points is not None:
        text = ngettext("%(points)s point", "%(points)s points", 1 if finisher.points == 1 else 2)
        parts.append(text % {"points": formats.points(finisher.points)})
    elif standing and finisher.place == 1 and standing.n_wins:
        parts.append(_wins(standing.n_wins))
    parts += _moved(standing) if standing else []
    if finisher.expected is not None and len(parts) < 2:  # noqa: PLR2004  two fit on the line
        parts.append(_("expected place %(place)s") % {"place": formats.number(finisher.expected, 1)})
    return capfirst(formats.listed(parts))


def _wins(n: int) -> str:
    return _("win number %(n)d of the season") % {"n": n} if n > 1 else _("first win of the season")


def _moved(standing: Standing) -> list[str]:
    rank, moved = standing.points_rank, standing.points_moved
    if rank == 1:
        return [_("takes the lead") if moved else _("leads the season")]
    if rank is None or not moved:
        return []
    values = {"n": abs(moved), "place": formats.ordinal(rank)}
    text = (
        ngettext("up %(n)d place to %(place)s", "up %(n)d places to %(place)s", abs(moved))
        if moved > 0
        else ngettext("down %(n)d place to %(place)s", "down %(n)d places to %(place)s", abs(moved))
    )
    return [text % values]


def sentence_of(night: LastNight) -> str:
    """Say who won, against how many, and who was expected elsewhere."""
    winners = [each for each in night.podium if each.place == 1]
    if not winners or night.n_players <= len(winners):
        return ""
    names, n = formats.together(each.name for each in winners), night.n_players - len(winners)
    if night.n_events > 1:
        text = _("%(names)s came first among %(n)d players in %(events)d %(games_word)s.")
        return text % {"names": names, "n": night.n_players, "events": night.n_events}
    if len(winners) > 1:
        return _("%(names)s shared the win among %(n)d players.") % {"names": names, "n": night.n_players}
    best = _most_surprising(night.podium)
    if best and best.expected is not None and best is winners[0]:
        text = ngettext(
            "%(name)s, expected in place %(expected)s, %(outlasted_word)s %(n)d other.",
            "%(name)s, expected in place %(expected)s, %(outlasted_word)s %(n)d others.",
            n,
        )
        return text % {"name": names, "n": n, "expected": formats.number(best.expected, 1)}
    won = ngettext("%(name)s %(outlasted_word)s %(n)d other.", "%(name)s %(outlasted_word)s %(n)d others.", n)
    return " ".join([won % {"name": names, "n": n}, *_surprise(best)])


def _most_surprising(podium: Sequence[Finisher]) -> Finisher | None:
    """Find the finisher furthest ahead of the expected place; None if below one whole place."""
    behind = [(each.expected - each.place, -each.place, each) for each in podium if each.expected is not None]
    gap, _place, best = max(behind, key=lambda found: found[:2], default=(0.0, 0, None))
    return best if gap >= 1 else None


def _surprise(best: Finisher | None) -> list[str]:
    if best is None or best.expected is None:
        return []
    values = {"name": best.name, "place": formats.ordinal(best.place)}
    text = _("%(name)s, %(place)s, was expected in place %(expected)s.")
    return [text % {**values, "expected": formats.number(best.expected, 1)}]
