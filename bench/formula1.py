"""How well three rating packages predict the events of Formula 1, 1950 to 2026, from the results before each.

`python -m bench.formula1` shows how TAU_PER_DAY was chosen.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import openskill.models as openskill
import trueskill

from bench.formula1_results import CLASSIFIED, LISTED, TIED, load
from bench.predictions import Score, score_predictions
from ratings.engine.history import EventHistory
from ratings.engine.tier.core_model import core_only
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState

Floats = npt.NDArray[np.float64]
Priors = tuple[Floats, Floats]  # mu and sigma of every entry before its event
Ratings = list[tuple[float, float]]
# Computes the new mu and sigma of a field from the old ones and the places.
Rate = Callable[[Ratings, list[int]], Ratings]
Method = Callable[[EventHistory, float], Priors]

MU, SIGMA, BETA = 1500.0, 500.0, 250.0
TAU_PER_DAY = 7.0
TRIED_TAUS = (0.0, 2.0, 5.0, 7.0, 10.0, 14.0, 20.0, 30.0)
TUNED_BEFORE = date(1970, 1, 1)
# trueskill's default, used for fields with ties: with 0 trueskill widens sigma at each tie.
DRAW_PROBABILITY = 0.10

NOTES = f"""\
Every race and sprint from 1950 to July 2026 (1,188 events; f1db, CC BY 4.0, github.com/f1db/f1db at 6a5845b8) is
predicted and then rated, in order of date. All methods use mu {MU:g}, sigma {SIGMA:g}, beta {BETA:g} (mu/6, a game of
skill) and no floor. Before an event sigma^2 grows by tau^2 for each day since the driver's last one, but sigma never
rises above {SIGMA:g}. The packages have no drift by days: they get sigma after this drift, and their own tau is 0.
Of the values tried, tau {TAU_PER_DAY:g} gives our core the best predictions of classified drivers before
{TUNED_BEFORE.year}. Otherwise openskill has its defaults. `python -m bench.formula1` prints the values tried.

Classified drivers have their place. Drivers who did not start or were disqualified are left out, and so are cars that
several drivers shared. Retirements (DNF, and NC: running, too far behind) depend more on the car than on the driver.
The first block therefore leaves them out; the second ties them behind the last classified driver; the third takes the
order in which they are listed, mostly by laps. For ties, ours takes the exact limit of draw margin 0, trueskill its
default draw probability {DRAW_PROBABILITY:g} (0 where nobody is tied).

* accuracy: share of the pairs with different places in which the driver with the higher mu was ahead.
* log loss: mean of -ln p, where p = Phi((mu_i - mu_j)/sqrt(2 beta^2 + sigma_i^2 + sigma_j^2)) is the predicted
  probability that the driver ahead is ahead; 0.693 for tossing a coin.
* spread of z: root mean square of z = (place - expected place)/standard deviation. Both follow from the prediction:
  skills and performances are independent and normal, the place is 1 + the number of drivers ahead, tied places are
  averaged. 1 is right, more is overconfident."""


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
    score: Score
    seconds: float

    def cells(self) -> tuple[str, ...]:
        score = self.score
        return (
            f"{self.field}: {score.n_pairs:,} pairs",
            f"{self.tau:g}",
            self.method,
            f"{100.0 * score.accuracy:.2f} %",
            f"{score.log_loss:.4f}",
            f"{score.spread:.3f}",
            f"{self.seconds:.2g} s",
        )


def our_priors(history: EventHistory, tau: float) -> Priors:
    params = core_only(TierParams(mu0=MU, sigma0=SIGMA, beta=BETA, tau_per_day=tau, sigma_floor=0.0))
    replayed = replay_events(history, PoolState.fresh(int(history.player.max()) + 1, params), params)
    return replayed.prior_mu, replayed.prior_sigma


def with_package(rate: Rate) -> Method:
    def priors(history: EventHistory, tau: float) -> Priors:
        mu, sigma = np.full((2, int(history.player.max()) + 1), [[MU], [SIGMA]])
        last = np.full(mu.size, np.nan)
        priors_by_event = []
        for e, day in enumerate(history.day):
            entries = slice(history.offset[e], history.offset[e + 1])
            who = history.player[entries]
            days = np.where(np.isnan(last[who]), 0.0, day - last[who])
            before = np.stack([mu[who], np.minimum(np.sqrt(sigma[who] ** 2 + tau**2 * days), SIGMA)])
            priors_by_event.append(before)
            field = list(zip(*before.tolist(), strict=True))
            mu[who], sigma[who] = np.transpose(rate(field, history.place[entries].tolist()))
            last[who] = day
        prior_mu, prior_sigma = np.concatenate(priors_by_event, axis=1)
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
        our_priors(history, 0.0)  # compiles the kernels, so that the timed run does not
        for tau in (0.0, TAU_PER_DAY):
            for name, priors in methods(field).items():
                start = time.perf_counter()
                mu, sigma = priors(history, tau)
                seconds = time.perf_counter() - start
                score = score_predictions(history, mu, sigma, BETA)
                lines.append(Line(field, tau, name, score, seconds))
    return lines


def main() -> None:
    history = load(CLASSIFIED)
    early = history.part(0, int(np.searchsorted(history.day, TUNED_BEFORE.toordinal())))
    for tau in TRIED_TAUS:
        score = score_predictions(early, *our_priors(early, tau), BETA)
        print(f"tau {tau:4g}  log loss {score.log_loss:.4f}  accuracy {100.0 * score.accuracy:.2f} %")


if __name__ == "__main__":
    main()
