"""The receipt of a night: what it meant for one player, in figures and in sentences, also at their edges."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.urls import reverse
from django.utils import translation

from league.models import Event, Player
from ratings.models import RatedEntry
from standings.goals.badges import BadgeGoal, Step
from standings.models import Standing
from standings.receipts import sentences
from standings.receipts.facts import Field, Receipt, Rival, SeasonPart, receipt_of
from standings.receipts.milestones import Milestones, milestones_of
from standings.receipts.pages import shown_receipt
from standings.receipts.strip import strip_of
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, correct, enter
from tests.pages import text_of
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db
PEOPLE = ["Ada", "Boris", "Cleo", "Dora", "Emil", "Fay"]


def played(season, *orders):
    events = [enter(season, "\n".join(order), day=7 * week) for week, order in enumerate(orders)]
    recompute(season.pool_id)
    related = ("season__club", "pool__recomputation", "meet")
    return Event.objects.select_related(*related).get(pk=events[-1].pk)


def named(name):
    return Player.objects.select_related("club").get(name=name)


@pytest.fixture
def turned(season):
    """Four times in one order; then the best one comes last."""
    return played(season, *[PEOPLE] * 4, [*PEOPLE[1:], "Ada"])


def test_a_receipt_has_place_change_and_who_surprised(turned):
    receipt = receipt_of(named("Ada"), turned)
    rows = {row.player.name: row for row in RatedEntry.objects.filter(event=turned).select_related("player")}
    assert (receipt.place, receipt.n_players, receipt.places) == (6, 6, (6,))
    assert receipt.before == rows["Ada"].prior_rate
    assert receipt.after == rows["Ada"].posterior_rate
    assert receipt.change < 0
    # Ada was rated above all five, and all of them finished ahead.
    assert all(row.prior_rate < rows["Ada"].prior_rate for name, row in rows.items() if name != "Ada")
    assert receipt.field == Field(n_ahead_below=5, n_behind_above=0)
    assert sentences.reason(receipt) == "5 who are rated below finished ahead"
    winner = receipt_of(named("Boris"), turned)
    assert winner.field == Field(n_ahead_below=0, n_behind_above=1)
    assert sentences.reason(winner) == "Ahead of 1 who is rated above"


def test_the_season_says_who_passed_whom(season):
    event = played(season, ["Ada", "Boris", "Cleo"], ["Boris", "Cleo", "Ada"])
    ranks = dict(Standing.objects.values_list("player__name", "points_rank"))
    assert (ranks["Boris"], ranks["Ada"]) == (1, 2)
    own = receipt_of(named("Ada"), event).in_season
    assert (own.passed_by, own.passed, own.moved) == (("Boris",), (), -1)
    assert own.ahead.name == "Boris"
    other = receipt_of(named("Boris"), event).in_season
    assert (other.passed, other.moved, other.ahead) == (("Ada",), 1, None)
    (line,) = (line for line in sentences.lines(receipt_of(named("Boris"), event)) if line.about == "season")
    assert line.text == "1 place up: past Ada"


def test_of_an_older_event_the_season_says_nothing(season):
    played(season, PEOPLE, PEOPLE)
    first = Event.objects.select_related("season__club", "pool__recomputation", "meet").earliest("starts_at")
    assert receipt_of(named("Ada"), first).in_season is None


def test_there_is_none_for_who_was_away_or_before_it_is_computed(season):
    event = played(season, PEOPLE, PEOPLE[:4])
    assert receipt_of(named("Fay"), event) is None
    enter(season, "\n".join(PEOPLE), day=30)
    behind = Event.objects.select_related("season__club", "pool__recomputation", "meet").latest("starts_at")
    assert receipt_of(named("Ada"), behind) is None


def test_a_game_with_a_balance_has_a_receipt_of_r():
    season = profit_season(ClubFactory())
    add_games(season, n_games=8)
    recompute(season.pool_id)
    event = Event.objects.select_related("season__club", "pool__recomputation", "meet").latest("starts_at")
    player = event.entries.earliest("place").player
    receipt = receipt_of(player, event)
    assert receipt.is_r
    assert receipt.place == 1
    assert {line.label for line in sentences.lines(receipt)} >= {"R"}


SEASON = SeasonPart(None, 2, 0, Decimal(1), (), (), None, None)
GOAL = BadgeGoal("B1", "A3", 12.4, 4, (Step("A3", 1, 1), Step("B1", 2, 3), Step("B2", 4, 4)), 1, 3)
NOTHING = Milestones(None, is_first_win=False, years_at_badge=0, first_at=None)
PLAIN = Receipt(
    None, None, "/", 4, (2,), 2, None, 2.2, 1500.0, 1500.0, "B1", "B1", Field(0, 0), GOAL, SEASON, NOTHING
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"expected": 2.2}, "About as expected (2.2)"),
        ({"expected": 3.6, "after": 1510.0}, "Expected was 3.6"),
        ({"after": 1490.0, "field": Field(1, 0)}, "1 who is rated below finished ahead"),
        ({"field": None}, ""),
    ],
)
def test_the_reason_at_its_edges(changes, text):
    assert sentences.reason(replace(PLAIN, **changes)) == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Still B1, 12 short of A3"),
        ({"badge_before": ""}, "B1, the first badge, 12 short of A3"),
        ({"badge_before": "B2", "after": 1520.0}, "B1 now, up from B2, 12 short of A3"),
        ({"badge_before": "A3", "after": 1480.0}, "B1 now, down from A3, 12 short of A3"),
        ({"goal": replace(GOAL, above=None, missing=0.0)}, "Still B1"),
        ({"goal": None}, "Still B1"),
    ],
)
def test_the_badge_at_its_edges(changes, text):
    assert sentences._badge_now(replace(PLAIN, **changes)) == text


def test_what_the_next_event_needs():
    assert sentences._next_badge(PLAIN) == "A win next time makes A3; 4th or worse of 4 costs B1."
    assert sentences._next_badge(replace(PLAIN, goal=replace(GOAL, enough=2, safe=4))) == (
        "2nd or better next time makes A3."
    )
    assert sentences._next_badge(replace(PLAIN, goal=replace(GOAL, enough=None, safe=4))) == ""


@pytest.mark.parametrize(
    ("part", "text", "small"),
    [
        (SEASON, "Same place as before", "1 point."),
        (replace(SEASON, moved=-2, passed_by=("Ada", "Bo")), "2 places down: passed by Ada and Bo", "1 point."),
        (replace(SEASON, moved=1), "1 place up", "1 point."),
        (replace(SEASON, total=Decimal("2.5"), ahead=Rival(1, "Ada", Decimal(3)), behind=Rival(2, "Bo", Decimal(0))),
         "Same place as before", "2.5 points; Ada is 3 ahead, Bo is level."),
    ],
)  # fmt: skip
def test_the_season_at_its_edges(part, text, small):
    assert (sentences._moved(part), sentences._near(part)) == (text, small)


def test_the_strip_has_a_cell_for_each_place_and_none_for_large_fields():
    strip = strip_of(PLAIN)
    assert [cell.place for cell in strip.cells] == [1, 2, 3, 4]
    assert [cell.is_own for cell in strip.cells] == [False, True, False, False]
    assert strip.own_x < strip.expected_x
    assert strip_of(replace(PLAIN, n_players=21)) is None
    assert strip_of(replace(PLAIN, expected=None)) is None


def test_home_and_event_show_it_to_its_reader_alone(client, turned):
    ada, boris = named("Ada"), named("Boris")
    home, event = ada.club.get_absolute_url(), turned.get_absolute_url()
    assert "6th of 6" not in text_of(client.get(home))
    client.cookies["me"], client.cookies["followed"] = str(ada.pk), str(boris.pk)
    page = text_of(client.get(home))
    assert page.index("6th of 6") < page.index("Next event")
    assert "5 who are rated below finished ahead" in page
    assert "Whom you follow Boris won, " in page
    assert "You: 6th of 6" in text_of(client.get(event))
    client.cookies["me"] = str(boris.pk)
    assert "1st of 6" in text_of(client.get(home))
    assert reverse("standings:explanation", args=[ada.club.slug, turned.pk, boris.pk]) in (
        client.get(home).content.decode()
    )


def test_it_speaks_japanese(turned):
    with translation.override("ja"):
        shown = shown_receipt(named("Ada"), turned)
    assert shown.title == "6人中6位"
    assert not any(word in line.text for line in shown.lines for word in ("rated", "place", "Still"))


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


def milestones(name, event):
    return milestones_of(named(name), event)


def test_round_numbers_of_events_and_the_first_win_are_milestones(season):
    event = played(season, *[PEOPLE] * 9, [*PEOPLE[1:], "Ada"])
    found = milestones("Ada", event)
    assert (found.n_events, found.is_first_win, found.years_at_badge) == (10, False, 0)
    assert found.first_at == Event.objects.earliest("starts_at").starts_at
    winner = milestones("Boris", event)
    assert (winner.n_events, winner.is_first_win) == (10, True)
    before = Event.objects.select_related("pool").order_by("-starts_at")[1]
    assert not milestones("Boris", before)
    receipt = receipt_of(named("Boris"), event)
    assert sentences.reached(receipt) == ["First win", "10th event"]


@pytest.mark.parametrize(
    ("days", "years"),
    [([0, 364], 0), ([0, 365], 1), ([0, 300, 370], 1), ([0, 370, 400], 0), ([0, 370, 731], 2)],
)
def test_a_year_at_a_badge_is_told_by_the_first_event_after_it(season, days, years):
    event = played(season, PEOPLE)
    (row,) = RatedEntry.objects.filter(player=named("Ada"))
    begin = row.starts_at
    RatedEntry.objects.filter(pk=row.pk).update(badge="B1", is_provisional=False)
    for i, day in enumerate(days[1:], start=1):
        row.pk, row.starts_at, row.badge, row.is_provisional = None, begin + timedelta(days=day), "B1", False
        row.event_id = enter(season, "\n".join(PEOPLE), day=i).pk
        row.save()
    event.starts_at = begin + timedelta(days=days[-1])
    assert milestones("Ada", event).years_at_badge == years


def test_it_is_shared_as_text_and_picture(client, turned):
    ada = named("Ada")
    at = [ada.club.slug, turned.pk, ada.pk]
    page = text_of(client.get(reverse("sharing:receipt", args=at)))
    assert f"Ada: 6th of 6, expected {receipt_of(ada, turned).expected:.1f}" in page
    assert "Rate −" in page
    assert "5 who are rated below finished ahead" in page
    picture = client.get(reverse("sharing:receipt-picture", args=at))
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    missing = Player.objects.create(club=ada.club, name="Zoe", key="zoe")
    assert client.get(reverse("sharing:receipt", args=[*at[:2], missing.pk])).status_code == 404


def test_home_says_what_is_new_since_the_last_visit(client, season, clock):
    ada_home = played(season, PEOPLE).season.club.get_absolute_url()
    client.cookies["me"] = str(named("Ada").pk)
    assert "your last visit" not in text_of(client.get(ada_home))
    clock.shift(timedelta(days=2))
    page = text_of(client.get(ada_home))
    assert "Nothing new since" in page
    assert page.index("Next event") < page.index("1st of 6")
    clock.shift(timedelta(days=2))
    event = enter(season, "\n".join(PEOPLE), day=7)
    correct(Event.objects.earliest("starts_at"), "\n".join(PEOPLE[::-1]))
    recompute(season.pool_id)
    clock.shift(timedelta(days=1))
    page = text_of(client.get(ada_home))
    assert "your last visit Jan. 13, 2026 Ada won 1 correction" in page
    assert event.get_absolute_url() in client.get(ada_home).content.decode()


@pytest.mark.parametrize(
    "typed", ["", "|", "x|y", "2026-13-45T00:00:00Z|", "2999-01-01T00:00:00Z|2999-01-01T00:00:00Z"]
)
def test_nonsense_in_the_cookie_of_visits_is_no_visit(client, turned, typed):
    client.cookies["me"], client.cookies["visits"] = str(named("Ada").pk), typed
    page = text_of(client.get(turned.season.club.get_absolute_url()))
    assert "Nothing new since" not in page
    assert "your last visit" not in page
