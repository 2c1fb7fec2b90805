"""Points from balances: exact and negative where they are, on every page, and refused where no balance is recorded."""

from decimal import Decimal

import pytest
from django.urls import reverse

from league.models import Change, Event, Season
from league.services.errors import BadResult
from league.services.seasons import close_season
from payouts.models import EntryPoints
from payouts.services.rules import set_rules
from standings.exports.tables import season_rows, standings_table
from standings.models import Standing
from standings.points.meets import meet_standings
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests.factories import RULES, SeasonFactory, enter
from tests.pages import markup_of
from tests.standings.seals.seasons import check

pytestmark = pytest.mark.django_db
BALANCES = {"Ada": Decimal("62.2"), "Boris": Decimal("-20.1"), "Cleo": Decimal("-42.1")}


def season_of(club, *, attendance=0, **structure):
    rules = RULES | {"structure": structure, "attendance_points": attendance}
    return SeasonFactory(club=club, rules=rules, name=f"Riichi {structure['name']}")


def enter_game(season, text="Ada\nBoris\nCleo", *, day=0, name="Night"):
    return enter(season, text, day=day, name=name, balance=lambda entry: BALANCES[entry.name])


def totals(season):
    recompute(season.pool_id)
    return dict(Standing.objects.filter(season=season).values_list("player__name", "total"))


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        ({"name": "balance"}, ("62.2", "-20.1", "-42.1")),
        ({"name": "balance", "per_balance": "0.5"}, ("31.1", "-10.05", "-21.05")),
        ({"name": "linear", "per_balance": "1"}, ("65.2", "-18.1", "-41.1")),
        ({"name": "fixed_table", "votes": ["30", "10"], "per_balance": "0.1"}, ("36.22", "7.99", "-4.21")),
        (
            {"name": "expression", "expression": "balance + (15 if k == 1 else -15)"},
            ("77.2", "-35.1", "-57.1"),
        ),
    ],
)
def test_totals_follow_from_balances_alone_or_with_the_places(club, structure, expected):
    season = season_of(club, **structure)
    enter_game(season)
    assert totals(season) == dict(zip(BALANCES, map(Decimal, expected), strict=True))


def test_negative_points_are_on_every_page_and_in_the_file(club, client):
    season = season_of(club, name="balance")
    event = enter_game(season)
    enter_game(season, "Cleo\nBoris", day=7)
    recompute(season.pool_id)
    cleo = Standing.objects.get(season=season, player__name="Cleo")
    assert (cleo.points, cleo.points_rank, cleo.profit) == (Decimal("-84.2"), 3, Decimal("-42.1"))
    addresses = [
        season.get_absolute_url(),
        reverse("standings:season-table", args=[club.slug, season.slug]),
        event.get_absolute_url(),
        reverse("standings:breakdown", args=[club.slug, season.slug, cleo.player_id]),
        reverse("standings:player", args=[club.slug, cleo.player_id]),
    ]
    for address in addresses:
        page = client.get(address).content.decode()
        assert "−42.1" in page or "−84.2" in page, address
    assert "-84.2" in standings_table(season_rows(season, by="points")).csv
    assert "Points are the balances." in client.get(addresses[0]).content.decode()
    seats = client.get(reverse("payouts:seat-table", args=[club.slug, season.slug])).content.decode()
    assert "all points come from the balances" in seats


def test_worst_results_are_dropped_from_below_zero(club):
    season = season_of(club, name="balance")
    for day, name in enumerate(("Ada\nCleo", "Ada\nBoris", "Cleo\nBoris")):
        enter_game(season, name, day=day)
    rules = RULES | {"structure": {"name": "balance"}, "attendance_points": 0}
    rules |= {"drop_worst": 1, "missed_count_as_zero": True}
    set_rules(season, rules=rules, settle_again=False, actor=None)
    # Ada missed an event, which is a zero and her worst; the others drop a negative result before their zero.
    assert totals(season) == {"Ada": Decimal("124.4"), "Boris": Decimal("-20.1"), "Cleo": Decimal("-42.1")}


def test_totals_brought_forward_can_be_negative_where_balances_count(club, organizer_client):
    for structure, expected in (({"name": "linear"}, None), ({"name": "balance"}, Decimal("-35.5"))):
        season = season_of(club, **structure)
        address = reverse("payouts:brought-edit", args=[club.slug, season.slug])
        page = organizer_client.post(address, {"text": "Elif, -35.5, 4", "version": "0", "save": "1"})
        if expected is None:
            assert "Points: 0 to" in page.content.decode()
        else:
            assert totals(season) == {"Elif": expected}


def test_a_seal_holds_negative_points(club):
    season = season_of(club, name="balance")
    enter_game(season)
    recompute(season.pool_id)
    owner = club.memberships.get().user
    close_season(season, actor=owner)
    recompute(season.pool_id)
    assert "-42.1" in seal_season(season, actor=owner).text
    assert "the seal holds" in check(season)


def test_an_event_without_balances_is_refused_by_name(club):
    season = season_of(club, name="linear", per_balance="1")
    with pytest.raises(BadResult, match=r"no points for Night\. No balance is recorded for place 1\."):
        enter(season, "Ada\nBoris", name="Night")
    assert not Event.objects.exists()


def test_rules_of_balances_are_refused_while_an_event_has_none(club, organizer_client):
    season = SeasonFactory(club=club)
    enter(season, "Ada\nBoris", name="Poker night")
    recompute(season.pool_id)
    with pytest.raises(BadResult, match=r"no points for Poker night\. No balance"):
        set_rules(season, rules=RULES | {"structure": {"name": "balance"}}, settle_again=True, actor=None)
    assert [row.points for row in EntryPoints.objects.all()] == [1, 1]


def test_a_meet_by_profit_per_tourney(club, organizer_client):
    season = season_of(club, name="balance")
    games = [enter_game(season, text, day=day / 10) for day, text in enumerate(("Ada\nBoris", "Cleo\nBoris"))]
    recompute(season.pool_id)
    address = reverse("entry:meet-create", args=[club.slug, season.slug])
    sent = {"name": "Cup", "events": [str(game.pk) for game in games], "ordered_by": "profit"}
    meet_url = organizer_client.post(address, sent).url
    meet = season.meets.get()
    # Balance per game, of which nothing is staked: 62.2, -42.1, and -40.2 / 2 for Boris in two games.
    lines = [(line.place, line.name, line.profit) for line in meet_standings(meet).lines]
    assert lines == [
        (1, "Ada", Decimal("62.2")),
        (2, "Boris", Decimal("-20.1")),
        (3, "Cleo", Decimal("-42.1")),
    ]
    page = markup_of(organizer_client.get(meet_url))
    assert "Ada wins Cup with +62.20 a game" in page
    assert "−20.10" in page
    edit = reverse("entry:meet-edit", args=[club.slug, season.slug, meet.pk])
    organizer_client.post(edit, sent | {"ordered_by": "total"})
    change = Change.objects.filter(kind=Change.Kind.MEET_CHANGED).first()
    assert (change.before["ordered_by"], change.after["ordered_by"]) == ("profit", "total")
    changes = organizer_client.get(reverse("standings:changes", args=[club.slug])).content.decode()
    assert "Places by: profit per tourney → total" in changes
    assert Season.objects.count() == 1
