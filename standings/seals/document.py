"""The canonical text of a season, whose checksum is its seal (docs/exports.md). It is the same wherever it is made.

Settings are written with all their fields, so that one added later is sealed without a change here. A check compares
only the fields that were sealed, and so ignores those that a later version of the site has added.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db import models

from league.models import Entry, Event, Player, Season
from league.queries import slugs_of_club
from payouts.models import BroughtTotals
from payouts.queries import rules_of
from ratings.models import RatingSettings
from ratings.queries import settings_at
from standings.awards.winners import WonAward, season_awards
from standings.models import Standing

FORMAT = "tierboard-season/1"
STATE = {"is_closed", "is_sealed"}  # fields of a season that are no settings
STANDING = (
    "player_id", "points_position", "points_rank", "tier_rank", "profit_rank", "points", "total", "profit", "n_events",
    "n_entries", "n_wins", "n_brought", "rate_before", "rate", "badge", "is_provisional", "is_newcomer",
)  # fmt: skip
ENTRY = (
    "event_id",
    "player_id",
    "number",
    "place",
    "is_last",
    "registered_at",
    "busted_at",
    "knockouts",
    "cost",
)
Document = dict[str, Any]


def canonical_text(document: Document) -> str:
    """JSON with sorted keys, without spaces and escapes; UTF-8 when written to a file."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def season_document(season: Season, *, sealed: Document | None = None) -> Document:
    """Build the document of a season. With `sealed`, use only its fields, names and rating revision."""
    standings = _standings(season)
    events = _events(season, sealed)
    awards = [_award(won) for won in season_awards(season)]
    player_ids = {row["player_id"] for row in standings}
    player_ids |= {entry["player_id"] for event in events for entry in event["entries"]}
    player_ids |= {player for award in awards for place in award["places"] for player in place["players"]}
    return {
        "format": FORMAT,
        "club": _club_address(season, sealed),
        "season": _settings(season, _sealed_part(sealed, "season"), leave_out=STATE),
        "rules": _settings(rules_of(season), _sealed_part(sealed, "rules")),
        "rating": _rating(season, events, sealed),
        "players": _players(player_ids, sealed),
        "events": events,
        "brought": _brought_forward(season),
        "standings": standings,
        "awards": awards,
    }


def _club_address(season: Season, sealed: Document | None) -> str:
    """The address of the club; with `sealed`, the one it had then."""
    addresses = slugs_of_club(season.club) if sealed else [season.club.slug]
    return sealed["club"] if sealed and sealed["club"] in addresses else season.club.slug


def first_difference(sealed: Any, current: Any, where: str = "") -> str:
    """Describe the first difference between two documents; empty if there is none."""
    if isinstance(sealed, dict) and isinstance(current, dict):
        pairs: Iterable[tuple[Any, Any, str]] = (
            (sealed.get(key, "nothing"), current.get(key, "nothing"), f"{where}.{key}".lstrip("."))
            for key in sorted(sealed.keys() | current.keys())
        )
    elif isinstance(sealed, list) and isinstance(current, list) and len(sealed) == len(current):
        pairs = (
            (one, other, f"{where}[{i}]") for i, (one, other) in enumerate(zip(sealed, current, strict=True))
        )
    elif isinstance(sealed, list) and isinstance(current, list):
        return f"{where}: {len(sealed)} were sealed, {len(current)} are there"
    else:
        return "" if sealed == current else f"{where}: {sealed} was sealed, {current} is there"
    return next((text for one, other, at in pairs if (text := first_difference(one, other, at))), "")


def _sealed_part(sealed: Document | None, name: str) -> Document | None:
    return sealed and (sealed[name] or {})


def _settings(row: models.Model, sealed: Document | None, *, leave_out: Iterable[str] = ()) -> Document:
    """The editable fields of a row, exact; with `sealed`, only those that were sealed."""
    names = [
        field.attname
        for field in row._meta.concrete_fields
        if field.editable
        and not field.primary_key
        and not field.is_relation
        and field.attname not in leave_out
    ]
    return {name: _exact(getattr(row, name)) for name in names if sealed is None or name in sealed}


def _rating(season: Season, events: list[Document], sealed: Document | None) -> Document | None:
    """The settings that the season's last event was rated with; None for those of the publication."""
    if sealed is None:
        last = datetime.fromisoformat(events[-1]["starts_at"]) if events else season.starts_at
        stored = settings_at(season.pool_id, last)
    else:
        revision = sealed["rating"] and sealed["rating"]["revision"]
        stored = RatingSettings.objects.filter(pool=season.pool_id, revision=revision).first()
    return {"revision": stored.revision, "params": _exact(stored.params)} if stored else None


def _players(player_ids: set[int], sealed: Document | None) -> list[Document]:
    """Players by id; those renamed since the sealing keep their sealed names."""
    names = dict(Player.objects.filter(pk__in=player_ids).values_list("pk", "name"))
    if sealed:
        names |= {row["player_id"]: row["name"] for row in sealed["players"]}
    return [{"player_id": pk, "name": names[pk]} for pk in sorted(player_ids)]


def _events(season: Season, sealed: Document | None) -> list[Document]:
    fields = {event["event_id"]: event for event in sealed["events"]} if sealed else {}
    entries: dict[int, list[Document]] = {}
    for event_id, entry in _entries(season):
        entries.setdefault(event_id, []).append(entry)
    rows = Event.objects.filter(season=season).select_related("rules", "terms", "meet").in_rating_order()
    return [
        _settings(event, fields.get(event.pk))
        | {
            "event_id": event.pk,
            "meet": event.meet and event.meet.name,
            "rules": _event_settings(event, "rules", _sealed_part(fields.get(event.pk), "rules")),
            "terms": _event_settings(event, "terms", _sealed_part(fields.get(event.pk), "terms")),
            "entries": entries.get(event.pk, []),
        }
        for event in rows
    ]


def _event_settings(event: Event, name: str, sealed: Document | None) -> Document | None:
    row = getattr(event, name, None)
    return _settings(row, sealed) if row else None


def _brought_forward(season: Season) -> list[Document]:
    rows = BroughtTotals.objects.filter(season=season).order_by("player_id")
    return [
        {"player_id": row.player_id, "points": str(row.points)}
        | {name: getattr(row, name) for name in ("n_events", "n_entries", "n_wins")}
        for row in rows
    ]


def _entries(season: Season) -> Iterable[tuple[int, Document]]:
    rows = Entry.objects.filter(event__season=season).order_by("event_id", "place", "player_id", "number")
    for *values, numerator, denominator in rows.values_list(
        *ENTRY, "points__numerator", "points__denominator"
    ):
        entry = {name: _exact(value) for name, value in zip(ENTRY, values, strict=True)}
        points = None if numerator is None else str(Fraction(numerator, denominator))
        yield entry.pop("event_id"), entry | {"points": points}


def _standings(season: Season) -> list[Document]:
    rows = Standing.objects.filter(season=season).order_by("points_position").values(*STANDING)
    return [{name: _exact(value) for name, value in row.items()} for row in rows]


def _award(won: WonAward) -> Document:
    places = [
        {
            "place": place.place,
            "players": sorted(winner.player_id for winner in place.winners),
            "value": None if place.value is None else str(_exact(place.value)),
        }
        for place in won.places
    ]
    award = won.award
    return {"kind": award.kind, "title": award.title, "min_events": award.min_events, "places": places}


def _exact(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _exact(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(item) for item in value]
    return value if value is None or isinstance(value, bool | int | str) else _text(value)


def _text(value: Any) -> str:
    """Decimals, floats and times as text, since programs print decimals differently."""
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)
