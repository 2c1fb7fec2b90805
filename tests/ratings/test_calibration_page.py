"""The page on which a pool is calibrated, and the command that prints the same."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from league.models import Entry
from ratings.engine.profit.params import BALANCE_F
from ratings.models import ProfitRating, RatingSettings
from ratings.queries import profit_params_of, wanted_settings
from ratings.services.calibration import calibration_of
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory
from tests.pages import markup_of
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club):
    season = profit_season(club)
    add_games(season)
    return season


@pytest.fixture
def organizer(client, people):
    client.force_login(people["organizer"])
    return client


def url(season, page="calibrate"):
    return reverse(f"ratings:{page}", args=[season.club.slug, season.pool_id])


def sent(page, **changes):
    """What a browser sends from the form of a page, with these changes."""
    form = page.context["form"]
    return {name: form[name].value() for name in form.fields} | changes


def test_figures_warning_and_preview(organizer, season):
    page = organizer.get(url(season))
    text, found = markup_of(page), calibration_of(season.pool)
    assert "Players with at least 50 games: only 8" in text
    assert [figure.label[-1] for figure in page.context["figures"]] == ["l", "k", "f", "g"]
    assert f"{found.candidates['estimate'].f}" in text
    assert [row.player.name for row in page.context["rows"]] == list(
        ProfitRating.objects.order_by("-r").values_list("player__name", flat=True)
    )
    assert "8 players, all 200 games computed again" in text
    assert "The line follows skill" in text
    assert "Compute all of them again" in text
    assert sum(dot.is_regular for dot in page.context["charts"][0].dots) == 8


@pytest.mark.rest
def test_the_quick_start_is_chosen_while_there_are_few_players(organizer, season):
    page = organizer.get(url(season))
    assert sent(page)["parameters"].startswith("quick-start ")
    answer = organizer.post(url(season), sent(page), follow=True)
    assert "Adopted. The ratings are computed again." in markup_of(answer)
    adopted = wanted_settings(season.pool_id)
    assert (adopted.origin, adopted.season, adopted.changed_by.username) == (
        "quick-start",
        None,
        page.wsgi_request.user.username,
    )
    assert organizer.post(url(season), sent(page)).status_code == 302
    assert RatingSettings.objects.count() == 1
    recompute(season.pool_id)
    assert [line.origin for line in organizer.get(url(season)).context["history"]] == ["quick start"]
    changes = markup_of(organizer.get(reverse("standings:changes", args=[season.club.slug])))
    assert f"{BALANCE_F} → {adopted.params['f']}" in changes


def test_stretching_from_a_season_on(organizer, season, club):
    spring = SeasonFactory(club=club, name="Spring", starts_on=(START + timedelta(days=20)).date())
    page = organizer.get(url(season))
    assert "Stretch them when the season Spring begins" in markup_of(page)
    estimate = next(
        value for value, _label in page.context["form"]["parameters"].field.widget.choices if "est" in value
    )
    organizer.post(url(season), sent(page, parameters=estimate, season=spring.pk))
    adopted = wanted_settings(season.pool_id)
    assert (adopted.season, adopted.origin) == (spring, "estimate")
    (line,) = organizer.get(url(season)).context["history"]
    assert float(line.stretch) == pytest.approx(adopted.stretch, rel=0.01)


@pytest.mark.parametrize(
    "changes", [{"parameters": "estimate"}, {"parameters": ""}, {"season": "77"}, {"revision": "x"}]
)
def test_bad_input_is_answered_at_its_field(organizer, season, changes):
    answer = organizer.post(url(season), sent(organizer.get(url(season)), **changes))
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == list(changes)
    assert not RatingSettings.objects.exists()


def test_new_results_since_the_page_was_opened(organizer, season):
    data = sent(organizer.get(url(season)))
    add_games(season, seed=2, n_games=60, start=START + timedelta(days=10))
    answer = organizer.post(url(season), data)
    assert "Look at the new figures" in str(answer.context["form"].non_field_errors())
    assert not RatingSettings.objects.exists()


def test_taking_back(organizer, season):
    assert "Back to the parameters before" not in markup_of(organizer.get(url(season)))
    organizer.post(url(season), sent(organizer.get(url(season))))
    assert "Back to the parameters before" in markup_of(organizer.get(url(season)))
    answer = organizer.post(url(season, "calibrate-take-back"), {"revision": "1"}, follow=True)
    assert "Taken back." in markup_of(answer)
    assert profit_params_of(wanted_settings(season.pool_id)).f == BALANCE_F
    answer = organizer.post(url(season, "calibrate-take-back"), {"revision": "9"}, follow=True)
    assert "Somebody else has changed these settings" in markup_of(answer)


def test_few_games_and_tables_of_three(organizer, club):
    season = profit_season(club)
    add_games(season, n_games=9, n_seats=3)
    text = markup_of(organizer.get(url(season)))
    assert "Nobody has published parameters for tables of 3." in text
    assert "Games so far: 9." in text
    assert "A dot for each player" in text
    assert "The line follows skill" not in text  # none is drawn
    assert 'name="parameters"' not in text


def test_a_game_with_a_wrong_sum_is_named(organizer, season):
    wrong = season.events.first()
    Entry.objects.filter(event=wrong, place=1).update(balance=999)
    page = organizer.get(url(season))
    assert page.context["left_out"] == [wrong]
    assert wrong.get_absolute_url() in markup_of(page)


def test_a_pool_that_is_not_rated_by_balances(organizer, club):
    assert "there is nothing to calibrate" in markup_of(organizer.get(url(SeasonFactory(club=club))))


def test_pages_of_one_and_of_many_games_take_the_same_number_of_queries(
    organizer, season, django_assert_max_num_queries, django_assert_num_queries
):
    with django_assert_max_num_queries(30) as counted:
        organizer.get(url(season))
    n = len(counted)
    add_games(season, seed=2, n_games=60, n_members=12, start=START + timedelta(days=10))
    with django_assert_num_queries(n):
        organizer.get(url(season))


def called(*arguments):
    out = StringIO()
    call_command("calibrate_profit", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_figures_and_preview(season):
    answer = json.loads(called("--club", season.club.slug))
    found = calibration_of(season.pool)
    assert answer["f"] == {"value": found.found.f.value, "low": found.found.f.low, "high": found.found.f.high}
    assert (answer["games"], answer["enough"], answer["why"]) == (200, False, ["few_regulars"])
    assert answer["candidates"]["quick-start"]["f"] == found.candidates["quick-start"].f
    assert answer["players"] == ProfitRating.objects.count()
    text = called("--club", season.club.slug, "--format", "text")
    assert "Too few to adopt with confidence." in text
    assert "Player 03" in text


def test_the_command_adopts_and_adopts_again(season):
    called("--club", season.club.slug, "--pool", season.pool.name, "--adopt", "quick-start")
    called("--club", season.club.slug, "--adopt", "quick-start")
    assert wanted_settings(season.pool_id).origin == "quick-start"
    assert RatingSettings.objects.count() == 1


@pytest.mark.parametrize(
    "arguments", [("--club", "nowhere"), ("--club", "{club}", "--pool", "Nowhere"), ("--file", "nowhere.csv")]
)
def test_the_command_names_what_is_wrong(season, arguments):
    with pytest.raises(CommandError, match=r"nowhere|Nowhere"):
        called(*(argument.format(club=season.club.slug) for argument in arguments))


def test_the_command_adopts_nothing_without_results(club):
    season = profit_season(club)
    with pytest.raises(CommandError, match="quick-start"):
        called("--club", season.club.slug, "--adopt", "quick-start")


def test_the_command_reads_a_file_by_the_players_of_its_tables(tmp_path):
    """Four at one table and three at another: the figures of each come from tables of its own."""
    rows = ["event,date,player,place,balance"]
    for game in range(30):
        four, three = ((30, 10, -10, -30), "ABCD"), ((20, 0, -20), "EFG")
        for letter, (balances, names) in zip("xy", (four, three), strict=True):
            turned = names[game % 3 :] + names[: game % 3]
            rows += [
                f"{letter}{game},2026-01-01,{name},{place},{1000 * balance}"
                for place, (name, balance) in enumerate(zip(turned, balances, strict=True), start=1)
            ]
    path = tmp_path / "games.csv"
    path.write_text("\n".join(rows))
    four, three = (json.loads(called("--file", str(path), "--players", n)) for n in ("4", "3"))
    assert (four["games"], four["players"], three["games"], three["players"]) == (30, 4, 30, 3)
    # l: the mean square of the balances by that of the results of places, 6, 2, -2, -6 and 6, 0, -6.
    assert four["l"]["value"] == pytest.approx((900 + 100) / (36 + 4))
    assert three["l"]["value"] == pytest.approx((400 * 2 / 3) / (36 * 2 / 3))
    assert four["enough"] is False
    assert "few_games" in four["why"]
    with pytest.raises(CommandError, match="--adopt"):
        called("--file", str(path), "--adopt")
