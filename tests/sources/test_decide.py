"""Fold, call or raise by expected utility, styles, duels and the sit-and-go (spec/vpip-and-npc.md, sections 2 to 4).

Amounts in the formulas are shares of the stack W; the doors take chips, with W = 100 unless a test says otherwise.
"""

import json
import math
import re
from io import StringIO
from statistics import NormalDist

import numpy as np
import pytest
from django.core.management import call_command

from lab.engine.holdem.sit_and_go import Game
from lab.engine.holdem.styles import RANGES, style_of
from lab.models import SitAndGo

pytestmark = pytest.mark.django_db
# The printed example: 5 of 100 are in, a call makes it 15, four equal stakes play for 60, the chance is 0.2.
EXAMPLE = {"p": "0.2", "n": "4", "own": "100", "in": "5", "call": "15", "raise": "10", "folded": "0"}
STRONG = EXAMPLE | {"p": "0.8", "in": "0", "call": "0"}


def u(wealth, gamma):
    """Constant relative risk aversion: (w^(1 - gamma) - 1) / (1 - gamma), and ln w at gamma = 1."""
    return math.log(wealth) if gamma == 1 else (wealth ** (1 - gamma) - 1) / (1 - gamma)


def of_stake(f, p, n=4, beta=0.0, gamma=1):
    """Utility of putting in f, which all others match: alpha = n f + beta is won with chance p."""
    return p * u(1 + n * f + beta - f, gamma) + (1 - p) * u(1 - f, gamma)


def f_star(p, n=4, beta=0.0, gamma=1.0):
    """Kelly's (n p - 1)/(n - 1) - (1 - p)/(n - 1) beta at gamma = 1, else (psi - beta)/(psi + n), at least 0."""
    if gamma == 1:
        return max((n * p - 1) / (n - 1) - (1 - p) / (n - 1) * beta, 0)
    psi = (p * (n - 1) / (1 - p)) ** (1 / gamma) - 1
    return max((psi - beta) / (psi + n), 0)


def crossing(gain, low, high):
    """Where a rising function is 0, by halving."""
    for _halving in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if gain(middle) > 0 else (middle, high)
    return low


def of_api(client, hand=EXAMPLE, **options):
    answer = client.get("/api/v1/decide/", hand | options)
    assert answer.status_code == 200, answer.content
    return answer.json()


def of_command(hand=EXAMPLE, **options):
    out = StringIO()
    call_command("decide", **(hand | options), stdout=out)
    return json.loads(out.getvalue())


def page_of(client, hand=EXAMPLE, **options):
    page = client.get("/lab/decide/", hand | options)
    assert page.status_code == 200
    return page


def text_of(page):
    found = re.sub(r"<[^>]+>", " ", page.content.decode())
    return re.sub(r"(\s|&nbsp;|\u00a0)+", " ", found).replace("−", "-")


def test_utility_2_fold_and_call_of_the_example(client):
    """Section 2, checks: U(fold) = ln 0.95 = -0.05129, U(call) = 0.2 ln 1.45 + 0.8 ln 0.85 = -0.0557; Kelly folds."""
    fold, call = math.log(0.95), 0.2 * math.log(1.45) + 0.8 * math.log(0.85)
    assert (fold, call) == pytest.approx((-0.05129, -0.0557), abs=5e-6)
    for found in (of_api(client), of_command()):
        assert (found["fold"], found["call"]) == pytest.approx((fold, call), abs=1e-9)
        assert found["choice"] == "fold"
    assert "-0.05129" in (text := text_of(page_of(client)))
    assert "-0.05570" in text


def test_utility_2_a_risk_neutral_player_calls(client):
    """Section 2, checks: expected wealth is 0.95 after a fold and 0.97 after a call; equal at gamma = 0.8106."""
    found = of_api(client, gamma="0")
    assert (found["fold"], found["call"]) == pytest.approx((0.95 - 1, 0.2 * 1.45 + 0.8 * 0.85 - 1), abs=1e-9)
    assert found["choice"] == "call"
    even = crossing(lambda gamma: u(0.95, gamma) - of_stake(0.15, 0.2, gamma=gamma), 0, 0.99)
    assert even == pytest.approx(0.8106, abs=5e-5)
    assert [of_api(client, gamma=str(even + by))["choice"] for by in (-1e-4, 1e-4)] == ["call", "fold"]
    text = text_of(page_of(client))
    assert "calling leaves 0.97 of the stack on average, folding 0.95" in text
    assert f"At γ = {even:.4f} folding is as good as playing." in text


def test_utility_2_kelly_stake(client):
    """Section 2, checks: n = 4, p = 0.8, nobody folded: f* = (4 x 0.8 - 1)/3 = 0.7333, the best stake there is."""
    stakes = np.linspace(0, 0.999, 1000)
    best = stakes[np.argmax([of_stake(f, 0.8) for f in stakes])]
    assert best == pytest.approx(f_star(0.8), abs=0.001)
    found = of_api(client, STRONG)
    assert found["f_star"] == pytest.approx(2.2 / 3, abs=1e-9)
    assert (found["choice"], found["raise_to"]) == ("raise", pytest.approx(100 * 2.2 / 3, abs=1e-6))
    assert found["raise"] == pytest.approx(of_stake(2.2 / 3, 0.8), abs=1e-9)
    assert "Raise to 73.33" in text_of(page_of(client, STRONG))


@pytest.mark.parametrize(
    ("gamma", "printed"), [(1, 0.7333), (2, 0.3812), (3, 0.2438), (4, 0.1772), (5, 0.1386)]
)
def test_utility_2_stake_by_risk_aversion(client, gamma, printed):
    """Section 2, checks: f* = psi/(psi + 4), psi = 12^(1/gamma) - 1, at p = 0.8, n = 4."""
    found = of_api(client, STRONG, gamma=str(gamma))
    assert found["f_star"] == pytest.approx(f_star(0.8, gamma=gamma), abs=1e-9)
    assert found["f_star"] == pytest.approx(printed, abs=5e-5)


@pytest.mark.parametrize(("gamma", "printed"), [(1, 0.73), (2, 0.3735), (5, 0.1279)])
def test_utility_2_stake_with_chips_of_those_who_folded(client, gamma, printed):
    """Section 2, checks: beta/W = 0.05 lowers f* and is won in every utility."""
    found = of_api(client, STRONG, folded="5", call="15", gamma=str(gamma))
    share = f_star(0.8, beta=0.05, gamma=gamma)
    assert found["f_star"] == pytest.approx(share, abs=1e-9)
    assert found["f_star"] == pytest.approx(printed, abs=5e-5)
    # The least raise is 15 + 10, which is more than the best stake of the most careful of them.
    raised = max(share, 0.25)
    expected = [u(1, gamma), *(of_stake(f, 0.8, beta=0.05, gamma=gamma) for f in (0.15, raised))]
    assert [found[name] for name in ("fold", "call", "raise")] == pytest.approx(expected, abs=1e-9)


def test_utility_2_a_raise_is_at_least_the_least_raise(client):
    """Section 2: a raise is at least (c + m)/W. Heads up p = 0.59 has f* = 2p - 1 = 0.18, below (20 + 10)/100."""
    hand = EXAMPLE | {"p": "0.59", "n": "2", "call": "20", "raise": "10"}
    found = of_api(client, hand)
    assert found["f_star"] == pytest.approx(0.18, abs=1e-9)
    assert found["raise_to"] == 30
    assert found["raise"] == pytest.approx(of_stake(0.3, 0.59, n=2), abs=1e-9)
    # Without such a bound the raise is f* itself.
    assert of_api(client, hand | {"call": "5", "raise": "1"})["raise_to"] == pytest.approx(18, abs=1e-6)


def test_utility_2_an_all_in_is_possible_by_padding_the_stack(client):
    """Sections 2 and 4: W is padded by 1-5 %, a field of page, API and command; losing all then has a utility."""
    hand = EXAMPLE | {"p": "0.9", "call": "100"}
    for percent in ("1", "2", "5"):
        own = 1 + float(percent) / 100
        found = of_api(client, hand, padding=percent)
        assert found == of_command(hand, padding=percent)
        expected = 0.9 * math.log(1 + 3 / own) + 0.1 * math.log(1 - 1 / own)
        assert found["call"] == pytest.approx(expected, abs=1e-9)
        assert found["choice"] == "call"
        counted = f"The stack counts as {percent} % more than it is"
        assert counted in text_of(page_of(client, hand, padding=percent))
    unasked = of_api(client, hand)
    assert 0.01 <= unasked["padding"] <= 0.05
    assert math.isfinite(unasked["call"])
    for wrong in ("0.9", "5.1"):
        assert list(client.get("/api/v1/decide/", hand | {"padding": wrong}).json()) == ["padding"]


@pytest.mark.parametrize("n", [2, 4, 5, 8, 10])
@pytest.mark.parametrize("gamma", [0, 1, 2])
def test_utility_4_odds_of_exactly_1(client, n, gamma):
    """Section 4: p = 1/n makes the odds exactly 1, so that psi = 0 and f* = 0 for every gamma, at every door."""
    hand = EXAMPLE | {"p": repr(1 / n), "n": str(n), "gamma": str(gamma)}
    found = of_api(client, hand)
    assert found["f_star"] == 0
    expected = [u(0.95, gamma), *(of_stake(f, 1 / n, n=n, gamma=gamma) for f in (0.15, 0.25))]
    assert [found[name] for name in ("fold", "call", "raise")] == pytest.approx(expected, abs=1e-9)
    assert found == of_command(hand)
    assert "The curve is highest at f* = 0, which is 0 chips." in text_of(page_of(client, hand))


@pytest.mark.parametrize(("p", "printed"), [("0.2", 0.2759), ("0.5", 0.5743), ("0.8", 0.8365)])
def test_style_2_a_loose_player_sees_more(client, p, printed):
    """Section 2: p* = p^(1 - s), printed for s = 0.2; a tight one, s < 0, sees less."""
    assert of_api(client, p=p, style="0.2")["p"] == pytest.approx(printed, abs=5e-5)
    assert of_api(client, p=p, style="-1")["p"] == pytest.approx(float(p) ** 2, abs=1e-9)


@pytest.mark.parametrize(("street", "s"), [("preflop", 0.3), ("flop", 0.2), ("turn", 0.1), ("river", 0.0)])
def test_style_2_streets_between_preflop_and_river(client, street, s):
    """Section 2: s goes from s_p = 0.3 to s_r = 0 by 2/3, 1/3 on the flop and 1/3, 2/3 on the turn, at every door."""
    options = {"style": "0.3", "river": "0", "street": street}
    found = of_api(client, **options)
    assert found["p"] == pytest.approx(0.2 ** (1 - s), abs=1e-9)
    assert found == of_command(**options)
    seen = f"The player takes the chance for {0.2 ** (1 - s):.4f}."
    assert (seen in text_of(page_of(client, **options))) == (s > 0)


def test_style_2_noise_divides_the_choices(client):
    """Sections 2 and 4: an error of the estimated chance is a field of page, API and command.

    The example is called above the chance t where a call is as good as a fold, and raised above the chance r where
    f* by Kelly is as much as the least raise allows to be better; of the errors z the shares follow from t and r.
    """
    sigma = 0.1

    def raised(p):
        return of_stake(max(f_star(p), 0.25), p)

    call_at = crossing(lambda p: of_stake(0.15, p) - math.log(0.95), 0.01, 0.9)
    raise_at = crossing(lambda p: raised(p) - of_stake(0.15, p), 0.01, 0.9)
    assert raise_at > call_at
    below = [NormalDist(0.2, sigma).cdf(at) for at in (call_at, raise_at)]
    expected = {"fold": below[0], "call": below[1] - below[0], "raise": 1 - below[1]}
    found = of_api(client, noise=str(sigma))
    # Shares of the site are counted over a thousand errors.
    assert found["shares"] == pytest.approx(expected, abs=0.0011)
    assert found == of_command(noise=str(sigma))
    said = ", ".join(f"{name} {100 * share:.0f} %" for name, share in expected.items())
    assert said in text_of(page_of(client, noise=str(sigma)))
    assert of_api(client)["shares"] == {"fold": 1, "call": 0, "raise": 0}


@pytest.mark.parametrize("p", ["0.01", "0.1", "0.2", "0.5", "0.75", "0.8", "0.99"])
def test_style_2_inconsistency_moves_risk_aversion(client, p):
    """Section 2: gamma(p) = max(gamma0 + lambda (p - c/alpha), 0); c/alpha = 1/4 among four, lambda = 2."""
    expected = 1 + 2 * (float(p) - 0.25)
    for found in (of_api(client, p=p, inconsistency="2"), of_command(p=p, inconsistency="2")):
        assert found["gamma"] == pytest.approx(expected, abs=1e-9)
    assert of_api(client, p=p, gamma="0", inconsistency="2")["gamma"] == pytest.approx(
        max(expected - 1, 0), abs=1e-9
    )
    printed = {"0.2": 0.9, "0.8": 2.1}
    assert expected == pytest.approx(printed.get(p, expected), abs=1e-9)


@pytest.mark.parametrize(
    ("p", "printed"),
    [("0", 0.2), ("0.25", 0.25), ("0.5", 0.36667), ("0.75", 0.55), ("1", 0.8), ("0.9", None)],
)
def test_style_2_biased_odds_are_a_parabola(client, p, printed):
    """Section 2: xi through (0, delta p_e), (p_e, p_e), (1, 1 - delta p_e); delta = 0.8, p_e = c/alpha = 1/4."""
    xi = np.polyfit([0, 0.25, 1], [0.8 * 0.25, 0.25, 1 - 0.8 * 0.25], 2)
    for found in (of_api(client, p=p, bias="0.8"), of_command(p=p, bias="0.8")):
        assert found["p"] == pytest.approx(float(np.polyval(xi, float(p))), abs=1e-9)
        assert printed is None or found["p"] == pytest.approx(printed, abs=5e-6)


def test_style_2_noise_leaves_a_player_about_even_and_faults_do_not(client):
    """Section 2: noise does not make a player weaker, about even; inconsistency and biased odds do.

    Read from the page of counted duels: within 3 of 100 of even with noise, and worse with each step of a fault.
    """
    table = re.findall(
        r"(No weakness|Noise|Inconsistency|Biased odds) ?([\d.]*) (\d\d\.\d)",
        text_of(client.get("/lab/duels/")),
    )
    won = {}
    for name, strength, percent in table:
        won.setdefault(name, {})[float(strength or 0)] = float(percent)
    assert won["No weakness"][0] == pytest.approx(50, abs=2)
    assert len(won["Noise"]) == 3
    for percent in won["Noise"].values():
        assert percent == pytest.approx(50, abs=3)
    for name in ("Inconsistency", "Biased odds"):
        by_strength = [won[name][strength] for strength in sorted(won[name])]
        assert len(by_strength) == 3
        assert by_strength == sorted(by_strength, reverse=True)
        assert by_strength[-1] < min(won["Noise"].values()) - 5


def test_style_2_duels_of_the_command_say_the_same(capsys):
    """Section 2: of 30 duels each, dealt anew: noise wins about half of all 90, the most biased player few.

    Half of 90 has a standard error of 4.7, and the bounds are more than three of them away.
    """
    call_command("duels", tournaments=30, seed=99)
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    wins = {(name, float(strength)): int(won) for name, strength, n, won in rows if n == "30"}
    assert len(wins) == 10
    assert 30 <= sum(won for (name, strength), won in wins.items() if name == "noise" and strength) <= 60
    assert wins["bias", 0.8] <= 10


def test_play_4_against_opponents_by_strength_and_at_random(client):
    """Section 4: opponents are chosen by strength, or at random from stated ranges; the game is played to its end.

    Chips are never lost: three players with 1,500 each have 4,500 together at every moment.
    """
    begun = client.post("/lab/play/", {"player_1": "easy", "player_2": "random"})
    assert begun.status_code == 302
    row = SitAndGo.objects.get()
    drawn = style_of(Game.of_json(row.state).styles[1])
    for name, (least, most) in RANGES.items():
        assert least <= getattr(drawn, name) <= most
    for _post in range(400):
        row.refresh_from_db()
        game = Game.of_json(row.state)
        assert sum(game.stacks) == 3 * 1500
        if game.is_finished:
            break
        hand = game.hand()
        sent = {"version": row.version, "action": "next" if hand.is_over else "call"}
        if not hand.is_over and hand.options().high:
            sent |= {"action": "raise", "to": hand.options().high}
        assert client.post(begun.url, sent).status_code == 302
    assert game.is_finished
    assert f"Place {game.places[0]} of 3 after" in text_of(client.get(begun.url))
