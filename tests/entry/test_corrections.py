"""Correcting an event: works, twice, wrong user, bad input; a form that went stale."""

import pytest
from django.urls import reverse

from league.models import Change, Event
from league.stored_results import text_of
from tests.entry.event_forms import BAD_FORMS, TEN, edit_url, filled, shows, stored
from tests.factories import START, enter

pytestmark = pytest.mark.django_db


def test_a_result_is_corrected(season, organizer_client, people):
    event = enter(season, "Ada\nBoris\nCleo", name="Opening")
    form = organizer_client.get(edit_url(event))
    assert form.context["text"] == "Ada\nBoris\nCleo"
    data = filled(
        "Boris\nAda x2",
        day="2026-01-06",
        name="Opening night",
        version=form.context["form"]["version"].value(),
    )
    answer = organizer_client.post(edit_url(event), data)
    assert answer.url == event.get_absolute_url()
    event.refresh_from_db()
    assert (event.version, event.name, text_of(event)) == (2, "Opening night", "Boris\nAda x2")
    change = Change.objects.first()
    assert (change.kind, change.actor, change.rated_from) == ("result-corrected", people["organizer"], START)
    assert [row[1] for row in change.before["entries"]] == ["Ada", "Boris", "Cleo"]


def test_the_same_correction_twice_is_one(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    data = filled("Boris\nAda", day="2026-01-06")
    assert organizer_client.post(edit_url(event), data | {"version": 1}).status_code == 302
    assert organizer_client.post(edit_url(event), data | {"version": 2}).status_code == 302
    event.refresh_from_db()
    assert (event.version, Change.objects.count()) == (2, 2)


def test_a_second_press_of_the_same_correction_changes_nothing(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    data = filled("Boris\nAda", day="2026-01-06", version=1)
    first = organizer_client.post(edit_url(event), data)
    assert (first.status_code, organizer_client.post(edit_url(event), data).url) == (302, first.url)
    event.refresh_from_db()
    assert (event.version, text_of(event), Change.objects.count()) == (2, "Boris\nAda", 2)


def test_only_organizers_correct_and_delete(season, refused_to):
    event = enter(season, "Ada\nBoris")
    before = stored()
    refused_to(edit_url(event), filled("Boris\nAda", version=1), below="helper")
    assert stored() == before
    assert text_of(Event.objects.get()) == "Ada\nBoris"


def test_an_event_is_not_reached_by_the_address_of_another_club(season, client_of):
    event = enter(season, "Ada\nBoris")
    client = client_of("foreign")
    from league.models import Membership

    own = Membership.objects.get(user_id=client.session["_auth_user_id"]).club
    for page in ("edit", "delete"):
        url = reverse(f"entry:event-{page}", args=[own.slug, event.pk])
        assert client.post(url, filled("Boris\nAda", version=1)).status_code == 404
    assert text_of(Event.objects.get()) == "Ada\nBoris"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        *BAD_FORMS[:-1],
        ({"version": "x", "order": "Boris\nAda"}, "This form was not sent whole."),
        ({"version": "", "order": "Boris\nAda"}, "Somebody else"),
        ({"version": "-1", "order": "Boris\nAda"}, "This form was not sent whole."),
        ({"version": "9" * 30, "order": "Boris\nAda"}, "Somebody else"),
    ],
)
def test_a_bad_correction_is_told_kept_and_not_saved(season, organizer_client, fields, said):
    event = enter(season, "Ada\nBoris")
    before = stored()
    answer = organizer_client.post(edit_url(event), filled(**({"order": TEN, "version": 1} | fields)))
    assert answer.status_code == 200
    assert shows(answer, said)
    assert not shows(answer, "Ready to publish")
    assert answer.context["text"] == fields["order"]
    assert stored() == before
    assert text_of(Event.objects.get()) == "Ada\nBoris"


def test_the_seconds_of_a_start_outlive_the_form(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    exact = START.replace(second=42)
    Event.objects.update(starts_at=exact)
    organizer_client.post(edit_url(event), filled("Boris\nAda", day="2026-01-06", version=1))
    assert Event.objects.get().starts_at == exact
