"""A closed season offers no forms, but the way to reopen it to those who may."""

import pytest
from django.urls import reverse

from league.models import Meet, Season
from league.services.seasons import close_season
from tests.factories import enter

pytestmark = pytest.mark.django_db
FORMS = [
    "entry:event-create", "entry:event-edit", "entry:event-delete", "entry:import-upload", "entry:meet-create",
    "entry:meet-edit", "entry:night-create", "payouts:season-edit", "payouts:brought-edit", "payouts:terms-edit",
]  # fmt: skip


@pytest.fixture
def address(season):
    event = enter(season, "Ada\nBoris")
    meet = Meet.objects.create(season=season, day="2026-01-07", name="Meet")
    club, slug = season.club.slug, season.slug
    of = {
        "entry:event-edit": [club, event.pk],
        "entry:event-delete": [club, event.pk],
        "payouts:terms-edit": [club, event.pk],
        "entry:meet-edit": [club, slug, meet.pk],
    }
    return lambda name: reverse(name, args=of.get(name, [club, slug]))


@pytest.mark.parametrize("name", FORMS)
def test_a_closed_season_offers_to_be_reopened_instead_of_a_form(season, address, organizer_client, name):
    close_season(season, actor=None)
    page = organizer_client.get(address(name))
    text = page.content.decode()
    assert page.status_code == 200
    assert "This season is closed" in text
    close = reverse("league:season-close", args=[season.club.slug, season.slug])
    assert [part.partition('"')[0] for part in text.split('<form method="post" action="')[1:]] == [close]
    organizer_client.post(close, {"closed": "0"})
    assert "This season is closed" not in organizer_client.get(address(name)).content.decode()


def test_the_awards_of_a_closed_season_can_still_be_chosen(season, address, organizer_client):
    close_season(season, actor=None)
    assert "Add an award" in organizer_client.get(address("standings:award-edit")).content.decode()


def test_a_helper_is_told_who_reopens_it(season, address, client_of):
    close_season(season, actor=None)
    text = client_of("helper").get(address("entry:event-create")).content.decode()
    assert "An organizer can reopen it." in text
    assert "<form" not in text.partition("<main")[2]


def test_the_money_of_a_closed_season_is_read_only(season, address, organizer_client):
    money = reverse("payouts:money-edit", args=[season.club.slug, season.events.get().pk])
    assert "disabled" not in organizer_client.get(money).content.decode()
    close_season(season, actor=None)
    text = organizer_client.get(money).content.decode()
    assert text.count(" disabled>") == text.count("<fieldset") == 4
    assert 'name="save"' not in text


@pytest.mark.parametrize("page", ["payouts:season-edit", "standings:award-edit", "league:season-delete"])
@pytest.mark.parametrize(("who", "may_break"), [("organizer", False), ("owner", True)])
def test_a_sealed_season_leads_owners_to_its_seal(season, address, client_of, who, may_break, page):
    Season.objects.filter(pk=season.pk).update(is_closed=True, is_sealed=True)
    text = client_of(who).get(address(page)).content.decode()
    assert "This season is sealed" in text
    assert ("Break the seal" in text) is may_break
    assert "<form" not in text.partition("<main")[2]
