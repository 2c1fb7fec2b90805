"""Keep a small database of a release, for the tests of upgrades: `python -m tests.releases NAME`.

Writes a SQLite file, a PostgreSQL dump and the checksums of the migrations to tests/data/releases/NAME. Run it once for
each release, with the code of that release, and never again.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from tests.servers import find, postgresql_server

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from league.models import Club

ROOT = Path(__file__).parents[1]
RELEASES = Path(__file__).parent / "data" / "releases"
CLUB = "old-lighthouse"


def checksums() -> dict[str, str]:
    """SHA-256 of each migration, by its path."""
    files = sorted(ROOT.glob("*/migrations/0*.py"))
    return {str(file.relative_to(ROOT)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def make(folder: Path, url: str) -> None:
    """Fill an empty database and save it with the site's own backup."""
    with tempfile.TemporaryDirectory(prefix="tierboard-release-") as var:
        path = f"{Path(find('pg_dump') or '').parent}:{os.environ['PATH']}"
        environment = os.environ | {
            "DATABASE_URL": url,
            "VAR_DIR": var,
            "PYTHON": sys.executable,
            "PATH": path,
        }
        for command in (["manage.py", "migrate", "--verbosity", "0"], ["manage.py", "createcachetable"]):
            subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True)
        subprocess.run([sys.executable, "-m", "tests.releases"], cwd=ROOT, env=environment, check=True)
        subprocess.run([ROOT / "scripts" / "backup.sh", folder], env=environment, check=True)
    for file in folder.glob("tierboard-*"):
        file.rename(folder / f"tierboard{file.suffix}")


def fill() -> None:
    """Make two clubs by the services of the site: the demo club, and one with everything that can be stored."""
    from django.core.management import call_command

    from standings.queries import stale_pools
    from standings.recomputation.service import recompute

    call_command("load_demo")
    lighthouse()
    for pool in stale_pools():
        recompute(pool.pk)


def lighthouse() -> None:
    """Make a club with a sealed season, an open one, changed settings and everything else that people can store."""
    from django.contrib.auth.models import User

    from api.services import make_key
    from league.models import Player, Role
    from league.services.players import update_player
    from people.services.clubs import open_club, update_club
    from people.services.members import set_member
    from ratings.engine.tier.params import TierParams
    from ratings.services.settings import set_rating_settings

    owner, organizer = (
        User.objects.create_user(name, f"{name}@example.com") for name in ("keeper", "helper")
    )
    club = open_club(owner, name="Old Lighthouse", slug=CLUB, time_zone="Asia/Tokyo", is_public=False)
    set_member(club, user=organizer, role=Role.ORGANIZER, actor=owner)
    make_key(organizer, label="clock")
    sealed_season(club, owner)
    open_season(club, owner, organizer)
    set_rating_settings(club.pools.get(), TierParams(rate_floor=1000.0), revision=0, actor=owner)
    season_of_games(club)
    laboratory(club, owner)
    people(club, owner, organizer)
    update_player(Player.objects.get(club=club, name="Emil"), name="Émile", is_guest=False, actor=owner)
    update_club(
        club,
        name="Old Lighthouse Club",
        time_zone="Asia/Tokyo",
        is_public=True,
        requires_two_factor=False,
        actor=owner,
    )


def sealed_season(club: "Club", owner: "User") -> None:
    """Make a season with ties, re-entries, times, costs, a correction and awards, and seal it."""
    from league.models import Player
    from league.services.seasons import close_season
    from payouts.services.rules import open_season_with_rules
    from standings.awards.services import add_award
    from standings.models import AwardKind
    from standings.recomputation.service import recompute
    from standings.seals.services import seal_season
    from tests.factories import correct, enter

    rules = {"structure": {"name": "vp_kid"}, "attendance_points": 2, "best_n": 3, "min_events": 1}
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 1, 31)}
    season = open_season_with_rules(club, name="灯台リーグ", rules=rules, **days)
    first = enter(season, "Ada\nBoris = Cleo\nDora\nAda #1\nEmil x3", closes_at=None)
    enter(season, "Boris\nAda ko2 cost 40\nCleo @21:30\nFinn @20:50", day=1)
    recompute(season.pool_id)  # before the correction, so that it is rated incrementally
    correct(first, "Cleo\nBoris\nAda = Dora\nEmil x2\nAda #1")
    dora = Player.objects.get(club=club, name="Dora")
    for kind, title, player in ((AwardKind.FIRST_THREE, "", None), (AwardKind.CHOSEN, "Best hat", dora)):
        add_award(season, kind=kind, title=title, min_events=1, player=player, actor=owner)
    close_season(season, actor=owner)
    recompute(season.pool_id)
    seal_season(season, actor=owner)


def open_season(club: "Club", owner: "User", organizer: "User") -> None:
    """Make a season with a formula, a meet, terms, a deleted event and a file that waits to be imported."""
    from entry.services.drafts import stage_import
    from entry.services.meets import form_meet
    from league.services.events import delete_event
    from payouts.queries import terms_version
    from payouts.services.rules import open_season_with_rules, set_rules
    from payouts.services.terms import set_event_terms
    from tests.factories import enter

    season = open_season_with_rules(
        club,
        name="Spring",
        starts_on=date(2026, 2, 1),
        ends_on=None,
        rules={"structure": {"name": "inverse"}},
    )
    nights = [enter(season, "Dora\nAda\nBoris\nCleo", day=30 + day) for day in range(3)]
    nights.append(enter(season, "Gwen\nDora\nEmil", day=32))
    formula = {"structure": {"name": "expression", "expression": "10 * sqrt(n / k)"}, "attendance_points": 1}
    set_rules(season, rules=formula, settle_again=False, actor=owner)
    nights.append(enter(season, "Gwen\nDora\nEmil\nAda", day=40))
    form_meet(season, name="Double night", event_ids=[nights[2].pk, nights[3].pk], actor=organizer)
    terms = {"multiplier": 2, "is_final": True, "total": None, "buy_in": 10, "paid": 3}
    set_event_terms(nights[4], terms=terms, version=terms_version(nights[4]), actor=owner)
    delete_event(nights[0], version=nights[0].version, actor=organizer)
    text = "event,date,place,player\nx,2026-03-30,1,Ada\n"
    stage_import(season, user=organizer, files=[("next.csv", text.encode())])


def season_of_games(club: "Club") -> None:
    """Make a season whose games are rated by R."""
    from standings.recomputation.service import recompute
    from tests.factories.games import play, profit_season

    season = profit_season(club)
    for game, result in enumerate(("Ada 45.5\nBoris 5\nCleo -15.5\nDora -35", "Cleo 30\nAda 30\nDora -60")):
        play(season, result, game=game)
    recompute(season.pool_id)


def people(club: "Club", owner: "User", organizer: "User") -> None:
    """Store an invitation, a claim, mails that are not wanted, names of a player, a merge, a hidden name and an upload."""
    from datetime import timedelta

    from league.models import MailKind, Player, Role
    from league.services.rosters import add_members
    from people.services.claims import ask_for_player
    from people.services.clubs import close_club, reopen_club
    from people.services.hidden_names import hide_name
    from people.services.invitations import invite
    from people.services.mails import choose_mails
    from people.services.merges import merge_players
    from standings.models import ArchiveDraft

    add_members(club, ["Hana", "Hanna", "Ivo"], aliases={}, actor=organizer)
    hana, hanna, ivo, gwen = (
        Player.objects.get(club=club, name=name) for name in ("Hana", "Hanna", "Ivo", "Gwen")
    )
    add_members(club, ["Hanako"], aliases={"Hanako": hana.pk}, actor=organizer)
    merge_players(hana, hanna, actor=organizer)
    hide_name(gwen, actor=organizer)
    ask_for_player(ivo, user=organizer)
    invite(club, role=Role.HELPER, lasts=timedelta(days=30), most_uses=20, actor=owner, actor_role=Role.OWNER)
    choose_mails(organizer, {(club.pk, MailKind.RIGHTS): False})
    ArchiveDraft.objects.create(user=owner, data=b"no archive")
    close_club(club, actor=owner)
    reopen_club(club, actor=owner)


def laboratory(club: "Club", owner: "User") -> None:
    """Store what the laboratory keeps: a run that is done, a decision at the practice table and a sit-and-go."""
    from uuid import UUID

    from lab.engine.holdem.styles import STYLES
    from lab.engine.seasons.scenario import Scenario
    from lab.models import PracticeDecision
    from lab.services.practice import record_decision
    from lab.services.runs import compute_chunk, start_run
    from lab.services.sit_and_go import open_game

    trio = Scenario(counts=(1, 1, 1, 0, 0), size=3)
    run = start_run(club, scenario=trio, n_seasons=1, seed=7, token=UUID(int=1), actor=owner)
    for chunk in run.chunks.all():
        compute_chunk(chunk.pk)
    open_game(list(STYLES)[:2])
    decision = PracticeDecision(
        club=club,
        round="first",
        number=1,
        position="BTN",
        stack=8.0,
        hand="AKs",
        is_call=False,
        is_played=True,
        is_right=True,
        lost_chips=0.0,
        lost_points=0.0,
    )
    record_decision(owner, decision)


def main(name: str) -> None:
    folder = RELEASES / name
    folder.mkdir(parents=True)  # fails if this release is kept already
    lines = (f"{checksum}  {file}\n" for file, checksum in checksums().items())
    (folder / "migrations.sha256").write_text("".join(lines))
    with tempfile.TemporaryDirectory(prefix="tierboard-release-") as var, postgresql_server() as postgresql:
        for url in (f"sqlite:///{var}/tierboard.sqlite3", postgresql):
            make(folder, url)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        import django

        django.setup()
        fill()
