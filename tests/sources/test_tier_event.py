"""TIER, sections 5 to 7: hands played, re-entries, and the weight of the place."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from league.models import Event
from ratings.models import RatedEntry
from standings.recomputation.service import recompute
from tests.entry.event_forms import create_url, filled
from tests.factories import names
from tests.sources.tier_by_hand import (
    BETA,
    NEUTRAL,
    NEW,
    K,
    after,
    entries_of,
    evidence,
    field,
    h_unit,
    rate_file,
    rate_of,
    rows,
    steps_of,
)

NO_FLOOR = {"rate_floor": -1e6}
HOURS = {"hands_scale": 0.6, "hands_low": 0.5, "hands_high": 4.0}


def everybody(n):
    return [f"p{place:04}" for place in range(1, n + 1)]


def by_place(output, event=0):
    return sorted(output["events"][event]["entries"], key=lambda entry: entry["place"])


def gains(n, params, minutes):
    """Change of mu by place, and sigma after it, of n new players who all played so many minutes."""
    beta = BETA / evidence(minutes, params)
    return np.array([(mu - 1500, sigma) for mu, sigma in field([NEW] * n, beta)]).T


def rows_of_weights(n, params, final_table=9):
    """Which weight each place has by the table of section 7; None for the rest."""
    share, found = 0.03 * n, []
    for place in range(1, n + 1):
        table = (
            (place == 1, "first"), (place <= share, "top"), (place <= final_table, "final_table"),
            (n + 1 - place <= share, "bottom"), (True, None),
        )  # fmt: skip
        name = next(name for fits, name in table if fits)
        found.append(name and params[f"weight_{name}"])
    return found


@pytest.mark.parametrize(
    ("seats", "unit"), [(2, 2.5), (3, 1.75), (4, 1.4375), (6, 1.125), (9, 1.0), (10, 0.96875)]
)
def test_tier_5_an_hour_counts_by_the_hands_of_the_table(tmp_path, seats, unit):
    """Specification of TIER, section 5: h_unit = 1 + (VPIP(i)/VPIP(9) - 1)/2, with VPIP 20 at nine seats, 80 at two."""
    assert h_unit(seats) == unit
    entries = [{"player": "ann"}, {"player": "bob", "busted_at": 90}]
    found = entries_of(rate_file(tmp_path, rows("A", entries, table_size=seats, ends_at=120), HOURS))
    for name, minutes in (("ann", 120), ("bob", 90)):
        assert found[name, 1]["evidence"]["hours"] == pytest.approx(minutes / 60 * unit, rel=1e-12)
        assert found[name, 1]["evidence"]["weight"] == pytest.approx(
            evidence(minutes, HOURS, seats), rel=1e-12
        )


@pytest.mark.django_db
@pytest.mark.parametrize(("seats", "unit"), [("6", 1.125), ("2", 2.5), ("9", 1.0)])
def test_tier_5_the_entry_form_takes_the_seats_of_a_table(season, organizer_client, seats, unit):
    """Specification of TIER, section 5: the tables of the form reach the hours and the final table of every entry."""
    order = "\n".join(names(12))
    organizer_client.post(create_url(season), filled(order, end="22:30", seats=seats, final_seats=seats))
    recompute(season.pool_id)
    assert (Event.objects.get().table_size, Event.objects.get().final_table_size) == (int(seats), int(seats))
    for entry in RatedEntry.objects.all():
        # Nobody wrote down who went out when, so everybody has half of the three hours.
        assert entry.hours == pytest.approx(1.5 * unit, rel=1e-12)
        expected = 1.0 if entry.place == 1 else 0.95 if entry.place <= int(seats) else 0.9
        assert entry.weight == pytest.approx(expected)


@pytest.mark.parametrize(
    ("minutes", "hours"), [(10, 0.5), (30, 0.5), (60, 1.0), (120, 2.0), (240, 4.0), (480, 4.0)]
)
def test_tier_5_evidence_grows_with_the_cube_root_between_bounds(tmp_path, minutes, hours):
    """Specification of TIER, section 5: H is proportional to the cube root of h, clipped, and enters as beta/H."""
    params = NEUTRAL | HOURS
    entries = [{"player": "ann"}, {"player": "bob"}, {"player": "cat", "busted_at": minutes}]
    entries[1]["busted_at"] = minutes
    found = entries_of(rate_file(tmp_path, rows("A", entries, ends_at=minutes), params))
    weight = 0.6 * math.cbrt(hours)
    expected = field([NEW] * 3, BETA / weight)
    for name, skill in zip(("ann", "bob", "cat"), expected, strict=True):
        assert found[name, 1]["evidence"]["weight"] == pytest.approx(weight, rel=1e-12)
        assert after(found[name, 1]) == pytest.approx(skill, abs=1e-4)


def test_tier_5_the_least_time_that_counts_is_three_tenths_of_an_hour(tmp_path):
    """Specification of TIER, section 5: h_low is 0.3 by default, so six recorded minutes weigh as eighteen."""
    weights = {}
    for minutes in (6, 18, 24):
        entries = ["ann", {"player": "bob", "busted_at": 200}, {"player": "cat", "busted_at": minutes}]
        found = entries_of(rate_file(tmp_path, rows("A", entries, ends_at=240)))
        weights[minutes] = found["cat", 1]["evidence"]["weight"]
    assert weights[6] == pytest.approx(weights[18], rel=1e-12)
    assert weights[24] / weights[18] == pytest.approx(math.cbrt(0.4 / 0.3), rel=1e-9)


@pytest.mark.parametrize(
    ("busts", "minutes"),
    [
        (["", "", "", ""], [120, 120, 120, 120]),
        (["", "", 90, 30], [60, 60, 90, 30]),
        (["", 180, "", 30], [240, 180, 150, 30]),
    ],
    ids=["nothing", "two", "runner-up"],
)
def test_tier_5_an_unrecorded_bust_has_the_mean_playing_time(tmp_path, busts, minutes):
    """Specification of TIER, section 5: half the duration where nothing is recorded, else the mean of what is.

    The winner stays to the end as soon as the runner-up's bust is known.
    """
    entries = [{"player": name, "busted_at": bust} for name, bust in zip(everybody(4), busts, strict=True)]
    found = [entry["evidence"] for entry in by_place(rate_file(tmp_path, rows("A", entries, ends_at=240)))]
    assert [one["minutes"] for one in found] == pytest.approx(minutes)
    is_known = [bool(bust) for bust in busts]
    is_known[0] = bool(busts[1])
    assert [not one["is_mean_time"] for one in found] == is_known


@pytest.mark.parametrize(("n", "printed", "wrong"), [(3, 1329.88, 1339.51), (16, 1415.21, 1433.96)])
def test_tier_6_opponents_keep_their_prior_in_the_round_of_a_re_entry(tmp_path, n, printed, wrong):
    """Specification of TIER, section 6: A is out first and second with the re-entry; everybody else counts once.

    `wrong` is what comes out where the others stand in round 2 with their posteriors.
    """
    others = everybody(n)[1:]
    order = [others[0], {"player": "ann", "number": 2}, *others[1:], "ann"]
    found = entries_of(rate_file(tmp_path, rows("A", order), NEUTRAL))
    first = field([NEW] * n)
    again = field([NEW, first[-1], *[NEW] * (n - 2)])[1]
    twice = field([first[0], first[-1], *first[1:-1]])[1]
    assert again[0] == pytest.approx(printed, abs=0.005)
    assert twice[0] == pytest.approx(wrong, abs=0.01)
    assert after(found["ann", 1]) == pytest.approx(first[-1], abs=1e-4)
    assert after(found["ann", 2]) == pytest.approx(again, abs=1e-4)
    for place, name in enumerate(others):
        assert after(found[name, 1]) == pytest.approx(first[place], abs=1e-4)


def test_tier_7_the_weight_follows_the_first_row_that_fits(tmp_path):
    """Specification of TIER, section 7: 1st 1.00, top 3 % 0.97, final table 0.95, bottom 3 % 0.92, others one value."""
    entries = by_place(rate_file(tmp_path, rows("A", everybody(100)), NO_FLOOR))
    weights = [entry["place_weight"]["weight"] for entry in entries]
    assert weights[:9] == [1.0, 0.97, 0.97, *[0.95] * 6]
    assert weights[97:] == [0.92] * 3
    # Balance would need about 0.964 in fields like this, so the common value is at its upper end.
    assert weights[9:97] == [0.9] * 88
    for entry in entries:
        steps = steps_of(entry)
        assert steps["place_weight"] == pytest.approx(
            (entry["place_weight"]["weight"] - 1) * steps["finishing_order"], abs=1e-9
        )


@pytest.mark.parametrize(
    ("weights", "kind"),
    [
        ({}, "highest"),
        ({"weight_first": 0.86, "weight_final_table": 0.84}, "inside"),
        ({"weight_first": 0.70, "weight_final_table": 0.60}, "lowest"),
    ],
    ids=["highest", "inside", "lowest"],
)
def test_tier_7_the_common_weight_comes_nearest_to_balance(tmp_path, weights, kind):
    """Specification of TIER, section 7: the common value, 0.80 to 0.90, brings the weighted sum closest to the sum."""
    n = 40
    output = rate_file(tmp_path, rows("A", everybody(n), ends_at=240), NO_FLOOR | weights)
    params = output["params"]
    gain, _sigma = gains(n, params, 120)
    table = rows_of_weights(n, params)

    def distance(rest):
        weighted = sum(
            (rest if weight is None else weight) * g for weight, g in zip(table, gain, strict=True)
        )
        return abs(weighted - gain.sum())

    nearest = minimize_scalar(distance, bounds=(0.8, 0.9), method="bounded", options={"xatol": 1e-9}).x
    assert {"highest": nearest > 0.8999, "inside": 0.81 < nearest < 0.89, "lowest": nearest < 0.8001}[kind]
    found = [entry["place_weight"]["weight"] for entry in by_place(output)]
    assert found == pytest.approx([nearest if weight is None else weight for weight in table], abs=1e-5)


def test_tier_7_what_is_missing_is_shared_equally(tmp_path):
    """Specification of TIER, section 7: what the weights still take from the field is shared equally."""
    n = 40
    output = rate_file(tmp_path, rows("A", everybody(n), ends_at=240), NO_FLOOR)
    gain, _sigma = gains(n, output["params"], 120)
    weights = np.array([0.9 if weight is None else weight for weight in rows_of_weights(n, output["params"])])
    share = (gain.sum() - (weights * gain).sum()) / n
    assert share < -1
    for entry, weight, g in zip(by_place(output), weights, gain, strict=True):
        assert steps_of(entry)["balance"] == pytest.approx(share, abs=1e-4)
        assert after(entry)[0] == pytest.approx(1500 + weight * g + share, abs=1e-3)


@pytest.mark.parametrize("n", [2, 9, 100, 10_000])
def test_tier_7_single_entries_neither_make_nor_lose_ratings(tmp_path, n):
    """Specification of TIER, section 7: ratings are neither made nor lost among equally uncertain players."""
    output = rate_file(tmp_path, rows("A", everybody(n)), NO_FLOOR, explain=False)
    mu = [player["mu"] for player in output["players"]]
    assert max(mu) > 1540
    assert math.fsum(mu) / n == pytest.approx(1500, abs=1e-6)


def test_tier_6_ten_entries_each_form_a_chain_of_priors(tmp_path):
    """Specification of TIER, section 6: every entry starts from the posterior of the one before, through all rounds.

    Nothing is promised of the sum of ratings here, so only finite numbers and the chains are looked at.
    """
    draw = random.Random(3)
    left = dict.fromkeys(everybody(10), 10)
    order = []
    while left:
        name = draw.choice(sorted(left))
        order.append({"player": name, "number": left[name]})
        left = {other: count - (other == name) for other, count in left.items() if count > (other == name)}
    found = entries_of(rate_file(tmp_path, rows("A", order)))
    assert len(found) == 100
    for (name, number), entry in found.items():
        before = NEW if number == 1 else after(found[name, number - 1])
        assert (entry["prior"]["mu"], entry["prior"]["sigma"]) == before
        assert all(map(math.isfinite, after(entry)))
        assert sum(steps_of(entry).values()) == pytest.approx(entry["change"], abs=1e-9)


@pytest.mark.parametrize("sigma", [500, 300])
def test_tier_5_a_worse_place_is_never_better(tmp_path, sigma):
    """Specification of TIER, section 5: without tolerance, for 2 to 1,000 equal players whose order alone is known."""
    sizes = [*range(2, 41), 60, 100, 1_000]
    lines = [line for n in sizes for line in rows(f"{n:05}", [f"{n}-{name}" for name in everybody(n)])]
    output = rate_file(tmp_path, lines, NO_FLOOR | {"sigma0": sigma}, explain=False)
    rates = {player["player"]: player["rate"] for player in output["players"]}
    for n in sizes:
        ordered = [rates[f"{n}-{name}"] for name in everybody(n)]
        assert all(better > worse for better, worse in pairwise(ordered)), n


def test_tier_7_getting_out_of_the_last_three_percent_matters(tmp_path):
    """Specification of TIER, section 7: 98th to 100th of 100 keep 0.92 of what they lose, 97th only 0.90.

    The step between 98th and 97th is therefore wider than between their neighbours, and wider than without weights.
    """
    output = rate_file(tmp_path, rows("A", everybody(100), ends_at=600), NO_FLOOR)
    gain, sigma = gains(100, output["params"], 300)
    weights = [1.0, 0.97, 0.97, *[0.95] * 6, *[0.9] * 88, *[0.92] * 3]
    share = (gain.sum() - (weights * gain).sum()) / 100
    changes = weights * gain + share - K * (sigma - 500)
    found = [entry["change"] for entry in by_place(output)]
    assert found == pytest.approx(changes.tolist(), abs=1e-3)
    assert found[96] - found[97] > found[95] - found[96] + 5
    assert found[96] - found[97] > rate_of(gain[96], sigma[96]) - rate_of(gain[97], sigma[97])


def test_tier_2_rows_and_names_never_change_numbers(tmp_path):
    """Specification of TIER, section 2: neither names nor the order of rows change a number, to the last bit."""
    people = everybody(12)
    entries = [
        {"player": name, "busted_at": 300 - 20 * i, "registered_at": 40 if i in {1, 7} else 0}
        for i, name in enumerate(people)
    ]
    entries.insert(6, {"player": people[0], "busted_at": 170, "number": 1})
    entries[0]["number"] = 2
    entries[0]["registered_at"] = 175
    swapped = dict(zip(people, reversed(people), strict=True))
    times = {"closes_at": 200, "ends_at": 320}
    one = entries_of(rate_file(tmp_path, rows("A", entries, **times)))
    assert len(one) == 13
    renamed = rows("A", [entry | {"player": swapped[entry["player"]]} for entry in entries], **times)
    for seed in range(5):
        random.Random(seed).shuffle(renamed)
        other = entries_of(rate_file(tmp_path, renamed))
        for (name, number), entry in one.items():
            twin = other[swapped[name], number] | {"player": name}
            # The expected place is a sum over the rows of the file, and no part of the rating.
            assert twin.pop("expected_place") == pytest.approx(entry["expected_place"], rel=1e-12)
            assert twin == {key: value for key, value in entry.items() if key != "expected_place"}
