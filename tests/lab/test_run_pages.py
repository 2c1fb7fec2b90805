"""Pages of the season laboratory: a new run, its progress, its report and its file."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from lab.models import LabRun
from lab.models.run import RunState
from lab.seasons.forms import RunForm, of_run, suggested
from lab.services.runs import cancel_run, compute_chunk
from league.models import Role
from payouts.queries import rules_of
from people.services.members import set_member
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, UserFactory, enter, names
from tests.lab.conftest import SMALL, compute_all

pytestmark = pytest.mark.django_db


def typed(**changes):
    """Fill in the form as a browser sends it."""
    values = suggested(None, None) | {"seasons": 40, "nights": 3, "seed": 7} | changes
    return {name: value for name, value in values.items() if value is not None}


@pytest.fixture
def as_role(club):
    def as_role(role):
        client, user = Client(), UserFactory()
        set_member(club, user=user, role=role, actor=None)
        client.force_login(user)
        return client

    return as_role


@pytest.fixture
def organizer(as_role):
    return as_role(Role.ORGANIZER)


def address(name, club, *args):
    return reverse(f"lab:{name}", args=[club.slug, *args])


def text_of(response):
    return unescape(response.content.decode())


def test_an_organizer_starts_a_run_and_reads_its_report(
    organizer, club, messages, django_capture_on_commit_callbacks
):
    page = organizer.get(address("runs", club))
    assert "No run yet" in text_of(page)
    assert organizer.get(address("run-create", club)).status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        response = organizer.post(address("run-create", club), typed())
    run = LabRun.objects.get()
    assert response.url == run.get_absolute_url()
    assert len(messages) == 2
    assert "0 of 40 seasons" in text_of(organizer.get(response.url))
    compute_chunk(messages[0])
    running = text_of(organizer.get(address("run-progress", club, run.pk)))
    assert "10 of 40 seasons" in running
    assert "So far: The best of 24 players wins the season" in running
    compute_all(run)
    assert organizer.get(address("run-progress", club, run.pk)).headers["HX-Refresh"] == "true"
    report = text_of(organizer.get(run.get_absolute_url()))
    assert "In 3 nights of 15 the best player wins" in report
    assert "This is a model." in report
    assert report.count("<svg") > 6
    assert "a draw would give 4.2 %" in report


def test_sending_the_form_twice_starts_one_run(organizer, club):
    form = typed()
    first, second = (organizer.post(address("run-create", club), form) for _time in range(2))
    assert first.url == second.url
    assert LabRun.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"nights": 0}, "nights"),
        ({"size": 25}, "size"),
        ({"size": 1}, "size"),
        ({"size": None}, "size"),
        ({"chance": 101}, "chance"),
        ({"late": 76}, "late"),
        ({"re_entry": -1}, "re_entry"),
        ({"top": 201}, "top"),
        ({"strong": 0, "average": 0, "weak": 0}, "players"),
        ({"structures": []}, "structures"),
        ({"structures": ["balance"]}, "structures"),
        ({"rules": ["best"]}, "best_n"),
        ({"rules": ["all", "best", "drop"], "best_n": 2, "drop_worst": 1}, "structures"),
        ({"attendance_points": "x"}, "attendance_points"),
        ({"seasons": 0}, "seasons"),
        ({"seed": -1}, "seed"),
        ({"form_token": ""}, "form_token"),
    ],
)
def test_bad_input_is_refused_at_its_field_and_kept(organizer, club, changes, field):
    response = organizer.post(address("run-create", club), typed(**changes))
    assert response.status_code == 200
    assert field in response.context["form"].errors
    assert f'value="{changes.get("seasons", 40)}"' in text_of(response)
    assert not LabRun.objects.exists()


def test_a_million_seasons_are_answered_with_a_number_that_suffices(organizer, club):
    page = organizer.post(address("run-create", club), typed(nights=12, seasons=1_000_000))
    assert "1000000 seasons would take about" in text_of(page)
    assert 'name="enough" value="20000"' in text_of(page)
    assert not LabRun.objects.exists()
    organizer.post(address("run-create", club), typed(nights=12, seasons=1_000_000, enough="20000"))
    assert LabRun.objects.get().n_seasons == 20_000


def test_a_second_run_waits_for_the_first(organizer, club, start):
    start()
    page = organizer.post(address("run-create", club), typed())
    assert "Another run of this club is not done yet" in text_of(page)


def test_members_read_and_only_organizers_start_and_cancel(as_role, club, start):
    run, member = start(), as_role(Role.MEMBER)
    assert member.get(run.get_absolute_url()).status_code == 200
    assert member.get(address("runs", club)).status_code == 200
    assert member.get(address("run-create", club)).status_code == 403
    assert member.post(address("run-cancel", club, run.pk)).status_code == 403
    assert Client().get(run.get_absolute_url()).status_code == 302
    assert LabRun.objects.get().is_running


def test_a_cancelled_run_says_so_and_can_be_run_again(organizer, club, start):
    run = start()
    compute_chunk(run.chunks.first().pk)
    assert organizer.get(address("run-cancel", club, run.pk)).status_code == 405
    for _time in range(2):
        page = organizer.post(address("run-cancel", club, run.pk), follow=True)
        assert "Cancelled at 10 seasons. Nothing was kept." in text_of(page)
    again = organizer.get(address("run-create", club), {"from": run.pk})
    assert again.context["form"].initial["seed"] == run.seed
    assert organizer.get(address("run-file", club, run.pk)).status_code == 404


def test_a_failed_run_says_so(organizer, club, start):
    run = start()
    LabRun.objects.update(state=RunState.FAILED)
    assert "The run failed" in text_of(organizer.get(run.get_absolute_url()))


def test_a_run_of_another_club_is_not_found(organizer, club, start):
    elsewhere = start(of=SeasonFactory().club)
    assert organizer.get(address("run", club, elsewhere.pk)).status_code == 404
    assert organizer.post(address("run-cancel", club, elsewhere.pk)).status_code == 404
    assert organizer.get(address("run-create", club), {"from": elsewhere.pk}).status_code == 404


def test_the_list_takes_as_many_queries_for_one_run_as_for_three(
    organizer, club, start, django_assert_num_queries, django_assert_max_num_queries
):
    cancel_run(start(token=1))
    with django_assert_max_num_queries(20) as one:
        organizer.get(address("runs", club))
    for token in (2, 3):
        cancel_run(start(token=token))
    with django_assert_num_queries(len(one)):
        organizer.get(address("runs", club))


def test_the_report_says_in_both_languages_what_is_chance(organizer, club, start):
    run = compute_all(start())
    for language, words in (("en", "within chance"), ("ja", "偶然")):
        organizer.get(reverse("league:language", args=[language]))
        page = text_of(organizer.get(run.get_absolute_url()))
        assert words in page
    translation.activate("en")


def test_the_file_has_a_row_for_each_structure(organizer, club, start):
    run = compute_all(start())
    lines = organizer.get(address("run-file", club, run.pk), {"bom": 0}).content.decode().splitlines()
    assert lines[0].startswith("structure,attendance_points,best_n")
    assert [line.split(",")[0] for line in lines[1:]] == ["vp_kid", "winner_takes_all"]
    assert {line.split(",")[4] for line in lines[1:]} == {"40"}


@pytest.fixture
def season(club):
    season = SeasonFactory(
        club=club, rules={"structure": {"name": "custom", "votes": ["50", "30"]}, "attendance_points": 2}
    )
    field = names(6)
    enter(season, "\n".join(field))
    enter(season, "\n".join(field[:4]), day=7)
    recompute(season.pool_id)
    return season


def test_the_players_of_the_season_and_its_own_structure_are_offered(organizer, club, season):
    page = organizer.get(address("run-create", club))
    form = page.context["form"]
    assert f"the 6 players of {season} by their ratings" in text_of(page)
    assert form.initial["players"] == "season"
    sent = typed(
        players="season", size=None, structures=["own", "linear"], rules=["all", "best"], best_n=2, late=50
    )
    run = LabRun.objects.get(pk=organizer.post(address("run-create", club), sent).url.split("/")[-2])
    scenario = compute_all(run).scenario
    assert sorted(scenario.attendance) == [0.5, 0.5, 1.0, 1.0, 1.0, 1.0]
    assert [variant.structure.name for variant in scenario.variants] == [
        "custom",
        "custom",
        "linear",
        "linear",
    ]
    report = text_of(organizer.get(run.get_absolute_url()))
    assert "the best 2 nights count" in report
    assert "Because 50 % come late, the final rate changes by" in report
    # What is run again with the same form is the same season.
    again = of_run(run) | {"form_token": sent["form_token"]}
    form = RunForm(
        {k: v for k, v in again.items() if v is not None}, field=form.field_of_season, own=form.own
    )
    assert form.is_valid(), form.errors
    assert form.scenario == scenario


def test_a_structure_is_taken_over_in_the_form_of_the_season(organizer, club, season, start):
    run = compute_all(start(season=season))
    report = text_of(organizer.get(run.get_absolute_url()))
    link = f"{reverse('payouts:season-edit', args=[club.slug, season.slug])}?structure=vp_kid&attendance_points=1&drop_worst=0"
    assert link in report
    form = organizer.get(link).context["form"]
    assert form.initial["structure"] == "vp_kid"
    assert (form.initial["votes"], form.initial["attendance_points"]) == ("", 1)
    assert rules_of(season).points_structure.name == "custom"
    unknown = organizer.get(f"{season.get_absolute_url()}edit/?structure=nonsense").context["form"]
    assert unknown.initial["structure"] == "custom"


def test_the_report_takes_few_queries(organizer, club, start, django_assert_max_num_queries):
    run = compute_all(start())
    with django_assert_max_num_queries(10):
        organizer.get(run.get_absolute_url())


def test_small_is_what_was_stored(start):
    assert LabRun.objects.get(pk=start().pk).scenario == SMALL
