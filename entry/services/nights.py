"""Enter and correct the tables of a night: each game at a table is an event of its own, and the night is their meet."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from entry.score_messages import message_of
from entry.services.meets import change_games, create_meet
from league.models import BinItem, Club, Entry, EntryForm, Event, Game, Meet, Season
from league.services.changes import lock_all
from league.services.errors import AlreadyThere, BadResult, Refused, Stale
from league.services.events import (
    correct_result,
    delete_event,
    delete_events,
    enter_result,
    pools_of_details,
)
from league.services.players import remember_aliases, remove_idle_guests
from league.services.similar_events import NewEvent, similar_events
from league.stored_results import corrected_details
from league.vocabulary import gettext as _
from reading.names.keys import name_key
from reading.names.understanding import NO_ALIASES, Aliases
from reading.results import EntryInput, EventDetails
from scores.errors import ScoreError
from scores.rules import ScoreRules, plain, stored_scoring
from scores.tables import Seat, right_sum, settle, settle_balances

# Rounds follow each other by a second, so that ratings see them in their order and a page shows the same time.
BETWEEN_ROUNDS = timedelta(seconds=1)
LEAST_SEATS, MOST_SEATS = 2, 10  # of a table, as an event has them
MOST_TABLES = 60  # of a night, also its rounds: they follow each other by seconds of one minute
NAME_LENGTH = 70  # of a night in the names of its games


@dataclass(frozen=True)
class NightTable:
    """A game at one table; `event_id` and `version` are those of the stored one that it corrects."""

    round: int
    table: int
    seats: tuple[Seat, ...]
    sticks_left: int = 0
    event_id: int | None = None
    version: int = 0


@dataclass(frozen=True)
class Night:
    """What all tables of a night share. Without a game, balances were written down for the season's pool."""

    season: Season
    game: Game | None
    rules: ScoreRules
    starts_at: datetime
    name: str

    @property
    def is_scored(self) -> bool:
        return self.game is not None and self.game.entry_form == EntryForm.SCORES

    @property
    def day(self) -> date:
        return self.starts_at.astimezone(self.season.club.tz).date()

    def scoring(self, table: NightTable) -> dict[str, Any]:
        house = -right_sum(self.rules, table.seats, sticks_left=table.sticks_left)
        return stored_scoring(self.rules, house=plain(house), sticks_left=table.sticks_left)

    def details(self, table: NightTable) -> EventDetails:
        """Details of the event of one game at one table."""
        n_seats = min(max(len(table.seats), LEAST_SEATS), MOST_SEATS)
        return EventDetails(
            starts_at=(self.starts_at + (table.round - 1) * BETWEEN_ROUNDS).astimezone(UTC),
            name=f"{self.name[:NAME_LENGTH]} {table.round}-{table.table}",
            table_size=n_seats,
            final_table_size=n_seats,
            game_id=self.game.pk if self.game else None,
            round=table.round,
            table=table.table,
            scoring=self.scoring(table),
        )


def enter_night(
    night: Night,
    tables: Sequence[NightTable],
    *,
    actor: User,
    form_token: uuid.UUID,
    aliases: Aliases = NO_ALIASES,
    is_another: bool = True,
) -> Meet:
    """Save the tables of a new night, all or none, and its meet; remember `aliases`, other names of players.

    Raise AlreadyThere if a game like one of these is there, unless it `is_another`.

    A form that is sent again returns the meet it made; with other tables it is Refused.
    """
    results = _results(night, tables)
    tokens = [uuid.uuid5(form_token, f"{table.round}-{table.table}") for table in tables]
    with transaction.atomic():
        pools = lock_all(pools_of_details(night.season, [details for details, _entries in results]))
        saved = Meet.objects.filter(events__form_token__in=tokens).select_related("season__club").first()
        if saved and saved.events.count() != len(tables):
            raise Refused(
                _(
                    "This form has been saved already, as %(event)s. Open a new form for another %(event_word)s."
                )
                % {"event": saved}
            )
        if not saved and not is_another:
            _require_no_similar(night.season.club, results)
        events = [
            enter_result(night.season, details, entries, actor=actor, form_token=token)
            for token, (details, entries) in zip(tokens, results, strict=True)
        ]
        remember_aliases(night.season.club, aliases, pool=pools[night.season.pool_id], actor=actor)
        return saved or create_meet(night.season, name=night.name, events=events)


def correct_night(
    meet: Meet,
    night: Night,
    tables: Sequence[NightTable],
    *,
    gone: Mapping[int, int],
    actor: User,
    reason: str = "",
    aliases: Aliases = NO_ALIASES,
) -> Meet | None:
    """Make the games of a night equal these tables; None if none is left. A changed table changes its event alone.

    `aliases` are other names of players to remember. `gone` are the games that were taken away, with the version that
    was read. Raise Stale if somebody has changed one of the games, or has added or taken away one, since then.
    """
    results = _results(night, tables)
    with transaction.atomic():
        stored = {event.pk: event for event in meet.events.select_related("season__club", "season__pool")}
        rated_in = {event.pool_id for event in stored.values()}
        pools = lock_all(
            rated_in | pools_of_details(night.season, [details for details, _entries in results])
        )
        if {*gone, *(table.event_id for table in tables if table.event_id)} != stored.keys():
            raise Stale
        seated = set(Entry.objects.filter(event__in=stored).values_list("player_id", flat=True))
        added = []
        for table, (details, entries) in zip(tables, results, strict=True):
            if table.event_id:
                event, version = stored[table.event_id], table.version
                correct_result(
                    event,
                    details,
                    entries,
                    version=version,
                    actor=actor,
                    moves_meet=True,
                    keeps_guests=True,
                    reason=reason,
                )
            else:
                added.append(enter_result(night.season, details, entries, actor=actor))
        # Only now, because a guest may have changed tables.
        remove_idle_guests(night.season.club, seated)
        change_games(meet, name=night.name, day=night.day, added=added, actor=actor)
        remember_aliases(night.season.club, aliases, pool=pools[night.season.pool_id], actor=actor)
        # Last, because the last game of a meet takes the meet with it.
        for event_id, version in gone.items():
            delete_event(stored[event_id], version=version, actor=actor)
        return Meet.objects.filter(pk=meet.pk).first()


def delete_night(meet: Meet, *, read: Mapping[int, int], actor: User) -> BinItem:
    """Put all games of a night into the bin, all or none.

    `read` are the versions of its games by id that were read. Raise Stale if they are not the present ones.
    """
    with transaction.atomic():
        stored = {event.pk: event for event in meet.events.select_related("season__club", "season__pool")}
        lock_all({meet.season.pool_id} | {event.pool_id for event in stored.values()})
        if not stored or read.keys() != stored.keys():
            raise Stale
        versions = [(stored[event_id], version) for event_id, version in read.items()]
        return delete_events(versions, kind=BinItem.Kind.NIGHT, label=meet.name, actor=actor)


def correct_table(
    event: Event,
    night: Night,
    table: NightTable,
    *,
    actor: User,
    reason: str = "",
    aliases: Aliases = NO_ALIASES,
) -> Event:
    """Correct a game that is not part of a night; its end moves with it to another day."""
    _details, entries = _result(night, table)
    tz = event.season.club.tz
    ends_at = event.ends_at and event.ends_at.astimezone(tz)
    if ends_at:
        ends_at += night.day - event.starts_at.astimezone(tz).date()
    details = replace(
        corrected_details(
            event,
            starts_at=night.starts_at,
            ends_at=ends_at if ends_at and ends_at >= night.starts_at else None,
            name=night.name,
        ),
        scoring=night.scoring(table),
    )
    return correct_result(
        event, details, entries, version=table.version, actor=actor, reason=reason, aliases=aliases
    )


def _results(night: Night, tables: Sequence[NightTable]) -> list[tuple[EventDetails, list[EntryInput]]]:
    if not tables:
        raise Refused(_("A night has at least one table."))
    _require_one_seat(tables)
    return [_result(night, table) for table in tables]


def _require_no_similar(club: Club, results: Sequence[tuple[EventDetails, list[EntryInput]]]) -> None:
    new = [
        NewEvent(details.starts_at, {name_key(entry.name) for entry in entries}, details.round)
        for details, entries in results
    ]
    if similar := next(filter(None, similar_events(club, new)), None):
        raise AlreadyThere(
            _("%(A_game_word)s like this is already there: %(event)s.") % {"event": similar.event}
        )


def _require_one_seat(tables: Sequence[NightTable]) -> None:
    """Raise BadResult if somebody sits in two seats of a round."""
    seen: dict[tuple[int, str], NightTable] = {}
    for table in tables:
        for seat in table.seats:
            other = seen.setdefault((table.round, name_key(seat.name)), table)
            if other is not table:
                raise BadResult(
                    _("%(name)s sits at table %(one)d and at table %(two)d of hanchan %(round)d.")
                    % {"name": seat.name, "one": other.table, "two": table.table, "round": table.round}
                )


def _result(night: Night, table: NightTable) -> tuple[EventDetails, list[EntryInput]]:
    """Compute places and balances; raise BadResult that names the table."""
    try:
        return night.details(table), entries_of_table(night, table)
    except ScoreError as error:
        raise BadResult(
            _("Hanchan %(round)d, table %(table)d: %(problem)s")
            % {"round": table.round, "table": table.table, "problem": message_of(error)}
        ) from error


def entries_of_table(night: Night, table: NightTable) -> list[EntryInput]:
    """Make the entries of a table; raise ScoreError if it is not complete or its sum is wrong."""
    keys = [name_key(seat.name) for seat in table.seats]
    if again := [seat.name for i, seat in enumerate(table.seats) if seat.name and keys[i] in keys[:i]]:
        raise ScoreError("name", "player_twice", name=again[0])
    if night.is_scored:
        results = settle(night.rules, table.seats, sticks_left=table.sticks_left)
    else:
        results = settle_balances(night.rules, table.seats)
    return [
        EntryInput(
            seat.name,
            result.place,
            from_form=True,
            balance=result.balance,
            score=None if seat.score is None else Decimal(seat.score),
            chips=seat.chips,
            penalty=seat.penalty or None,
            seat=number if night.is_scored else None,
        )
        for number, (seat, result) in enumerate(zip(table.seats, results, strict=True), start=1)
    ]
