"""What a hidden player's name must not stand in: each address of the site, of each kind of answer, for each role; and mails.

The addresses come from the URL configuration, so that new ones are tested without being listed here.
"""

import io
import re
import zipfile
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import caches
from django.urls import reverse

from api.throttles import KeylessThrottle
from league.models import Club, MailKind, Player, PlayerAlias
from noticeboard.tasks import sweep
from people.services.claims import claim_player
from people.services.hidden_names import hide_name
from people.services.mails import choose_mails
from standings.recomputation.service import recompute
from tests import access
from tests.addresses import SHOWN_PAGES, SITE, a_club, address, api_address
from tests.factories import START, enter

pytestmark = [pytest.mark.django_db, pytest.mark.rest]
NAME, ANOTHER = "Ada", "Zenobia"
ROLES = ("anonymous", "member", "helper", "organizer", "owner")
OWN_TYPED = {"entry:import-preview"}  # shows the file that its reader uploaded
# Those who may see hidden names, and where: the player's form and the other names on it, by which results find the
# player, and the archive with which owners move their club.
MAY_SEE = {
    ("api:aliases", "organizer"),
    ("api:aliases", "owner"),
    ("league:player-edit", "organizer"),
    ("league:player-edit", "owner"),
    ("standings:club-archive", "owner"),
}
PAGES = sorted({*SHOWN_PAGES, *access.API} - OWN_TYPED)
SITE_PAGES = {**SITE, **dict.fromkeys(access.FOR_ACCOUNTS, ())}
# They change the browser, need a game, or say the time.
STATE = {"league:language", "league:theme", "lab:play-game", "league:security-contact"}
TEXTS = (
    "text/",
    "application/json",
    "application/xml",
    "application/rss+xml",
    "application/atom+xml",
    "image/svg+xml",
)
ZIPPED = ("application/zip", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
PICTURES = ("image/png", "image/jpeg", "image/webp", "image/x-icon")


def body_of(answer):
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def words_of(answer):
    """Read what an answer says; of a picture nothing, see the test of pictures."""
    kind, body = answer.headers["Content-Type"], body_of(answer)
    if kind.startswith(ZIPPED):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"\n".join(map(archive.read, archive.namelist()))
    assert kind.startswith((*TEXTS, *ZIPPED, *PICTURES)), f"{kind}: how is it read?"
    return "" if kind.startswith(PICTURES) else body.decode()


def says(words, name):
    return re.search(rf"\b{name}\b", words) is not None


@pytest.fixture(scope="module")
def club(django_db_setup, django_db_blocker):
    """A public club whose pages a reader without an account has opened before the name was hidden."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        club = a_club(is_public=True)
        assert any(says(words_of(answer), NAME) for _page, answer in answers(club, "anonymous"))
        ada = Player.objects.get(pk=club["player_id"])
        hide_name(ada, actor=club["clients"]["owner"].user)
        for pool in ada.club.pools.all():
            recompute(pool.pk)
        yield club
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _unlimited(monkeypatch):
    """These are more requests than anybody sends in a minute."""
    monkeypatch.setattr(KeylessThrottle, "rate", "1000/min")


def answers(club, who):
    client = club["clients"][who]
    for page in PAGES:
        url = api_address(page, club) if page in access.API else address(page, club, client)
        answer = client.get(url)
        if answer.status_code == 200:
            yield page, answer
    for page, arguments in SITE_PAGES.items():
        if page not in STATE:
            answer = client.get(reverse(page, args=arguments))
            if answer.status_code == 200:
                yield page, answer


@pytest.mark.parametrize("who", ROLES)
def test_a_hidden_name_stands_in_no_answer(club, who):
    seen = {(page, who) for page, answer in answers(club, who) if says(words_of(answer), NAME)}
    assert seen == {(page, whose) for page, whose in MAY_SEE if whose == who}


def test_a_hidden_name_finds_nobody(club):
    """Search fields show what was typed, and not whom it means."""
    client, player = club["clients"]["anonymous"], f"/players/{club['player_id']}/"
    searched = [page for page, answer in answers(club, "anonymous") if 'name="q"' in words_of(answer)]
    finding = set()
    for page in searched:
        found, everybody = (
            words_of(client.get(address(page, club, client), {"q": query})).partition("<aside")[0]
            for query in (NAME, "player")
        )
        assert player not in found, page
        finding |= {page} if player in everybody else set()
    assert finding >= {"standings:leaderboard", "standings:players"}


def test_files_and_pictures_do_not_depend_on_a_hidden_name(club):
    """The text of a picture cannot be read here, so it must stay the same whatever name is hidden."""
    client = club["clients"]["anonymous"]
    before = {
        answer.wsgi_request.get_full_path(): body_of(answer)
        for _page, answer in answers(club, "anonymous")
        if not answer.headers["Content-Type"].startswith(("text/html", *ZIPPED))  # a workbook has its time
    }
    assert len(before) > 5
    Player.objects.filter(pk=club["player_id"]).update(real_name=ANOTHER)
    PlayerAlias.objects.filter(player=club["player_id"], name=NAME).update(name=ANOTHER, key=ANOTHER.lower())
    caches["pages"].clear()
    assert {url: body_of(client.get(url)) for url in before} == before


@pytest.fixture
def clock():
    with time_machine.travel(START + timedelta(days=3, hours=4), tick=False) as clock:
        yield clock


@pytest.mark.parametrize("kind", list(MailKind))
def test_a_hidden_name_stands_in_no_mail(django_capture_on_commit_callbacks, settings, clock, kind):
    settings.SITE_ADDRESS = "https://club.example"
    club = a_club(is_public=True)
    owner, member = club["clients"]["owner"].user, club["clients"]["member"].user
    ada = Player.objects.get(pk=club["player_id"])
    for client in club["clients"].values():
        if hasattr(client, "user"):
            to = {"email": f"{client.user.pk}@example.com", "verified": True, "primary": True}
            EmailAddress.objects.create(user=client.user, **to)
            choose_mails(client.user, {(ada.club_id, each): each == kind for each in MailKind})
    with django_capture_on_commit_callbacks(execute=True):
        ada = hide_name(ada, actor=owner)
        claim_player(ada, user=member, actor=owner)
        enter(club["season"], f"{NAME}\nBoris", day=3)
    with django_capture_on_commit_callbacks(execute=True):
        for pool in Club.objects.get(pk=ada.club_id).pools.all():
            recompute(pool.pk)
    clock.shift(timedelta(days=1))  # mails of results wait until corrections are unlikely
    sweep()
    assert mail.outbox
    assert not [letter for letter in mail.outbox if says(f"{letter.subject}\n{letter.body}", NAME)]
