"""Pictures of shared links: real PNG, new after a correction, kept meanwhile, and bounded in work."""

import io

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from PIL import Image

from league.models import Club
from sharing import pictures
from sharing.pictures import MOST_DRAWN
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, correct, enter
from tests.standings.pages.addresses import queries

pytestmark = pytest.mark.django_db
KINDS = ("event", "season", "player", "badge")


@pytest.fixture
def season():
    return SeasonFactory()


@pytest.fixture
def event(season):
    event = enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    return event


@pytest.fixture
def drawings(monkeypatch):
    """Count what is drawn."""
    made = []
    monkeypatch.setattr(pictures, "draw", lambda card: made.append(card) or b"drawn %d" % len(made))
    return made


def address(kind, event):
    club, season = event.season.club.slug, event.season.slug
    player = event.entries.get(place=1).player_id
    arguments = {"event": [club, event.pk], "season": [club, season]}.get(kind, [club, player])
    return reverse(f"sharing:{kind}-picture", args=arguments)


def swap_first_two(event):
    correct(event, "Boris\nAda\nCleo")
    recompute(event.season.pool_id)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_a_png_of_the_size_that_chats_show(event, kind):
    answer = Client().get(address(kind, event))
    assert answer["Content-Type"] == "image/png"
    assert answer["Cache-Control"] == "no-cache"
    with Image.open(io.BytesIO(answer.content)) as picture:
        picture.load()
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
        assert len(picture.getcolors(2**20)) > 2, "something is drawn"


@pytest.mark.parametrize("kind", KINDS)
def test_a_correction_changes_the_picture_at_once(event, kind):
    before = Client().get(address(kind, event))
    url = address(kind, event)
    swap_first_two(event)
    after = Client().get(url)
    assert after.content != before.content
    assert after["ETag"] != before["ETag"]


def test_who_has_the_picture_is_told_so_until_it_changes(event):
    url = address("event", event)
    tag = Client().get(url)["ETag"]
    again = Client().get(url, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == tag
    swap_first_two(event)
    assert Client().get(url, headers={"If-None-Match": tag}).status_code == 200


def test_a_picture_is_drawn_once_until_it_changes(event, drawings):
    url = address("season", event)
    assert {Client().get(url).content for _ in range(3)} == {b"drawn 1"}
    swap_first_two(event)
    assert Client().get(url).content == b"drawn 2"
    assert len(drawings) == 2


@pytest.mark.rest
def test_nobody_makes_the_site_draw_without_end(event, drawings):
    url = address("event", event)
    assert Client().get(url).status_code == 200
    for number in range(MOST_DRAWN - 1):
        Club.objects.update(name=f"Named {number}")
        assert Client().get(url).status_code == 200
    Club.objects.update(name="Another")
    refused = Client().get(url)
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert len(drawings) == MOST_DRAWN
    Club.objects.update(name="Named 0")
    assert Client().get(url).status_code == 200, "what is kept costs nothing"


def test_members_browsers_keep_no_picture_of_a_club(event, season):
    client = Client()
    client.force_login(season.club.memberships.get().user)
    assert client.get(address("event", event))["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_takes_the_same_queries_for_three_and_for_six_players(season, event, kind):
    three, _answer = queries(Client(), address(kind, event))
    correct(event, "Ada\nBoris\nCleo\nDora\nEmil\nFinn")
    recompute(season.pool_id)
    caches["pictures"].clear()
    assert queries(Client(), address(kind, event))[0] == three


@pytest.mark.parametrize("page", ["event", "season", "player"])
def test_a_page_names_its_picture_and_says_what_it_is(event, page):
    player = event.entries.get(place=1).player
    at = {"event": event, "season": event.season, "player": player}[page].get_absolute_url()
    before = Client().get(at).content.decode()
    picture = f'<meta property="og:image" content="http://testserver{address(page, event)}?v='
    assert picture in before
    for name in ("og:title", "og:description", "og:image:width", "og:image:height", "og:url"):
        assert before.count(f'<meta property="{name}" content="') == 1, name
    assert '<meta name="twitter:card" content="summary_large_image">' in before
    swap_first_two(event)
    after = Client().get(at).content.decode()
    version = after.partition(picture)[2].partition('"')[0]
    assert version
    assert version != before.partition(picture)[2].partition('"')[0]


def test_pages_of_a_private_club_name_no_picture(event, season):
    Club.objects.filter(pk=season.club_id).update(is_public=False)
    client = Client()
    client.force_login(season.club.memberships.get().user)
    assert "og:" not in client.get(event.get_absolute_url()).content.decode()
    assert Client().get(address("event", event)).status_code == 404
