"""The settings of a pool: everybody reads them, owners change them, and senseless values are not saved."""

import re
from dataclasses import asdict, replace

import pytest
from django.urls import reverse

from league.models import Change, Pool
from ratings.engine.errors import EngineError
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.params import TierParams
from ratings.forms import APART, NOT_EDITED, ProfitSettingsForm, SettingsForm
from ratings.models import PlayerRating, RatingSettings
from ratings.parameters import PARAMETERS, digits, groups_of, shown_groups
from ratings.queries import params_of, values_of, wanted_settings
from standings.recomputation.service import recompute
from tests.pages import markup_of

pytestmark = pytest.mark.django_db
PUBLISHED = TierParams()
POLL = {"HX-Request": "true"}


def typed(**changes):
    """What a browser sends from the form with these changes."""
    form = SettingsForm(None, values=asdict(PUBLISHED), revision=0)
    data = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in (data | changes).items() if value not in {False, None}}


def url(page, season, *more):
    return reverse(f"ratings:{page}", args=[season.club.slug, *more])


@pytest.fixture
def owner_client(client, people):
    client.force_login(people["owner"])
    return client


def errors_of(answer):
    assert answer.status_code == 200
    return {name: [str(error) for error in errors] for name, errors in answer.context["form"].errors.items()}


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (SettingsForm, set(asdict(PUBLISHED))),
        (ProfitSettingsForm, {*asdict(ProfitParams()), "badge_top", "badge_step"}),
    ],
)
def test_every_parameter_is_in_the_form_and_the_table(form, names):
    values = values_of(form.kind, None)
    assert names == {parameter.name for group in groups_of(form.kind) for parameter in group.parameters}
    assert names <= set(PARAMETERS)
    shown = form(None, values=values, revision=0)
    assert set(shown.fields) == names - NOT_EDITED | APART
    more = [field.name for _label, fields in shown.more for field in fields]
    assert sorted([*form.everyday_names, *more, *APART]) == sorted(shown.fields)
    assert all(row.is_default for _label, rows in shown_groups(form.kind, values) for row in rows)


def test_the_form_sent_back_without_a_change_keeps_the_parameters():
    odd = replace(PUBLISHED, beta=1234.5678901234567, tau_per_day=1e-7, weight_scales_sigma=True)
    form = SettingsForm(None, values=asdict(odd), revision=4)
    sent = {name: form[name].value() for name in form.fields}
    again = SettingsForm(sent, values=asdict(odd), revision=4)
    assert again.is_valid(), again.errors
    assert again.params == odd
    assert [float(digits(value)) for value in (1e-7, 0.1, 300.0, 1e15)] == [1e-7, 0.1, 300.0, 1e15]


def test_a_change_is_saved_shown_and_rates_everything_again(owner_client, season, enter_event):
    enter_event("Ada\nBoris")
    answer = owner_client.post(url("settings-edit", season), typed(rate_floor="1445"), follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [(url("settings", season, season.pool_id), 302)]
    assert "Saved. The ratings are computed again." in page
    assert "Revision 1 is waiting to be computed." in page
    assert "Floor of the rate: from 900 to 1445" in page
    assert "TIER with its default settings" in page
    assert 'class="own-tag first">waiting' in page
    change = Change.objects.get(kind=Change.Kind.RATINGS_CHANGED)
    assert (change.before, change.after) == ({"rate_floor": 900.0}, {"rate_floor": 1445.0})
    assert change.actor.username == "owner"
    recompute(season.pool_id)
    page = owner_client.get(url("settings", season)).content.decode()
    assert "TIER, revision 1" in page
    assert "is waiting to be computed" not in page
    assert 'class="own-tag first">in force' in page
    assert PlayerRating.objects.get(player__name="Boris").rate == 1445.0


def test_the_page_polls_while_a_revision_waits(owner_client, season, enter_event):
    enter_event("Ada\nBoris")
    page = url("settings", season, season.pool_id)
    assert "hx-get" not in owner_client.get(page).content.decode()
    owner_client.post(url("settings-edit", season), typed(rate_floor="800"))
    polling = f'hx-get="{page}" hx-trigger="every 2s" hx-swap="outerHTML"'
    assert polling in owner_client.get(page).content.decode()
    line = owner_client.get(page, headers=POLL)
    assert line.content.decode().startswith('<p class="note"')
    assert polling in line.content.decode()
    assert "HX-Request" in line["Vary"]


def test_the_page_reloads_and_stops_polling_once_the_revision_is_in_force(owner_client, season, enter_event):
    enter_event("Ada\nBoris")
    owner_client.post(url("settings-edit", season), typed(rate_floor="800"))
    recompute(season.pool_id)
    answer = owner_client.get(url("settings", season), headers=POLL)
    assert (answer["HX-Refresh"], answer.content) == ("true", b"")
    assert "hx-get" not in owner_client.get(url("settings", season)).content.decode()


def test_the_start_of_a_season_is_one_choice(owner_client, season):
    data = typed(season_start="soft", season_sigma="450")
    assert owner_client.post(url("settings-edit", season), data).status_code == 302
    params = params_of(wanted_settings(season.pool_id))
    assert (params.season_start, params.season_sigma) == ("soft", 450.0)
    page = owner_client.get(url("settings", season)).content.decode()
    assert "from carry on: nothing happens to soft reset" in page


def test_the_same_form_twice_is_saved_once(owner_client, season):
    for _time in range(2):
        answer = owner_client.post(url("settings-edit", season), typed(rate_floor="800"))
        assert answer.status_code == 302
    assert RatingSettings.objects.count() == 1


def test_saving_without_a_change_makes_no_revision(owner_client, season):
    assert owner_client.post(url("settings-edit", season), typed()).status_code == 302
    assert not RatingSettings.objects.exists()


def test_somebody_elses_change_is_not_overwritten(owner_client, season):
    owner_client.post(url("settings-edit", season), typed(rate_floor="800"))
    answer = owner_client.post(url("settings-edit", season), typed(sigma_floor="250"))
    assert "Somebody else has changed these settings" in errors_of(answer)["__all__"][0]
    form = answer.context["form"]
    assert (form["sigma_floor"].value(), form["revision"].value()) == ("250", "1")
    assert RatingSettings.objects.count() == 1
    # The form now has the newest revision and can be saved.
    again = typed(sigma_floor="250", rate_floor="800", revision=form["revision"].value())
    assert owner_client.post(url("settings-edit", season), again).status_code == 302
    assert RatingSettings.objects.get(revision=2).params["sigma_floor"] == 250.0


@pytest.mark.parametrize("who", ["organizer", "member", "stranger", None])
def test_others_read_and_do_not_write(client, season, people, who):
    if who:
        client.force_login(people[who])
    page = client.get(url("settings", season)).content.decode()
    assert "How ratings are computed here" in page
    assert url("settings-edit", season, season.pool_id) not in page
    answer = client.post(url("settings-edit", season), typed(rate_floor="800"))
    assert answer.status_code == (403 if who else 302)
    assert not RatingSettings.objects.exists()


def test_names_of_accounts_are_for_members(client, season, people):
    RatingSettings.objects.create(
        pool=season.pool, revision=1, params=asdict(PUBLISHED), changed_by=people["owner"]
    )
    assert ">owner<" not in markup_of(client.get(url("settings", season)))
    client.force_login(people["member"])
    assert ">owner<" in markup_of(client.get(url("settings", season)))


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-inf", "1e400", "text", "", "1,5", "1e7", "-1e7", "0x10", "٣x"]
)
@pytest.mark.parametrize("name", ["beta", "rate_floor", "provisional_entries"])
def test_a_value_that_is_no_number_is_refused_at_its_field(owner_client, season, name, text):
    answer = owner_client.post(url("settings-edit", season), typed(**{name: text}))
    assert list(errors_of(answer)) == [name]
    assert answer.context["form"][name].value() == text
    assert not RatingSettings.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"beta": "0"}, "beta", "It must be more than 0."),
        ({"sigma0": "-1"}, "sigma0", "It must be more than 0."),
        ({"tau_per_day": "-0.5"}, "tau_per_day", "It must be at least 0."),
        ({"provisional_entries": "-1"}, "provisional_entries", "It must be at least 0."),
        ({"sigma_floor": "600"}, "sigma_floor", "It must be at most 500 (Uncertainty σ)."),
        ({"hands_low": "3"}, "hands_high", "It must be at least 3 (Least time that counts)."),
        ({"weight_rest_low": "0.95"}, "weight_rest_high", "It must be at least 0.95 (All others, at least)."),
        ({"weight_share": "0.6"}, "weight_share", "It must be from 0 to 0.5."),
        ({"late_first": "-1"}, "late_first", "It must be at least 0."),
        ({"badge_step": "0"}, "badge_step", "It must be more than 0."),
        ({"season_start": "soft", "season_sigma": "200"}, "season_sigma", "It must be from 300 (Floor of σ) to 500 (Uncertainty σ)."),
    ],
)  # fmt: skip
def test_a_senseless_value_is_refused_at_its_field(owner_client, season, changes, field, message):
    answer = owner_client.post(url("settings-edit", season), typed(**changes))
    assert errors_of(answer) == {field: [message]}
    for name, text in changes.items():
        assert answer.context["form"][name].value() == text
    is_in_more = field not in SettingsForm.everyday_names
    assert ('<details class="more" open>' in answer.content.decode()) == is_in_more
    assert not RatingSettings.objects.exists()


def with_new_code():
    error = EngineError("beta", "not_positive", got=0.0)
    error.code = "of_a_newer_engine"
    return error


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (EngineError("tolerance", "not_positive", got=0.0), "tolerance must be positive, got 0.0"),
        (with_new_code(), "beta must be positive, got 0.0"),
        (ValueError("100% of it is wrong"), "100% of it is wrong"),
    ],
)
def test_an_error_without_a_field_or_message_is_shown_in_english(error, text):
    form = SettingsForm(typed(), values=asdict(PUBLISHED), revision=0)
    assert form.is_valid()
    form._refuse(error)
    assert form.errors == {"__all__": [text]}


@pytest.mark.parametrize("changes", [{"season_start": "never"}, {"revision": "x"}, {"revision": "-1"}])
def test_a_forged_form_is_refused(owner_client, season, changes):
    assert list(errors_of(owner_client.post(url("settings-edit", season), typed(**changes)))) == list(changes)
    assert owner_client.post(url("settings-edit", season), {"save": ""}).status_code == 200
    assert not RatingSettings.objects.exists()


def test_numerical_limits_cannot_be_sent(owner_client, season):
    owner_client.post(url("settings-edit", season), typed(rate_floor="800", tolerance="5", max_rounds="2"))
    stored = RatingSettings.objects.get().params
    assert (stored["tolerance"], stored["max_rounds"]) == (PUBLISHED.tolerance, PUBLISHED.max_rounds)


def test_back_to_the_published_values_fills_the_form_and_saves_nothing(owner_client, season):
    owner_client.post(url("settings-edit", season), typed(rate_floor="800"))
    edit = url("settings-edit", season)
    assert owner_client.get(edit).context["form"]["rate_floor"].value() == "800"
    answer = owner_client.get(edit + "?published=1")
    assert answer.context["form"]["rate_floor"].value() == "900"
    assert "Nothing is changed before you save." in answer.content.decode()
    assert RatingSettings.objects.count() == 1
    assert owner_client.post(edit, typed(revision=1)).status_code == 302
    assert params_of(wanted_settings(season.pool_id)) == PUBLISHED
    assert "Floor of the rate: from 800 to 900" in owner_client.get(url("settings", season)).content.decode()


def test_each_pool_of_a_club_has_a_page(owner_client, season):
    other = Pool.objects.create(club=season.club, name="Mahjong")
    owner_client.post(url("settings-edit", season, other.pk), typed(beta="250"))
    assert wanted_settings(season.pool_id) is None
    assert wanted_settings(other.pk).params["beta"] == 250.0
    page = owner_client.get(url("settings", season)).content.decode()
    assert url("settings", season, other.pk) in page
    assert "beta" not in re.sub(r"<[^>]+>", "", page)
    other.delete()


def test_a_long_history_shows_the_newest_revisions(client, season):
    for revision in range(1, 60):
        params = asdict(replace(PUBLISHED, rate_floor=900.0 + revision))
        RatingSettings.objects.create(pool=season.pool, revision=revision, params=params)
    page = client.get(url("settings", season)).content.decode()
    assert "from 958 to 959" in page
    assert page.count("Floor of the rate: from") == 50


def test_constants_that_were_never_published_say_where_they_come_from():
    """The publication withholds these six (tier-rating, section 9)."""
    rows = [row for _label, rows in shown_groups("tier", values_of("tier", None)) for row in rows]
    fitted = {row.parameter.name for row in rows if row.origin == "fitted to published results"}
    assert fitted == {"hands_scale", "hands_low", "hands_high", "late_a", "late_b", "minutes_per_entry"}


def test_an_address_can_fill_in_bounds_of_badges_and_saves_nothing(owner_client, season):
    address = url("settings-edit", season, season.pool_id)
    page = owner_client.get(f"{address}?badge_top=2400&badge_step=80")
    form = page.context["form"]
    assert (form["badge_top"].value(), form["badge_step"].value()) == ("2400", "80")
    assert "Nothing is changed before you save." in page.content.decode()
    assert params_of(wanted_settings(season.pool_id)).badge_top == PUBLISHED.badge_top
    for nonsense in (
        "badge_top=2400",
        "badge_top=-1&badge_step=80",
        "badge_top=1e9&badge_step=80",
        f"badge_top={'9' * 9000}&badge_step=1",
    ):
        shown = owner_client.get(f"{address}?{nonsense}").context["form"]
        assert shown["badge_top"].value() == digits(PUBLISHED.badge_top)
