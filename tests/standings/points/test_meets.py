"""The page of a meet: points of each game as they were settled, added up."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from league.models import Event, Meet
from payouts.models import EntryPoints
from standings.event_story.entries import event_page
from standings.models import Standing
from standings.points.meets import meet_standings
from standings.recomputation.service import recompute
from tests.factories import enter
from tests.pages import markup_of

pytestmark = pytest.mark.django_db


def url(meet):
    return reverse("standings:meet", args=[meet.season.club.slug, meet.season.slug, meet.pk])


def meet_of(season, *texts):
    meet = Meet.objects.create(season=season, day="2026-01-06", name="Autumn meet")
    for i, text in enumerate(texts):
        event = enter(season, text, day=i / 10, name=f"Game {i + 1}")
        Event.objects.filter(pk=event.pk).update(meet=meet)
    recompute(season.pool_id)
    return meet


def lines(meet):
    return [
        (
            line.place,
            line.name,
            [None if cell is None else (round(float(cell[0]), 2), cell[1]) for cell in line.cells],
            round(float(line.total), 2),
        )
        for line in meet_standings(meet).lines
    ]


def test_points_are_added_up_ties_share_and_a_missed_game_is_empty(season):
    meet = meet_of(season, "Ada\nBoris\nCleo", "Boris\nAda", "Cleo = Dana")
    assert lines(meet) == [
        (1, "Ada", [(2, True), (1, False), None], 3),
        (2, "Boris", [(1, False), (1, True), None], 2),
        (3, "Cleo", [(0, False), None, (1, True)], 1),
        (3, "Dana", [None, None, (1, True)], 1),
    ]


def test_an_equal_total_goes_to_more_games_won(season):
    meet = meet_of(season, "Ada\nBoris\nCleo", "Cleo\nBoris\nAda")
    assert [(place, name) for place, name, *_rest in lines(meet)] == [(1, "Ada"), (1, "Cleo"), (3, "Boris")]


def test_re_entries_count_together_and_points_stay_as_they_were_settled(season, organizer_client):
    meet = meet_of(season, "Ada x2\nBoris", "Ada\nBoris")
    assert lines(meet)[0] == (1, "Ada", [(2, True), (1, True)], 3)
    EntryPoints.objects.filter(entry__player__name="Boris").update(numerator=9)
    assert lines(meet)[0][1] == "Boris"


def test_shared_points_are_rounded_alike_on_each_page(season):
    meet = meet_of(season, "Ada\nBoris = Cleo = Dana")
    event = meet.events.get()
    shared = Decimal("0.6667")
    assert meet_standings(meet).lines[1].cells == [(shared, False)]
    assert meet_standings(meet).lines[1].total == shared
    assert event_page(event, page=1).rows[1].points == shared
    assert Standing.objects.get(player__name="Boris").points == shared


def test_the_page_shows_places_points_and_games(season, client):
    meet = meet_of(season, "Ada\nBoris\nCleo", "Boris\nAda")
    page = client.get(url(meet)).content.decode()
    assert "Ada wins Autumn meet with 3 points" in page
    cells = re.findall(r'<td class="n[^"]*">(.*?)</td>', page)
    assert "".join(re.sub("<[^>]+>", "", cell) for cell in cells).startswith("1213")
    for event in meet.events.all():
        assert event.get_absolute_url() in page
    assert "Change the meet" not in page


def test_shared_wins_have_a_headline(season, client):
    meet = meet_of(season, "Ada = Boris\nCleo", "Ada = Boris")
    assert "Ada and Boris share Autumn meet" in client.get(url(meet)).content.decode()


def test_a_meet_not_computed_yet_is_marked(season, client):
    meet = Meet.objects.create(season=season, day="2026-01-06", name="Autumn meet")
    event = enter(season, "Ada\nBoris", name="Game")
    Event.objects.filter(pk=event.pk).update(meet=meet)
    page = markup_of(client.get(url(meet)))
    assert "no computed points yet" in page
    assert '<p class="state"' in page


@pytest.mark.parametrize("n_games", [1, 3])
@pytest.mark.parametrize("n_players", [2, 30])
def test_the_page_reads_as_often_for_one_game_as_for_three(
    season, organizer_client, django_assert_num_queries, n_games, n_players
):
    from tests.factories import names

    meet = meet_of(season, *["\n".join(names(n_players))] * n_games)
    with django_assert_num_queries(9):  # session, user, season, role, meet, events, entries, tray, notices
        organizer_client.get(url(meet))


def test_a_meet_is_linked_from_the_events_page_and_its_games(season, client):
    meet = meet_of(season, "Ada\nBoris", "Boris\nAda")
    events = reverse("standings:events", args=[season.club.slug, season.slug])
    assert url(meet) in client.get(events).content.decode()
    assert url(meet) in client.get(meet.events.first().get_absolute_url()).content.decode()


def test_organizers_have_links_to_make_and_change_a_meet(season, organizer_client):
    meet = meet_of(season, "Ada\nBoris", "Boris\nAda")
    assert "Change the meet" in organizer_client.get(url(meet)).content.decode()
    events = reverse("standings:events", args=[season.club.slug, season.slug])
    assert "Make a meet" in organizer_client.get(events).content.decode()


@pytest.mark.parametrize("n_meets", [1, 3])
def test_the_events_page_reads_as_often_for_one_meet_as_for_three(
    season, organizer_client, django_assert_num_queries, n_meets
):
    for n in range(n_meets):
        Meet.objects.create(season=season, day="2026-01-06", name=f"Meet {n}")
    enter(season, "Ada\nBoris")
    events = reverse("standings:events", args=[season.club.slug, season.slug])
    with django_assert_num_queries(
        11
    ):  # session, user, season, role, seasons beside, meets, number of events, events, winners, tray, notices
        organizer_client.get(events)


def test_another_seasons_meet_is_not_found(season, client):
    from tests.factories import SeasonFactory

    foreign = Meet.objects.create(season=SeasonFactory(club=season.club), day="2026-01-06", name="Foreign")
    address = reverse("standings:meet", args=[season.club.slug, season.slug, foreign.pk])
    assert client.get(address).status_code == 404
