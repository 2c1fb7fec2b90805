"""A mahjong league of two seasons, whose names and scores demo/make_mahjong.py made up."""

import csv
import uuid
from datetime import date, datetime, time
from itertools import groupby

from django.conf import settings
from django.contrib.auth.models import User

from entry.services.nights import Night, NightTable, enter_night
from league.models import Club, GameKind, Rsvp, Season
from league.services.pools import save_game
from payouts.services.rules import open_season_with_rules
from people.services.clubs import open_club
from processes.demos.plans import plan_season
from scores.rules import PRESETS
from scores.tables import Seat
from standings.awards.services import add_award
from standings.models import AwardKind

FILE = settings.BASE_DIR / "demo" / "kamome" / "scores.csv"
RULES = {"structure": {"name": "balance"}, "attendance_points": 0, "min_events": 12}
BEGIN = time(19, 0)
THURSDAY = 3
YES, MAYBE = Rsvp.Answer.YES, Rsvp.Answer.MAYBE
COMING = {"misago": YES, "kamome": YES, "hiwa": YES, "kawasemi": YES, "suzume": YES, "mozu": MAYBE}
AWARDS = (
    (AwardKind.FIRST_THREE, 1),
    (AwardKind.MOST_WINS, 1),
    (AwardKind.MOST_IMPROVED, 12),
)
Line = dict[str, str]


def load(organizer: User, slug: str) -> Club:
    club = open_club(
        organizer,
        name="かもめ麻雀会",
        slug=slug,
        time_zone="Asia/Tokyo",
        is_public=True,
        plays=GameKind.MAHJONG_4,
    )
    game = club.games.get()
    save_game(club, game, actor=organizer, scoring=PRESETS["mleague"].to_dict())
    with FILE.open(encoding="utf-8", newline="") as file:
        for name, lines in groupby(csv.DictReader(file), key=lambda line: line["season"]):
            _load_season(club, name, list(lines), organizer)
    plan_season(
        club,
        name="木曜リーグ",
        rules=RULES,
        weekday=THURSDAY,
        begin=BEGIN,
        place="",
        coming=COMING,
        organizer=organizer,
    )
    return club


def _load_season(club: Club, name: str, lines: list[Line], organizer: User) -> None:
    first, last = date.fromisoformat(lines[0]["day"]), date.fromisoformat(lines[-1]["day"])
    slug = f"{club.slug}-{first:%Y-%m}"
    season = open_season_with_rules(
        club, name=name, slug=slug, starts_on=first, ends_on=last, rules=RULES, actor=organizer
    )
    for number, (day, of_day) in enumerate(groupby(lines, key=lambda line: line["day"]), 1):
        enter_night(
            _night(season, f"第{number}節", date.fromisoformat(day)),
            _tables(list(of_day)),
            actor=organizer,
            form_token=uuid.uuid5(uuid.NAMESPACE_URL, f"{slug} {day} {season.pk}"),
        )
    for kind, min_events in AWARDS:
        add_award(season, kind=kind, title="", min_events=min_events, player=None, actor=organizer)


def _night(season: Season, name: str, day: date) -> Night:
    starts_at = datetime.combine(day, BEGIN, tzinfo=season.club.tz)
    game = season.club.games.select_related("pool").get()
    return Night(season, game, PRESETS["mleague"], starts_at, name)


def _tables(lines: list[Line]) -> list[NightTable]:
    """Make tables of lines that are in the order of rounds, tables and seats."""
    return [
        NightTable(int(number), int(table), tuple(Seat(line["player"], int(line["score"])) for line in seats))
        for (number, table), seats in groupby(lines, key=lambda line: (line["round"], line["table"]))
    ]
