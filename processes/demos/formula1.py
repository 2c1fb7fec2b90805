"""Every Formula 1 race and sprint since 1950, from f1db (CC BY 4.0); bench/data/make_formula1.py made the file."""

import gzip
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from itertools import groupby

from django.conf import settings
from django.contrib.auth.models import User

from entry.services.bulk_results import NewResult, enter_results
from league.models import Club, EventWord, GameKind
from payouts.services.rules import open_season_with_rules
from people.services.clubs import open_club
from ratings.engine.tier.params import TierParams
from ratings.services.settings import set_rating_settings
from reading.results import EntryInput, EventDetails
from standings.awards.services import add_award
from standings.models import AwardKind

FILE = settings.BASE_DIR / "bench" / "data" / "formula1.csv.gz"
RULES = {"structure": {"name": "inverse"}, "attendance_points": 0, "min_events": 3}
AWARDS = (AwardKind.FIRST_THREE, AwardKind.MOST_WINS)
RETIRED = "R"
BEGIN = time(14, 0, tzinfo=UTC)
TAU_PER_DAY = 7.0  # predicts the races before 1970 best of the values tried (python -m bench.formula1)
Lines = list[tuple[date, str, str]]


def load(organizer: User, slug: str) -> Club:
    club = open_club(
        organizer,
        name="Formula 1 (f1db, CC BY 4.0)",
        slug=slug,
        time_zone="UTC",
        is_public=True,
        plays=GameKind.OTHER,
        event_word=EventWord.RACE,
    )
    params = TierParams(tau_per_day=TAU_PER_DAY)
    set_rating_settings(club.pools.get(), params, revision=0, actor=organizer)
    for year, events in groupby(_events(), key=lambda lines: lines[0][0].year):
        season = open_season_with_rules(
            club,
            name=str(year),
            starts_on=date(year, 1, 1),
            ends_on=date(year, 12, 31),
            rules=RULES,
            actor=organizer,
        )
        enter_results(season, [_result(lines) for lines in events], actor=organizer)
        for kind in AWARDS:
            add_award(season, kind=kind, title="", min_events=1, player=None, actor=organizer)
    return club


def _events() -> Iterator[Lines]:
    """Read the events, which empty lines separate."""
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        for block in file.read().strip().split("\n\n"):
            cells = [line.split(",") for line in block.splitlines()]
            yield [(date.fromisoformat(day), driver, place) for day, driver, place in cells]


def _result(lines: Lines) -> NewResult:
    """Make a result in which those who retired share the place behind the last who was classified."""
    last = 1 + sum(place != RETIRED for _day, _driver, place in lines)
    ordered = sorted(int(place) for _day, _driver, place in lines if place != RETIRED)
    entries = [
        EntryInput(_name(driver), last if place == RETIRED else 1 + ordered.index(int(place)))
        for _day, driver, place in lines
    ]
    entries.sort(key=lambda entry: entry.place)
    day = lines[0][0]
    seats = min(len(entries), 10)
    details = EventDetails(datetime.combine(day, BEGIN), table_size=seats, final_table_size=seats)
    return NewResult(day.isoformat(), details, entries)


def _name(driver: str) -> str:
    """Write the id of a driver as a name: "lewis-hamilton" as "Lewis Hamilton"."""
    return driver.replace("-", " ").title()
