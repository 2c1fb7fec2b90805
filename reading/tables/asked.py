"""Questions about a table as a whole, each asked once: dates, places, what is missing, wide tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from reading.names.keys import name_key
from reading.questions import Choice, Question
from reading.tables.meanings import Meaning
from reading.tables.moments import (
    SHORT,
    SLASHES,
    YEAR_LAST,
    contradicts_weekday,
    dates,
    lacks_year,
    moment,
    with_year,
    year_first,
)
from reading.tables.values import decimal_mark_of

YEARS, YEAR = "years", "year"
DATES, WEEKDAYS, TIMES, TIES, MISSING = "dates", "weekdays", "times", "ties", "missing"
WIDE, ORDER, NUMBERS = "wide", "order", "numbers"
DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "dmy", "mdy", "ymd"
MOST_YEARS = timedelta(days=5 * 366)  # between the first and the last date of a file
BLANKS, AS_ABOVE, NO_PLACE = "blanks", "above", "none"
NO_GAPS, MISTAKE = "dense", "mistake"
LAST, TIED_LAST, LEFT_OUT = "last", "tied", "out"
PLACES, POINTS = "places", "points"
BY_LINES, BY_SCORE, BY_LOW = "lines", "score", "low"
SEVERAL = "several"
NOBODY = "nobody:"  # before the key of a name
COUNTS, REBUYS = "counts", "rebuys"
SIZE, FIELD, OWN = "size", "field", "own"


@dataclass
class Asked:
    """The questions of a table so far, and the answers that were given."""

    answers: Mapping[str, str]
    questions: dict[str, Question]

    def ask(self, identifier: str, text: str, reason: str, choices: Sequence[Choice]) -> str:
        """Ask once; return the answer, or the likely one while there is none."""
        values = [choice.value for choice in choices]
        answer = self.answers.get(identifier, "")
        answer = answer if answer in values else ""
        self.questions.setdefault(identifier, Question(identifier, text, reason, tuple(choices), answer))
        return answer or values[0]


def year_order(cells: Iterable[str], asked: Asked) -> str:
    """Decide whether dates like 26/01/13 are year first, from their spread or by asking; "" if not."""
    cells = list(dict.fromkeys(moment(cell).written for cell in cells))
    if any(YEAR_LAST.fullmatch(cell) for cell in cells):
        return ""
    short = [cell for cell in cells if year_first(cell) or SHORT.fullmatch(cell)]
    with_year = [day for cell in short if (day := year_first(cell))]
    others = [found[0] for cell in short if (found := dates(cell))]
    if not short or len(with_year) < len(short):
        return ""
    if len(others) < len(short):
        return YEAR_FIRST
    spans = [max(days) - min(days) <= MOST_YEARS for days in (with_year, others)]
    if spans[0] != spans[1]:
        return YEAR_FIRST if spans[0] else ""
    choices = [
        Choice(DAY_FIRST, _written(others[0])),
        Choice(YEAR_FIRST, _written(with_year[0]), _("year first")),
    ]
    if with_year[0] > others[0]:
        choices.reverse()
    answer = asked.ask(
        YEARS,
        _("Is %(date)s the %(first)s or the %(second)s?")
        % {"date": short[0], "first": choices[0].label, "second": choices[1].label},
        _("The year has two figures."),
        choices,
    )
    return YEAR_FIRST if answer == YEAR_FIRST else ""


def year_of(cells: Iterable[str], asked: Asked) -> int | None:
    """Ask for the year of dates that are written without one; None if all have theirs."""
    lacking = [cell for cell in dict.fromkeys(cells) if lacks_year(cell)]
    if not lacking:
        return None
    today = timezone.localdate()
    days = [day for cell in lacking for day in dates(with_year(cell, today.year))[:1]]
    is_over = all(day <= today for day in days)
    years = [today.year, today.year - 1] if is_over else [today.year - 1, today.year]
    answer = asked.ask(
        YEAR,
        _("Which year is %(date)s of?") % {"date": lacking[0]},
        _("The dates have none."),
        [Choice(str(year), str(year)) for year in (*years, today.year - 2)],
    )
    return int(answer)


def day_order(cells: Iterable[str], asked: Asked) -> str:
    """Decide whether 03/04/2026 begins with the day or the month: by the other dates, else by asking."""
    read = [(cell, dates(cell)) for cell in dict.fromkeys(cells) if SLASHES.fullmatch(moment(cell).written)]
    doubtful = [(cell, found) for cell, found in read if len(found) == 2]  # noqa: PLR2004
    if not doubtful:
        return DAY_FIRST
    certain = {_order_of(cell, found[0]) for cell, found in read if len(found) == 1} - {""}
    if len(certain) == 1:
        return certain.pop()
    by_day, by_month = ([found[i] for _cell, found in doubtful] for i in (0, 1))
    likely = [(by_day, DAY_FIRST, _("day first")), (by_month, MONTH_FIRST, _("month first"))]
    likely.sort(key=lambda option: -_regularity(option[0]))
    cell = doubtful[0][0]
    return asked.ask(
        DATES,
        _("Is %(date)s the %(first)s or the %(second)s?")
        % {"date": cell, "first": _written(likely[0][0][0]), "second": _written(likely[1][0][0])},
        _("Asked once for all dates. %(evidence)s") % {"evidence": _evidence(likely[0][0])},
        [Choice(value, _written(days[0]), hint) for days, value, hint in likely],
    )


def counts_or_costs(prefix: str, heading: str, asked: Asked) -> Meaning:
    """Ask whether small numbers below a heading like "Buy-ins" count entries or are amounts."""
    answer = asked.ask(
        f"{prefix}{COUNTS}",
        _("What is “%(heading)s”?") % {"heading": heading},
        _("The numbers are whole and small."),
        [
            Choice(Meaning.N_ENTRIES, _("Number of entries"), _("so often a player bought in")),
            Choice(Meaning.COST, _("Cost"), _("what a player paid")),
        ],
    )
    return Meaning(answer)


def rebuys(prefix: str, heading: str, asked: Asked) -> Meaning:
    """Ask whether rebuys are entries of their own."""
    answer = asked.ask(
        f"{prefix}{REBUYS}",
        _("What is “%(heading)s”?") % {"heading": heading},
        _("An entry of its own counts for points and ratings; more chips for the same entry do not."),
        [
            Choice(Meaning.REBUYS, _("Entries after the first"), _("2 make 3 entries")),
            Choice(
                Meaning.CHIP_REBUYS,
                _("More chips for the same entry"),
                _("they go to the money of the event"),
            ),
        ],
    )
    return Meaning(answer)


def times(late: str, better: str, asked: Asked) -> bool:
    """Ask whether places or contradicting bust times are right; True for the places."""
    answer = asked.ask(
        TIMES,
        _("%(late)s is out later than %(better)s, who has a better place. Which is right?")
        % {"late": late, "better": better},
        _("Places and times contradict each other."),
        [
            Choice(PLACES, _("The places"), _("the times of these events are not used")),
            Choice(MISTAKE, _("The times"), _("the places have to be mended")),
        ],
    )
    return answer == PLACES


def weekdays(cells: Iterable[str], asked: Asked) -> bool:
    """Ask whether dates with a contradicting weekday are right; False if the file must be corrected."""
    wrong = [cell for cell in dict.fromkeys(cells) if contradicts_weekday(cell)]
    if not wrong:
        return True
    answer = asked.ask(
        WEEKDAYS,
        _("“%(date)s” is a %(weekday)s. Which is right?")
        % {"date": wrong[0], "weekday": date_format(dates(wrong[0])[0], "l")},
        _("%(n)d dates stand beside another weekday.") % {"n": len(wrong)},
        [
            Choice(DATES, _("The date"), _("the weekday is not used")),
            Choice(MISTAKE, _("The weekday"), _("the dates have to be mended")),
        ],
    )
    return answer == DATES


def _order_of(cell: str, day: date) -> str:
    """Infer the order of day and month from a date known to be `day`; "" if both are equal."""
    if day.day == day.month:
        return ""
    first = int(SLASHES.fullmatch(moment(cell).written)[1])  # type: ignore[index]
    return DAY_FIRST if first == day.day else MONTH_FIRST


def _regularity(days: Sequence[date]) -> float:
    """Measure how much of the dates fall on one weekday and how close together they are."""
    share = Counter(day.weekday() for day in days).most_common(1)[0][1] / len(days)
    return share - (max(days) - min(days)).days / 36_500


def _evidence(days: Sequence[date]) -> str:
    weekdays = Counter(date_format(day, "l") for day in days)
    weekday, n = weekdays.most_common(1)[0]
    return _("The first choice makes %(n)d of %(all)d dates a %(weekday)s.") % {
        "n": n, "all": len(days), "weekday": weekday,
    }  # fmt: skip


def _written(day: date) -> str:
    return str(date_format(day, "DATE_FORMAT"))


def decimal_mark(cells: Iterable[str], asked: Asked) -> str:
    """Find the decimal mark of the numbers of a table; ask if 10.500 could be both."""
    cells = [cell for cell in cells if cell]
    if mark := decimal_mark_of(cells):
        return mark
    example = next(cell for cell in cells if "." in cell)
    thousands = example.replace(".", "")
    return asked.ask(
        NUMBERS,
        _("Is %(number)s %(thousands)s, or %(whole)s and a fraction?")
        % {"number": example, "thousands": thousands, "whole": example.partition(".")[0]},
        _("All numbers with a dot have three figures after it."),
        [
            Choice(",", thousands, _("the dot makes groups of three")),
            Choice(".", example, _("the dot is the decimal point")),
        ],
    )


def ties(example: str, asked: Asked) -> str:
    return asked.ask(
        TIES,
        _("Does the list count places without gaps?"),
        _("It counts %(example)s: after equal places this site skips some.") % {"example": example},
        [
            Choice(NO_GAPS, _("Yes"), _("equal places are ties, and the next one is counted on")),
            Choice(MISTAKE, _("No"), _("the places are a mistake")),
        ],
    )


def is_struck(name: str, asked: Asked) -> bool:
    """Tell whether an answer says that a name is not a player's."""
    return asked.answers.get(f"{NOBODY}{name_key(name)}") == LEFT_OUT


def blanks(place: int, asked: Asked) -> str:
    """Ask whether an empty cell below a place means the same place (a tie)."""
    return asked.ask(
        BLANKS,
        _("Is an empty cell below place %(place)d the same place?") % {"place": place},
        _("The next place is counted as if it were."),
        [
            Choice(AS_ABOVE, _("Yes"), _("they are tied")),
            Choice(NO_PLACE, _("No"), _("these rows have no place")),
        ],
    )


def missing(examples: Sequence[str], n: int, asked: Asked, *, are_absent: bool) -> str:
    choices = [
        Choice(LEFT_OUT, _("They did not play"), _("the rows are left out")),
        Choice(LAST, _("Last"), _("below all others, in the order of the rows")),
        Choice(TIED_LAST, _("Tied last"), _("they share the place below all others")),
    ]
    if not are_absent:
        choices = [*choices[1:], choices[0]]
    return asked.ask(
        MISSING,
        _("What are rows without a place?"),
        _("%(n)d rows: %(examples)s.") % {"n": n, "examples": ", ".join(examples)},
        choices,
    )


def wide(n_people: int, n_dates: int, asked: Asked, *, are_places: bool) -> str:
    choices = [Choice(PLACES, _("Places")), Choice(POINTS, _("Points"), _("more are better"))]
    return asked.ask(
        WIDE,
        _("Are the numbers places or points?"),
        _("A wide table: %(people)d people, %(dates)d dates.") % {"people": n_people, "dates": n_dates},
        choices if are_places else choices[::-1],
    )


def order(asked: Asked) -> str:
    """Ask whether the numbers or the line order ranks the rows of a table without places."""
    return asked.ask(
        ORDER,
        _("No column gives the places. What orders the rows?"),
        _("The numbers do not fall from line to line."),
        [
            Choice(BY_SCORE, _("The numbers"), _("the highest wins")),
            Choice(BY_LOW, _("The numbers"), _("the lowest wins")),
            Choice(BY_LINES, _("The order of the lines"), _("the winner stands first")),
        ],
    )


def order_of_lines(asked: Asked) -> str:
    """Ask whether the lines of a file are in the order of the places, if nothing else gives it."""
    return asked.ask(
        ORDER,
        _("No column gives the places. What orders the rows?"),
        _("The rows have neither places nor numbers that give them."),
        [
            Choice(BY_LINES, _("The order of the lines"), _("the winner stands first")),
            Choice(MISTAKE, _("Nothing"), _("the list has no places")),
        ],
    )


def size_of_field(n: str, asked: Asked) -> str:
    """Ask whether an entry count that all rows repeat is the field size or each player's own count."""
    return asked.ask(
        SIZE,
        _("Every row says %(n)s entries. Whose are they?") % {"n": n},
        _("So many rows has the event."),
        [
            Choice(FIELD, _("Of all players together"), _("the column is not used")),
            Choice(OWN, _("Of each player"), _("so often they bought in")),
        ],
    )


def which_column(identifier: str, label: str, columns: Sequence[tuple[int, str]], asked: Asked) -> str:
    """Ask which of several columns has a meaning; return its index, or SEVERAL."""
    return asked.ask(
        f"which-{identifier}",
        _("Which column is “%(meaning)s”?") % {"meaning": label},
        _("Several could be."),
        [
            *(Choice(str(index), text) for index, text in columns),
            Choice(SEVERAL, _("All of them"), _("tables stand side by side")),
        ],
    )
