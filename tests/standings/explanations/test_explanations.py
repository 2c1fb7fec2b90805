"""The page that says why a rate changed: words and figures of each case, and the links to it."""

import html
import re
from dataclasses import replace
from datetime import UTC, datetime
from math import floor

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from entry.services.imports import import_events
from league.formats import ordinal
from league.models import Event, Player
from ratings.engine.tier.params import TierParams
from ratings.models import RatedEntry
from ratings.queries import params_of, wanted_settings
from ratings.services.settings import set_rating_settings
from reading.event_files.reader import read_event_file
from standings.explanations.figures import split
from standings.explanations.sentences import STEPS
from standings.explanations.steps import explained_event
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter, names

pytestmark = pytest.mark.django_db
HEAD = "event,date,player,number,place,registered_at,busted_at,starts_at,ends_at,closes_at"
# Ivo and Kit are out before Mia and Juno register; Ivo re-enters.
TIMED_RESULT = """\
Ace,1,1,19:00,
Lark,1,2,19:00,22:30
Ivo,2,3,19:50,22:10
Mia,1,4,20:10,22:00
Juno,1,5,20:20,21:50
Gray,1,6,19:00,21:40
Kit,1,7,19:00,19:55
Ivo,1,8,19:00,19:44
"""


def timed_event(season, *, closes="20:30"):
    day = "2026-02-10"
    lines = [HEAD]
    for line in TIMED_RESULT.splitlines():
        player, number, place, came, went = line.split(",")
        times = [f"{day}T{time}" if time else "" for time in (came, went, "19:00", "22:30", closes)]
        lines.append(",".join(["timed", day, player, number, place, *times]))
    read = read_event_file("\n".join(lines), tz=season.club.tz)
    assert not read.problems
    import_events(season, read.events, actor=None)
    recompute(season.pool_id)
    return Event.objects.get(season=season, key="timed")


def address(event, name):
    player = Player.objects.get(club=event.season.club, name=name)
    return reverse("standings:explanation", args=[event.season.club.slug, event.pk, player.pk])


def text_of(answer):
    page = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    page = re.sub(r"<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


def why(client, event, name):
    answer = client.get(address(event, name))
    assert answer.status_code == 200
    return text_of(answer)


def set_params(season, **changes):
    wanted = wanted_settings(season.pool_id)
    params = replace(params_of(wanted), **changes)
    set_rating_settings(season.pool, params, revision=wanted.revision if wanted else 0, actor=None)
    recompute(season.pool_id)


def test_an_early_bust_is_explained(client, season):
    event = timed_event(season)
    page = why(client, event, "Kit")
    rated = RatedEntry.objects.get(player__name="Kit")
    assert f"Why Kit’s rate went from {floor(rated.prior_rate)} to {floor(rated.posterior_rate)}" in page
    assert "Kit finished worse than expected (6th of 7, expected 4th): skill −" in page
    assert "6th of 7, where 4.0 was expected, on its own costs " in page
    assert (
        "Of those players, 2 had not registered yet when Kit went out, so only the 5 who had are counted"
        in page
    )
    assert "The 55 minutes at the table are in that already: they carry a weight of evidence of 0.51" in page
    assert "The weight of the place (final table: 0.95) gives back " in page
    assert "The badge is C1 for now: it counts from entry 3 on." in page
    assert "In at 19:00. Out at 19:55. Registration was open until 20:30. No floor applied." in page
    assert "assumed" not in page
    assert "6th of 7 players (of 8 entries: 7th), expected 4.0; H 0.51: 55 minutes, tables of 9" in page
    assert "TIER with its default settings" in page


def test_a_late_entry_is_explained(client, season):
    event = timed_event(season)
    page = why(client, event, "Mia")
    assert "When Mia registered, 2 of 7 entries were out already: that takes off " in page
    assert f"2 of 7 out: 1.25 × ({TierParams().late_a} × " in page
    assert "Late entry 2 of 7 out" in page
    unused = why(client, event, "Ace").partition("Changed nothing here: ")[2]
    assert unused.startswith("Early bust: the field met, Weight of the place, Late entry, Floor of the rate")


def test_a_player_with_two_entries_has_a_part_for_each(client, season):
    event = timed_event(season)
    page = why(client, event, "Ivo")
    result = explained_event(event, Player.objects.get(name="Ivo"))
    first, second = result.entries
    assert f"went from {result.rate_from // 10} to {result.rate_to // 10}" in page
    assert first.rate_to == second.rate_from
    assert "2 entries, each rated like a player of its own: " in page
    assert page.count("Step by step") == 2
    assert "Entry 1" in page
    assert "Entry 2" in page
    assert "In at 19:50. Out at 22:10." in page


def test_every_change_of_a_season_adds_up_as_shown(client, season):
    event = timed_event(season)
    for day in range(6):
        enter(season, "\n".join(names(4 + day)), day=40 + day)
    recompute(season.pool_id)
    for event in Event.objects.select_related("season__club", "season__pool"):
        for player in Player.objects.filter(entries__event=event).distinct():
            for explained in explained_event(event, player).entries:
                assert explained.rate_from + sum(step.tenths for step in explained.steps) == explained.rate_to
                *parts, together = split(explained, TierParams())
                assert sum(part.tenths for part in parts) == together.tenths == explained.change
                exact = dict(explained.why.steps)
                for step in explained.steps:
                    assert abs(step.tenths - exact[step.name] * 10) < 2


def test_times_not_recorded_are_marked_as_assumed(client, season, enter_event):
    event = enter_event("Ada\nBoris\nCleo\nDana\nAda #1")
    page = why(client, event, "Cleo")
    first = page.partition("Cleo’s rate")[2]
    assert (
        "Nobody wrote down how long Cleo played, so the mean of the event is taken: 15 minutes at the table. Cleo"
        in first
    )
    assert "Registration was not recorded: taken for the start at 19:30." in page
    assert (
        "How long it was at the table was not recorded: the mean of the event is taken, 15 minutes." in page
    )
    assert "The end was not recorded: 6 minutes for each entry are assumed." in page
    assert "When registration closed was not recorded: taken for open to the end." in page
    assert "the mean of the event is taken, 15 minutes." in why(client, event, "Ada")
    timed = enter_event("Ada\nBoris @21:00\nAda #1 @20:00", day=1)
    winner = why(client, timed, "Ada").partition("Entry 2")[2]
    assert "Stayed to the end." in winner
    assert "the mean of the event" not in winner
    assert "taken for the moment when the entry before was out." in why(client, timed, "Ada")


def test_floors_are_mentioned_only_where_they_applied(client, season, enter_event):
    event = enter_event("Ada\nBoris")
    assert "No rate is below" not in why(client, event, "Boris")
    set_params(season, rate_floor=1420.0, sigma_floor=499.0)
    page = why(client, event, "Boris")
    assert "No rate is below 1420: skill is set so that it is 1420, which changes it by +" in page
    assert "The floors of σ and of the rate applied: 499 and 1420." in page
    assert "TIER, revision 1" in page
    page = why(client, event, "Ada")
    assert "One more result seen: σ from 500.0 to 499.0." in page
    assert "The floor of σ applied: 499." in page
    set_params(season, rate_floor=2000.0)
    assert "Why Ada’s rate stayed at 2000" in why(client, event, "Ada")


def test_skill_and_certainty_are_the_terms_of_the_rate(client, season, enter_event):
    """rate = mu - K sigma + L: skill is the change of mu, certainty that of -K sigma, each as printed."""
    for day in range(4):
        event = enter_event("Ada\nBoris\nCleo\nDana", day=day)
    page = why(client, event, "Boris")
    rated = RatedEntry.objects.get(event=event, player__name="Boris")
    K = TierParams().conservatism
    skill = rated.posterior_mu - rated.prior_mu
    certainty = K * (rated.prior_sigma - rated.posterior_sigma)
    shown = re.search(
        r"skill ([+−][\d.]+)\. We are surer of Boris: ([+−][\d.]+)\. Together that makes ([+−][\d.]+),", page
    )
    printed = [float(text.replace("−", "-")) for text in shown.groups()]
    assert printed[0] == pytest.approx(skill, abs=0.11)
    assert printed[1] == pytest.approx(certainty, abs=0.11)
    assert round(printed[0] + printed[1], 1) == printed[2]
    assert "finished where we expected (2nd of 4)" in page


def test_each_step_links_to_its_explanation(client, season):
    event = timed_event(season)
    pages = "".join(client.get(address(event, name)).content.decode() for name in ("Kit", "Mia"))
    how = f"{reverse('standings:how-it-works', args=[season.club.slug])}?pool={season.pool_id}"
    explained = client.get(how).content.decode()
    for name in STEPS:
        assert f'href="{how}#{name}"' in pages
        assert f'id="{name}"' in explained


def test_drift_between_two_events_is_explained(client, season, enter_event):
    enter_event("Ada\nBoris")
    event = enter_event("Ada\nBoris", day=16)
    assert "since the event before" not in why(client, event, "Ada")
    assert "days had passed" not in why(client, event, "Ada")
    set_params(season, tau_per_day=20.0)
    assert "16 days had passed since the event before: σ went from 4" in why(client, event, "Ada")


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ("soft", "A season began since the event before, with a soft reset: σ went from 4"),
        (
            "full",
            "A season began since the event before, with a full reset: everybody starts as a new player",
        ),
    ],
)
def test_a_reset_at_the_start_of_a_season_is_explained(client, season, policy, sentence):
    enter(season, "Ada\nBoris")
    later = SeasonFactory(club=season.club, starts_on=datetime(2026, 2, 1, tzinfo=UTC).date())
    event = enter(later, "Ada\nBoris", day=40)
    set_params(season, season_start=policy, season_sigma=499.0)
    assert sentence in why(client, event, "Ada")


def test_a_result_not_computed_yet_is_marked(client, season):
    event = enter(season, "Ada\nBoris")
    page = why(client, event, "Ada")
    assert "Why Ada’s rate changed" in page
    assert "This result has not been computed yet." in page
    assert "Computing points and ratings." in page


def test_a_player_who_did_not_play_is_not_found(client, season, enter_event):
    event = enter_event("Ada\nBoris")
    enter_event("Cleo\nBoris", day=1)
    other = SeasonFactory()
    elsewhere = enter(other, "Zoe\nBoris")
    assert client.get(address(event, "Ada")).status_code == 200
    assert client.get(address(event, "Cleo")).status_code == 404
    stranger = Player.objects.get(club=other.club, name="Zoe")
    for slug, event_id, player_id in (
        (season.club.slug, event.pk, stranger.pk),
        (season.club.slug, elsewhere.pk, stranger.pk),
        (other.club.slug, event.pk, stranger.pk),
        (season.club.slug, event.pk, 9**20),
    ):
        url = reverse("standings:explanation", args=[slug, event_id, player_id])
        assert client.get(url).status_code == 404


def test_every_change_links_to_its_explanation(client, season, enter_event):
    for day in range(3):
        first = enter_event("Ada\nBoris\nCleo", day=day)
    Player.objects.get(name="Ada")
    last = enter_event("Boris\nAda", day=3)
    ada, cleo = address(last, "Ada"), address(last, "Cleo")

    def page(name, *arguments, query=""):
        return client.get(reverse(name, args=[season.club.slug, *arguments]) + query).content.decode()

    for by in ("points", "tier", "profit"):
        board = page("standings:leaderboard", season.slug, query=f"?by={by}")
        assert board.count(f'href="{ada}"') == 2  # the table and the movers
        assert f'href="{cleo}"' not in board  # she did not play
    own = ada.removeprefix(last.get_absolute_url())  # of the event's page the links are relative
    assert f'href="{own}"' in page("standings:event", last.pk)
    player = page("standings:player", Player.objects.get(name="Ada").pk)
    assert player.count(f'href="{ada}"') == 2
    assert f'href="{address(first, "Ada")}"' in player


def test_a_row_not_computed_yet_has_no_link(client, season):
    event = enter(season, "Ada\nBoris")
    page = client.get(reverse("standings:event", args=[season.club.slug, event.pk])).content.decode()
    assert 'class="why"' not in page


@pytest.mark.parametrize("text", ["Ada\nBoris", "Ada\nBoris\nAda #2\nCleo x3\nAda #1"])
def test_the_same_queries_for_one_entry_and_for_three(client, season, enter_event, text):
    event = enter_event(text)
    url = address(event, "Ada")
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    assert len(captured) == 7


def test_markup_in_a_name_is_text(client, season, enter_event):
    event = enter_event("<b>Ada</b>\nBoris %(name)s")
    for player in Player.objects.all():
        url = reverse("standings:explanation", args=[season.club.slug, event.pk, player.pk])
        page = client.get(url).content.decode()
        assert "<b>Ada" not in page
        assert html.escape(player.name) in page


def test_a_moved_or_corrected_event_waits_for_its_recomputation(client, season, enter_event):
    """The old rows are shown, and the state line says that they are."""
    event = enter_event("Ada\nBoris")
    enter(season, "Cleo\nAda", day=-1)
    page = why(client, event, "Ada")
    assert "Until then the old numbers stand." in page
    assert "Why Ada’s rate went from" in page


def test_ordinals():
    numbers = (1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 23, 101, 111, 112)
    assert [ordinal(n) for n in numbers] == [
        "1st", "2nd", "3rd", "4th", "10th", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st", "111th", "112th",
    ]  # fmt: skip
