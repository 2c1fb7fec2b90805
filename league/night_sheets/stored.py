"""The sheet of games that are stored already."""

from collections.abc import Sequence
from decimal import Decimal

from django.db.models import Prefetch, QuerySet

from league.models import Entry, EntryForm, Event, Game, GameKind, PoolKind
from league.night_sheets.sheet import BALANCE, HUNDRED, HUNDREDS, SeatFields, Sheet, TableFields, blank_table
from league.scores.rules import THREE_PLAYERS, ScoreRules, plain, read_scoring


def with_seats(events: QuerySet[Event]) -> list[Event]:
    """Read games with their game, pool and entries, in the order of a night."""
    entries = Prefetch("entries", Entry.objects.select_related("player").order_by("seat", "place", "pk"))
    return list(
        events.select_related("game", "pool").prefetch_related(entries).order_by("round", "table", "pk")
    )


def is_sheet_event(event: Event) -> bool:
    """Whether the result of an event is corrected on a sheet, and not as a finishing order."""
    if event.game is not None:
        return event.game.entry_form != EntryForm.ORDER
    return event.pool.kind == PoolKind.PROFIT


def rules_of_event(event: Event) -> ScoreRules:
    return read_scoring(event.scoring)[0]


def rules_of_game(game: Game) -> ScoreRules:
    """The rules of a game: its own, or those of its last night."""
    if game.scoring:
        return ScoreRules.from_dict(game.scoring)
    last = game.events.exclude(scoring=None).order_by("-starts_at", "-pk").first()
    if last:
        return rules_of_event(last)
    return THREE_PLAYERS if game.kind == GameKind.MAHJONG_3 else ScoreRules()


def sheet_of_events(events: Sequence[Event], n_seats: int) -> Sheet:
    """Put games, read `with_seats`, on a sheet: in hundreds if all have scores, else by their balances."""
    entries = [entry for event in events for entry in event.entries.all()]
    unit = HUNDREDS if all(entry.score is not None for entry in entries) else BALANCE
    n_seats = max([n_seats, *(len(event.entries.all()) for event in events)])
    rounds: dict[int, list[TableFields]] = {}
    for event in events:
        rounds.setdefault(event.round or 1, []).append(table_of_event(event, unit, n_seats))
    return Sheet(n_seats, unit, [rounds[number] for number in sorted(rounds)])


def table_of_event(event: Event, unit: str, n_seats: int) -> TableFields:
    table = blank_table(n_seats)
    for i, entry in enumerate(event.entries.all()):
        table.seats[i] = SeatFields(
            entry.player.name,
            _typed(entry, unit),
            "" if entry.chips is None else str(entry.chips),
            "" if entry.penalty is None else f"{plain(entry.penalty):f}",
        )
    _rules, sticks_left = read_scoring(event.scoring)
    table.sticks = str(sticks_left or "")
    table.event, table.version = str(event.pk), str(event.version)
    return table


def _typed(entry: Entry, unit: str) -> str:
    if unit == HUNDREDS and entry.score is not None:
        return f"{plain(entry.score / HUNDRED):f}"
    balance = plain(entry.balance or Decimal(0))
    return f"{balance:+f}" if balance else "0"


def refresh(sheet: Sheet, events: Sequence[Event]) -> None:
    """Give a sheet the present versions of its games, and the games that somebody else has added since."""
    present = {str(event.pk): event for event in events}
    for table in (table for tables in sheet.rounds for table in tables):
        event = present.pop(table.event, None)
        table.event, table.version = (table.event, str(event.version)) if event else ("", "")
    sheet.gone = {pk: event.version for pk in sheet.gone if (event := present.pop(str(pk), None))}
    for event in present.values():
        number = min(event.round or 1, len(sheet.rounds) + 1)
        if number > len(sheet.rounds):
            sheet.rounds.append([])
        sheet.rounds[number - 1].append(table_of_event(event, sheet.unit, sheet.n_seats))
