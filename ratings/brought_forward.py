"""Reading of a pasted list of ratings of an older system: a rate, or mean and sigma, for each player."""

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from league import formats
from league.models import PoolKind
from league.vocabulary import gettext as _
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.params import TierParams, least_mu, skill_of_rate
from ratings.models import BroughtRating
from reading.finishing_order.marks import NUMBERING, PLACE
from reading.names.keys import name_key
from reading.names.rules import clean_name, name_problem
from reading.tables.grids import BadGrid, find_delimiter, read_grid
from reading.tables.meanings import Meaning, heading_key, meaning_of_heading
from reading.tables.values import number

MAX_LINES = 2_000
MOST_ENTRIES = 100_000
LEAST, MOST = -20_000, 20_000  # of a mean
LEAST_R, MOST_R = 100, 10_000
MOST_RATE = 10_000
PLAYER, RATE, MU, SIGMA, ENTRIES = "player", "rate", "mu", "sigma", "entries"
HEADS: Mapping[str, str] = {
    "rate": RATE, "rating": RATE, "tier": RATE, "elo": RATE, "r": RATE, "レート": RATE, "レーティング": RATE,
    "mu": MU, "μ": MU, "mean": MU, "skill": MU, "平均": MU,
    "sigma": SIGMA, "σ": SIGMA, "sd": SIGMA, "rd": SIGMA, "deviation": SIGMA, "uncertainty": SIGMA, "標準偏差": SIGMA,
    "entries": ENTRIES, "events": ENTRIES, "games": ENTRIES, "played": ENTRIES, "参加数": ENTRIES, "対局数": ENTRIES,
}  # fmt: skip
# Numbers after a name, by how many they are, in a list without headings; in a pool of R there is no sigma.
ORDERS: Mapping[int, tuple[str, ...]] = {1: (RATE,), 2: (MU, SIGMA), 3: (MU, SIGMA, ENTRIES)}
ORDERS_OF_R: Mapping[int, tuple[str, ...]] = {1: (RATE,), 2: (RATE, ENTRIES)}
DIVIDING_COMMA = re.compile(r",(?!\d)|(?<!\d),")  # one that stands in no number
HASHED = re.compile(r"^#\d{1,4}[.:)]?\s+")
NUMBER_AT_THE_END = re.compile(r"(?P<rest>.*\S)\s+(?P<number>[+−-]?[\d.,]+)")


@dataclass(frozen=True)
class BroughtLine:
    """A player's rating, with the name as typed; an unknown name becomes a guest. `sigma` is None for R."""

    name: str
    mu: float
    sigma: float | None
    n_entries: int = 0


@dataclass(frozen=True)
class ReadLine:
    """A line of the text, with its rating or its problem."""

    number: int
    text: str
    rating: BroughtLine | None = None
    problem: str = ""
    is_new: bool = False


@dataclass(frozen=True)
class ReadRatings:
    lines: tuple[ReadLine, ...]
    problem: str = ""  # of the text as a whole

    @property
    def n_problems(self) -> int:
        return sum(bool(line.problem) for line in self.lines)

    @property
    def is_ready(self) -> bool:
        return not self.problem and not self.n_problems

    @property
    def ratings(self) -> list[BroughtLine]:
        return [line.rating for line in self.lines if line.rating]


Row = tuple[int, tuple[str, ...]]


def read_ratings(text: str, known: Collection[str], params: TierParams | ProfitParams) -> ReadRatings:
    """Read a list of ratings on the scale of the parameters; `known` are the keys of the club's names."""
    try:
        rows = _rows(unicodedata.normalize("NFKC", text))
    except BadGrid as error:
        return ReadRatings((), str(error))
    head: tuple[str, ...] = ()
    if rows and (named := _head_of(rows[0][1])):
        head, rows = named, rows[1:]
        if problem := _head_problem(head):
            return ReadRatings((), problem)
    if len(rows) > MAX_LINES:
        return ReadRatings((), _("At most %(n)d lines can be brought forward.") % {"n": MAX_LINES})
    lines = [_read_line(row, head, params) for row in rows]
    return ReadRatings(tuple(_told_apart(lines, known)))


def brought_text(rows: Sequence[BroughtRating], kind: str) -> str:
    """Write stored ratings as a table that can be read back."""
    if not rows:
        return ""
    is_r = kind == PoolKind.PROFIT
    heads = (PLAYER, RATE, ENTRIES) if is_r else (PLAYER, MU, SIGMA, ENTRIES)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        skill = [row.mu] if is_r else [row.mu, row.sigma]
        writer.writerow([row.player.name, *(f"{value:.15g}" for value in skill), row.n_entries])
    return text.getvalue().rstrip("\n")


def _rows(text: str) -> list[Row]:
    """Divide a text into rows of cells; without a delimiter the numbers at the end of a line are cells."""
    delimiter = find_delimiter(text)
    if delimiter and (delimiter != "," or any(map(DIVIDING_COMMA.search, text.splitlines()))):
        return [(row.line, row.cells) for row in read_grid(text).rows if not row.is_empty]
    lines = enumerate(text.splitlines(), start=1)
    return [(position, _cells(line.strip())) for position, line in lines if line.strip()]


def _cells(line: str) -> tuple[str, ...]:
    numbers: list[str] = []
    while len(numbers) < max(ORDERS) and (found := NUMBER_AT_THE_END.fullmatch(line)):
        line, numbers = found["rest"], [found["number"], *numbers]
    return (line, *numbers)


def _head_of(cells: Sequence[str]) -> tuple[str, ...]:
    """Read the headings: what each column is, "" for one without use; nothing if the row is none of headings."""
    if any(number(cell) is not None for cell in cells):
        return ()
    heads = tuple(
        PLAYER if meaning_of_heading(cell) == Meaning.PLAYER else HEADS.get(heading_key(cell), "")
        for cell in cells
    )
    return heads if any(heads) else ()


def _head_problem(head: Sequence[str]) -> str:
    twice = next((name for name in head if name and head.count(name) > 1), "")
    if twice:
        return _("Two columns are the same: %(name)s. Leave one.") % {"name": twice}
    if PLAYER not in head:
        return _("No column holds the names.")
    if MU in head and SIGMA not in head:
        return _("Beside a mean (mu), a column sigma is needed.")
    if not {RATE, MU} & set(head):
        return _("No column holds the ratings: name it rate, or name two mu and sigma.")
    return ""


def _read_line(row: Row, head: tuple[str, ...], params: TierParams | ProfitParams) -> ReadLine:
    line, cells = row
    text = " ".join(filter(None, cells))
    try:
        return ReadLine(line, text, _rating(_values(cells, head, params), params))
    except ValueError as error:
        return ReadLine(line, text, problem=str(error))


def _values(cells: Sequence[str], head: tuple[str, ...], params: TierParams | ProfitParams) -> dict[str, str]:
    if head:
        if any(cells[len(head) :]):
            raise ValueError(_("This line has more cells than there are headings."))
        return {name: cell for name, cell in zip(head, cells, strict=False) if name}
    orders = ORDERS_OF_R if isinstance(params, ProfitParams) else ORDERS
    numbers = [cell for cell in cells[1:] if cell]
    if len(numbers) not in orders:
        raise ValueError(
            _("After the name comes R and, if you like, the number of %(games_word)s: 1520 40.")
            if isinstance(params, ProfitParams)
            else _("After the name comes a rate (1640), or mean and sigma (1610 380).")
        )
    return {PLAYER: cells[0]} | dict(zip(orders[len(numbers)], numbers, strict=True))


def _rating(values: Mapping[str, str], params: TierParams | ProfitParams) -> BroughtLine:
    name = clean_name(_bare(values.get(PLAYER, "")))
    if problem := name_problem(name):
        raise ValueError(problem)
    n_entries = int(_within(_("Entries"), values.get(ENTRIES) or "0", 0, MOST_ENTRIES, is_whole=True))
    if isinstance(params, ProfitParams):
        return BroughtLine(
            name, _within("R", values.get(RATE) or values.get(MU, ""), LEAST_R, MOST_R), None, n_entries
        )
    if values.get(MU) or values.get(SIGMA):
        # A rating beside its deviation is a mean, as other systems print it.
        mu = _within("mu", values.get(MU) or values.get(RATE, ""), LEAST, MOST)
        sigma = _within("sigma", values.get(SIGMA, ""), params.sigma_floor, params.sigma0)
        if mu < (least := least_mu(sigma, params)):
            raise ValueError(
                _("mu: at least %(least)s beside this sigma, or the rate would be below %(floor)s.")
                % {"least": formats.number(least, 1), "floor": formats.number(params.rate_floor)}
            )
        return BroughtLine(name, mu, sigma, n_entries)
    rate = _within(_("Rate"), values.get(RATE, ""), params.rate_floor, MOST_RATE)
    return BroughtLine(name, *skill_of_rate(rate, params), n_entries)


def _bare(name: str) -> str:
    """Take the number of a list from the front of a name, and what leads to the rating from its end."""
    for numbering in (NUMBERING, PLACE, HASHED):
        name = numbering.sub("", name.strip())
    return name.lstrip("•*・ ").rstrip(" :-–—=").strip()


def _within(label: str, text: str, least: float, most: float, *, is_whole: bool = False) -> float:
    value = number(text)
    if value is None or not least <= value <= most or (is_whole and value != int(value)):
        raise ValueError(
            _("%(column)s: a number from %(least)s to %(most)s, not “%(text)s”.")
            % {
                "column": label,
                "least": formats.number(least),
                "most": formats.number(most),
                "text": text[:40],
            }
        )
    return float(value)


def _told_apart(lines: Sequence[ReadLine], known: Collection[str]) -> list[ReadLine]:
    """Mark names that are new, and lines of a name that has one already."""
    seen: set[str] = set()
    told = []
    for line in lines:
        key = name_key(line.rating.name) if line.rating else ""
        if line.rating and key in seen:
            problem = _("%(name)s is there twice.") % {"name": line.rating.name}
            told.append(ReadLine(line.number, line.text, problem=problem))
        else:
            told.append(replace(line, is_new=bool(key) and key not in known))
        seen.add(key)
    return told
