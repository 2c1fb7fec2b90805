"""The rules of a season: read by whoever sees the season, replaced by organizers."""

import pytest

from league.models import Change, Season
from payouts.models import EventRules, SeasonRules
from payouts.queries import rules_version
from payouts.services.rules import RULE_FIELDS
from tests.api.structures import BAD, BAD_FORMULAS
from tests.factories import ClubFactory, SeasonFactory

pytestmark = pytest.mark.django_db
RULES = {
    "structure": {"name": "vp_kid", "ties": "better"},
    "attendance_points": 1,
    "min_events": 1,
    "best_n": None,
    "best_n_per_month": None,
    "drop_worst": 0,
    "missed_count_as_zero": False,
    "tie_breaks": ["wins", "profit"],
    "inactive_after": 12,
}
NEW = RULES | {"structure": {"name": "fixed", "ties": "worse", "votes": ["50", "30", "20"]}, "best_n": 5}
FIRST = {"version": 0}


@pytest.fixture
def url(season):
    return f"/api/v1/seasons/{season.pk}/rules/"


def stored(season):
    rules = SeasonRules.objects.get(season=season)
    return {name: getattr(rules, name) for name in RULE_FIELDS}


def test_anybody_reads_the_rules_of_a_public_club(client, url):
    assert client.get(url).json() == RULES | FIRST
    assert set(RULES) == set(RULE_FIELDS)


def test_rules_of_a_season_that_has_none_are_the_defaults(client, season, url):
    SeasonRules.objects.all().delete()
    assert client.get(url).json() == RULES | {"min_events": 3} | FIRST


def test_organizers_replace_rules_and_doing_it_twice_is_one_change(
    season, url, put, organizer_client, people
):
    for _again in range(2):
        answer = put(organizer_client, url, NEW | FIRST)
        now = {"version": rules_version(season)}
        assert (answer.status_code, answer.json()) == (200, NEW | now)
    assert stored(season) == NEW
    change = Change.objects.get(kind=Change.Kind.RULES_CHANGED)
    assert (change.actor, change.after["best_n"], change.after["settle_again"]) == (
        people["organizer"],
        5,
        False,
    )
    assert organizer_client.get(url).json() == NEW | now


def test_an_outdated_version_overwrites_nothing(season, url, put, organizer_client):
    put(organizer_client, url, NEW | FIRST)
    answer = put(organizer_client, url, RULES | {"best_n": 7} | FIRST)
    assert answer.status_code == 409
    assert "Somebody else has changed this" in answer.json()["detail"]
    assert stored(season) == NEW
    read = organizer_client.get(url).json()
    assert put(organizer_client, url, read | {"best_n": 7}).json()["best_n"] == 7


def test_the_rules_read_can_be_sent_back(url, put, organizer_client):
    assert put(organizer_client, url, organizer_client.get(url).json()).status_code == 200
    assert not Change.objects.exists()


def test_finished_events_are_settled_again_only_on_request(url, put, organizer_client, enter_event):
    event = enter_event("Ada\nBoris")
    read = put(organizer_client, url, NEW | {"version": rules_version(event.season)}).json()
    assert EventRules.objects.get(event=event).structure == RULES["structure"]
    for _again in range(2):
        assert put(organizer_client, url, read | {"settle_again": True}).status_code == 200
    assert EventRules.objects.get(event=event).structure == NEW["structure"]
    assert Change.objects.filter(after__settle_again=True).count() == 1


def test_only_organizers_write(season, url, refused_to_all_below):
    refused_to_all_below(url, NEW | FIRST)
    assert stored(season) == RULES


def test_a_private_club_is_not_found_like_a_missing_one(client_of, put):
    season = SeasonFactory(club=ClubFactory(is_public=False))
    url = f"/api/v1/seasons/{season.pk}/rules/"
    for who in ("anonymous", "stranger", "foreign"):
        client = client_of(who)
        nothing = client.get("/api/v1/seasons/999999/rules/")
        for answer in (client.get(url), put(client, url, NEW | FIRST)):
            assert (answer.status_code, answer.json()) == (404, nothing.json()), who


@pytest.mark.parametrize(("structure", "field", "message"), BAD + BAD_FORMULAS)
def test_bad_structures_are_refused_and_not_saved(
    season, url, put, organizer_client, structure, field, message
):
    typed = dict(structure)
    if "," in typed.get("votes", ""):
        typed["votes"] = typed["votes"].split(",")  # as a list or as typed: the same message
    for sent in (structure, typed):
        answer = put(organizer_client, url, RULES | FIRST | {"structure": sent})
        assert (answer.status_code, answer.json()) == (400, {field: [message]})
    assert stored(season) == RULES
    assert not Change.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("structure", "vp_kid", 'Expected a dictionary of items but got type "str".'),
        ("structure", None, "This field may not be null."),
        ("structure", {}, "The structure needs a name."),
        ("structure", {"name": None}, "The structure needs a name."),
        ("structure", {"votes": ["1"]}, "The structure needs a name."),
        ("attendance_points", -1, "Ensure this value is greater than or equal to 0."),
        ("attendance_points", 101, "Ensure this value is less than or equal to 100."),
        ("attendance_points", "many", "A valid integer is required."),
        ("min_events", 1001, "Ensure this value is less than or equal to 1000."),
        ("best_n", 0, "Ensure this value is greater than or equal to 1."),
        ("best_n", 1001, "Ensure this value is less than or equal to 1000."),
        ("drop_worst", 1001, "Ensure this value is less than or equal to 1000."),
        ("best_n_per_month", 0, "Ensure this value is greater than or equal to 1."),
        ("best_n_per_month", 1001, "Ensure this value is less than or equal to 1000."),
        ("drop_worst", -1, "Ensure this value is greater than or equal to 0."),
        ("drop_worst", [], "A valid integer is required."),
        ("missed_count_as_zero", "perhaps", "Must be a valid boolean."),
        ("settle_again", "perhaps", "Must be a valid boolean."),
        ("tie_breaks", "wins", 'Expected a list of items but got type "str".'),
        ("tie_breaks", ["wins", "wins"], "“wins” is there twice."),
        (
            "tie_breaks",
            ["wins", "age"],
            "Number 2: “age” does not exist. There are: points, wins, best_places, head_to_head, events, profit, alphabetical.",
        ),
    ],
)
def test_bad_rules_are_refused_and_not_saved(season, url, put, organizer_client, field, value, message):
    answer = put(organizer_client, url, RULES | FIRST | {field: value})
    assert (answer.status_code, answer.json()) == (400, {field: [message]})
    assert stored(season) == RULES


@pytest.mark.parametrize(
    ("structure", "field", "message"),
    [
        ({"name": "vp_kid", "power": 2}, "power", "There is no such setting. There are: alpha, cap, expression, name, per_balance, per_entry, tail, ties, votes."),
        ({"name": []}, "name", "A text is needed, not []."),
        ({"name": "vp_kid", "cap": "9"}, "cap", "A whole number is needed, not '9'."),
        ({"name": "custom", "votes": {"1": 50}}, "votes", "A list is needed, not {'1': 50}."),
        ({"name": "custom", "votes": [[50]]}, "votes", "Place 1: “[50]” is not a number."),
    ],
)  # fmt: skip
def test_structures_of_wrong_types_are_refused(season, url, put, organizer_client, structure, field, message):
    answer = put(organizer_client, url, RULES | FIRST | {"structure": structure})
    assert (answer.status_code, answer.json()) == (400, {field: [message]})
    assert stored(season) == RULES


@pytest.mark.parametrize("left_out", RULES | FIRST)
def test_every_field_is_required(season, url, put, organizer_client, left_out):
    answer = put(
        organizer_client, url, {name: value for name, value in (NEW | FIRST).items() if name != left_out}
    )
    assert (answer.status_code, answer.json()) == (400, {left_out: ["This field is required."]})
    assert stored(season) == RULES


def test_an_unknown_field_is_refused(season, url, put, organizer_client):
    answer = put(organizer_client, url, NEW | FIRST | {"best": 3})
    assert (answer.status_code, list(answer.json())) == (400, ["best"])
    assert stored(season) == RULES


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"3", b"[" * 100_000, b'{"a": "\\ud800"}', b'{"a": NaN}', b"\xff"]
)
def test_a_body_that_is_not_an_object_is_refused(season, url, organizer_client, body):
    answer = organizer_client.put(url, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/json"
    assert stored(season) == RULES


def test_a_body_that_is_too_long_is_refused(season, url, put, organizer_client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    answer = put(organizer_client, url, NEW | FIRST | {"note": "x" * 1_000})
    assert (answer.status_code, answer.json()) == (413, {"detail": "The request is too long."})
    assert stored(season) == RULES


def test_form_data_is_refused(url, organizer_client):
    assert (
        organizer_client.put(url, "best_n=1", content_type="application/x-www-form-urlencoded").status_code
        == 415
    )


@pytest.mark.parametrize(
    ("state", "message"),
    [({"is_closed": True}, "is closed"), ({"is_closed": True, "is_sealed": True}, "is sealed")],
)
def test_a_closed_or_sealed_season_refuses(season, url, put, organizer_client, state, message):
    Season.objects.filter(pk=season.pk).update(**state)
    answer = put(organizer_client, url, NEW | FIRST)
    assert answer.status_code == 409
    assert message in answer.json()["detail"]
    assert stored(season) == RULES
