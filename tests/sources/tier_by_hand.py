"""TIER by its formulas alone, for tests: what two players, a field and the chances of places come to.

Nothing here reads the engine. The field is expectation propagation on the whole covariance matrix of the performances,
one neighbouring pair after the other, which is slow and short.
"""

import io
import json
import math

import numpy as np
from django.core.management import call_command
from scipy.integrate import quad
from scipy.special import log_ndtr
from scipy.stats import norm

# 80 % of the skill lies above mu - K sigma, and a sigma of 440 shows mu itself.
K = float(norm.ppf(0.8))
L = 440 * K
NEW = (1500.0, 500.0)
BETA = 1000.0
# No hours, weights, penalties or floors: what is left is the core model, its partial fields and its rounds.
NEUTRAL = {
    "hands_scale": 1, "hands_low": 1, "hands_high": 1, "weight_first": 1, "weight_top": 1, "weight_final_table": 1,
    "weight_bottom": 1, "weight_rest_low": 1, "weight_rest_high": 1, "late_a": 0, "late_b": 0, "sigma_floor": 0,
    "rate_floor": -1e6,
}  # fmt: skip
COLUMNS = ("player", "place", "number", "registered_at", "busted_at", "closes_at", "ends_at", "table_size")


def rate_of(mu, sigma):
    return mu - K * sigma + L


def two_players(winner, loser, beta=BETA):
    """Skills after the first has beaten the second, in closed form (Herbrich, Minka and Graepel, 2006)."""
    c = math.sqrt(2 * beta**2 + winner[1] ** 2 + loser[1] ** 2)
    t = (winner[0] - loser[0]) / c
    v = math.exp(norm.logpdf(t) - norm.logcdf(t))
    w = v * (v + t)
    return [
        (mu + sign * sigma**2 / c * v, sigma * math.sqrt(1 - sigma**2 / c**2 * w))
        for sign, (mu, sigma) in ((1, winner), (-1, loser))
    ]


def field(priors, beta=BETA):
    """Skills after a finishing order, best first; `beta` is that of everybody, or a list."""
    mu, sigma = np.array(priors, dtype=float).T
    noise = np.broadcast_to(np.asarray(beta, dtype=float), mu.shape) ** 2
    performance, covariance = mu.copy(), np.diag(sigma**2 + noise)
    sites = np.zeros((mu.size - 1, 2))  # precision, and precision times mean, of each difference
    for _sweep in range(500):
        before = sites.copy()
        for k in range(mu.size - 1):
            _refresh(k, sites, performance, covariance)
        if np.abs((sites - before)[:, 1]).max() < 1e-11:
            break
    share = sigma**2 / (sigma**2 + noise)
    after = np.sqrt(sigma**2 * (1 - share) + share**2 * np.diag(covariance))
    return list(zip((mu + share * (performance - mu)).tolist(), after.tolist(), strict=True))


def _refresh(k, sites, performance, covariance):
    """Replace the site of the difference of places k and k + 1 by what a difference above 0 makes of its cavity."""
    row = covariance[k] - covariance[k + 1]
    mean, variance = performance[k] - performance[k + 1], row[k] - row[k + 1]
    precision = 1 / variance - sites[k, 0]
    shift = mean / variance - sites[k, 1]
    spread = 1 / math.sqrt(precision)
    t = shift * spread
    v = math.exp(norm.logpdf(t) - log_ndtr(t))
    w = v * (v + t)
    new = w / (1 - w) * precision
    moved = np.array([new, (shift / precision + v * spread) * (precision + new) - shift])
    more, sites[k] = moved - sites[k], moved
    performance += row * (more[1] - more[0] * mean) / (1 + more[0] * variance)
    covariance -= np.outer(row, row) * (more[0] / (1 + more[0] * variance))


def place_of_equals(place, n, sigma=500.0, beta=BETA):
    """Skill after a place among n equal players, exactly: the performance is an order statistic of normal draws."""
    ways = math.comb(n, place) * place

    def density(x):
        return ways * norm.pdf(x) * norm.cdf(x) ** (n - place) * norm.sf(x) ** (place - 1)

    mean = quad(lambda x: x * density(x), -12, 12)[0]
    variance = quad(lambda x: (x - mean) ** 2 * density(x), -12, 12)[0]
    s = math.hypot(sigma, beta)
    share = sigma**2 / s**2
    return 1500 + share * s * mean, sigma * math.sqrt(1 - share + share * variance * share * s**2 / sigma**2)


def vpip(seats):
    """Percent of hands played at a table: the model's 25 at six and 20 at nine, and 80 heads up as published."""
    return 80.0 if seats == 2 else 6 * 25.0 / (seats - max(seats - 6, 0) / 2)


def h_unit(seats):
    return 1 + (vpip(seats) / vpip(9) - 1) * 0.5


def evidence(minutes, params, seats=9):
    """H of an entry: the cube root of its hours at a table of nine, between bounds."""
    hours = min(max(minutes / 60 * h_unit(seats), params["hands_low"]), params["hands_high"])
    return params["hands_scale"] * hours ** (1 / 3)


def late_chances(left, n):
    """Harville: one starting stack among `left` - 1 others, who share the chips of the n - 1 earlier entries."""
    stack = (left - 1) / (n - 1)  # in units of the others' stacks
    chances, missed = [], 1.0
    for others in range(left - 1, -1, -1):
        chances.append(missed * stack / (stack + others))
        missed *= others / (stack + others)
    return chances


def rows(event, entries, day=1, **common):
    """Lines of an event file: each entry a dict of columns, or a name alone, in the order of places."""
    lines = []
    for place, entry in enumerate(entries, start=1):
        values = (
            {"place": place, "number": 1} | common | ({"player": entry} if isinstance(entry, str) else entry)
        )
        lines.append(
            ",".join([event, f"2026-01-{day:02}", *(_cell(values.get(name, "")) for name in COLUMNS)])
        )
    return lines


def _cell(value):
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def rate_file(folder, lines, params=None, *options, explain=True):
    """What the command `rate` says of a file with these lines."""
    options = (*options, *(["--explain"] if explain else []))
    path, out = folder / "events.csv", io.StringIO()
    path.write_text("\n".join([",".join(("event", "date", *COLUMNS)), *lines, ""]))
    if params is not None:
        (folder / "params.json").write_text(json.dumps(params))
        options = (*options, "--params", str(folder / "params.json"))
    call_command("rate", str(path), *options, stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def entries_of(output, event=0):
    """Explained entries of an event, by player and number."""
    entries = output["events"][event]["entries"]
    return {(entry["player"], entry.get("number", 1)): entry for entry in entries}


def after(entry):
    return entry["posterior"]["mu"], entry["posterior"]["sigma"]


def steps_of(entry):
    return {step["name"]: step["change"] for step in entry["steps"]}
