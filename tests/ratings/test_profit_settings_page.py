"""The settings of a pool that R rates: its parameters, and badges by the club's own bounds."""

from dataclasses import asdict, replace

import pytest
from django.urls import reverse

from league.models import Change
from ratings.forms import ProfitSettingsForm
from ratings.models import RatingSettings
from ratings.queries import badge_bounds_of, profit_params_of, values_of, wanted_settings
from tests.factories.games import PARAMS, profit_season
from tests.ratings.test_settings_page import errors_of, url
from tests.standings.explanations.test_explanations import text_of

pytestmark = pytest.mark.django_db
OWN = replace(PARAMS, provisional_games=10)


@pytest.fixture
def season(season):
    return profit_season(season.club, provisional_games=10)


@pytest.fixture
def owner_client(client, people):
    client.force_login(people["owner"])
    return client


def sent(season, **changes):
    """What a browser sends from the form with these changes."""
    newest = wanted_settings(season.pool_id)
    form = ProfitSettingsForm(None, values=values_of("profit", newest), revision=newest.revision)
    data = {name: form[name].value() for name in form.fields} | changes
    return {name: value for name, value in data.items() if value is not None}


def save(client, season, **changes):
    return client.post(url("settings-edit", season, season.pool_id), sent(season, **changes), follow=True)


def test_without_a_change_nothing_is_saved(owner_client, season):
    assert save(owner_client, season).redirect_chain
    assert RatingSettings.objects.count() == 1
    assert profit_params_of(wanted_settings(season.pool_id)) == OWN


def test_badges_are_saved_shown_and_taken_away(owner_client, season):
    page = text_of(save(owner_client, season, badge_top="1700", badge_step="40"))
    assert "R, revision 1" not in page
    assert "Badge S begins at: from none to 1700" in page
    newest = wanted_settings(season.pool_id)
    bounds = badge_bounds_of(newest)
    assert (bounds[0], bounds[1], bounds[-1]) == (("S", 1700.0), ("A1", 1660.0), ("C3", float("-inf")))
    assert newest.params == asdict(OWN)
    change = Change.objects.filter(kind=Change.Kind.RATINGS_CHANGED).latest("version")
    assert change.after == {"badge_top": 1700.0, "badge_step": 40.0}
    save(owner_client, season, badge_top="1700", badge_step="40")  # twice
    assert RatingSettings.objects.count() == 2
    save(owner_client, season, badge_top="", badge_step="")
    assert badge_bounds_of(wanted_settings(season.pool_id)) == ()


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"badge_top": "1700"}, "badge_step", "Badges need both numbers; without badges leave both empty."),
        ({"badge_top": "1700", "badge_step": "0"}, "badge_step", "It must be more than 0."),
        ({"f": "0"}, "f", "It must be more than 0."),
        ({"games": "0"}, "games", "It must be a whole number from 1 to 1000000."),
        ({"g": "99"}, "g", "It must be smaller: a new player would be taken 2.475 times the way to the table's mean."),
        ({"place_first": "7"}, "place_first", "It must be 6: the system balance has no use for it."),
    ],
)  # fmt: skip
def test_a_senseless_value_is_refused_at_its_field(owner_client, season, changes, field, message):
    answer = save(owner_client, season, **changes)
    assert errors_of(answer) == {field: [message]}
    for name, text in changes.items():
        assert answer.context["form"][name].value() == text
    assert RatingSettings.objects.count() == 1


def test_back_to_the_published_values_keeps_the_unit_of_the_balance(owner_client, season):
    save(owner_client, season, f="0.09", g="1.1")
    edit = url("settings-edit", season, season.pool_id)
    form = owner_client.get(f"{edit}?published=1").context["form"]
    assert (form["f"].value(), form["g"].value(), form["balance_unit"].value()) == ("0.08158", "0.9575", "1")


@pytest.mark.parametrize("who", ["organizer", "member", "stranger", None])
def test_others_read_and_do_not_write(client, season, people, who):
    if who:
        client.force_login(people[who])
    page = text_of(client.get(url("settings", season, season.pool_id)))
    assert "Worth of the balance f" in page
    answer = client.post(url("settings-edit", season, season.pool_id), sent(season, f="0.1"))
    assert answer.status_code == (403 if who else 302)
    assert RatingSettings.objects.count() == 1


def test_a_pool_begins_with_the_pair_of_its_game(owner_client, season):
    page = owner_client.get(url("settings-edit", season, season.pool_id), {"preset": "3-2"})
    form = page.context["form"]
    assert (form["f"].value(), form["g"].value()) == ("0.10363", "1.33892")
    assert form["provisional_games"].value() == 10  # What the preset does not set stays.
    text = text_of(page)
    assert "inferred: no variance of places is printed for three" in text
    assert "f and g are those of this game" in text
    assert RatingSettings.objects.count() == 1
    save(owner_client, season, f=form["f"].value(), g=form["g"].value())
    params = profit_params_of(wanted_settings(season.pool_id))
    assert (params.f, params.g) == (0.10363, 1.33892)


@pytest.mark.parametrize("unknown", ["", "4", "5-5", "3-1", "x"])
def test_an_unknown_game_changes_nothing_in_the_form(owner_client, season, unknown):
    page = owner_client.get(url("settings-edit", season, season.pool_id), {"preset": unknown})
    assert (page.context["form"]["f"].value(), page.context["taken"]) == ("0.08158", "")


def test_a_new_game_with_its_own_pool_asks_which_game_it_is(owner_client, season):
    club = season.club
    sent = {"name": "Sanma", "kind": "mahjong-3", "entry_form": "scores", "table_size": "3", "pool": ""}
    page = owner_client.post(reverse("league:game-create", args=[club.slug]), sent, follow=True)
    game = club.games.get(name="Sanma")
    assert page.redirect_chain[-1][0] == url("settings-edit", season, game.pool_id)
    assert len(page.context["presets"]) == 6
