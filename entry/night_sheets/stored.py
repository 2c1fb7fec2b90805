"""The sheet of games that are stored already."""

from collections.abc import Sequence
from decimal import Decimal

from django.db.models import Prefetch, QuerySet

from entry.night_sheets.sheet import BALANCE, HUNDRED, HUNDREDS, SeatFields, Sheet, TableFields, blank_table
from league.models import Entry, EntryForm, Event, Game, GameKind, PoolKind
from scores.rules import THREE_PLAYERS, ScoreRules, plain, read_scoring

# What becomes of something typed that somebody else may have changed since it was opened.
STORED, TYPED, CONFLICT = "stored", "typed", "conflict"


def with_seats(events: QuerySet[Event]) -> list[Event]:
    """Read games with their game, pool and entries, in the order of a night."""
    entries = Prefetch("entries", Entry.objects.select_related("player").order_by("seat", "place", "pk"))
    return list(
        events.select_related("game", "pool").prefetch_related(entries).order_by("round", "table", "pk")
    )


def is_sheet_event(event: Event) -> bool:
    """Tell whether the result of an event is corrected on a sheet, and not as a finishing order."""
    if event.game is not None:
        return event.game.entry_form != EntryForm.ORDER
    return event.pool.kind == PoolKind.PROFIT


def rules_of_event(event: Event) -> ScoreRules:
    return read_scoring(event.scoring)[0]


def rules_of_game(game: Game) -> ScoreRules:
    """Find the rules of a game: its own, those of its last night, or the usual ones of its kind."""
    if game.scoring:
        return ScoreRules.from_dict(game.scoring)
    usual = THREE_PLAYERS if game.kind == GameKind.MAHJONG_3 else ScoreRules()
    last = game.events.exclude(scoring=None).order_by("-starts_at", "-pk").first()
    rules = rules_of_event(last) if last else usual
    return rules if rules.n_players == usual.n_players else usual


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
    table.event, table.version, table.opened = str(event.pk), str(event.version), table.digest(unit)
    return table


def _typed(entry: Entry, unit: str) -> str:
    if unit != BALANCE and entry.score is not None:
        return f"{plain(entry.score / (HUNDRED if unit == HUNDREDS else 1)):f}"
    balance = plain(entry.balance or Decimal(0))
    return f"{balance:+f}" if balance else "0"


def merge(typed: str, opened: str, stored: str) -> str:
    """Decide by digests whether the typed or the stored version holds, or whether both have changed."""
    if typed in {opened, stored}:
        return STORED
    return TYPED if stored == opened else CONFLICT


def take_over(sheet: Sheet, events: Sequence[Event]) -> list[str]:
    """Bring a sheet up to date with its stored games; list the tables that both sides have changed: "1-2".

    A table that was not touched becomes the stored one, or goes with it. What is typed in a touched one stays. Games
    that somebody else has added since are added.
    """
    sheet.widen(max((len(event.entries.all()) for event in events), default=0))
    stored = {str(event.pk): table_of_event(event, sheet.unit, sheet.n_seats) for event in events}
    conflicts: list[TableFields] = []
    for tables in sheet.rounds:
        merged = [_merged(table, stored.pop(table.event, None), sheet.unit, conflicts) for table in tables]
        tables[:] = [table for table in merged if table]
    _keep_gone(sheet, stored, conflicts)
    for event in events:
        if table := stored.get(str(event.pk)):
            _add(sheet, event.round or 1, table)
    sheet.drop_empty_rounds()
    return [
        f"{r}-{t}"
        for r, tables in enumerate(sheet.rounds, start=1)
        for t, table in enumerate(tables, start=1)
        if any(table is other for other in conflicts)
    ]


def forget_games(sheet: Sheet) -> None:
    """Detach all tables from their stored games, so that they are saved as new ones."""
    sheet.gone = {}
    for table in (table for tables in sheet.rounds for table in tables):
        table.event = table.version = table.opened = ""


def _merged(
    table: TableFields, stored: TableFields | None, unit: str, conflicts: list[TableFields]
) -> TableFields | None:
    """Choose between a typed table and its stored one; None if it was deleted and nothing was typed."""
    if not table.event or (stored and stored.version == table.version):
        return table
    outcome = merge(table.digest(unit), table.opened, stored.opened if stored else "")
    if outcome == STORED:
        return stored
    if outcome == CONFLICT:
        conflicts.append(table)
    kept = (table.event, stored.version, stored.opened) if stored else ("", "", "")
    table.event, table.version, table.opened = kept
    return table


def _keep_gone(sheet: Sheet, stored: dict[str, TableFields], conflicts: list[TableFields]) -> None:
    """Drop the games removed from the sheet; keep those changed meanwhile, as conflicts."""
    for event_id, version in list(sheet.gone.items()):
        table = stored.get(str(event_id))
        if table and table.version == str(version):
            del stored[str(event_id)]
            continue
        del sheet.gone[event_id]
        if table:
            conflicts.append(table)


def _add(sheet: Sheet, round_number: int, table: TableFields) -> None:
    number = min(round_number, len(sheet.rounds) + 1)
    if number > len(sheet.rounds):
        sheet.rounds.append([])
    sheet.rounds[number - 1].append(table)
