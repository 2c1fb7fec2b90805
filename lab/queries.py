"""Reads of the laboratory."""

from dataclasses import dataclass

from django.db.models import QuerySet, Sum
from django.utils import timezone

from lab.engine.seasons.figures import Figures, figures_of
from lab.engine.seasons.scenario import LEAST_PLAYERS, MOST_PLAYERS
from lab.engine.seasons.totals import Totals
from lab.models import LabRun
from league.models import Club, Event, PoolKind, Season
from ratings.models import PlayerRating
from standings.models import Standing


def runs_of(club: Club) -> QuerySet[LabRun]:
    """List the runs of a club, the newest first, without their totals."""
    return LabRun.objects.filter(club=club).select_related("season", "created_by").defer("totals")


@dataclass(frozen=True)
class Progress:
    """How far a run is: seasons done, seconds still to go at this speed, and the figures so far."""

    n_done: int
    seconds_left: float | None
    figures: Figures | None
    n_failures: int


def progress_of(run: LabRun) -> Progress:
    """Read how far a running run is."""
    done = list(run.chunks.filter(result__isnull=False))
    n_done = sum(chunk.n_seasons for chunk in done)
    n_failures = run.chunks.aggregate(n=Sum("n_failures"))["n"] or 0
    if not done:
        return Progress(0, None, None, n_failures)
    seconds = (timezone.now() - run.created_at).total_seconds()
    totals = Totals.merged(chunk.totals for chunk in done)
    left = seconds * (run.n_seasons - n_done) / n_done
    return Progress(n_done, left, figures_of(run.scenario, totals), n_failures)


@dataclass(frozen=True)
class SeasonField:
    """The players of a season as a scenario takes them: the best first, with the share of events each played."""

    season: Season
    mu: tuple[float, ...]
    sigma: tuple[float, ...]
    attendance: tuple[float, ...]
    n_events: int
    mean_size: float


def field_of(season: Season) -> SeasonField | None:
    """Read the rated players of a season; None if they are too few or too many, or not rated by TIER."""
    if season.pool.kind != PoolKind.TIER:
        return None
    n_events = Event.objects.filter(season=season).count()
    played = dict(Standing.objects.filter(season=season, n_events__gt=0).values_list("player_id", "n_events"))
    ratings = (
        PlayerRating.objects.filter(pool=season.pool_id, player__in=played)
        .order_by("-mu", "player_id")
        .values_list("player_id", "mu", "sigma")
    )
    rows = [(min(1.0, played[who] / n_events), mu, sigma) for who, mu, sigma in ratings if n_events]
    if not LEAST_PLAYERS <= len(rows) <= MOST_PLAYERS:
        return None
    attendance, mu, sigma = zip(*rows, strict=True)
    return SeasonField(season, mu, sigma, attendance, n_events, sum(attendance))
