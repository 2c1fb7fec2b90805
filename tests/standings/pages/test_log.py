"""The history of a club chosen by person, kind, event and time, on its page and as CSV."""

import csv
import io
from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from league.models import BinItem, Event
from league.services.deletions import delete_player, delete_season
from league.services.events import delete_event
from league.services.players import update_player
from people.services.access_changes import record_access_change
from tests.factories import SeasonFactory, correct, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def history(season, people):
    """Two events entered by the organizer, one corrected by nobody, one deleted by the owner, and a line of rights."""
    first = enter(season, "Ada\nBo", name="First", actor=people["organizer"])
    second = enter(season, "Ada\nBo", day=1, name="Second", actor=people["organizer"])
    correct(first, "Bo\nAda", name="First")
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        delete_event(second, version=1, actor=people["owner"])
    record_access_change(season.club, kind="password-changed", actor=people["owner"], person=people["owner"])
    return season


def address(season, name="changes"):
    return reverse(f"standings:{name}", args=[season.club.slug])


def kinds(client, season, **query):
    answer = client.get(address(season), query)
    return [line.change.kind for line in answer.context["lines"]]


def test_the_history_is_chosen(history, client_of, people):
    owner, event = client_of("owner"), Event.objects.get()
    everything = [
        "result-deleted",
        "password-changed",
        "result-corrected",
        "result-entered",
        "result-entered",
        "member-added",
    ]
    assert kinds(owner, history) == everything
    assert kinds(owner, history, about="corrections") == ["result-corrected"]
    assert kinds(owner, history, about="people") == ["password-changed", "member-added"]
    assert kinds(owner, history, about="players") == []
    assert kinds(owner, history, by=people["organizer"].pk) == ["result-entered"] * 2
    assert kinds(owner, history, by="site") == ["result-corrected"]
    assert kinds(owner, history, event=event.pk) == ["result-corrected", "result-entered"]
    tomorrow = timezone.now().date() + timedelta(days=1)
    assert kinds(owner, history, since=tomorrow) == ["result-deleted"]
    assert kinds(owner, history, until=tomorrow, about="results") == everything[2:5]


@pytest.mark.parametrize("query", [{"about": "nothing"}, {"by": "x"}, {"event": "0"}, {"since": "soon"}])
def test_a_choice_that_is_none_is_said_and_shows_everything(history, client_of, query):
    owner = client_of("owner")
    assert len(kinds(owner, history, **query)) == 6
    page = owner.get(address(history), query).content.decode()
    assert "Select a valid choice" in page or "Enter a valid date" in page


def test_only_members_see_who_and_only_owners_see_rights(history, client_of, people):
    for who, n, is_named in (("anonymous", 4, False), ("member", 4, True), ("owner", 6, True)):
        client = client_of(who)
        assert len(kinds(client, history)) == n
        for url in (address(history), address(history, "changes-file")):
            assert (
                ">organizer<" in (text := client.get(url).content.decode()) or ",organizer," in text
            ) == is_named
    assert len(kinds(client_of("anonymous"), history, by=people["organizer"].pk)) == 4


def test_the_file_has_the_lines_of_the_choice_in_words(history, client_of):
    answer = client_of("owner").get(address(history, "changes-file"), {"about": "corrections", "bom": "0"})
    heads, line = csv.reader(io.StringIO(answer.content.decode()))
    assert heads == ["when", "what", "concerns", "by", "in words", "reason"]
    assert line[1:] == ["result corrected", "First", "", "Bo, place: 2 → 1; Ada, place: 1 → 2", ""]


def test_links_to_what_is_there_and_to_the_bin(history, client_of, people):
    page = client_of("organizer").get(address(history)).content.decode()
    item, event = BinItem.objects.get(), Event.objects.get()
    assert f'href="{event.get_absolute_url()}"' in page
    assert page.count(f"{reverse('standings:bin', args=[history.club.slug])}#item-{item.pk}") == 2
    assert "Bring the version before back" in page
    assert "#item-" not in client_of("member").get(address(history)).content.decode()


def test_lines_about_players_and_seasons(season, client_of, people):
    dee = season.club.players.create(name="Dee", key="dee")
    update_player(dee, name="Dora", is_guest=False, actor=people["owner"])
    other = SeasonFactory(club=season.club, name="Autumn")
    page = client_of("owner").get(address(season)).content.decode()
    assert f'href="{dee.get_absolute_url()}">Dora</a>' in page
    delete_player(dee, actor=people["owner"])
    delete_season(other, actor=people["owner"])
    page = client_of("owner").get(address(season)).content.decode()
    assert f'href="{dee.get_absolute_url()}"' not in page
    assert page.count("#item-") == 2
    assert "season deleted, Autumn" in " ".join(page.split())


@pytest.mark.parametrize("n", [1, 3])
def test_the_page_takes_the_same_queries_for_one_and_three(season, client, django_assert_num_queries, n):
    for day in range(n):
        enter(season, "Ada\nBo", day=day)
    client.get(address(season))
    with django_assert_num_queries(7):
        client.get(address(season))
