"""The page that shows what a correction would change, and the list of corrections."""

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from league.models import Change, Event
from league.queries import renames_of
from standings.awards.services import add_award
from standings.pages.history.corrections import correction_in_brief, place_lines
from standings.recomputation.service import recompute
from tests.entry.event_forms import edit_url, filled, hidden
from tests.factories import correct, enter
from tests.standings.all_rows import all_rows

pytestmark = pytest.mark.django_db


def brief(event):
    change = event.changes.first()
    return correction_in_brief(change, renames_of(event.season.club))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("Ada\nBo\nCy", "Bo\nAda\nCy", "Bo and Ada swapped"),
        ("Ada\nBo", "Ada\nCy", "Cy instead of Bo"),
        ("Ada\nBo\nCy", "Cy\nAda\nBo", "3 places changed"),
        ("Ada\nBo", "Ada\nBo\nCy", "Cy added"),
        ("Ada\nBo\nCy", "Ada\nCy", "Bo taken out, 1 place changed"),
        ("Ada\nBo", "Ada\nBo @21:30", "times, scores or other marks"),
        ("Ada\nBo\nCy\nDi\nEd\nFay", "Ada\nBo", "4 players taken out"),
    ],
)
def test_a_correction_in_one_sentence(season, before, after, said):
    event = enter(season, before)
    correct(event, after)
    assert brief(event) == said


def test_an_event_that_was_moved_and_renamed(season):
    event = enter(season, "Ada\nBo", name="Monday")
    correct(event, "Ada\nBo", name="Tuesday", later=timedelta(hours=1))
    assert brief(event) == "another start, another name"


def test_places_side_by_side(season):
    event = enter(season, "Ada\nBo\nCy\nDi\nEd")
    correct(event, "Bo\nAda\nCy\nDi = Ed")
    lines = place_lines(event.changes.first(), [])
    assert [tuple(line) for line in lines] == [
        (1, 1, "Ada", "Bo", False),
        (2, 2, "Bo", "Ada", False),
        (3, 3, "Cy", "Cy", True),
        (4, 4, "Di", "Di = Ed", False),
        (5, 5, "Ed", "", False),
    ]


@pytest.fixture
def event(season, people):
    event = enter(season, "Ada\nBo\nCy\nDi")
    add_award(season, kind="most_wins", title="", min_events=1, player=None, actor=people["owner"])
    recompute(season.pool_id)
    return event


def url(event):
    return reverse("standings:correction", args=[event.season.club.slug, event.pk])


def typed(order, **fields):
    data = filled(order, day="2026-01-06", start="19:30", version=1)
    del data["save"]
    return data | fields


def test_what_would_change_is_shown_and_nothing_saved(event, organizer_client):
    form = organizer_client.get(edit_url(event)).content.decode()
    assert f'formaction="{url(event)}"' in form
    before = all_rows()
    page = organizer_client.post(url(event), typed("Bo\nAda\nCy\nDi", save=""))
    text = page.content.decode()
    assert all_rows() == before
    assert event.changes.count() == 1
    movers = {mover.name: tuple(mover.rank) for mover in page.context["movers"]}
    assert (movers["Ada"], movers["Bo"]) == ((1, 2), (2, 1))
    assert [(award.title, award.winners) for award in page.context["found"].awards] == [
        ("Most wins", ([(1, ["Ada"])], [(1, ["Bo"])]))
    ]
    assert "Bo and Ada swapped." in text
    assert hidden(page)["version"] == "1"


def test_the_award_for_knock_outs_moves_in_the_preview(season, organizer_client, people):
    event = enter(season, "Ada ko 2\nBo\nCy ko 1\nDi")
    add_award(season, kind="most_knockouts", title="", min_events=1, player=None, actor=people["owner"])
    recompute(season.pool_id)
    page = organizer_client.post(url(event), typed("Ada ko 1\nBo\nCy ko 2\nDi", save=""))
    assert [(award.title, award.winners) for award in page.context["found"].awards] == [
        ("Most knock-outs", ([(1, ["Ada"])], [(1, ["Cy"])]))
    ]


def test_saving_takes_a_reason_that_everybody_reads(event, organizer_client, client_of):
    data = typed("Bo\nAda\nCy\nDi", reason="  ") | {"save": ""}
    page = organizer_client.post(url(event), data)
    assert "Reason: say in a few words why." in page.content.decode()
    assert hidden(page)["version"] == "1"
    assert event.changes.count() == 1
    answer = organizer_client.post(url(event), data | {"reason": "Two names mixed up"})
    assert answer.url == event.get_absolute_url()
    change = event.changes.first()
    assert (change.reason, change.kind) == ("Two names mixed up", Change.Kind.RESULT_CORRECTED)
    anonymous = client_of("anonymous")
    for address in (
        event.get_absolute_url(),
        reverse("standings:corrections", args=[event.season.club.slug]),
    ):
        shown = anonymous.get(address).content.decode()
        assert "Bo and Ada swapped" in shown
        assert "Two names mixed up" in shown
        assert "organizer" not in shown
    assert organizer_client.post(url(event), data | {"reason": "Two names mixed up"}).status_code == 302
    assert event.changes.count() == 2


def test_a_preview_says_nothing_of_a_publication_and_leaves_the_draft(event, organizer_client):
    """Messages and cookies are outside the transaction that is rolled back."""
    page = organizer_client.post(url(event), typed("Bo\nAda\nCy\nDi") | {"save": "", "reason": ""})
    assert [str(message) for message in get_messages(page.wsgi_request)] == []
    assert "published" not in page.cookies
    assert "Published." not in page.content.decode()
    assert "Published." not in organizer_client.get(event.get_absolute_url()).content.decode()


def test_the_draft_of_the_form_goes_when_its_correction_is_saved(event, organizer_client):
    data = typed("Bo\nAda\nCy\nDi", reason="Two names mixed up") | {"save": ""}
    answer = organizer_client.post(url(event), data)
    assert answer.cookies["published"]["path"] == edit_url(event)


def test_nothing_moves_if_the_result_is_the_same(event, organizer_client):
    page = organizer_client.post(url(event), typed("Ada\nBo\nCy\nDi", save="")).content.decode()
    assert "Nothing would change" in page
    assert "Save the correction" not in page


@pytest.mark.parametrize(
    ("data", "said"),
    [({"order": "Ada"}, "One player alone is no result"), ({"version": 7}, "Bo")],
)
def test_a_form_with_a_mistake_or_an_old_version_is_answered_by_the_form(event, organizer_client, data, said):
    answer = organizer_client.post(url(event), typed("Bo\nAda\nCy\nDi", save="") | data)
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert "Who moves" not in answer.content.decode()
    assert event.changes.count() == 1


def test_back_to_the_form_keeps_what_was_typed(event, organizer_client):
    answer = organizer_client.post(url(event), typed("Bo\nAda\nCy\nDi") | {"back-to-form": ""})
    assert answer.context["form"]["order"].value() == "Bo\nAda\nCy\nDi"


def test_only_helpers_see_what_would_change(event, refused_to):
    refused_to(url(event), typed("Bo\nAda\nCy\nDi", save=""), below="helper")
    assert Event.objects.get().version == 1


@pytest.mark.parametrize("n", [1, 3])
def test_the_list_takes_the_same_queries_for_one_and_three(season, client, django_assert_num_queries, n):
    for day in range(n):
        correct(enter(season, "Ada\nBo", day=day), "Bo\nAda")
    address = reverse("standings:corrections", args=[season.club.slug])
    assert client.get(address).status_code == 200
    with django_assert_num_queries(6):
        client.get(address)
