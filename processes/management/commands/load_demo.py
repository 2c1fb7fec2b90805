import argparse
import secrets
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import BaseCommand
from django.db import transaction

from league.event_files.reader import read_event_file
from league.models import Club, Player, Season
from league.services.clubs import open_club
from league.services.imports import import_events
from payouts.brought_forward import read_brought_forward
from payouts.services.brought_forward import bring_forward
from payouts.services.rules import open_season_with_rules
from processes.serve import LOGIN_FILE
from standings.awards.services import add_award
from standings.models import AwardKind
from standings.recomputation.service import recompute as compute

SLUG = "riverbank"
ORGANIZER = "demo"
AWARDS = (
    (AwardKind.FIRST_THREE, 1),
    (AwardKind.BEST_PROFIT, 5),
    (AwardKind.MOST_WINS, 1),
    (AwardKind.MOST_IMPROVED, 5),
    (AwardKind.MOST_ATTENDANCE, 1),
)


class Command(BaseCommand):
    help = "Loads the demo club from the files in demo/, unless it is there already."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--no-recompute",
            action="store_false",
            dest="recompute",
            help="leave ratings and points to the worker",
        )

    def handle(self, *_args: Any, recompute: bool, **_options: Any) -> None:
        if Club.objects.filter(slug=SLUG).exists():
            self.stdout.write("The demo club is there already.")
            return
        with transaction.atomic():
            season = self._open_season()
            files = sorted((settings.BASE_DIR / "demo" / "nights").glob("*.csv"))
            for file in files:
                read = read_event_file(file.read_text(encoding="utf-8"), tz=season.club.tz)
                if read.problems:
                    raise RuntimeError(f"{file.name}: {read.problems[0]}")
                import_events(season, read.events, actor=None)
            organizer = User.objects.get(username=ORGANIZER)
            for kind, min_events in AWARDS:
                add_award(season, kind=kind, title="", min_events=min_events, player=None, actor=organizer)
            self._open_season_of_1999(season.club)
            Player.objects.filter(club=season.club).update(is_guest=False)
        if recompute:
            compute(season.pool_id)
        self.stdout.write(
            f"The demo club {season.club} is loaded: {len(files)} events, and a season of 1999 by its totals."
        )

    def _open_season_of_1999(self, club: Club) -> None:
        """Open a real season of which only printed totals are left; both printed lists have the same figures."""
        rules = {"structure": {"name": "vp_kid"}, "attendance_points": 1, "min_events": 5}
        season = open_season_with_rules(
            club,
            name="Straddle Cup 1999",
            starts_on=date(1999, 1, 1),
            ends_on=date(1999, 9, 30),
            rules=rules,
        )
        printed = settings.BASE_DIR / "demo" / "straddle-1999" / "standings_by_points.csv"
        read = read_brought_forward(printed.read_text(encoding="utf-8"), {})
        if not read.is_ready:
            raise RuntimeError(f"{printed.name}: {[line.problem for line in read.lines if line.problem]}")
        bring_forward(season, read.totals, version=0, actor=None)

    def _open_season(self) -> Season:
        password = secrets.token_urlsafe(9)
        organizer, _created = User.objects.get_or_create(
            username=ORGANIZER, defaults={"email": "demo@example.com"}
        )
        organizer.set_password(password)
        organizer.save()
        login = Path(settings.VAR_DIR) / LOGIN_FILE
        login.touch(mode=0o600)
        login.write_text(f"{ORGANIZER}, password {password}\n", encoding="utf-8")
        club = open_club(
            organizer, name="Riverbank Card Club", slug=SLUG, time_zone="America/New_York", is_public=True
        )
        rules = {"structure": {"name": "vp_kid"}, "attendance_points": 1, "min_events": 5}
        return open_season_with_rules(
            club, name="Winter Cup 2026", starts_on=date(2026, 1, 6), ends_on=date(2026, 3, 24), rules=rules
        )
