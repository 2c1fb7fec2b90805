"""The page of a season's awards."""

import re

import pytest
from django.utils import translation

from standings.models import Award
from tests.factories import enter, names
from tests.standings.awards.choices import COMPUTED, NEW, add, text_of, url

pytestmark = pytest.mark.django_db


def test_the_page_says_who_has_won_what_and_why(season, client, events):
    for kind in COMPUTED:
        add(season, kind=kind)
    page = text_of(client.get(url(season)))
    assert "How the awards stand after 3 events." in page
    for said in (
        "6 points",
        "+1.00 a tourney over 2 events",
        "3 events",
        "6 points, position 1",
        "2 wins",
        "of those whose first event in this rating pool was one of this season",
        "from a player's third event of the season on".replace("'", "&#x27;"),
    ):
        assert said in page, said
    assert re.search(r"\+\d+: from \d{3,4} to \d{4}", page)
    season.is_closed = True
    season.save()
    from django.core.cache import caches

    caches["pages"].clear()
    assert "The season is closed: these are its winners." in text_of(client.get(url(season)))


def test_winners_of_a_shared_award_stand_on_one_line(season, client, events):
    add(season, kind="most_attendance")
    html = client.get(url(season)).content.decode()
    winners = html.partition('<ol class="winners">')[2].partition("</ol>")[0]
    assert winners.count("<li>") == 1
    assert text_of(client.get(url(season))).count("3 events") == 2  # of the season, and what was won with
    assert re.search(r">Boris</a>.*>Cleo</a>", winners, re.DOTALL)


def test_the_page_is_helpful_while_there_is_nothing(season, client, organizer_client):
    from django.test import Client

    assert "have not chosen any awards" in Client().get(url(season)).content.decode()
    assert "This season gives no awards yet." in organizer_client.get(url(season)).content.decode()
    add(season)
    page = text_of(organizer_client.get(url(season)))
    assert "the winners appear with the first one" in page
    assert "Most wins The most events won." in page


def test_an_award_nobody_has_won_says_so(season, client, events):
    add(season, kind="best_profit", min_events=99)
    assert "Nobody yet." in client.get(url(season)).content.decode()


@pytest.mark.parametrize("n_awards", [1, 3])
@pytest.mark.parametrize("n_players", [2, 30])
def test_the_page_reads_as_often_for_one_award_as_for_three(
    season, organizer_client, enter_event, django_assert_num_queries, n_awards, n_players
):
    enter_event("\n".join(names(n_players)))
    for kind in COMPUTED[:n_awards]:
        add(season, kind=kind)
    with django_assert_num_queries(
        9
    ):  # session, user, season, role, seasons beside, awards, standings, tray, notices
        organizer_client.get(url(season))


def test_the_editor_offers_names_and_titles_in_the_readers_language(season, organizer_client):
    enter(season, "髙橋\nBoris")
    add(season)
    organizer_client.cookies["django_language"] = "ja"
    page = organizer_client.get(url(season, "award-edit")).content.decode()
    assert '<option value="髙橋">' in page
    with translation.override("ja"):
        assert str(Award.objects.get()) in page


def test_a_new_choice_is_on_the_page_at_once(season, client, people, events):
    """The page is kept under the version of the data."""
    from django.test import Client

    reader = Client()
    assert "Most wins" not in reader.get(url(season)).content.decode()
    client.force_login(people["organizer"])
    client.post(url(season, "award-edit"), NEW | {"kind": "most_wins"})
    assert "Most wins" in reader.get(url(season)).content.decode()
