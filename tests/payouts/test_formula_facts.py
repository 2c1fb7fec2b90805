"""Facts for formulas are recorded with the result; a result for which a formula has no points is not saved."""

import re
import uuid
from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from league.models import Change, Entry, Event
from league.services.errors import BadResult, Refused
from league.services.events import correct_result, delete_event, enter_result
from league.stored_results import text_of
from payouts.models import EntryPoints, SeasonRules
from payouts.queries import rules_version
from payouts.services.rules import set_rules
from payouts.services.terms import set_event_terms
from reading.results import EntryInput, EventDetails
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import RULES, RULES_TYPED, START, enter
from tests.pages import markup_of

pytestmark = pytest.mark.django_db
# It has no value for five knock-outs, which are not in the grid that is tried when a formula is saved.
NOT_FOR_FIVE = "10 * n / abs(knockouts - 5)"
MESSAGE = "It divides by zero for 3 entries, place 1, knockouts 5."
ORDER = "Ada ko5\nBoris\nCleo"


def points_from(season, expression, text):
    set_formula(season, expression)
    event = enter(season, text)
    recompute(season.pool_id)
    rows = EntryPoints.objects.filter(entry__event=event).order_by("entry__place", "entry__number")
    return [row.points for row in rows]


def set_formula(season, expression, **options):
    structure = {"name": "expression", "expression": expression}
    set_rules(
        season, rules=RULES | {"structure": structure}, **{"settle_again": False, "actor": None} | options
    )


def form(**fields):
    today = timezone.localdate().isoformat()
    return {"name": "", "day": today, "start": "00:00", "order": ORDER, "version": "", "save": ""} | fields


def test_a_formula_pays_a_players_last_entry_for_all_knockouts(season):
    assert points_from(season, "n + 10 * knockouts", "Ada ko2\nBoris ko1\nAda #1 ko1\nCleo") == [34, 14, 0, 4]


def test_entries_win_seats(season):
    event = enter(season, "Ada\nBoris\nAda #1\nCleo")
    recompute(season.pool_id)
    rows = EntryPoints.objects.filter(entry__event=event).order_by("entry__place")
    assert [row.points for row in rows] == [2, 1, 1, 0]


def test_the_preview_shows_the_points_that_will_be_published(season, organizer_client):
    set_formula(season, "10 * sqrt(n / k) + knockouts")
    address = reverse("entry:event-create", args=[season.club.slug, season.slug])
    order = "Ada\nBoris x3 ko1\nCleo x2"
    typed = {name: value for name, value in form(order=order).items() if name != "save"}
    page = markup_of(organizer_client.post(address, typed))
    event = enter(season, order)
    recompute(season.pool_id)
    for row in EntryPoints.objects.filter(entry__event=event, entry__is_last=True):
        assert f"</span>{float(row.points):.2f}" in page
    assert not any(row.points for row in EntryPoints.objects.filter(entry__is_last=False))


def test_dr_neau_uses_what_a_player_paid(season):
    set_rules(season, rules=RULES | {"structure": {"name": "dr_neau"}}, settle_again=False, actor=None)
    event = enter(season, "Ada x2 cost 4\nBoris x2\nCleo cost 0\nDana")
    set_event_terms(event, terms={"buy_in": Decimal(2), "paid": 1, "multiplier": 1, "is_final": False, "total": None},
                    version=0, actor=None)  # fmt: skip
    recompute(season.pool_id)
    points = {row.entry.player.name: row.points for row in EntryPoints.objects.filter(entry__is_last=True)}
    # sqrt(n b^2 / e) / (k + 1) with n = 6, b = 2: e is 4 for two entries at 2, or the recorded cost.
    assert points["Ada"] == Fraction(round(6**0.5 / 2 * 10_000), 10_000)
    assert points["Boris"] == Fraction(round(6**0.5 / 3 * 10_000), 10_000)
    assert points["Cleo"] == 0
    assert points["Dana"] == Fraction(round(12**0.5 / 5 * 10_000), 10_000)


@pytest.mark.parametrize(
    "order",
    [
        "Ada ko3 cost 60\nBoris ko0 @21:40\nCleo cost 12.5",
        "Ada x2 ko3\nBoris\nCleo",
        "Ada ko3\nBoris\nCleo = Ada #1 ko1 cost 20",
    ],
)
def test_the_form_opens_with_what_was_typed(season, order):
    assert text_of(enter(season, order)) == order


def test_marks_are_read_in_any_order_and_width(season):
    event = enter(season, "Ada @23:10 KO 3 x2\nBoris cost60 ｋｏ２\nMariko")
    stored = {
        (entry.player.name, entry.number): (entry.knockouts, entry.cost) for entry in event.entries.all()
    }
    assert stored == {("Ada", 2): (3, None), ("Ada", 1): (None, None), ("Boris", 1): (2, 60), ("Mariko", 1): (None, None)}  # fmt: skip


def test_a_form_removes_missing_facts_and_a_file_keeps_them(season):
    event = enter(season, "Ada ko3 cost 60\nBoris")
    details = EventDetails(starts_at=START)
    from_file = [EntryInput("Ada", 1), EntryInput("Boris", 2, knockouts=1)]
    event = correct_result(event, details, from_file, version=event.version, actor=None)
    assert text_of(event) == "Ada ko3 cost 60\nBoris ko1"
    from_form = [EntryInput("Ada", 1, from_form=True), EntryInput("Boris", 2, from_form=True)]
    event = correct_result(event, details, from_form, version=event.version, actor=None)
    assert text_of(event) == "Ada\nBoris"


def test_a_file_adds_facts_and_bad_ones_are_reported(season, tmp_path):
    file = tmp_path / "event.csv"
    head = "event,date,player,place,knockouts,cost\n"
    file.write_text(f"{head}n,2026-01-06,Ada,1,2,30.5\nn,2026-01-06,Boris,2,,\n")
    call_command("import_events", str(file), club=season.club.slug, season=season.slug)
    assert list(Entry.objects.values_list("knockouts", "cost")) == [(2, Decimal("30.5")), (None, None)]
    for cells, message in (("-1,", "knockouts: “-1” is no whole number"), (",-3", "cost: “-3” is no amount"), (",nan", "cost: “nan”")):  # fmt: skip
        file.write_text(f"{head}m,2026-01-06,Ada,1,{cells}\nm,2026-01-06,Boris,2,,\n")
        with pytest.raises(CommandError, match=f"line 2, {message}"):
            call_command("import_events", str(file), club=season.club.slug, season=season.slug)
    assert Event.objects.count() == 1


def test_the_event_page_has_a_column_only_where_knockouts_are_recorded(season, client):
    recorded, plain = enter(season, "Ada ko3\nBoris"), enter(season, "Ada\nBoris", day=1)
    assert ">KO<" in client.get(recorded.get_absolute_url()).content.decode()
    assert ">KO<" not in client.get(plain.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("structure", "total", "message"),
    [
        ("vp_kid", None, "2 entries, so 2 points were shared out."),
        ("vp_kid", Decimal(30), "2 players, 2 entries, 30 points put up."),
        ("linear", None, "2 players, 2 entries. Winner 2, then 1."),
        ("linear", Decimal(30), "2 players, 2 entries. Winner 2, then 1."),
    ],
)
def test_the_event_page_says_how_many_points_there_were(season, client, structure, total, message):
    set_rules(season, rules=RULES | {"structure": {"name": structure}}, settle_again=False, actor=None)
    event = enter(season, "Ada\nBoris")
    terms = {"buy_in": Decimal(1), "paid": 1, "multiplier": 1, "is_final": False, "total": total}
    set_event_terms(event, terms=terms, version=0, actor=None)
    recompute(season.pool_id)
    assert message in client.get(event.get_absolute_url()).content.decode()


def test_a_result_without_points_is_refused_and_stays_in_the_form(season, organizer_client):
    set_formula(season, NOT_FOR_FIVE)
    address = reverse("entry:event-create", args=[season.club.slug, season.slug])
    typed = {name: value for name, value in form().items() if name != "save"}
    preview = organizer_client.post(address, typed).content.decode()
    assert MESSAGE in preview
    page = organizer_client.post(address, form())
    assert (page.status_code, Event.objects.count()) == (200, 0)
    assert [MESSAGE in error for error in page.context["form"].errors["order"]] == [True]
    assert ORDER in page.content.decode()
    assert organizer_client.post(address, form(order="Ada ko4\nBoris\nCleo")).status_code == 302


def test_a_correction_without_points_is_refused(season):
    set_formula(season, NOT_FOR_FIVE)
    event = enter(season, "Ada ko4\nBoris\nCleo")
    wrong = [EntryInput("Ada", 1, knockouts=5), EntryInput("Boris", 2), EntryInput("Cleo", 3)]
    with pytest.raises(BadResult, match=MESSAGE):
        correct_result(event, EventDetails(starts_at=START), wrong, version=event.version, actor=None)
    assert text_of(event) == "Ada ko4\nBoris\nCleo"


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_a_file_without_points_is_refused_whole(season, tmp_path, options):
    set_formula(season, NOT_FOR_FIVE)
    file = tmp_path / "events.csv"
    rows = [f"{event},2026-01-0{event},{name},{place},{ko}" for event in (6, 7) for name, place, ko in
            (("Ada", 1, event - 2), ("Boris", 2, ""), ("Cleo", 3, ""))]  # fmt: skip
    file.write_text("event,date,player,place,knockouts\n" + "\n".join(rows))
    with pytest.raises(CommandError, match=r"events.csv, line 5: .*knockouts 5.* \(7\)$"):
        call_command("import_events", str(file), *options, club=season.club.slug, season=season.slug)
    assert Event.objects.count() == 0


def test_terms_without_points_are_refused(season):
    set_formula(season, "n / abs(buy_in - 7)")
    event = enter(season, "Ada\nBoris")
    terms = {"buy_in": Decimal(7), "paid": 1, "multiplier": 1, "is_final": False, "total": None}
    with pytest.raises(BadResult, match=r"It divides by zero for 2 entries, place 1, buy_in 7\."):
        set_event_terms(event, terms=terms, version=0, actor=None)
    assert not Event.objects.filter(terms__isnull=False).exists()


def test_rules_without_points_for_an_event_of_the_season_are_refused(season):
    enter(season, ORDER)
    n_changes = Change.objects.count()
    with pytest.raises(BadResult, match=MESSAGE):
        set_formula(season, NOT_FOR_FIVE, settle_again=True)
    assert Change.objects.count() == n_changes
    recompute(season.pool_id)
    assert Standing.objects.get(player__name="Ada").points == 2


def test_an_event_entered_before_the_rules_changed_is_settled_by_the_old_ones(season):
    """The points are the same whether or not a recomputation ran in between."""
    enter(season, ORDER)
    set_formula(season, "100 * n")
    enter(season, ORDER, day=1)
    recompute(season.pool_id)
    assert Standing.objects.get(player__name="Ada").points == 302
    recompute(season.pool_id, from_scratch=True)
    assert Standing.objects.get(player__name="Ada").points == 302


def test_a_settled_event_ignores_a_new_formula_of_the_season(season):
    enter(season, ORDER)
    recompute(season.pool_id)
    set_formula(season, NOT_FOR_FIVE)
    recompute(season.pool_id)
    assert Standing.objects.get(player__name="Ada").points == 2


def test_the_preview_of_a_correction_uses_the_rules_the_event_was_settled_by(season, organizer_client):
    event = enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    set_formula(season, "100 * n")
    page = organizer_client.get(
        reverse("entry:event-edit", args=[season.club.slug, event.pk])
    ).content.decode()
    assert "300" not in page.partition('id="reading"')[2]


HUGE = [
    (
        {"name": "fixed_table", "votes": "1/999999999961,1/999999999989"},
        {"tie": True},
        "points are too long a fraction",
    ),
    ({"name": "dr_neau"}, {"buy_in": Decimal(999_999_999), "cost": "0.001"}, "The result is too large for 2 entries, place 1"),
]  # fmt: skip


@pytest.mark.parametrize(("structure", "special", "message"), HUGE)
def test_points_that_cannot_be_stored_are_refused_when_the_result_is_saved(
    season, structure, special, message
):
    set_rules(season, rules=RULES | {"structure": structure}, settle_again=False, actor=None)
    cost = f" cost {special['cost']}" if "cost" in special else ""
    order = "Ada = Boris" if "tie" in special else f"Ada{cost}\nBoris"
    with pytest.raises(BadResult, match=message):
        enter_with_buy_in(season, order, special.get("buy_in", Decimal(1)))


def enter_with_buy_in(season, order, buy_in):
    event = enter(season, order)
    terms = {"buy_in": buy_in, "paid": 1, "multiplier": 1, "is_final": False, "total": None}
    set_event_terms(event, terms=terms, version=0, actor=None)


def test_the_largest_points_are_stored_and_added_up(season):
    set_rules(season, rules=RULES | {"structure": {"name": "fixed_table", "votes": "1000000000"}}, settle_again=False, actor=None)  # fmt: skip
    event = enter(season, "Ada\nBoris")
    terms = {"buy_in": 1, "paid": 1, "multiplier": Decimal(1000), "is_final": False, "total": None}
    set_event_terms(event, terms=terms, version=0, actor=None)
    recompute(season.pool_id)
    assert Standing.objects.get(player__name="Ada").total == 10**12 + 1


def test_a_what_if_without_points_is_explained_in_the_readers_language(season, client):
    enter(season, ORDER)
    recompute(season.pool_id)
    typed = RULES_TYPED | {"structure": "expression", "expression": NOT_FOR_FIVE}
    client.cookies["django_language"] = "ja"
    page = client.get(reverse("standings:what-if", args=[season.club.slug, season.slug]), typed)
    assert "この方式では求められません" in page.content.decode()


def test_a_form_sent_again_with_other_knockouts_is_refused(season):
    token = uuid.uuid4()
    for text, saved in (("Ada ko1\nBoris", True), ("Ada ko1\nBoris", True), ("Ada ko2\nBoris", False)):
        entries = [EntryInput("Ada", 1, knockouts=int(text[6])), EntryInput("Boris", 2)]
        details = EventDetails(starts_at=START)
        if saved:
            enter_result(season, details, entries, actor=None, form_token=token)
            continue
        with pytest.raises(Refused, match="saved already"):
            enter_result(season, details, entries, actor=None, form_token=token)


def test_the_history_holds_what_a_correction_of_knockouts_changed(season):
    event = enter(season, "Ada ko1\nBoris")
    entries = [EntryInput("Ada", 1, knockouts=2, cost=Decimal(5)), EntryInput("Boris", 2)]
    correct_result(event, EventDetails(starts_at=START), entries, version=event.version, actor=None)
    change = Change.objects.get(kind=Change.Kind.RESULT_CORRECTED)
    assert (change.before["entries"][0][-2:], change.after["entries"][0][-2:]) == ([1, None], [2, "5"])


def test_deleting_an_event_keeps_the_version_of_the_rules(season, people):
    event = enter(season, "Ada\nBoris")
    terms = {"buy_in": 1, "paid": 1, "multiplier": 2, "is_final": False, "total": None}
    set_event_terms(event, terms=terms, version=0, actor=None)
    before = rules_version(season)
    delete_event(event, version=event.version, actor=people["organizer"])
    assert rules_version(season) == before == 0


def test_tied_players_of_a_line_are_shown_their_own_points(season, organizer_client):
    set_formula(season, "n + 5 * knockouts")
    address = reverse("entry:event-create", args=[season.club.slug, season.slug])
    typed = {name: value for name, value in form(order="Ada ko2 = Boris\nCleo").items() if name != "save"}
    page = markup_of(organizer_client.post(address, typed))
    assert re.findall(r'class="pts"><span class="vh">Points\s*</span>\s*(\d+)', page)[:2] == ["13", "3"]


@pytest.mark.parametrize(
    ("structure", "message"),
    [
        ({"name": "fixed_table", "votes": "999999999999"}, "999999999999 points are more than"),
        ({"name": "percentage_pool", "votes": "60,40", "per_entry": "1000000000"}, "points are more than"),
    ],
)
def test_a_structure_with_points_that_cannot_be_stored_is_not_saved(
    season, organizer_client, structure, message
):
    address = reverse("payouts:season-edit", args=[season.club.slug, season.slug])
    typed = (
        RULES_TYPED
        | {"name": "Spring", "starts_on": "2026-01-01", "structure": structure["name"]}
        | structure
    )
    typed["version"] = 0
    for sent in (typed, typed | {"preview": "1"}):
        page = organizer_client.post(address, sent)
        assert page.status_code == 200
        assert message in page.content.decode()
    assert SeasonRules.objects.get(season=season).structure["name"] == "vp_kid"


def test_a_corrected_event_shows_no_points_until_they_are_computed(season, client):
    event = enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    swapped = [EntryInput("Boris", 1), EntryInput("Ada", 2), EntryInput("Cleo", 3)]
    correct_result(event, EventDetails(starts_at=START), swapped, version=event.version, actor=None)
    waiting = client.get(event.get_absolute_url()).content.decode()
    assert waiting.count('<td class="n key">–</td>') == 3
    recompute(season.pool_id)
    assert '<td class="n key">2</td>' in client.get(event.get_absolute_url()).content.decode()
