"""What an event changed, on its page: the consequence, badges, bests, upsets, who was left when."""

import re
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.services.players import ensure_players
from ratings.models import RatedEntry
from standings.event_story.entries import ENTRIES_PER_PAGE, event_page
from standings.event_story.facts import Rated, Upset, biggest_upset, story_of
from standings.event_story.stairs import busts_of, moments_of, stairs_of, strength_bars
from standings.recomputation.service import recompute
from tests.factories import START, enter, names

pytestmark = pytest.mark.django_db
FOUR = "Ada\nBoris\nCleo\nDora"


def page_of(client, event):
    answer = client.get(event.get_absolute_url())
    assert answer.status_code == 200
    return answer


def text_of(client, event):
    return " ".join(page_of(client, event).content.decode().split())


def rated(name, place, before, *, is_placed=True):
    return Rated(0, name, place, 1.0, before, before, "", "", is_placed)


@pytest.mark.parametrize(
    ("results", "says"),
    [
        ([FOUR], "Ada wins and leads"),
        ([FOUR, FOUR], "Ada wins for the 2nd time and stays ahead"),
        (
            ["Boris\nAda\nCleo\nDora", "Dora\nBoris\nCleo\nAda", "Dora\nAda\nCleo\nBoris"],
            "Dora wins for the 2nd time and takes the lead",
        ),
        (
            ["Ada\nBoris\nCleo\nDora\nEmil\nFay"] * 2 + ["Dora\nAda\nBoris\nCleo\nEmil\nFay"],
            "Dora wins and climbs",
        ),
        (["Ada = Boris\nCleo\nDora"], "Ada and Boris share the win among 4 players"),
        (["Ada\nBoris\nCleo"] * 3 + ["Zoe\nYan"], "Zoe"),
    ],
)
def test_the_headline_says_what_follows_from_the_last_event(client, season, enter_event, results, says):
    events = [enter_event(text, day=day) for day, text in enumerate(results)]
    assert says in text_of(client, events[-1])


def test_an_earlier_event_says_nothing_about_the_season_of_today(client, enter_event):
    first, second, *_others = [enter_event(FOUR, day=day) for day in range(3)]
    assert "Ada outlasts 3 others" in text_of(client, first)
    assert "Ada wins for the 2nd time this season" in text_of(client, second)


def test_neighbours_are_the_events_before_and_after_in_the_season(client, enter_event):
    first, second, third = [enter_event(FOUR, day=day) for day in range(3)]
    story = story_of(second, event_page(second, page=1))
    assert (story.before.event, story.after.event) == (first, third)
    assert story.before.winner == "Ada"
    assert story_of(first, event_page(first, page=1)).before is None
    assert story_of(third, event_page(third, page=1)).after is None
    assert "January 6: Ada won" in text_of(client, second)


def test_a_new_badge_is_one_that_the_rates_say(season, enter_event):
    for day in range(8):
        event = enter_event(FOUR if day < 5 else "Dora\nCleo\nBoris\nAda", day=day)
    story = story_of(event, event_page(event, page=1))
    assert story.promoted
    for each in story.promoted:
        row = RatedEntry.objects.get(event=event, player=each.player_id)
        before = RatedEntry.objects.filter(player=each.player_id, event__lt=event.pk).latest("starts_at")
        assert (each.badge_before, each.badge) == (before.badge, row.badge)
        assert row.posterior_rate > row.prior_rate
    assert {each.name for each in story.demoted} <= {"Ada", "Boris"}
    assert sum(n for _letters, n in story.strength) == 4


def test_nobody_in_placement_has_lost_a_badge_or_is_part_of_an_upset(enter_event):
    event = enter_event(FOUR)
    story = story_of(event, event_page(event, page=1))
    assert (story.promoted, story.demoted, story.upset, story.bests, story.strength) == ([], [], None, [], [])


def test_a_personal_best_is_higher_than_all_before_it(enter_event):
    for day in range(9):
        event = enter_event(FOUR, day=day)
    rates = {
        player: [
            row.posterior_rate for row in RatedEntry.objects.filter(player__name=player).order_by("starts_at")
        ]
        for player in FOUR.split()
    }
    best = {player for player, (*earlier, last) in rates.items() if last > max(earlier[2:])}
    assert best
    assert {each.name for each in story_of(event, event_page(event, page=1)).bests} == best


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ([], None),
        ([rated("Ada", 1, 1800), rated("Boris", 2, 1500)], None),
        ([rated("Ada", 1, 1500), rated("Boris", 2, 1800), rated("Cleo", 3, 1900)], ("Ada", "Cleo")),
        ([rated("Ada", 1, 1500), rated("Boris", 2, 1300), rated("Cleo", 3, 1700)], ("Boris", "Cleo")),
        ([rated("Ada", 1, 1000, is_placed=False), rated("Boris", 2, 1800)], None),
        ([rated("Ada", 1, 1500), rated("Boris", 1, 1900)], None),
    ],
)
def test_the_biggest_upset_is_the_widest_gap(field, found):
    upset = biggest_upset(field)
    assert (upset and (upset.better.name, upset.other.name)) == found
    pairs = [
        Upset(better, other)
        for better in field
        for other in field
        if better.place < other.place
        and better.is_placed
        and other.is_placed
        and other.before > better.before
    ]
    assert (upset and upset.gap) == max((pair.gap for pair in pairs), default=None)


TIMED = "Ada\nBoris @21:30\nCleo @21:00\nDora @20:30\nEmil @20:00"


def test_the_stairs_go_down_by_one_at_each_recorded_bust(client, season, enter_event):
    event = enter_event(TIMED)
    busts = busts_of(event, event_page(event, page=1))
    assert [(out.name, out.n_left) for out in busts] == [("Emil", 4), ("Dora", 3), ("Cleo", 2), ("Boris", 1)]
    for drawn, width in zip(stairs_of(event, busts, ["Ada"]), (336, 704, 848), strict=True):
        start, *steps = re.split("h", drawn.line)
        assert start == "M26,18.0"
        right, down = zip(*(map(float, step.split("v")) for step in steps), strict=True)
        assert len(steps) == len(busts)
        assert min(right) > 0
        assert set(down) == {22.0}
        assert sum(right) == pytest.approx(width - 64 - 26, abs=0.5)
    moments = {moment.label: moment.names for moment in moments_of(event, busts)}
    assert moments == {"First out": "Emil", "Half out": "Cleo", "Three left": "Dora"}
    page = text_of(client, event)
    assert "Who was left when" in page
    assert "Out: Emil 20:00, Dora 20:30, Cleo 21:00, Boris 21:30. At the end: Ada." in page


def test_the_stairs_of_a_large_field_are_told_by_their_moments(client, season, enter_event):
    start = datetime(2026, 1, 1, 19, 30)
    lines = [f"P{i} @{start + timedelta(minutes=5 * (20 - i)):%H:%M}" for i in range(2, 21)]
    page = text_of(client, enter_event("\n".join(["P1", *lines])))
    said = re.search(r'id="stairs-words">([^<]*)<', page)[1]
    assert said == (
        "Players left. First out P20 19:30, Half out P11 20:15, Final table P10 20:20, "
        "Three left P4 20:50. At the end: P1."
    )


@pytest.mark.parametrize("text", [FOUR, TIMED.replace(" @21:00", ""), "Ada\nBoris @20:10"])
def test_without_all_times_there_are_no_stairs(client, enter_event, text):
    event = enter_event(text)
    assert busts_of(event, event_page(event, page=1)) == []
    assert "Who was left when" not in text_of(client, event)


def test_a_square_stands_for_each_player(season):
    drawn = strength_bars([("S", 2), ("B1", 3)])
    assert [(bar.letters, len(bar.squares)) for bar in drawn.bars] == [("B1", 3), ("S", 2)]
    assert strength_bars([]) is None


def test_a_corrected_result_waits_with_its_story(client, season, enter_event):
    event = enter_event(FOUR)
    enter(season, FOUR, day=1)
    recompute(season.pool_id)
    from tests.factories import correct

    correct(event, "Dora\nCleo\nBoris\nAda")
    page = text_of(client, event)
    assert "Dora outlasts 3 others" in page
    assert "Biggest upset" not in page


def test_the_page_takes_the_same_queries_for_four_and_for_forty_players(client, season, enter_event):
    counts = []
    enter_event(FOUR)
    for day, n in enumerate((4, 40), 1):
        event = enter_event("\n".join(names(n)), day=day)
        page_of(client, event)
        with CaptureQueriesContext(connection) as queries:
            page_of(client, event)
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.rest
def test_every_page_of_a_large_field_tells_the_story_of_all(season, enter_event):
    people = names(ENTRIES_PER_PAGE + 10)
    enter_event("\n".join(people))
    event = enter_event("\n".join(reversed(people)), day=1)
    first, second = (story_of(event, event_page(event, page=number)) for number in (1, 2))
    assert [each.name for each in first.rated] == people[::-1]
    assert (second.rated, second.bests, second.upset) == (first.rated, first.bests, first.upset)


@pytest.mark.rest
def test_a_hundred_entries_fit_into_60_kilobytes(client, season, enter_event):
    ensure_players(season.club, names(100))
    start = START.replace(hour=19)
    for day in range(4):
        text = "\n".join(
            name if i == 0 else f"{name} @{start + timedelta(minutes=300 - 2 * i):%H:%M}"
            for i, name in enumerate(names(100))
        )
        event = enter_event(text, day=day)
    page = re.sub(rb"/\d+/", b"/100/", page_of(client, event).content)  # ids that any club has
    assert len(page) < 60_000
