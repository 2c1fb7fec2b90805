"""The terms of an event, changed by the version that was read."""

import pytest

from league.models import Change, Season
from payouts.models import EventTerms, SeasonRules
from tests.factories import enter

pytestmark = pytest.mark.django_db
PLAIN = {"multiplier": "1", "is_final": False, "total": None, "buy_in": "1", "paid": 1, "version": 0}
TERMS = PLAIN | {"multiplier": "2.5", "is_final": True, "total": "30"}


@pytest.fixture
def event(season):
    return enter(season, "Ada\nBoris\nCleo")


@pytest.fixture
def url(event):
    return f"/api/v1/events/{event.pk}/terms/"


def test_anybody_reads_the_terms_of_a_public_club(client, url):
    assert client.get(url).json() == PLAIN


def test_organizers_set_the_terms(event, url, put, organizer_client, people):
    answer = put(organizer_client, url, TERMS)
    change = Change.objects.get(kind=Change.Kind.TERMS_CHANGED)
    assert (answer.status_code, answer.json()) == (200, TERMS | {"version": change.version})
    assert organizer_client.get(url).json() == answer.json()
    assert (change.event, change.actor) == (event, people["organizer"])


def test_the_same_terms_twice_are_one_change_by_either_version(url, put, organizer_client):
    first = put(organizer_client, url, TERMS)
    for version in (0, first.json()["version"]):
        again = put(organizer_client, url, TERMS | {"version": version})
        assert (again.status_code, again.json()) == (200, first.json())
    assert Change.objects.filter(kind=Change.Kind.TERMS_CHANGED).count() == 1


def test_an_outdated_version_overwrites_nothing(url, put, organizer_client):
    put(organizer_client, url, TERMS)
    answer = put(organizer_client, url, TERMS | {"multiplier": 3})
    assert answer.status_code == 409
    assert "Somebody else has changed this" in answer.json()["detail"]
    assert EventTerms.objects.get().multiplier == 2.5


def test_only_organizers_write(url, refused_to_all_below):
    refused_to_all_below(url, TERMS)
    assert not EventTerms.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("multiplier", -1, "Ensure this value is greater than or equal to 0."),
        ("multiplier", "1001", "Ensure this value is less than or equal to 1000."),
        ("multiplier", "two", "A valid number is required."),
        ("multiplier", "1.2345", "Ensure that there are no more than 3 decimal places."),
        ("multiplier", True, "A valid number is required."),
        ("is_final", "perhaps", "Must be a valid boolean."),
        ("total", "-5", "Ensure this value is greater than or equal to 0."),
        ("buy_in", None, "This field may not be null."),
        ("paid", 0, "Ensure this value is greater than or equal to 1."),
        ("version", -1, "Ensure this value is greater than or equal to 0."),
        ("version", None, "This field may not be null."),
    ],
)
def test_bad_terms_are_refused_and_not_saved(url, put, organizer_client, field, value, message):
    answer = put(organizer_client, url, TERMS | {field: value})
    assert (answer.status_code, answer.json()) == (400, {field: [message]})
    assert not EventTerms.objects.exists()


@pytest.mark.parametrize("left_out", PLAIN)
def test_every_field_is_required(url, put, organizer_client, left_out):
    answer = put(organizer_client, url, {name: value for name, value in TERMS.items() if name != left_out})
    assert (answer.status_code, answer.json()) == (400, {left_out: ["This field is required."]})
    assert not EventTerms.objects.exists()


def test_a_closed_season_refuses(url, put, organizer_client):
    Season.objects.update(is_closed=True)
    answer = put(organizer_client, url, TERMS)
    assert answer.status_code == 409
    assert "is closed" in answer.json()["detail"]
    assert not EventTerms.objects.exists()


def test_terms_for_which_the_formula_has_no_points_are_refused(season, url, put, organizer_client):
    structure = {"name": "expression", "expression": "n / abs(buy_in - 7)"}
    SeasonRules.objects.filter(season=season).update(structure=structure)
    answer = put(organizer_client, url, TERMS | {"buy_in": "7", "total": None})
    assert answer.status_code == 409
    assert "It divides by zero for 3 entries, place 1, buy_in 7." in answer.json()["detail"]
    assert not EventTerms.objects.exists()
