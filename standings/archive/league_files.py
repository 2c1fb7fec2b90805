"""Make a club from a league file (docs/league-format)."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DataError, transaction
from django.utils.translation import gettext as _

from entry.event_file_rows import identifier
from entry.score_messages import message_of
from entry.services.bulk_results import NewResult, enter_results
from league.models import Club, Entry, Event, Game, Player, Pool, PoolKind, Season
from league.services.changes import lock_pools
from league.services.errors import Refused
from league.services.players import ensure_players, remember_aliases
from league.services.pools import open_pool, save_game
from league.services.quotas import require_room_for_players
from league.services.seasons import close_season
from payouts.engine.errors import EngineError
from payouts.engine.structures.structure import PointsStructure
from payouts.models import EventRules, EventTerms
from payouts.queries import terms_version
from payouts.services.bonuses import Bonus, set_bonuses
from payouts.services.rules import RULE_FIELDS, open_season_with_rules
from payouts.services.terms import TERM_FIELDS, set_event_terms
from people.services.clubs import open_club
from reading.league_files.checks import LeagueProblem
from reading.league_files.unknown import unknown_keys
from reading.names.keys import name_key
from reading.results import EntryInput, EventDetails
from scores.errors import ScoreError
from scores.rules import ScoreRules
from standings.exports.league_files import EXACT
from standings.models import KeptKeys


class BadLeague(Refused):
    """A league file that no club can be made of, although it is of the right form."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(str(LeagueProblem(path, message)))


def make_league(league: dict[str, Any], *, owner: User, slug: str = "") -> Club:
    """Make a club from a file without problems; points and ratings are computed afterwards. Raise Refused."""
    try:
        return _make_league(league, owner, slug)
    except (DataError, ArithmeticError) as error:
        raise BadLeague("", _("The file has a number that this site cannot hold.")) from error


@transaction.atomic
def _make_league(league: dict[str, Any], owner: User, slug: str) -> Club:
    head = league["club"]
    language = head.get("language", "")
    club = open_club(
        owner,
        name=head["name"],
        time_zone=head.get("time_zone", "UTC"),
        is_public=False,
        slug=slug,
        language=language if language in dict(settings.LANGUAGES) else "",
    )
    pools = _make_pools(club, league.get("pools", ()), owner)
    games = _make_games(club, league.get("games", ()), pools, owner)
    _make_players(club, league["players"], owner)
    for i, season in enumerate(league["seasons"]):
        _make_season(club, f"seasons[{i}]", season, pools, games, owner)
    if unknown := unknown_keys(league):
        KeptKeys.objects.create(club=club, keys=unknown)
    return club


def _make_pools(club: Club, pools: Iterable[Mapping[str, Any]], owner: User) -> dict[str, Pool]:
    """Make the pools of the file in place of the one that a new club has; without any this one stays."""
    if not pools:
        return {"": club.pools.get()}
    club.games.all().delete()
    club.pools.all().delete()
    made = [open_pool(club, name=each["name"], kind=PoolKind(each["kind"]), actor=owner) for each in pools]
    return {"": made[0]} | {name_key(pool.name): pool for pool in made}


def _make_games(
    club: Club, games: Iterable[Mapping[str, Any]], pools: Mapping[str, Pool], owner: User
) -> dict[str, Game]:
    made = {}
    for i, each in enumerate(games):
        fields = {name: each[name] for name in ("name", "kind", "entry_form")}
        fields |= {"pool": pools[name_key(each.get("pool", ""))], "table_size": each.get("table_size", 9)}
        stored = club.games.filter(name=each["name"]).first()
        game = save_game(club, stored, **fields, is_shut=False, actor=owner)
        Game.objects.filter(pk=game.pk).update(scoring=_scoring(f"games[{i}]", each))
        made[name_key(each["name"])] = game
    return made


def _make_players(club: Club, players: Iterable[Mapping[str, Any]], owner: User) -> None:
    names = [each["name"] for each in players]
    require_room_for_players(club, len(names))
    ensure_players(club, names)
    members = [name_key(each["name"]) for each in players if not each.get("is_guest")]
    Player.objects.filter(club=club, key__in=members).update(is_guest=False)
    aliases = {other: each["name"] for each in players for other in each.get("other_names", ())}
    [pool, *_others] = lock_pools(club)
    remember_aliases(club, aliases, pool=pool, actor=owner)


def _make_season(
    club: Club,
    path: str,
    season: dict[str, Any],
    pools: Mapping[str, Pool],
    games: Mapping[str, Game],
    owner: User,
) -> None:
    rules = {name: value for name, value in season.get("rules", {}).items() if name in RULE_FIELDS}
    ends_on = season.get("ends_on")
    try:
        made = open_season_with_rules(
            club,
            name=season["name"],
            starts_on=date.fromisoformat(season["starts_on"]),
            ends_on=date.fromisoformat(ends_on) if ends_on else None,
            rules=rules,
            actor=owner,
        )
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise BadLeague(f"{path}.rules", str(error)) from error
    pool = pools[name_key(season.get("pool", ""))]
    Season.objects.filter(pk=made.pk).update(pool=pool)
    made.refresh_from_db()
    new = [
        _result(f"{path}.events[{i}]", event, pool, pools, games) for i, event in enumerate(season["events"])
    ]
    try:
        events = enter_results(made, new, actor=owner)
    except Refused as error:
        raise BadLeague(f"{path}.events", str(error)) from error
    for i, (event, stored) in enumerate(zip(season["events"], events, strict=True)):
        _set_points(f"{path}.events[{i}]", event, stored, owner)
        event["event"] = identifier(stored, club.slug)
    if season.get("is_closed"):
        close_season(made, actor=owner)


def _set_points(path: str, event: Mapping[str, Any], stored: Event, owner: User) -> None:
    """Set what is special about the points of an event: its structure, its terms, bonus points."""
    try:
        if structure := event.get("structure"):
            EventRules.objects.update_or_create(
                event=stored, defaults={"structure": PointsStructure.from_dict(structure).to_dict()}
            )
        if terms := event.get("terms"):
            _set_terms(path, terms, stored, owner)
    except EngineError as error:
        raise BadLeague(f"{path}.{error.field}", str(error)) from error
    entries = {
        (entry.player.key, entry.number): entry.pk for entry in stored.entries.select_related("player")
    }
    bonuses = {
        entries[name_key(entry["player"]), entry.get("number", 1)]: Bonus(
            bonus["points"], bonus.get("reason", "")
        )
        for entry in event["entries"]
        if (bonus := entry.get("bonus"))
    }
    if bonuses:
        set_bonuses(stored, bonuses, actor=owner)


def _set_terms(path: str, terms: Mapping[str, Any], stored: Event, owner: User) -> None:
    usual = EventTerms()
    given: dict[str, Any] = {name: getattr(usual, name) for name in TERM_FIELDS}
    for name in TERM_FIELDS:
        if name in terms:
            is_exact = isinstance(terms[name], str)
            given[name] = (
                _decimal(f"{path}.terms", EventTerms, name, terms[name]) if is_exact else terms[name]
            )
    set_event_terms(stored, terms=given, version=terms_version(stored), actor=owner)


def _scoring(path: str, thing: Mapping[str, Any]) -> dict[str, Any] | None:
    """Read rules of scoring as those of this site."""
    given = thing.get("scoring")
    try:
        return ScoreRules.from_dict(given).to_dict() if given else None
    except ScoreError as error:
        raise BadLeague(f"{path}.scoring.{error.field}", message_of(error)) from error


def _result(
    path: str, event: Mapping[str, Any], pool: Pool, pools: Mapping[str, Pool], games: Mapping[str, Game]
) -> NewResult:
    game = games.get(name_key(event.get("game", "")))
    entries = [_entry(f"{path}.entries[{i}]", entry) for i, entry in enumerate(event["entries"])]
    own = pools[name_key(event["pool"])] if "pool" in event else pool
    details = EventDetails(
        _moment(event["starts_at"]),
        name=event.get("name", ""),
        ends_at=_moment_or_none(event.get("ends_at")),
        closes_at=_moment_or_none(event.get("closes_at")),
        table_size=event.get("table_size"),
        final_table_size=event.get("final_table_size"),
        pool_id=own.pk,
        game_id=game.pk if game else None,
        round=event.get("round"),
        table=event.get("table"),
        scoring=_scoring(path, event),
    )
    return NewResult(event.get("event", ""), details, entries)


def _entry(path: str, entry: Mapping[str, Any]) -> EntryInput:
    exact: dict[str, Any] = {name: _decimal(path, Entry, name, entry.get(name)) for name in EXACT}
    return EntryInput(
        entry["player"],
        entry["place"],
        entry.get("number", 1),
        registered_at=_moment_or_none(entry.get("registered_at")),
        busted_at=_moment_or_none(entry.get("busted_at")),
        knockouts=entry.get("knockouts"),
        seat=entry.get("seat"),
        chips=entry.get("chips"),
        **exact,
    )


def _decimal(path: str, model: type[Entry | EventTerms], name: str, text: str | None) -> Decimal | None:
    """Read an exact value. Raise BadLeague for one that the site would have to round or cannot hold."""
    if text is None:
        return None
    column: Any = model._meta.get_field(name)
    units = Fraction(text) * 10**column.decimal_places
    if units.denominator != 1 or abs(units) >= 10**column.max_digits:
        message = _("The site keeps %(digits)d digits, of them %(decimals)d decimals, and does not round.")
        raise BadLeague(
            f"{path}.{name}", message % {"digits": column.max_digits, "decimals": column.decimal_places}
        )
    return Decimal(int(units)).scaleb(-column.decimal_places)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _moment_or_none(text: str | None) -> datetime | None:
    return _moment(text) if text else None
