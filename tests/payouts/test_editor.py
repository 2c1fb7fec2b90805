"""The editor of a season's rules: every structure, errors beside their fields, a preview that saves nothing."""

import pytest
from django.urls import reverse
from django.utils import translation

from league.models import Change, EntryForm
from payouts.engine.structures.settings import NAMES
from payouts.engine.structures.structure import PointsStructure
from payouts.models import EntryPoints, EventRules, SeasonRules
from payouts.sentences import TIE_BREAKS
from payouts.services.rules import set_rules
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import RULES, RULES_TYPED, enter, names

pytestmark = pytest.mark.django_db
NEW = RULES_TYPED | {"name": "Spring 2026", "starts_on": "2026-01-01", "ends_on": ""}
SETTINGS = {
    "fixed": {"votes": "50, 30, 20"},
    "custom": {"votes": "50, 30", "tail": "60/n", "cap": "40"},
    "fixed_table": {"votes": "25, 18, 13"},
    "percentage_pool": {"votes": "60, 40", "per_entry": "2.5"},
    "expression": {"expression": "10*sqrt(n/k)"},
    "vp_kid_alpha": {"alpha": "1.5"},
    "vp_kid": {"per_balance": "0.5"},
    "balance": {"per_balance": "2"},
}


@pytest.fixture
def address(season):
    return reverse("payouts:season-edit", args=[season.club.slug, season.slug])


@pytest.mark.parametrize("name", NAMES)
def test_each_structure_is_saved_and_shown_again(season, address, organizer_client, name):
    typed = NEW | {"structure": name} | SETTINGS.get(name, {})
    assert organizer_client.post(address, typed).status_code == 302
    stored = SeasonRules.objects.get().points_structure
    assert stored.name == name
    form = organizer_client.get(address).context["form"]
    assert form["structure"].value() == name
    for field, value in SETTINGS.get(name, {}).items():
        assert str(form[field].value()) == value
    values = {field: form[field].value() or "" for field in form.fields if field != "tie_breaks"}
    organizer_client.post(address, typed | values | {"missed_count_as_zero": "", "settle_again": ""})
    assert SeasonRules.objects.get().points_structure == stored


def test_all_season_rules_are_saved(season, address, organizer_client, people):
    typed = {
        "attendance_points": 2, "min_events": 4, "best_n": 6, "best_n_per_month": 2, "drop_worst": 1,
        "missed_count_as_zero": "on", "tie_breaks": "best_places,alphabetical",
    }  # fmt: skip
    organizer_client.post(address, NEW | typed)
    rules = SeasonRules.objects.get()
    assert (rules.attendance_points, rules.min_events, rules.best_n, rules.best_n_per_month) == (2, 4, 6, 2)
    assert (rules.drop_worst, rules.missed_count_as_zero) == (1, True)
    assert rules.tie_breaks == ["best_places", "alphabetical"]
    change = Change.objects.get(kind=Change.Kind.RULES_CHANGED)
    assert (change.actor, change.before["best_n"], change.after["best_n"]) == (people["organizer"], None, 6)


def test_full_width_digits_are_digits(season, address, organizer_client):
    typed = NEW | {"structure": "custom", "votes": "５０，３０", "tail": "６０/n", "cap": "４０"}
    assert organizer_client.post(address, typed).status_code == 302
    assert SeasonRules.objects.get().structure["votes"] == ["50", "30"]


def test_the_preview_reports_errors_of_the_structure_only(address, organizer_client):
    page = organizer_client.post(
        address, NEW | {"name": "", "structure": "fixed", "votes": "50"}, headers={"hx-request": "true"}
    )
    assert "By place" in page.content.decode()
    assert "Name" not in page.content.decode()


def test_rules_that_somebody_else_has_changed_are_not_overwritten(season, address, organizer_client):
    opened = organizer_client.get(address).context["form"]["version"].value()
    assert opened == 0
    organizer_client.post(address, NEW | {"best_n": 3, "version": opened})
    page = organizer_client.post(address, NEW | {"best_n": 9, "name": "Autumn", "version": opened})
    assert "Somebody else has changed this" in page.content.decode()
    assert page.context["form"]["best_n"].value() == "9"
    season.refresh_from_db()
    assert (season.name, SeasonRules.objects.get().best_n) == ("Spring 2026", 3)
    version = page.context["form"]["version"].value()
    organizer_client.post(address, NEW | {"best_n": 9, "name": "Autumn", "version": version})
    season.refresh_from_db()
    assert (season.name, SeasonRules.objects.get().best_n) == ("Autumn", 9)


def test_saving_the_same_rules_twice_is_one_change(season, address, organizer_client):
    for _press in range(2):
        organizer_client.post(address, NEW | {"best_n": 6, "structure": "linear", "settle_again": "on"})
    assert Change.objects.filter(kind=Change.Kind.RULES_CHANGED).count() == 1


BAD_RULES = [
    ("custom", "votes", "50, 60", "Place 2 has 60, more than the 50 of place 1."),
    ("custom", "votes", "50, 0", "Place 2 has 0: votes must be positive."),
    ("custom", "votes", "50, x", "Place 2: “x” is not a number."),
    ("fixed", "votes", "", "At least one place is needed."),
    ("custom", "tail", "some", "“some” is not an end of the list"),
    ("custom", "tail", "-5/n", "It must be positive, not -5/n."),
    ("fixed", "votes", "50, 30", "The percentages sum to 80; they must sum to 100."),
    ("fixed_table", "votes", "5, -1", "Place 2 has -1: points must not be negative."),
    ("percentage_pool", "per_entry", "x", "“x” is not a number."),
    ("vp_kid_alpha", "alpha", "0.5", "It must be from 1 to 10, not 0.5."),
    ("vp_kid_alpha", "alpha", "1.00001", "At most 4 decimals, not 1.00001."),
    ("linear", "per_balance", "0", "It must be more than 0 and at most 1000000000, not 0."),
    ("vp_kid", "cap", "0", "greater than or equal to 1"),
    ("expression", "expression", "", "A formula is needed."),
    ("expression", "expression", "n +", "This is not a formula."),
    ("expression", "expression", "2n", "Put a sign between number and name in “2n”"),
    ("expression", "expression", "open(n)", "“open” is not a function."),
    ("expression", "expression", "x", "“x” is not known. There are: n, k"),
    ("expression", "expression", "n; k", "“;” is not part of a formula."),
    ("expression", "expression", "sqrt(n, k)", "sqrt takes one number."),
    ("expression", "expression", "1/(n-37)^2", "It divides by zero for 37 entries, place 1."),
    ("expression", "expression", "n-2*k", "The points are negative for 5 entries, place 3."),
    ("expression", "expression", "k", "more points than the one before it for 5 entries, place 2."),
    ("expression", "expression", "exp(n*9999)", "The result is too large for 5 entries, place 1."),
    ("expression", "expression", "ln(k-1)", "A root or logarithm has no value for 5 entries, place 1."),
    ("vp_kid", "best_n", "0", "greater than or equal to 1"),
    ("vp_kid", "drop_worst", "-1", "greater than or equal to 0"),
    ("vp_kid", "best_n_per_month", "x", "Enter a whole number."),
]


@pytest.mark.parametrize(("structure", "field", "value", "message"), BAD_RULES)
def test_bad_rules_are_reported_beside_the_field_and_nothing_is_saved(
    season, address, organizer_client, structure, field, value, message
):
    typed = NEW | {"structure": structure} | SETTINGS.get(structure, {}) | {field: value}
    answer = organizer_client.post(address, typed)
    assert answer.status_code == 200
    form = answer.context["form"]
    assert list(form.errors) == [field]
    assert message in form.errors[field][0]
    assert form[field].value() == value
    assert SeasonRules.objects.get().structure == {"name": "vp_kid", "ties": "better"}
    assert not Change.objects.exists()


@pytest.mark.rest
def test_errors_of_the_engine_are_translated(address, organizer_client):
    organizer_client.cookies["django_language"] = "ja"
    for structure, field, value, _message in BAD_RULES:
        typed = NEW | {"structure": structure} | SETTINGS.get(structure, {}) | {field: value}
        with translation.override("ja"):
            form = organizer_client.post(address, typed).context["form"]
            assert any(ord(char) > 0x3000 for char in str(form.errors[field][0])), (field, value)


def test_a_repeated_tie_break_is_reported(address, organizer_client):
    answer = organizer_client.post(address, NEW | {"tie_breaks": "wins,wins"})
    assert answer.context["form"].errors == {"tie_breaks": ["“wins” is there twice."]}


def test_outsiders_cannot_preview_or_save(season, address, refused_to):
    refused_to(address, NEW | {"structure": "linear", "preview": "1"})
    refused_to(address, NEW | {"structure": "linear"})
    assert SeasonRules.objects.get().points_structure.name == "vp_kid"


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["button", "while typing"])
def test_a_preview_shows_96_fields_and_saves_nothing(season, address, organizer_client, headers):
    typed = NEW | {"structure": "inverse", "preview": "1"}
    answer = organizer_client.post(address, typed, headers=headers)
    page = answer.content.decode()
    assert [row.size for row in answer.context["preview"]["rows"]] == list(range(5, 101))
    ten = answer.context["preview"]["rows"][5]
    assert [int(value) for value in ten.points] == [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    assert page.count("<polyline") == 2 * 5
    assert ("<html" in page) is not headers.__contains__("HX-Request")
    assert not Change.objects.exists()
    assert SeasonRules.objects.get().points_structure.name == "vp_kid"


def test_a_preview_of_an_error_names_the_field(address, organizer_client):
    typed = NEW | {"structure": "fixed", "votes": "50, 30"}
    page = organizer_client.post(address, typed, headers={"HX-Request": "true"}).content.decode()
    assert "By place:</b> The percentages sum to 80" in page
    assert "<table" not in page


def test_a_finished_event_keeps_its_whole_structure(season):
    by_formula = RULES | {"structure": {"name": "percentage_pool", "votes": "60, 40", "per_entry": "2"}}
    set_rules(season, rules=by_formula, settle_again=False, actor=None)
    event = enter(season, "\n".join(names(5)))
    recompute(season.pool_id)
    before = list(EntryPoints.objects.order_by("pk").values_list("numerator", "denominator"))
    assert before[:3] == [(6, 1), (4, 1), (0, 1)]
    set_rules(season, rules=RULES | {"structure": {"name": "linear"}}, settle_again=False, actor=None)
    recompute(season.pool_id, from_scratch=True)
    assert list(EntryPoints.objects.order_by("pk").values_list("numerator", "denominator")) == before
    assert EventRules.objects.get(event=event).points_structure.name == "percentage_pool"
    set_rules(season, rules=RULES | {"structure": {"name": "linear"}}, settle_again=True, actor=None)
    recompute(season.pool_id)
    assert [row.points for row in EntryPoints.objects.order_by("entry__place")] == [5, 4, 3, 2, 1]
    assert Change.objects.first().after["settle_again"] is True


def test_a_formula_uses_the_entries_of_a_player(season):
    rules = RULES | {"structure": {"name": "expression", "expression": "n / entries"}}
    set_rules(season, rules=rules, settle_again=False, actor=None)
    enter(season, "Ada x2\nBoris")
    recompute(season.pool_id)
    assert dict(Standing.objects.values_list("player__name", "points")) == {"Ada": 1.5, "Boris": 3}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"structure": {"name": "nothing"}}, "structure: unknown structure"),
        ({"structure": {"name": "fixed", "votes": "50"}}, "votes: the percentages sum to 50"),
        ({"structure": {"name": "expression", "expression": "1/(n-7)^2"}}, "division by zero for 7 entries"),
        ({"best_n": 0}, "best_n: must be at least 1"),
        ({"tie_breaks": ["coin"]}, "tie_breaks: number 1 is unknown"),
        ({"best": 1}, "best: unknown setting"),
    ],
)
def test_services_refuse_invalid_rules(season, rules, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        set_rules(season, rules=RULES | rules, settle_again=False, actor=None)
    assert not Change.objects.exists()


def test_a_stored_structure_is_validated():
    from django.core.exceptions import ValidationError

    rules = SeasonRules(structure={"name": "fixed", "votes": ["50"]})
    with pytest.raises(ValidationError):
        rules.clean_fields(exclude=["season"])
    SeasonRules(structure=PointsStructure().to_dict()).clean_fields(exclude=["season"])


@pytest.mark.parametrize(
    ("order", "move", "expected"),
    [
        ("wins,profit,events", "up profit", ["profit", "wins", "events"]),
        ("wins,profit,events", "up wins", ["wins", "profit", "events"]),
        ("wins,profit,events", "off profit", ["wins", "events"]),
        ("wins", "off wins", []),
        ("", "on events", ["events"]),
        ("wins", "on events", ["wins", "events"]),
        ("wins,events", "on wins", ["events", "wins"]),  # pressed twice
        ("wins", "off events", ["wins"]),
        ("wins", "up events", ["wins", "events"]),
    ],
)
def test_a_button_arranges_the_tie_breaks_and_saves_nothing(
    season, address, organizer_client, order, move, expected
):
    typed = NEW | {"tie_breaks": order, "move_tie_break": move, "best_n": 4}
    for headers in ({}, {"hx-request": "true"}):
        form = organizer_client.post(address, typed, headers=headers).context["form"]
        assert [name for name, _label in form.tie_breaks_in_order] == expected
        assert form["best_n"].value() == "4"
    assert not Change.objects.filter(kind=Change.Kind.RULES_CHANGED).exists()


def test_the_list_says_which_tie_breaks_are_left_out(address, organizer_client):
    typed = NEW | {"tie_breaks": "wins,profit", "move_tie_break": "off wins"}
    page = organizer_client.post(address, typed)
    form = page.context["form"]
    left_out = [name for name, _label in form.tie_breaks_left_out]
    assert "wins" in left_out
    assert sorted([*left_out, "profit"]) == sorted(TIE_BREAKS)
    html = page.content.decode()
    assert '<details class="fold" open>' in html
    assert 'name="tie_breaks" value="profit"' in html


def test_an_unknown_tie_break_is_reported(address, organizer_client):
    page = organizer_client.post(address, NEW | {"tie_breaks": "wins,luck"})
    assert list(page.context["form"].errors) == ["tie_breaks"]
    assert "luck" in page.content.decode()


def test_balances_are_offered_where_a_game_has_them(season, address, organizer_client):
    def offered(**typed):
        if typed:
            version = organizer_client.get(address).context["form"]["version"].value()
            assert organizer_client.post(address, NEW | typed | {"version": version}).status_code == 302
        form = organizer_client.get(address).context["form"]
        return not form["per_balance"].is_hidden, "balance" in dict(form.fields["structure"].choices)

    assert offered() == (False, False)
    assert offered(per_balance="2") == (True, False)
    assert offered(structure="balance") == (True, True)
    assert offered(structure="vp_kid") == (False, False)
    season.club.games.update(entry_form=EntryForm.SCORES)
    assert offered() == (True, True)
