"""A card club: ten real nights, and a season of 1999 by its printed totals."""

from datetime import date, time

from django.conf import settings
from django.contrib.auth.models import User

from entry.services.imports import import_events
from league.models import Club, EventWord, Rsvp, Season
from payouts.brought_forward import read_brought_forward
from payouts.services.brought_forward import bring_forward
from payouts.services.rules import open_season_with_rules
from people.services.clubs import open_club
from processes.demos.plans import plan_season
from reading.event_files.reader import read_event_file
from standings.awards.services import add_award
from standings.models import AwardKind

RULES = {"structure": {"name": "vp_kid"}, "attendance_points": 1, "min_events": 5}
TUESDAY = 1
YES, MAYBE, NO = Rsvp.Answer.YES, Rsvp.Answer.MAYBE, Rsvp.Answer.NO
COMING = {
    "lark": YES,
    "ace": YES,
    "drake": YES,
    "iris": YES,
    "moss": YES,
    "juno": MAYBE,
    "hale": MAYBE,
    "finch": NO,
}
AWARDS = (
    (AwardKind.FIRST_THREE, 1),
    (AwardKind.BEST_PROFIT, 5),
    (AwardKind.MOST_WINS, 1),
    (AwardKind.MOST_IMPROVED, 5),
    (AwardKind.MOST_ATTENDANCE, 1),
)


def load(organizer: User, slug: str) -> Club:
    club = open_club(
        organizer,
        name="Riverbank Card Club",
        slug=slug,
        time_zone="America/New_York",
        is_public=True,
        event_word=EventWord.EVENING,
    )
    season = open_season_with_rules(
        club, name="Winter Cup 2026", starts_on=date(2026, 1, 6), ends_on=date(2026, 3, 24), rules=RULES
    )
    _import_nights(season)
    for kind, min_events in AWARDS:
        add_award(season, kind=kind, title="", min_events=min_events, player=None, actor=organizer)
    _open_season_of_1999(club)
    plan_season(
        club,
        name="Weekly Cup",
        rules=RULES,
        weekday=TUESDAY,
        begin=time(19, 30),
        place="The boathouse",
        coming=COMING,
        organizer=organizer,
    )
    return club


def _import_nights(season: Season) -> None:
    for file in sorted((settings.BASE_DIR / "demo" / "nights").glob("*.csv")):
        read = read_event_file(file.read_text(encoding="utf-8"), tz=season.club.tz)
        if read.problems:
            raise RuntimeError(f"{file.name}: {read.problems[0]}")
        import_events(season, read.events, actor=None)


def _open_season_of_1999(club: Club) -> None:
    """Open a real season of which only printed totals are left; both printed lists have the same figures."""
    season = open_season_with_rules(
        club, name="Straddle Cup 1999", starts_on=date(1999, 1, 1), ends_on=date(1999, 9, 30), rules=RULES
    )
    printed = settings.BASE_DIR / "demo" / "straddle-1999" / "standings_by_points.csv"
    read = read_brought_forward(printed.read_text(encoding="utf-8"), {})
    if not read.is_ready:
        raise RuntimeError(f"{printed.name}: {[line.problem for line in read.lines if line.problem]}")
    bring_forward(season, read.totals, version=0, actor=None)
