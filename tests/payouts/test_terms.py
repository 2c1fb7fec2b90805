"""Terms of an event: saved once, refused when stale, counted in the standings."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from league.models import Change, Season
from payouts.models import EntryPoints, EventTerms
from payouts.queries import terms_version
from ratings.models import RatedEntry
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import START, enter, names

pytestmark = pytest.mark.django_db
TERMS = {"multiplier": "2", "is_final": "on", "total": "", "buy_in": "1", "paid": "1", "version": 0}


@pytest.fixture
def event(season):
    event = enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    return event


@pytest.fixture
def address(event):
    return reverse("payouts:terms-edit", args=[event.season.club.slug, event.pk])


def test_a_multiplier_counts_in_the_standings_and_leaves_the_points(season, event, address, organizer_client):
    assert organizer_client.get(address).status_code == 200
    before = list(EntryPoints.objects.values_list("numerator", flat=True))
    assert organizer_client.post(address, TERMS).url == event.get_absolute_url()
    recompute(season.pool_id)
    assert list(EntryPoints.objects.values_list("numerator", flat=True)) == before
    assert Standing.objects.get(player__name="Ada").points == 4
    page = organizer_client.get(event.get_absolute_url()).content.decode()
    assert "A final: it always counts. It counts 2 times in the standings." in page


def test_points_put_up_are_shared_by_the_seats(season, event, address, organizer_client):
    organizer_client.post(address, TERMS | {"multiplier": "1", "total": "30"})
    recompute(season.pool_id)
    assert sum(row.points for row in EntryPoints.objects.all()) == 30


def test_saving_the_same_terms_twice_is_one_change(event, address, organizer_client, people):
    organizer_client.post(address, TERMS)
    organizer_client.post(address, TERMS | {"version": terms_version(event)})
    change = Change.objects.get(kind=Change.Kind.TERMS_CHANGED)
    assert (change.event, change.actor, change.after["multiplier"]) == (event, people["organizer"], "2")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("multiplier", "-1", "greater than or equal to 0"),
        ("multiplier", "1001", "less than or equal to 1000"),
        ("multiplier", "two", "Enter a number."),
        ("total", "-5", "greater than or equal to 0"),
        ("buy_in", "", "This field is required."),
        ("paid", "0", "greater than or equal to 1"),
        ("version", "", "This field is required."),
    ],
)
def test_bad_terms_are_reported_and_not_saved(event, address, organizer_client, field, value, message):
    answer = organizer_client.post(address, TERMS | {field: value})
    assert answer.status_code == 200
    assert message in answer.context["form"].errors[field][0]
    assert not EventTerms.objects.exists()


def test_only_organizers_set_terms(address, refused_to):
    refused_to(address, TERMS)
    assert not EventTerms.objects.exists()


def test_an_outdated_page_is_refused(event, address, organizer_client):
    organizer_client.post(address, TERMS)
    answer = organizer_client.post(address, TERMS | {"multiplier": "3"})
    assert "Somebody else has changed this" in answer.context["form"].non_field_errors()[0]
    assert EventTerms.objects.get().multiplier == Decimal(2)


def test_a_closed_season_keeps_its_terms(event, address, organizer_client):
    Season.objects.update(is_closed=True)
    answer = organizer_client.post(address, TERMS)
    assert "is closed" in answer.context["form"].non_field_errors()[0]
    assert not EventTerms.objects.exists()


def test_seats_of_an_event_are_changed_with_its_terms_and_rated_again(organizer_client, season):
    event = enter(season, "\n".join(names(12)), ends_at=START + timedelta(minutes=40))
    recompute(season.pool_id)
    address = reverse("payouts:terms-edit", args=[season.club.slug, event.pk])
    before = dict(RatedEntry.objects.values_list("place", "evidence"))
    form = organizer_client.get(address).context["form"]
    assert (form["table_size"].value(), form["final_table_size"].value()) == (9, 9)
    typed = {
        each.html_name: each.value()
        for each in form
        if each.value() is not None and each.value() is not False
    }
    organizer_client.post(address, typed | {"table_size": 2, "final_table_size": 2})
    event.refresh_from_db()
    assert (event.table_size, event.final_table_size, event.entries.count()) == (2, 2, 12)
    recompute(season.pool_id)
    after = dict(RatedEntry.objects.values_list("place", "evidence"))
    assert all(after[place] > evidence for place, evidence in before.items())
    # The same form once more is outdated, and changes nothing.
    page = organizer_client.post(address, typed | {"table_size": 6})
    assert "form" in page.context
    event.refresh_from_db()
    assert event.table_size == 2
    assert organizer_client.post(address, typed | {"table_size": 11}).context["form"].errors["table_size"]
