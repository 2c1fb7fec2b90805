"""TIER, sections 8 to 10: settings of a season, explanations that add up, the simulated season, what members read."""

import io
import json
import re
from collections import Counter
from dataclasses import asdict
from datetime import timedelta

import numpy as np
import pytest
from django.core.management import call_command
from django.urls import reverse

from entry.services.imports import import_events
from league.models import Event, Player
from ratings.engine.simulation.player_types import TYPES
from ratings.engine.simulation.scenario import published
from ratings.engine.tier.params import TierParams
from ratings.forms import SettingsForm
from ratings.models import RatedEntry
from reading.event_files.reader import read_event_file
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory, correct, enter
from tests.pages import markup_of
from tests.sources.tier_by_hand import BETA, NEUTRAL, NEW, evidence, field, two_players

OLD_BETA, NEW_BETA = 800.0, 300.0


def seven_points(client, season):
    page = markup_of(client.get(reverse("standings:how-it-works", args=[season.club.slug])))
    listed = re.search(r'<ol class="seven">(.*?)</ol>', page, re.DOTALL)[1]
    return [
        " ".join(re.sub(r"<[^>]+>", " ", point).split())
        for point in re.findall(r"<li>(.*?)</li>", listed, re.DOTALL)
    ]


def save_settings(client, club, **changes):
    """Send the settings form as a browser does: everything it shows, with these changes."""
    form = SettingsForm(None, values=asdict(TierParams()), revision=0)
    data = {name: form[name].value() for name in form.fields}
    data = {name: value for name, value in (data | changes).items() if value not in {False, None}}
    answer = client.post(reverse("ratings:settings-edit", args=[club.slug]), data)
    assert answer.status_code == 302, answer.context["form"].errors


@pytest.fixture
def two_eras(club, client, people):
    """Two seasons of one pool; the owner's settings of the second differ from those of the first in beta alone."""
    client.force_login(people["owner"])
    autumn = SeasonFactory(club=club, name="Autumn")
    spring = SeasonFactory(club=club, name="Spring", starts_on=START.date() + timedelta(days=10))
    plain = {name: str(value) for name, value in NEUTRAL.items()} | {"rate_floor": "0"}
    save_settings(client, club, **plain, beta=str(OLD_BETA))
    enter(autumn, "Ada\nBoris")
    enter(autumn, "Boris\nAda", day=1)
    enter(spring, "Ada\nBoris", day=12)
    recompute(autumn.pool_id)
    save_settings(client, club, **plain, beta=str(NEW_BETA), season=str(spring.pk), revision="1")
    recompute(autumn.pool_id)
    return autumn


def skills(day):
    stored = RatedEntry.objects.filter(starts_at=START + timedelta(days=day)).select_related("player")
    return {row.player.name: (row.posterior_mu, row.posterior_sigma) for row in stored}


def closed_form(*nights):
    """Skills of Ada and Boris after nights of a winner and a beta."""
    skill = {"Ada": NEW, "Boris": NEW}
    for winner, beta in nights:
        loser = "Boris" if winner == "Ada" else "Ada"
        skill[winner], skill[loser] = two_players(skill[winner], skill[loser], beta)
    return {name: pytest.approx(values, rel=1e-9) for name, values in skill.items()}


@pytest.mark.django_db
def test_tier_9_settings_take_effect_from_the_beginning_of_a_season(two_eras):
    """Specification of TIER, section 9: the constants may change with a season, whose events go by the new ones."""
    nights = [("Ada", OLD_BETA), ("Boris", OLD_BETA), ("Ada", NEW_BETA)]
    assert skills(12) == closed_form(*nights)
    assert skills(12) != closed_form(*nights[:2], ("Ada", OLD_BETA))


@pytest.mark.django_db
def test_tier_9_events_before_the_season_keep_their_settings(two_eras):
    """Specification of TIER, section 9: what was before the season stays by the old constants, a correction as well."""
    assert skills(0) == closed_form(("Ada", OLD_BETA))
    assert skills(1) == closed_form(("Ada", OLD_BETA), ("Boris", OLD_BETA))
    correct(Event.objects.get(starts_at=START + timedelta(days=1)), "Ada\nBoris")
    recompute(two_eras.pool_id)
    assert skills(1) == closed_form(("Ada", OLD_BETA), ("Ada", OLD_BETA))
    assert skills(12) == closed_form(("Ada", OLD_BETA), ("Ada", OLD_BETA), ("Ada", NEW_BETA))


@pytest.mark.django_db
def test_tier_10_members_are_told_the_seven_points(client, season):
    """Specification of TIER, section 10: the seven points of the publication, none untrue by the settings in force."""
    points = seven_points(client, season)
    said = [
        ("time to settle",), ("high in large and strong fields gains most", "low costs least in strong fields"),
        ("short stay", "up or down"), ("For the same place and hours, entering late brings less", "the less the later"),
        ("re-entry pays less", "not punished"), ("1.00", "3 % 0.97", "final table 0.95", "3 % 0.92", "0.80 to 0.90"),
        ("Playing a lot is not in itself a way up",),
    ]  # fmt: skip
    assert len(points) == 7
    for point, parts in zip(points, said, strict=True):
        for part in parts:
            assert part in point
    # Among the settings of today it costs only for the same place, and a re-entry is charged for being late.
    assert not re.search(r"always|never pays|neither punished nor rewarded", " ".join(points))


@pytest.mark.django_db
def test_tier_10_a_rate_settles_when_sigma_has_reached_its_floor(client, season):
    """Specification of TIER, section 10: about 15 events; here counted for a middle place of fifty settled players.

    The order alone is known, and an event of fifty lasts 300 minutes, so everybody has played 150.
    """
    params, sigma, n_events = asdict(TierParams()), 500.0, 0
    beta, middle = BETA / evidence(150, params), 24
    while sigma > 300.0:
        skill = field([(1500.0, 300.0)] * middle + [(1500.0, sigma)] + [(1500.0, 300.0)] * 25, beta)[middle]
        sigma, n_events = max(skill[1], 300.0), n_events + 1
    assert f"about {n_events} events" in seven_points(client, season)[0]
    assert 13 <= n_events <= 18


@pytest.mark.django_db
def test_tier_8_the_steps_of_every_explanation_add_up(client, season):
    """Specification of TIER, section 8: the steps printed for an entry add up to its change, to the tenth."""
    lines = ["event,date,player,number,place,registered_at,busted_at,starts_at,ends_at,closes_at"]
    came_and_went = [
        ("Ada", 1, "19:00", ""), ("Boris", 1, "19:00", "22:30"), ("Cleo", 2, "19:50", "22:10"),
        ("Dora", 1, "20:10", "22:00"), ("Emil", 1, "20:20", "21:50"), ("Fenja", 1, "19:00", "21:40"),
        ("Gus", 1, "19:00", "19:55"), ("Cleo", 1, "19:00", "19:44"),
    ]  # fmt: skip
    for place, (name, number, came, went) in enumerate(came_and_went, start=1):
        times = [f"2026-02-10T{time}" if time else "" for time in (came, went, "19:00", "22:30", "20:30")]
        lines.append(",".join(["timed", "2026-02-10", name, str(number), str(place), *times]))
    import_events(season, read_event_file("\n".join(lines), tz=season.club.tz).events, actor=None)
    recompute(season.pool_id)
    event, steps_seen = Event.objects.get(), set()
    for player in Player.objects.all():
        page = client.get(reverse("standings:explanation", args=[season.club.slug, event.pk, player.pk]))
        tables = re.findall(r"Steps of the change</caption>(.*?)</table>", markup_of(page), re.DOTALL)
        assert len(tables) == (2 if player.name == "Cleo" else 1)
        for table in tables:
            steps_seen |= add_up(table)
    assert {
        "Finishing order",
        "Certainty",
        "Weight of the place",
        "Balance of the field",
        "Late entry",
    } < steps_seen
    assert "Early bust: the field met" in steps_seen


def add_up(table):
    """Add the printed steps of a table from the rate before to the rate after, in tenths; return their names."""
    body = table.partition("<tbody>")[2]
    figures = re.findall(r"<td[^>]*>((?:(?!</td>).)*)</td><td[^>]*>([^<]*)</td></tr>", body)
    tenths = [
        [round(float(re.sub(r"<[^>]+>", "", text).replace("−", "-") or 0) * 10) for text in row]
        for row in figures
    ]
    (_, begin), *steps, (change, end) = tenths
    rate = begin
    for step, shown in steps:
        rate += step
        assert rate == shown
    assert rate == end
    assert end - begin == change
    return set(re.findall(r'<a class="why"[^>]*>([^<]+)</a>', body))


# The command prints only what comes of the season, so its counts are read from the season itself.
def test_tier_9_the_simulated_season_is_the_published_one():
    """Specification of TIER, section 9: 1000 players of five types, 250 events of 50, 75 of 100, twenty events each."""
    season = published(np.random.default_rng(5))
    history = season.history
    assert Counter(TYPES[kind] for kind in season.kind) == {
        "top": 50,
        "strong": 250,
        "average": 400,
        "weak": 250,
        "beginner": 50,
    }
    sizes = np.diff(history.offset)
    assert Counter(zip(sizes.tolist(), history.duration.tolist(), strict=True)) == {
        (50, 300.0): 250,
        (100, 600.0): 75,
    }
    assert np.bincount(history.player).tolist() == [20] * 1000
    assert set(history.table_size) == {9}
    assert not history.registered_at.any()
    assert set(history.number) == {1}
    for first, n, minutes in zip(history.offset, sizes, history.duration, strict=False):
        event = slice(first, first + n)
        assert len(set(history.player[event])) == n
        assert sorted(history.place[event]) == list(range(1, n + 1))
        busts = np.sort(history.busted_at[event])
        assert busts == pytest.approx([*np.linspace(0, minutes, n)[1:], minutes])


def test_tier_9_mean_places_of_the_types_are_as_printed():
    """Specification of TIER, section 9: 38.7, 46.9, 50.7, 54.6 and 62.6 % of the field, within three standard errors.

    One place is spread over the field by about 0.29 of it, and each player of a type has twenty of them in a season.
    """
    printed = {"top": 0.387, "strong": 0.469, "average": 0.507, "weak": 0.546, "beginner": 0.626}
    seeds = range(1, 21)
    players = {"top": 50, "strong": 250, "average": 400, "weak": 250, "beginner": 50}
    found = []
    for seed in seeds:
        out = io.StringIO()
        call_command("simulate", "--scenario", "published", "--seed", str(seed), stdout=out)
        found.append(json.loads(out.getvalue())["mean_place_fraction"])
    for name, mean in printed.items():
        error = 0.29 / np.sqrt(20 * players[name] * len(seeds))
        assert np.mean([one[name] for one in found]) == pytest.approx(mean, abs=3 * error + 0.0005)
    # All places together are the mean of 1/n to n/n: (n + 1)/2n, by half of the entries each of 50 and 100.
    everybody = (12_500 * 51 / 100 + 7_500 * 101 / 200) / 20_000
    assert [one["all"] for one in found] == pytest.approx([everybody] * len(found), abs=1e-9)
