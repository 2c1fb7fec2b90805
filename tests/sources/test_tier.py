"""TIER, sections 1 and 2: the state of a player, the rate, the badge, and the core model of one event."""

import random
import re
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from django.core.management.base import CommandError
from django.urls import reverse

from ratings.engine.chain import rate_field
from ratings.engine.tier.params import TierParams
from ratings.models import RatedEntry
from ratings.services.settings import set_rating_settings
from standings.recomputation.service import recompute
from tests.factories import enter
from tests.pages import markup_of
from tests.sources.tier_by_hand import (
    BETA,
    NEUTRAL,
    NEW,
    K,
    L,
    after,
    entries_of,
    field,
    place_of_equals,
    rate_file,
    rate_of,
    rows,
    steps_of,
    two_players,
)

BADGES = [
    ("S", 2000), ("A1", 1900), ("A2", 1800), ("A3", 1700), ("B1", 1600), ("B2", 1500), ("B3", 1400), ("C1", 1300),
    ("C2", 1200),
]  # fmt: skip
TWELVE = [f"p{i:02}" for i in range(12)]


def without(name):
    """Leave one of the neutral settings at its default."""
    return {other: value for other, value in NEUTRAL.items() if other != name}


def settings_shown(client, season):
    """Value and default of each setting, by the label that the settings page gives it."""
    page = markup_of(client.get(reverse("ratings:settings", args=[season.club.slug])))
    found = re.findall(r'<th scope="row">([^<]+)<.*?</th><td[^>]*>([^<]*)</td><td[^>]*>([^<]*)<', page)
    return {label: (value, default) for label, value, default in found}


def leaderboard(client, season):
    where = reverse("standings:leaderboard", args=[season.club.slug, season.slug])
    return markup_of(client.get(where, {"by": "tier"}))


def play_at_the_floor(season, floor):
    """Let a newcomer and three others stand at the floor of the rate, by beginning a thousand points below it."""
    set_rating_settings(season.pool, TierParams(mu0=floor - 1000, rate_floor=floor), revision=0, actor=None)
    for day in range(3):
        enter(season, "Ada\nBoris\nCleo", day=day)
    enter(season, "Ada\nDora", day=3)
    recompute(season.pool_id)


@pytest.mark.django_db
def test_tier_1_new_players_start_at_1500_with_a_sigma_of_500(client, season):
    """Specification of TIER, section 1: start (1500, 500), on the settings page and in the first rated entry."""
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    shown = settings_shown(client, season)
    assert (shown["Mean"], shown["Uncertainty σ"]) == (("1500", "1500"), ("500", "500"))
    assert set(RatedEntry.objects.values_list("prior_mu", "prior_sigma")) == {NEW}


@pytest.mark.django_db
def test_tier_1_k_leaves_four_fifths_of_the_skill_above(client, season, tmp_path):
    """Specification of TIER, section 1: 80 % of the skill is above mu - K sigma: K is the normal quantile of 0.8."""
    assert settings_shown(client, season)["Caution K"] == (f"{K:.6f}", f"{K:.6f}")
    output = rate_file(tmp_path, rows("A", ["ann", "bob"]))
    assert output["params"]["conservatism"] == pytest.approx(K, abs=5e-12)


@pytest.mark.django_db
def test_tier_1_l_is_440_k(client, season, tmp_path):
    """Specification of TIER, section 1: L = K * 440 = 370.3133, which shows mu itself at a sigma of 440."""
    assert settings_shown(client, season)["Offset L"] == ("370.313", "370.313")
    output = rate_file(tmp_path, rows("A", ["ann", "bob"]))
    assert output["params"]["offset"] == pytest.approx(L, abs=5e-9)


def test_tier_1_rate_is_mu_minus_k_sigma_plus_l(tmp_path):
    """Specification of TIER, section 1: rate = mu - K sigma + L; a new player has 1500 - 60 K = 1449.50."""
    output = rate_file(tmp_path, [line for day in range(1, 6) for line in rows(str(day), TWELVE, day)])
    first = entries_of(output)["p00", 1]
    assert first["rate_before"] == pytest.approx(1500 - 60 * K, abs=1e-8) == pytest.approx(1449.50, abs=0.005)
    above = [player for player in output["players"] if player["rate"] > 900]
    assert len(above) >= 6
    for player in above:
        assert player["rate"] == pytest.approx(rate_of(player["mu"], player["sigma"]), abs=1e-8)


def test_tier_2_two_players_follow_the_closed_form(tmp_path):
    """Specification of TIER, section 2: beta is 1000, and two players follow the closed form, event after event."""
    winners = ["ann", "bob", "bob", "bob", "ann"]
    beaten = {"ann": "bob", "bob": "ann"}
    nights = enumerate(winners, start=1)
    lines = [line for day, name in nights for line in rows(str(day), [name, beaten[name]], day)]
    output = rate_file(tmp_path, lines, None, "--plain")
    assert output["params"]["beta"] == 1000
    skill = {"ann": NEW, "bob": NEW}
    for at, name in enumerate(winners):
        loser = beaten[name]
        skill[name], skill[loser] = two_players(skill[name], skill[loser])
        for who, entry in entries_of(output, at).items():
            assert after(entry) == pytest.approx(skill[who[0]], rel=1e-9)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_tier_2_small_fields_are_within_a_fifth_of_a_point_of_the_exact_moments(tmp_path, n):
    """Specification of TIER, section 2: three to five players differ from the exact moments only as EP itself does."""
    output = rate_file(tmp_path, rows("A", TWELVE[:n]), None, "--plain")
    for place, name in enumerate(TWELVE[:n], start=1):
        exact = place_of_equals(place, n)
        assert after(entries_of(output)[name, 1]) == pytest.approx(exact, abs=0.2)


def test_tier_2_a_field_is_rated_by_expectation_propagation(tmp_path):
    """Specification of TIER, section 2: a field equals an independent computation of the model to 1e-6 relative."""
    draw = random.Random(1)
    orders = [draw.sample(TWELVE, 12) for _ in range(4)]
    lines = [line for day, order in enumerate(orders, 1) for line in rows(str(day), order, day)]
    output = rate_file(tmp_path, lines, NEUTRAL)
    skill = dict.fromkeys(TWELVE, NEW)
    for at, order in enumerate(orders):
        skill |= dict(zip(order, field([skill[name] for name in order]), strict=True))
        for name in order:
            assert after(entries_of(output, at)[name, 1]) == pytest.approx(skill[name], rel=1e-6)


def test_tier_1_sigma_never_falls_below_300(tmp_path):
    """Specification of TIER, section 1: sigma stops at its floor of 300, where another event would bring it below."""
    draw = random.Random(2)
    orders = [draw.sample(TWELVE, 12) for _ in range(22)]
    lines = [line for day, order in enumerate(orders, 1) for line in rows(f"{day:02}", order, day)]
    output = rate_file(tmp_path, lines, without("sigma_floor"))
    skill, n_stopped = dict.fromkeys(TWELVE, NEW), 0
    for at, order in enumerate(orders):
        for name, (mu, sigma) in zip(order, field([skill[name] for name in order]), strict=True):
            skill[name] = (mu, max(sigma, 300.0))
            entry = entries_of(output, at)[name, 1]
            assert after(entry) == pytest.approx(skill[name], abs=1e-3)
            assert ("sigma" in entry["floors"]) == (sigma < 300)
            n_stopped += sigma < 300
    assert n_stopped > 12


def test_tier_1_the_rate_is_never_below_900_and_mu_moves_with_it(tmp_path):
    """Specification of TIER, section 1: an event that would bring the rate below 900 sets mu so that it is 900."""
    orders = [TWELVE[1:] + TWELVE[:1]] * 26 + [TWELVE] * 4
    lines = [line for day, order in enumerate(orders, 1) for line in rows(f"{day:02}", order, day)]
    output = rate_file(tmp_path, lines, without("rate_floor"))
    skill, lifted = dict.fromkeys(TWELVE, NEW), 0
    for at, order in enumerate(orders):
        for name, (mu, sigma) in zip(order, field([skill[name] for name in order]), strict=True):
            skill[name] = (max(mu, 900 - L + K * sigma), sigma)
            entry = entries_of(output, at)[name, 1]
            assert after(entry) == pytest.approx(skill[name], abs=1e-3)
            assert steps_of(entry)["rate_floor"] == pytest.approx(skill[name][0] - mu, abs=1e-3)
            lifted += skill[name][0] > mu
    assert lifted > 20


def test_tier_1_a_win_after_26_last_places_counts_at_once(tmp_path):
    """Specification of TIER, section 1: no debt grows below 900 that would swallow the wins that follow."""
    orders = [TWELVE[1:] + TWELVE[:1]] * 26 + [TWELVE] * 4
    lines = [line for day, order in enumerate(orders, 1) for line in rows(f"{day:02}", order, day)]
    output = rate_file(tmp_path, lines)
    rates = [entries_of(output, at)["p00", 1]["rate_after"] for at in range(30)]
    at_floor = after(entries_of(output, 25)["p00", 1])
    assert rates[25] == pytest.approx(900, abs=1e-8) == pytest.approx(rate_of(*at_floor), abs=1e-6)
    assert all(later - earlier > 1 for earlier, later in pairwise(rates[25:]))
    assert min(player["rate"] for player in output["players"]) >= 900


@pytest.mark.django_db
def test_tier_1_the_ten_badges_begin_a_hundred_apart(client, season):
    """Specification of TIER, section 1: S from 2000, then every hundred down to C2 from 1200, and C3 below."""
    page = markup_of(client.get(reverse("standings:how-it-works", args=[season.club.slug])))
    shown = re.findall(r"</span>(S|[ABC]\d)</span></span>(\d{4}|below)</li>", page)
    assert shown == [*((name, str(least)) for name, least in BADGES), ("C3", "below")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rate", "shown", "badge"),
    [(2000.0, "2000", "S"), (1999.9, "1999", "A1"), (1399.6, "1399", "C1"), (1200.0, "1200", "C2"),
     (1199.5, "1199", "C3")],
)  # fmt: skip
def test_tier_1_number_and_badge_never_disagree(client, season, rate, shown, badge):
    """Specification of TIER, section 1: lower bounds are inclusive, and the number is the rate rounded down."""
    play_at_the_floor(season, rate)
    row = re.search(r'<tr id="p\d+">(?:(?!</tr>).)*>Cleo<.*?</tr>', leaderboard(client, season))[0]
    assert re.search(r'class="rate">(?:<svg.*?</svg>)?(\d+)<', row)[1] == shown
    assert re.search(r"</span>(S|[ABC]\d)</span>", row)[1] == badge


@pytest.mark.django_db
def test_tier_1_no_number_of_the_leaderboard_is_rounded_up(client, season):
    """Specification of TIER, section 1: the number shown is the rate rounded down everywhere, beside the table too."""
    play_at_the_floor(season, 1999.9)
    page = leaderboard(client, season)
    beside = page.partition('class="prov-t"')[2].partition("</table>")[0]
    assert re.findall(r'>Dora<.*?</span>(S|[ABC]\d)</span></span></td><td class="n">(\d+)<', beside) == [
        ("A1", "1999")
    ]


@pytest.mark.parametrize(("n_entries", "provisional"), [(1, True), (2, True), (3, False)])
def test_tier_1_placement_lasts_three_entries_not_events(tmp_path, n_entries, provisional):
    """Specification of TIER, section 1: provisional with fewer than three entries, and re-entries are entries."""
    again = [{"player": "ann", "number": number} for number in range(n_entries, 0, -1)]
    output = rate_file(tmp_path, rows("A", [again[0], "bob", *again[1:], "cat"]))
    players = {player["player"]: player["provisional"] for player in output["players"]}
    assert players == {"ann": provisional, "bob": True, "cat": True}


@pytest.mark.django_db
def test_tier_1_a_provisional_player_is_never_at_the_top(client, season):
    """Specification of TIER, section 1: the best rate of all has no position while it is provisional."""
    for day in range(4):
        enter(season, "Boris\nCleo" if day % 2 else "Cleo\nBoris", day=day)
    enter(season, "Ada\nDora\nEmil\nFenja\nGus\nBoris\nCleo", day=4)
    recompute(season.pool_id)
    last = RatedEntry.objects.filter(n_entries=7).order_by("-posterior_rate")
    assert last[0].player.name == "Ada"
    ranked, _, below = leaderboard(client, season).partition("<tbody>")[2].partition("In placement")
    assert re.findall(r'<th scope="row"><a[^>]*>(\w+)<', ranked) == ["Boris", "Cleo"]
    assert re.search(r">Ada<.*?Provisional badge", below)


@pytest.mark.parametrize("n", [2, 3, 40])
def test_tier_2_a_field_that_ties_is_exact(tmp_path, n):
    """Specification of TIER, section 2: tied is of equal performance: n equal players share one of variance s^2/n."""
    everybody = [{"player": f"p{i}", "place": 1} for i in range(n)]
    output = rate_file(tmp_path, rows("A", everybody), None, "--plain")
    share = 500**2 / (500**2 + BETA**2)
    sigma = np.sqrt(500**2 * (1 - share) + share**2 * (500**2 + BETA**2) / n)
    for entry in entries_of(output).values():
        assert after(entry) == pytest.approx((1500, sigma), rel=1e-9)


@pytest.mark.parametrize("n", [2, 3, 10_000])
def test_tier_2_any_size_of_field_is_finite_ordered_and_reduces_sigma(tmp_path, n):
    """Specification of TIER, section 2: finite, ordered and variance-reducing for 2 to 10,000 players."""
    output = rate_file(tmp_path, rows("A", [f"p{i}" for i in range(n)]), {"rate_floor": -1e6})
    found = np.array([after(entry) for entry in output["events"][0]["entries"]])
    assert len(found) == n
    assert np.isfinite(found).all()
    assert (np.diff(found[:, 0]) < 0).all()
    assert ((found[:, 1] < 500) & (found[:, 1] >= 300)).all()


def test_tier_2_one_player_alone_is_refused(tmp_path):
    """Specification of TIER, section 2: a field has 2 to 10,000 players; one alone is no result."""
    with pytest.raises(CommandError, match=r"events\.csv"):
        rate_file(tmp_path, rows("A", ["ann"]))


# No command or page takes such priors.
@pytest.mark.parametrize("gap", [20.0, 1e3, 1e6])
@pytest.mark.parametrize("sigma", [1e-3, 500.0])
def test_tier_2_an_upset_of_any_size_follows_the_closed_form(gap, sigma):
    """Specification of TIER, section 2: the closed form holds for upsets over mu gaps of up to 1e6 sigma."""
    found = rate_field([1500, 1500 + gap * sigma], [sigma, sigma], [1, 2], beta=1000)
    with mpmath.workdps(60):
        c = mpmath.sqrt(2 * mpmath.mpf(1000) ** 2 + 2 * mpmath.mpf(sigma) ** 2)
        t = (mpmath.mpf(1500) - mpmath.mpf(1500 + gap * sigma)) / c
        v = mpmath.npdf(t) / (mpmath.erfc(-t / mpmath.sqrt(2)) / 2)
        gain, left = sigma**2 / c * v, mpmath.sqrt(1 - sigma**2 / c**2 * v * (v + t))
        expected = float(1500 + gain), float(sigma * left)
    assert (found.mu[0], found.sigma[0]) == pytest.approx(expected, rel=1e-12)
