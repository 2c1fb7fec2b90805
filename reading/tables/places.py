"""Turn the places of a list into finishing places: ties share one, and the next ones are skipped."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from django.utils.translation import gettext as _

from reading.problems import Problem
from reading.tables import asked as questions
from reading.tables.asked import Asked
from reading.tables.values import Place, place

N_EXAMPLES = 3


@dataclass(frozen=True)
class Written:
    """What one row of an event says about its place."""

    line: int
    player: str
    text: str  # cell of the place
    score: Decimal | None = None


def finishing_places(
    rows: Sequence[Written], asked: Asked, *, has_places: bool, asks_order: bool = False
) -> tuple[list[int | None], list[Problem]]:
    """Find the finishing place of each row; None for a row that is left out.

    Rows without a place are last, tied last or left out, as is answered; without a column of places the scores or the
    lines decide, about which a file `asks_order`: its rows may be in any order, those of a typed text are not.
    """
    if not has_places:
        return _by_order(rows, asked, asks=asks_order)
    read: list[Place | None] = [place(row.text) for row in rows]
    problems = [
        Problem(
            row.line,
            "place",
            _("“%(value)s” is no place (%(player)s)") % {"value": row.text, "player": row.player},
            row.text,
            _("Write a number like 3, or DNF."),
        )
        for row, found in zip(rows, read, strict=True)
        if found is None
    ]
    if problems:
        return [None] * len(rows), problems
    numbers = [found.number if found else None for found in read]
    numbers = _without_gaps(_with_blanks(numbers, rows, asked), asked)
    return _with_missing(numbers, [found for found in read if found], rows, asked), []


def _by_order(rows: Sequence[Written], asked: Asked, *, asks: bool) -> tuple[list[int | None], list[Problem]]:
    """Take the scores if they fall from line to line; ask if lines and scores say different orders."""
    scores = [row.score for row in rows if row.score is not None]
    if len(scores) < len(rows):
        if asks and questions.order_of_lines(asked) == questions.MISTAKE:
            return [None] * len(rows), [Problem(rows[0].line, "place", _("No column gives the places."))]
        return list(range(1, len(rows) + 1)), []
    falls = all(above >= below for above, below in pairwise(scores))
    could_be_places = asks and sorted(scores) == list(range(1, len(rows) + 1))
    by = questions.BY_SCORE if falls and not could_be_places else questions.order(asked)
    if by == questions.BY_LINES:
        return list(range(1, len(rows) + 1)), []
    first: dict[Decimal, int] = {}
    for position, score in enumerate(sorted(scores, reverse=by != questions.BY_LOW), start=1):
        first.setdefault(score, position)
    return [first[score] for score in scores], []


def _with_blanks(
    numbers: Sequence[int | None], rows: Sequence[Written], asked: Asked
) -> Sequence[int | None]:
    """Give an empty cell the place above it, if the next place skips one for each such cell; that is asked once."""
    filled = list(numbers)
    above, blank = 0, list[int]()
    for i, number in enumerate(numbers):
        if number is None and not rows[i].text.strip():
            blank.append(i)
        elif number is None:
            above, blank = 0, []
        else:
            if above and blank and number == above + len(blank) + 1:
                if questions.blanks(above, asked) == questions.NO_PLACE:
                    return numbers
                for empty in blank:
                    filled[empty] = above
            above, blank = number, []
    return filled


def _without_gaps(numbers: Sequence[int | None], asked: Asked) -> list[int | None]:
    """Skip places after ties if the list does not."""
    counts = Counter(number for number in numbers if number is not None)
    distinct = sorted(counts)
    is_dense = len(distinct) > 1 and distinct == list(range(1, len(distinct) + 1))
    if not is_dense or not any(counts[number] > 1 for number in distinct[:-1]):
        return list(numbers)
    in_order = sorted(number for number in numbers if number is not None)
    first_tie = next(i for i, number in enumerate(in_order) if counts[number] > 1)
    example = ", ".join(map(str, in_order[first_tie : first_tie + counts[in_order[first_tie]] + 1]))
    if questions.ties(example, asked) == questions.MISTAKE:
        return list(numbers)
    first = {number: 1 + sum(counts[lower] for lower in distinct if lower < number) for number in distinct}
    return [None if number is None else first[number] for number in numbers]


def _with_missing(
    numbers: Sequence[int | None], read: Sequence[Place], rows: Sequence[Written], asked: Asked
) -> list[int | None]:
    lacking = [i for i, number in enumerate(numbers) if number is None]
    if not lacking:
        return list(numbers)
    examples = [f"{rows[i].player} {rows[i].text}".strip() for i in lacking[:N_EXAMPLES]]
    answer = questions.missing(
        examples, len(lacking), asked, are_absent=all(read[i].is_absent for i in lacking)
    )
    places = list(numbers)
    if answer != questions.LEFT_OUT:
        below = len(numbers) - len(lacking) + 1
        for offset, i in enumerate(lacking):
            places[i] = below if answer == questions.TIED_LAST else below + offset
    return places
