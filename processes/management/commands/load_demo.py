import argparse
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.core.management import BaseCommand, CommandError
from django.db import transaction

from directory.services.listings import answer_listing, ask_for_listing
from league.models import Club, Player
from processes.demos import formula1, live, mahjong, riverbank
from processes.demos.organizer import demo_organizer
from standings.recomputation.service import recompute as compute

# What the command calls each demo club, with its address, its place in the directory, and what makes it.
DEMOS = MappingProxyType(
    {
        "riverbank": ("riverbank", "Saratoga", riverbank.load),
        "mahjong": ("kamome", "横浜", mahjong.load),
        "formula1": ("formula-1", "", formula1.load),
    }
)
LIVE = "live"  # a night of the card club, run by simulated phones


class Command(BaseCommand):
    help = "Loads demo clubs from the project's own files, unless they are there already."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "clubs",
            nargs="*",
            metavar="club",
            help=f"which: {', '.join(DEMOS)}; riverbank if none is named; {LIVE}: a night of it, run live",
        )
        parser.add_argument(
            "--no-recompute",
            action="store_false",
            dest="recompute",
            help="leave ratings and points to the worker",
        )

    def handle(self, *_args: Any, clubs: list[str], recompute: bool, **_options: Any) -> None:
        if unknown := sorted({*clubs} - DEMOS.keys() - {LIVE}):
            raise CommandError(f"{unknown[0]}: the demo clubs are {', '.join(DEMOS)}, and {LIVE}")
        for name in [name for name in clubs if name != LIVE] or ["riverbank"]:
            slug, place, load = DEMOS[name]
            if Club.objects.filter(slug=slug).exists():
                self.stdout.write(f"The demo club {slug} is there already.")
                continue
            club = self._load(slug, place, load)
            if recompute:
                for pool in club.pools.all():
                    compute(pool.pk)
            self.stdout.write(f"The demo club {club} is loaded, on /c/{slug}/.")

        if LIVE in clubs:
            self._play()

    def _play(self) -> None:
        club = Club.objects.get(slug="riverbank")
        night = live.begin(club, demo_organizer())
        self.stdout.write(
            f"A night of {club} runs for about four minutes, on /c/{club.slug}/live/{night.pk}/ for the demo organizer."
        )
        live.play(club, demo_organizer())
        self.stdout.write("It is over: finish and publish it on its page, or leave it.")

    @transaction.atomic
    def _load(self, slug: str, place: str, load: Callable[[User, str], Club]) -> Club:
        club = load(demo_organizer(), slug)
        Player.objects.filter(club=club).update(is_guest=False)
        listing = ask_for_listing(club, place=place, actor=demo_organizer())
        answer_listing(listing, is_taken_in=True, actor=demo_organizer())
        return club
