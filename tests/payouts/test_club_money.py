"""Money of a club: its currency, and net money on the pages of players once an owner shows it."""

import pytest
from django.urls import reverse

from league.models import Change, Player
from payouts.models import ClubMoney, EntryMoney, EventMoney
from standings.recomputation.service import recompute
from tests.factories import enter
from tests.pages import markup_of
from tests.standings.pages.addresses import queries

pytestmark = pytest.mark.django_db
SHOWN = {"currency": "€", "decimals": "2", "shows_net": "on"}


@pytest.fixture
def address(club):
    return reverse("payouts:club-money", args=[club.slug])


@pytest.fixture
def ada(season):
    """A player with two entries of 22 and a rebuy of 20, who won 70.50: net +6.50."""
    event = enter(season, "Ada\nBoris\nAda #1")
    recompute(season.pool_id)
    EventMoney.objects.create(event=event, buy_in=20, fee=2, rebuy=20, result_version=1)
    for entry in event.entries.all():
        prize = "70.5" if entry.place == 1 else "0"
        EntryMoney.objects.create(entry=entry, rebuys=entry.place == 3, prize=prize)
    return Player.objects.get(name="Ada")


def player_page(player):
    return reverse("standings:player", args=[player.club.slug, player.pk])


def test_an_owner_shows_net_money(address, ada, client_of, client):
    hidden = markup_of(client.get(player_page(ada)))
    assert "Net money" not in hidden
    owner = client_of("owner")
    assert owner.get(address).status_code == 200
    assert owner.post(address, SHOWN).status_code == 302
    shown = markup_of(client.get(player_page(ada)))
    assert "+6.50\u00a0€" in shown
    assert "64.00\u00a0€" in shown  # what was paid: 22 + 22 + 20
    owner.post(address, SHOWN | {"shows_net": ""})
    assert "Net money" not in markup_of(client.get(player_page(ada)))


def test_net_money_takes_one_query_more_for_any_number_of_events(ada, season, client):
    client.get(player_page(ada))  # what the player needs is worked out once
    hidden, _answer = queries(client, player_page(ada))
    ClubMoney.objects.create(club=season.club, shows_net=True)
    shown, _answer = queries(client, player_page(ada))
    assert shown == hidden + 1
    event = enter(season, "Boris\nAda", day=7)
    recompute(season.pool_id)
    EventMoney.objects.create(event=event, buy_in=10, result_version=1)
    EntryMoney.objects.bulk_create(EntryMoney(entry=entry) for entry in event.entries.all())
    client.get(player_page(ada))
    again, answer = queries(client, player_page(ada))
    assert again == shown
    assert "−3.5" in answer.content.decode()


def test_the_api_has_net_money_once_it_is_shown(ada, season, client):
    url = reverse("api:standings", args=[season.pk])
    assert [row["net_money"] for row in client.get(url).json()["results"]] == [None, None]
    ClubMoney.objects.create(club=season.club, shows_net=True)
    rows = {row["player"]["name"]: row["net_money"] for row in client.get(url).json()["results"]}
    assert rows == {"Ada": "6.5", "Boris": "-22"}


def test_net_money_changes_no_points_or_profit(ada, season, client):
    url = reverse("api:standings", args=[season.pk])
    before = client.get(url).json()["results"]
    ClubMoney.objects.create(club=season.club, shows_net=True)
    after = client.get(url).json()["results"]
    assert [row | {"net_money": None} for row in after] == before


def test_saving_twice_is_one_change_and_the_history_says_what(address, client_of, club, season):
    owner = client_of("owner")
    for _press in range(2):
        owner.post(address, SHOWN)
    assert Change.objects.filter(kind=Change.Kind.CLUB_CHANGED).count() == 1
    page = owner.get(reverse("standings:changes", args=[club.slug])).content.decode()
    assert "Net money on the pages of players: no → yes" in page


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("decimals", "4", "less than or equal to 3"),
        ("decimals", "", "required"),
        ("currency", "€" * 9, "at most 8"),
    ],
)
def test_bad_settings_are_reported_and_not_saved(address, client_of, field, value, message):
    answer = client_of("owner").post(address, SHOWN | {field: value})
    assert message in answer.context["form"].errors[field][0]
    assert not ClubMoney.objects.exists()


def test_only_owners_change_how_money_is_shown(address, refused_to):
    refused_to(address, SHOWN, below="owner")
    assert not ClubMoney.objects.exists()
