"""Turn the scores of an event file into balances, by the rules of the game that the file names."""

from dataclasses import replace
from decimal import Decimal

from entry.score_messages import message_of
from entry.services.nights import Night, NightTable, entries_of_table
from league.models import EntryForm, Event, Game, Season
from league.services.errors import BadResult
from league.vocabulary import gettext as _
from reading.event_files.reader import FileEvent
from reading.names.keys import name_key
from reading.problems import Problem
from reading.results import EntryInput
from scores.errors import ScoreError
from scores.rules import ScoreRules, read_scoring
from scores.sums import UNIT, likely_slips
from scores.tables import Seat

HUNDRED = 100


class BadScores(BadResult):
    """Scores of an event of a file that cannot be used, with line and column."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def with_balances(season: Season, item: FileEvent, event: Event | None, games: dict[str, Game]) -> FileEvent:
    """Complete an event of a file: its game, and the balances of its scores. Raise BadScores.

    `games` are those of the club by name key.
    """
    game = _game(item, event, games)
    details = replace(item.details, game_id=game.pk if game else None)
    if not any(entry.score is not None for entry in item.entries):
        scoring = None if item.house is None else {"house": f"{item.house:f}"}
        return replace(item, details=replace(details, scoring=scoring))
    if game is None or game.entry_form != EntryForm.SCORES:
        text = _(
            "Scores need the column game, with a game of tables with scores: its rules make balances of them."
        )
        raise BadScores(Problem(item.line, "game", f"{text} ({item.key})"))
    rules, sticks_left = ScoreRules.from_dict(game.scoring), 0
    if event and event.scoring:
        rules, sticks_left = read_scoring(event.scoring)
    if item.house is not None:
        rules = replace(rules, house_per_table=item.house, house_per_player=Decimal(0))
    night = Night(season, game, rules, details.starts_at, item.key)
    table = NightTable(details.round or 1, details.table or 1, _seats(item), sticks_left)
    entries = _settled(item, night, table)
    return replace(item, details=replace(details, scoring=night.scoring(table)), entries=entries)


def _game(item: FileEvent, event: Event | None, games: dict[str, Game]) -> Game | None:
    if not item.game:
        return event.game if event else None
    game = games.get(name_key(item.game))
    if game is None:
        text = _("The club has no game “%(game)s”.") % {"game": item.game}
        raise BadScores(Problem(item.line, "game", f"{text} ({item.key})"))
    return game


def _in_seats(item: FileEvent) -> list[EntryInput]:
    """Put entries in the order of their seats; without seats in that of their places, which decide equal scores."""
    return sorted(item.entries, key=lambda entry: (entry.seat or 0, entry.place))


def _seats(item: FileEvent) -> tuple[Seat, ...]:
    return tuple(
        Seat(
            entry.name,
            None if entry.score is None else int(entry.score),
            chips=entry.chips,
            penalty=entry.penalty or Decimal(0),
        )
        for entry in _in_seats(item)
    )


def _settled(item: FileEvent, night: Night, table: NightTable) -> tuple[EntryInput, ...]:
    """Compute the balances, and check the places and balances of the file against them."""
    try:
        computed = {name_key(entry.name): entry for entry in entries_of_table(night, table)}
    except ScoreError as error:
        text = message_of(error)
        if _are_hundreds(table, night.rules):
            text += " " + _("Scores of a file are in points: 45300, not 453.")
        raise BadScores(Problem(item.line, error.field, f"{text} ({item.key})")) from error
    entries = []
    for line, entry in zip(item.lines, item.entries, strict=True):
        right = computed[name_key(entry.name)]
        for column in ("place", "balance"):
            _require_equal(item, line, column, entry, right)
        entries.append(replace(entry, balance=right.balance, seat=entry.seat or right.seat))
    return tuple(entries)


def _are_hundreds(table: NightTable, rules: ScoreRules) -> bool:
    slips = likely_slips([seat.score for seat in table.seats], rules.total)
    return bool(slips) and slips[0].kind == UNIT


def _is_within_tie(item: FileEvent, given: int | None, computed: int) -> bool:
    """Tell whether a list orders players with equal scores, who share a place by the rules of the game."""
    scores = [entry.score for entry in item.entries if entry.place == given]
    n_equal = sum(entry.score in scores for entry in item.entries)
    return given is not None and computed <= given < computed + n_equal


def _require_equal(item: FileEvent, line: int, column: str, entry: EntryInput, right: EntryInput) -> None:
    given, computed = getattr(entry, column), getattr(right, column)
    if column == "place" and _is_within_tie(item, given, computed):
        return
    if given is not None and given != computed:
        text = _("%(name)s has %(given)s, by the scores it is %(right)s.") % {
            "name": entry.name, "given": given, "right": computed,
        }  # fmt: skip
        raise BadScores(Problem(line, column, f"{text} ({item.key})"))
