"""Write a published result for screens and players' phones: places, prizes, and once computed points and rates."""

from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Subquery

from league.models import Entry as StoredEntry
from live.engine.prizes import decimals_of
from live.engine.state import Night as State
from live.models import Night
from live.showing.numbers import plain
from payouts.models import EntryMoney, EntryPoints
from ratings.models import RatedEntry
from reading.names.keys import name_key

OF_RATINGS = ("rate", "change", "badge", "before")


def result_of(
    night: Night, state: State, names: Mapping[str, str], *, shows_money: bool
) -> dict[str, Any] | None:
    """Read the result of a night; None before it is published.

    `names` are those of the entries of the log: whoever was there as a guest is called by the same name afterwards.
    """
    if night.event is None:
        return None
    entries = list(
        StoredEntry.objects.filter(event=night.event_id).select_related("player").order_by("place", "number")
    )
    rated = _rated(night)
    points = _points(entries)
    prizes = _prizes(night, state) if shows_money else {}
    by_person = _entries_by_person(state)
    rows = []
    for entry in entries:
        if not entry.is_last:
            continue
        player = entry.player
        own = by_person.get(player.pk) or by_person.get(name_key(player.name))
        rows.append(
            {
                "entry": own,
                "player": player.pk,
                "name": player.name if own is None else names[own],
                "place": entry.place,
                "points": points.get(player.pk, ""),
                "prize": prizes.get(player.pk),
                **rated.get(player.pk, {"rate": None, "change": None, "badge": "", "before": ""}),
            }
        )
    return {
        "address": night.event.get_absolute_url(),
        "rows": rows,
        "is_rated": bool(rated),
        "hides_ratings": False,
    }


def without_ratings(result: dict[str, Any]) -> dict[str, Any]:
    """Leave out the ratings of a result, for whoever may not see those of the club."""
    rows = [{**row, **dict.fromkeys(OF_RATINGS)} for row in result["rows"]]
    return {**result, "rows": rows, "hides_ratings": True, "address": ""}


def _entries_by_person(state: State) -> dict[int | str, str]:
    """Map players, and guests by the keys of their names, to their latest entries in the log."""
    found: dict[int | str, str] = {}
    for entry_id in state.latest.values():
        entry = state.entries[entry_id]
        found[entry.player or name_key(entry.name)] = entry_id
    return found


def _rated(night: Night) -> dict[int, dict[str, Any]]:
    """Map players to their rates and badges after the night, and to the badges before it."""
    earlier = RatedEntry.objects.filter(
        pool=OuterRef("pool"), player=OuterRef("player"), starts_at__lt=OuterRef("starts_at")
    )
    rows = RatedEntry.objects.filter(event=night.event_id).annotate(
        badge_before=Subquery(earlier.order_by("-starts_at", "-pk").values("badge")[:1])
    )
    return {
        row.player_id: {
            "rate": round(row.posterior_rate),
            "change": round(row.posterior_rate) - round(row.prior_rate),
            "badge": row.badge,
            "before": row.badge_before or "",
        }
        for row in rows.order_by("number")
    }


def _points(entries: list[StoredEntry]) -> dict[int, str]:
    """Add up the points of each player, bonus points included; nobody is here before they are computed."""
    player_of = {entry.pk: entry.player_id for entry in entries}
    sums: dict[int, Any] = {}
    for row in EntryPoints.objects.filter(entry__in=player_of):
        player = player_of[row.entry_id]
        sums[player] = sums.get(player, 0) + row.points
    return {player: plain(total) for player, total in sums.items()}


def _prizes(night: Night, state: State) -> dict[int, int]:
    """Map players to what they have won, in the smallest unit of money."""
    rows = EntryMoney.objects.filter(entry__event=night.event_id, prize__gt=0)
    found: dict[int, int] = {}
    for player, prize in rows.values_list("entry__player_id", "prize"):
        found[player] = found.get(player, 0) + int(prize.scaleb(decimals_of(state.setup)))
    return found
