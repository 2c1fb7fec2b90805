"""Test what organizers print, find and begin with: slips, the deal, structures side by side, the other night."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Role
from live.models import Role as DeviceRole
from live.services.blinds import keep_structure
from live.services.passes import join, make_pass, secret_of
from people.services.members import set_member
from tests.live.nights import LiveNight

pytestmark = pytest.mark.django_db
LEVELS = [{"sb": 25, "bb": 50, "ms": 900_000}, {"sb": 50, "bb": 100, "ms": 900_000}]


@pytest.fixture
def live(client):
    found = LiveNight(cost=2000, decimals=2, stack=5000, seating="drawn", table_size=8)
    set_member(found.season.club, user=found.actor, role=Role.HELPER, actor=None)
    client.force_login(found.actor)
    found.of = lambda name: reverse(f"live:{name}", args=[found.season.club.slug, found.night.pk])
    return found


def test_a_slip_says_the_stack_of_its_player(client, live):
    live.enter("Ada", stack=12_000)
    live.enter("Boris")
    page = " ".join(client.get(live.of("slips")).content.decode().split())
    assert "Ada <small> 12000 chips" in page
    assert "Boris <small> 5000 chips" in page


def test_a_deal_begins_with_the_prizes_of_the_places(client, live):
    """Share 4 x 20.00 by 65 and 35 percent between two; who is out has won nothing."""
    ada, boris, cleo, _dora = live.enter("Ada", "Boris", "Cleo", "Dora", cost=2000, paid=2000)
    live.out(cleo, minute=10)
    page = client.get(live.of("deal"))
    assert (page.context["typed"].prizes, page.context["typed"].paid) == ("52.00 28.00 0", "")
    live.out(boris, minute=20)
    live.record("by", target=boris, by=ada, minute=20)
    assert client.get(live.of("deal")).context["typed"].prizes == "52.00 28.00"


def test_two_kept_structures_stand_side_by_side(client, live):
    club = live.season.club
    one = keep_structure(club, "Turbo", LEVELS)
    other = keep_structure(club, "Deep", [{**level, "ms": 1_800_000} for level in LEVELS])
    url = reverse("live:club-blinds", args=[club.slug])
    page = client.get(url, {"structure": one.pk, "against": other.pk}).content.decode()
    assert "Against Deep" in page
    assert f"against={other.pk}" in page
    assert url in client.get(reverse("noticeboard:run", args=[club.slug])).content.decode()


def test_levels_ahead_are_warned_about_by_the_chips_that_are_left(client, live):
    played = [LEVELS[0], {"is_break": True, "ms": 60_000, "gone": [25]}, LEVELS[1]]
    live.record("levels", levels=played)
    live.record("clock", op="jump", level=2, minute=1)
    rows = {
        "sb": ["25", "", "50", "75"], "bb": ["50", "", "100", "150"], "ante": ["", "", "", ""],
        "minutes": ["15", "1", "15", "15"], "is_break": ["", "1", "", ""],
    }  # fmt: skip
    page = " ".join(client.post(live.of("blinds"), rows).content.decode().split())
    assert "<b>75 cannot be paid</b> in level 3" in page
    assert "do not rise" not in page
    rows["sb"][3], rows["bb"][3] = "40", "90"
    page = " ".join(client.post(live.of("blinds"), rows).content.decode().split())
    assert "<b>The blinds of level 3 do not rise:</b>" in page


def test_a_desk_is_told_whether_another_night_of_the_evening_runs(live):
    pass_ = make_pass(live.night, role=DeviceRole.HELPER, max_devices=2, actor=live.actor)
    _device, key = join(secret_of(pass_), name="Till", now=pass_.created_at)
    read = lambda: Client().get(f"/live/{live.night.pk}/roster", HTTP_X_DEVICE_KEY=key).json()["is_shared"]  # noqa: E731
    assert not read()
    other = LiveNight(live.season)
    type(other.night).objects.filter(pk=other.night.pk).update(beside=live.night)
    assert read()
