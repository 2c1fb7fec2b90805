"""The items of a club's bin in words."""

from typing import Any, NamedTuple

from league import formats
from league.models import BinItem, Club, Player
from league.vocabulary import gettext as _
from league.vocabulary import ngettext

LAST_DAYS = 3


class BinLine(NamedTuple):
    item: BinItem
    facts: str
    left: str
    is_soon: bool


def bin_lines(club: Club) -> list[BinLine]:
    items = list(BinItem.objects.filter(club=club).select_related("deleted_by").defer("data"))
    winners = {pk for item in items for pk in item.facts.get("winners", ())}
    names = dict(Player.objects.filter(pk__in=winners).values_list("pk", "name"))
    return [
        BinLine(item, _facts(item.facts, names), _left(item.days_left), item.days_left < LAST_DAYS)
        for item in items
    ]


def _left(days: int) -> str:
    if not days:
        return _("goes within a day")
    return ngettext("%(n)d day left", "%(n)d days left", days) % {"n": days}


def _facts(facts: dict[str, Any], names: dict[int, str]) -> str:
    parts = [facts["season"]] if facts.get("season") else []
    if "n_entries" in facts:
        parts.append(ngettext("%(n)d entry", "%(n)d entries", facts["n_entries"]) % {"n": facts["n_entries"]})
    elif "n_events" in facts:
        parts.append(
            ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", facts["n_events"])
            % {"n": facts["n_events"]}
        )
    if winners := [names[pk] for pk in facts.get("winners", ()) if pk in names]:
        parts.append(_("won by %(names)s") % {"names": formats.listed(winners)})
    if "is_guest" in facts:
        parts.append(_("guest without entries") if facts["is_guest"] else _("without entries"))
    return ", ".join(parts)
