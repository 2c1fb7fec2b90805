"""The addresses of the project, from its URL configuration, and clubs with one object of each kind to ask for."""

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from entry.services.drafts import stage_import
from lab.engine.holdem.sit_and_go import start
from lab.engine.seasons.chunks import simulate
from lab.engine.seasons.scenario import Scenario
from lab.models import LabRun, SitAndGo
from league.models import (
    AccessChange,
    Claim,
    Club,
    Event,
    Game,
    Import,
    Invitation,
    MailKind,
    Meet,
    Membership,
    PlannedEvent,
    Player,
    PlayerAlias,
    Role,
)  # fmt: skip
from league.services.events import delete_event
from league.services.seasons import close_season
from live.services.nights import begin_night
from payouts.models import ClubMoney
from people.services.mails import Subscription, stop_token
from people.services.members import set_member
from people.services.merges import merge_players
from standings.models import Award
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests import access
from tests.factories import ClubFactory, SeasonFactory, UserFactory, correct, enter
from webhooks.models import Delivery, Hook, Message

APPS = (
    "league",
    "people",
    "entry",
    "payouts",
    "live",
    "ratings",
    "standings",
    "lab",
    "noticeboard",
    "forecasts",
    "sharing",
    "directory",
    "webhooks",
    "processes",
    "api",
    "privacy",
)
A_GAME = uuid.UUID(int=1)
A_KEY = uuid.UUID(int=2)
# Arguments of the addresses that belong to no club and that a GET is tried of.
SITE_ARGUMENTS = {
    "lab:play-game": [A_GAME],
    "live:desk": [1],
    "live:follow": [1],
    "live:screen": [1],
    "live:worker": [1],
    "people:join": ["a-link"],
    "league:language": ["ja"],
    "people:mail-stop": [stop_token(Subscription(1, 1, MailKind.RIGHTS))],
    "league:theme": ["dark"],
    "noticeboard:keyed-calendar": [A_KEY],
    "noticeboard:keyed-corrections-atom": [A_KEY],
    "noticeboard:keyed-events-atom": [A_KEY],
}
SITE = {
    name: SITE_ARGUMENTS.get(name, [])
    for name in sorted(access.FOR_EVERYBODY | access.FOR_WHOEVER_HAS_THE_LINK)
    if not name.startswith("api:")
}
# What the open addresses of the API are asked.
API_QUERIES = {
    "api:decide": "p=0.2&n=4&own=100&in=5&call=15&raise=10&folded=0",
    "api:points": "structure=inverse&entries=5",
    "api:seats": "structure=inverse&seats=5",
    "api:vpip": "phi=25",
}
API_REFUSED = {"api:calibration"}  # The pool of these clubs is not rated by R.
API_WITHOUT_GET = {
    "api:alias", "api:answer", "api:bin-restore", "api:claim", "api:delivery", "api:entry", "api:events-many", "api:invitation", "api:member",
    "api:player-claim", "api:preview", "api:scores", "api:version-restore",
}  # fmt: skip
OF_A_SEALED_SEASON = {"sharing:certificate", "standings:seal-file"}


def project_patterns():
    """Map names to patterns, without admin and accounts; the second address of a name gets a number."""
    patterns_by_name = {}

    def walk(patterns, app):
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                name = f"{app}:{pattern.name}"
                patterns_by_name[f"{name} 2" if name in patterns_by_name else name] = pattern
            elif pattern.app_name in APPS or not pattern.app_name:
                walk(pattern.url_patterns, pattern.app_name)

    walk(get_resolver().url_patterns, "")
    return {name: pattern for name, pattern in patterns_by_name.items() if name.partition(":")[0] in APPS}


PATTERNS = project_patterns()
CLUB_PAGES = sorted(access.PAGES)
# Pages of a club that are shown to whom they are for; the others take posts alone, or lead on to another page.
SHOWN_PAGES = [name for name in CLUB_PAGES if access.PAGES[name].takes_get and name != "standings:me-row"]
FORMS = [name for name in CLUB_PAGES if access.PAGES[name].takes_post]


def a_client_of_each_role(club):
    """Make a client for everybody of access.WHO, signed in but for the anonymous one; each has its `user`."""
    clients = {}
    for who in access.WHO:
        client = clients[who] = Client()
        if who == "anonymous":
            continue
        user = client.user = UserFactory(is_superuser=who == "superuser")
        if who.upper() in Role.__members__:
            set_member(club, user=user, role=Role[who.upper()], actor=None)
        if who == "foreign":
            set_member(ClubFactory(), user=user, role=Role.ORGANIZER, actor=None)
        client.force_login(user)
    return clients


def add_sealed_season(club, *, actor):
    """Add a season that is closed and sealed; return its award, which Gwen has won, whom no other season names."""
    sealed = SeasonFactory(club=club, name="Sealed", starts_on="2025-01-01")
    award = Award.objects.create(season=sealed, position=1, kind="most_wins")
    enter(sealed, "Gwen\nHugo", day=-300)
    recompute(sealed.pool_id)
    close_season(sealed, actor=actor)
    recompute(sealed.pool_id)
    seal_season(sealed, actor=actor)
    return award


def a_run(club):
    """Make a run of the laboratory that is done."""
    scenario = Scenario(counts=(1, 1, 1, 0, 0), nights=1, size=2)
    return LabRun.objects.create(
        club=club,
        token=uuid.uuid4(),
        scenario_settings=scenario.to_dict(),
        n_seasons=1,
        seed=1,
        state="done",
        totals=simulate(scenario, 1, 0, 1).to_dict(),
    )


def a_delivery(event):
    """Make a webhook of the club with a message about an event that was sent to it."""
    club = event.season.club
    hook = Hook.objects.create(
        club=club, target="program", name="Program", url="https://hook.example/", kinds=[]
    )
    message = Message.objects.create(club=club, kind="result.published", subject=f"event:{event.pk}", data={})
    return Delivery.objects.create(hook=hook, message=message, state="sent")


def a_game():
    """Return the token of a sit-and-go, which is begun if it is not there."""
    begun = {"state": start(["rock"], 1).to_json(), "played_at": timezone.now()}
    return SitAndGo.objects.get_or_create(pk=A_GAME, defaults=begun)[0].pk


def a_night(club, *, actor):
    """Begin a live night whose log has its setup."""
    begun = {"season": None, "planned_event": None, "name": "Tonight", "setup": {"stack": 5000}}
    return begin_night(club, starts_at=timezone.now(), form_token=uuid.uuid4(), actor=actor, **begun)


def a_club(**fields):
    """Make a club with one object of each kind, and a client for each role."""
    club = ClubFactory(**fields)
    ClubMoney.objects.create(club=club, helpers_take=True)
    season = SeasonFactory(club=club)
    event = enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    meet = Meet.objects.create(season=season, day="2026-01-07", name="Meet")
    scored = Game.objects.create(
        club=club, name="Scored", kind="mahjong-4", entry_form="scores", pool=season.pool, table_size=4
    )
    at_table = enter(season, "Ada\nBoris", day=1)
    Event.objects.filter(pk=at_table.pk).update(meet=meet, game=scored, round=1, table=1)
    another_game = Game.objects.create(
        club=club, name="Another", kind="other", entry_form="balances", pool=season.pool
    )
    award = Award.objects.create(season=season, position=1, kind="most_wins")
    clients = a_client_of_each_role(club)
    sealed_award = add_sealed_season(club, actor=clients["owner"].user)
    extra = set_member(club, user=UserFactory(), role=Role.MEMBER, actor=None)
    ada = Player.objects.get(club=club, name="Ada")
    in_a_week = timezone.now() + timedelta(days=7)
    invitation = Invitation.objects.create(club=club, ends_at=in_a_week)
    deleted = delete_event(enter(season, "Ada\nBoris", day=2), version=1, actor=None)
    twice = [Player.objects.create(club=club, name=name, key=name.lower()) for name in ("Cleo", "Clea")]
    merge = merge_players(*twice, actor=clients["owner"].user)
    gone = AccessChange.objects.create(
        club=club, kind="member-removed", person=clients["member"].user.username, before={"role": 10}
    )
    planned = PlannedEvent.objects.create(season=season, starts_at=timezone.now() + timedelta(days=7))
    night = a_night(club, actor=clients["owner"].user)
    delivery = a_delivery(event)
    return {
        "clients": clients,
        "hook_id": delivery.hook_id,
        "delivery_id": delivery.pk,
        "planned_id": planned.pk,
        "night_id": night.pk,
        "action": night.actions.get().name,
        "claim_id": Claim.objects.create(player=ada, user=extra.user).pk,
        "invitation_id": invitation.pk,
        "change_id": gone.pk,
        "item_id": deleted.pk,
        "correction_id": correct(event, "Boris\nAda").changes.first().pk,
        "club_slug": club.slug,
        "season": season,
        "season_slug": season.slug,
        "event_id": event.pk,
        "entry_id": event.entries.get(place=1).pk,
        "player_id": ada.pk,
        "alias_id": PlayerAlias.objects.create(club=club, player=ada, name="Adda", key="adda").pk,
        "pool_id": season.pool_id,
        "game_id": another_game.pk,
        "membership_id": extra.pk,
        "member_id": extra.pk,
        "award_id": award.pk,
        "sealed_award_id": sealed_award.pk,
        "sealed_winner_id": Player.objects.get(club=club, name="Gwen").pk,
        "meet_id": meet.pk,
        "run_id": a_run(club).pk,
        "token": a_game(),
        "merge_id": merge.pk,
        "import_id": Import.objects.create(club=club, files="n.csv").pk,
    }


@pytest.fixture(scope="module")
def clubs(django_db_setup, django_db_blocker):
    """A public club, a private one and one more for two-factor sign-in, shared by all tests because pages are only read."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        public = a_club(is_public=True)
        a_link = {"token": "a-link", "ends_at": timezone.now() + timedelta(days=7)}
        Invitation.objects.create(club=Club.objects.get(slug=public["club_slug"]), **a_link)
        Membership.objects.filter(club__slug=public["club_slug"], role=Role.HELPER).update(feed_key=A_KEY)
        yield {
            "public": public,
            "private": a_club(is_public=False),
            "two-factor": a_club(is_public=False),
        }
        transaction.set_rollback(True)


def address(name, club, client):
    arguments = {key: club[key] for key in PATTERNS[name].pattern.converters if key in club}
    if name in OF_A_SEALED_SEASON:
        arguments["season_slug"] = "sealed"
    if name == "sharing:certificate":
        arguments["award_id"], arguments["player_id"] = club["sealed_award_id"], club["sealed_winner_id"]
    if "draft_id" in PATTERNS[name].pattern.converters:
        user = getattr(client, "user", None) or club["clients"]["organizer"].user
        text = "event,date,player,place\nn,2026-01-10,Ada,1\nn,2026-01-10,Boris,2"
        arguments["draft_id"] = stage_import(club["season"], user=user, files=[("n.csv", text.encode())]).pk
    return reverse(name.removesuffix(" 2"), kwargs=arguments)


def api_address(name, club):
    arguments = {**club, "season_id": club["season"].pk}
    return reverse(name, kwargs={key: arguments[key] for key in PATTERNS[name].pattern.converters})
