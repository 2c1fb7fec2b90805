"""Formula 1 from 1950 to 2026: what three rating packages knew of every event before it was driven.

`python -m bench.formula1` shows how TAU_PER_DAY was chosen.
"""

import gzip
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import openskill.models as openskill
import trueskill

from bench.predictions import Told, judge
from ratings.engine.chain import competition_places
from ratings.engine.core_model import core_only, order_history
from ratings.engine.history import EventHistory
from ratings.engine.pipeline import replay_events
from ratings.engine.pool_state import PoolState
from ratings.engine.tier import TierParams

Floats = npt.NDArray[np.float64]
Priors = tuple[Floats, Floats]  # mu and sigma of every entry before its event
Ratings = list[tuple[float, float]]
# New mu and sigma of a field from its old ones and its places.
Rate = Callable[[Ratings, list[int]], Ratings]
Method = Callable[[EventHistory, float], Priors]

DATA = Path(__file__).with_name("data") / "formula1.csv.gz"
RETIRED = "R"
CLASSIFIED, TIED, LISTED = (
    "classified only",
    "all starters, retired tied last",
    "all starters, retired as listed",
)

MU, SIGMA, BETA = 1500.0, 500.0, 250.0
TAU_PER_DAY = 7.0
TRIED = (0.0, 2.0, 5.0, 7.0, 10.0, 14.0, 20.0, 30.0)
TUNED_BEFORE = date(1970, 1, 1)
# trueskill's default, for fields with ties: with 0 it widens sigma at each tie.
DRAW_PROBABILITY = 0.10

NOTES = f"""\
Every race and sprint from 1950 to July 2026 (1,188 events; f1db, CC BY 4.0, github.com/f1db/f1db at 6a5845b8) is rated
in order of date and predicted just before. All methods: mu {MU:g}, sigma {SIGMA:g}, beta {BETA:g} (mu/6, a game of
skill), no floor; before an event sigma^2 grows by tau^2 for each day since the driver's last one, never above
{SIGMA:g}. The packages know no days: they get sigma after that drift, and tau 0. Of the values tried,
tau {TAU_PER_DAY:g} is what our core predicts classified drivers best with before {TUNED_BEFORE.year}.
openskill has its defaults otherwise. `python -m bench.formula1` prints what was tried.

Classified drivers have their place. Who did not start or was thrown out is not counted, nor a car that several drivers
shared. Retirements (DNF, and NC: running, too far behind) say more of the car than of the driver, hence the first
block; the second ties them behind the last who is classified; the third takes the order they are listed in, mostly by
laps. Ties: ours takes the exact limit of draw margin 0, trueskill its default draw probability {DRAW_PROBABILITY:g}
(0 where nobody is tied).

* accuracy: pairs of the field with different places of which the one with the higher mu was ahead.
* log loss: mean -ln p of the one ahead, p = Phi((mu_i - mu_j)/sqrt(2 beta^2 + sigma_i^2 + sigma_j^2)); of a coin 0.693.
* spread of z: root mean square of z = (place - expected place)/standard deviation, both of that prediction: skills and
  performances independent and normal, place 1 + number of those ahead, tied places averaged. 1 is honest, more is
  overconfident."""


@dataclass(frozen=True)
class Line:
    HEAD: ClassVar[tuple[str, ...]] = (
        "field",
        "drift",
        "method",
        "accuracy",
        "log loss",
        "spread of z",
        "time",
    )

    field: str
    tau: float
    method: str
    told: Told
    seconds: float

    def cells(self) -> tuple[str, ...]:
        told = self.told
        return (
            f"{self.field}: {told.n_pairs:,} pairs",
            f"{self.tau:g}",
            self.method,
            f"{100.0 * told.accuracy:.2f} %",
            f"{told.log_loss:.4f}",
            f"{told.spread:.3f}",
            f"{self.seconds:.2g} s",
        )


def load(field: str) -> EventHistory:
    """Drivers of every event as bench/data/make_formula1.py kept them."""
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        events = [
            [line.split(",") for line in block.split("\n")] for block in file.read().strip().split("\n\n")
        ]
    if field == CLASSIFIED:
        events = [[line for line in lines if line[2] != RETIRED] for lines in events]
    drivers = {who: i for i, who in enumerate(dict.fromkeys(who for lines in events for _, who, _ in lines))}
    keys = [
        [np.inf if place == RETIRED and field == TIED else k for k, (*_, place) in enumerate(lines)]
        for lines in events
    ]
    return order_history(
        np.array([float(date.fromisoformat(lines[0][0]).toordinal()) for lines in events]),
        np.cumsum([0, *map(len, events)]),
        np.array([drivers[who] for lines in events for _, who, _ in lines]),
        np.concatenate([competition_places(of_event) for of_event in keys]),
    )


def our_priors(history: EventHistory, tau: float) -> Priors:
    params = core_only(TierParams(mu0=MU, sigma0=SIGMA, beta=BETA, tau_per_day=tau, sigma_floor=0.0))
    replayed = replay_events(history, PoolState.fresh(int(history.player.max()) + 1, params), params)
    return replayed.prior_mu, replayed.prior_sigma


def with_package(rate: Rate) -> Method:
    def priors(history: EventHistory, tau: float) -> Priors:
        mu, sigma = np.full((2, int(history.player.max()) + 1), [[MU], [SIGMA]])
        last = np.full(mu.size, np.nan)
        seen = []
        for e, day in enumerate(history.day):
            of = slice(history.offset[e], history.offset[e + 1])
            who = history.player[of]
            days = np.where(np.isnan(last[who]), 0.0, day - last[who])
            before = np.stack([mu[who], np.minimum(np.sqrt(sigma[who] ** 2 + tau**2 * days), SIGMA)])
            seen.append(before)
            field = list(zip(*before.tolist(), strict=True))
            mu[who], sigma[who] = np.transpose(rate(field, history.place[of].tolist()))
            last[who] = day
        prior_mu, prior_sigma = np.concatenate(seen, axis=1)
        return prior_mu, prior_sigma

    return priors


def trueskill_rate(draw_probability: float) -> Rate:
    env = trueskill.TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=draw_probability)

    def rate(field: Ratings, places: list[int]) -> Ratings:
        groups = [(env.create_rating(mu, sigma),) for mu, sigma in field]
        return [(new.mu, new.sigma) for (new,) in env.rate(groups, ranks=places)]

    return rate


def openskill_rate(model) -> Rate:
    def rate(field: Ratings, places: list[int]) -> Ratings:
        teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in field]
        return [(new.mu, new.sigma) for (new,) in model.rate(teams, ranks=places)]

    return rate


def methods(field: str) -> dict[str, Method]:
    settings = {"mu": MU, "sigma": SIGMA, "beta": BETA, "tau": 0.0}
    return {
        "ours, core model": our_priors,
        "trueskill 0.4.5": with_package(trueskill_rate(DRAW_PROBABILITY if field == TIED else 0.0)),
        "openskill 6.2.0, ThurstoneMostellerPart": with_package(
            openskill_rate(openskill.ThurstoneMostellerPart(**settings))
        ),
        "openskill 6.2.0, PlackettLuce": with_package(openskill_rate(openskill.PlackettLuce(**settings))),
    }


def measure() -> list[Line]:
    lines = []
    for field in (CLASSIFIED, TIED, LISTED):
        history = load(field)
        our_priors(history, 0.0)  # compiled before it is timed
        for tau in (0.0, TAU_PER_DAY):
            for name, priors in methods(field).items():
                start = time.perf_counter()
                mu, sigma = priors(history, tau)
                seconds = time.perf_counter() - start
                lines.append(Line(field, tau, name, judge(history, mu, sigma, BETA), seconds))
    return lines


def main() -> None:
    history = load(CLASSIFIED)
    early = history.part(0, int(np.searchsorted(history.day, TUNED_BEFORE.toordinal())))
    for tau in TRIED:
        told = judge(early, *our_priors(early, tau), BETA)
        print(f"tau {tau:4g}  log loss {told.log_loss:.4f}  accuracy {100.0 * told.accuracy:.2f} %")


if __name__ == "__main__":
    main()
