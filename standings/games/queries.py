"""A player's rated games in a pool of kind profit, in a constant number of queries."""

from collections.abc import Collection
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery, Sum

from league.models import Entry, Player, Pool
from ratings.models import BroughtRating, PlayerRating, ProfitRating, RatedGame

N_RESULTS = 2000  # from which the spread of a pool's results is estimated


class PlayedGame(NamedTuple):
    """A rated game of the player; seat and score are those of the player's entry, None where they are not recorded."""

    event_id: int
    starts_at: datetime
    place: int
    n_players: int
    balance: float | None
    n_before: int
    r_before: float
    r_after: float
    stable_r: float | None
    expected_place: float
    badge: str
    is_provisional: bool
    seat: int | None
    score: float | None

    @property
    def change(self) -> float:
        """The change as its explanation shows it: the difference of what is shown."""
        return round(self.r_after, 1) - round(self.r_before, 1)


class Opponent(NamedTuple):
    """Somebody the player has met: games together, and in how many the player finished ahead or behind.

    The balance is the player's own in those games.
    """

    player_id: int
    name: str
    n_games: int
    n_ahead: int
    n_behind: int
    balance: float | None


def rating_pools_of(player: Player) -> list[Pool]:
    """List the pools in which the player has a rating, the club's first one first.

    `brought_on` is the day of the rating brought forward with which the player began there.
    """
    own = {"pool": OuterRef("pk"), "player": player}
    brought = Subquery(BroughtRating.objects.filter(**own).values("day"))
    rated = Exists(PlayerRating.objects.filter(**own)) | Exists(ProfitRating.objects.filter(**own))
    pools = Pool.objects.filter(rated, club=player.club_id).annotate(brought_on=brought)
    return list(pools.select_related("recomputation").order_by("pk"))


def games_of(player: Player, pool: Pool) -> list[PlayedGame]:
    """Read a player's games in a pool, the oldest first."""
    entries = Entry.objects.filter(player=player, event__pool=pool, is_last=True)
    recorded = {
        event: (seat, score) for event, seat, score in entries.values_list("event_id", "seat", "score")
    }
    rows = RatedGame.objects.filter(pool=pool, player=player, event__pool=pool)
    ordered = rows.order_by("starts_at", "event_id").values_list(*PlayedGame._fields[:-2])
    return [
        PlayedGame._make((*row, seat, None if score is None else float(score)))
        for row in ordered
        for seat, score in [recorded.get(row[0], (None, None))]
    ]


def rank_by_r(player: Player, pool: Pool) -> tuple[int, int] | None:
    """Find the player's place by R and the number of ranked players; None in placement."""
    ranked = ProfitRating.objects.filter(pool=pool, is_provisional=False)
    own = ranked.filter(player=player).values("r")[:1]
    counts = ranked.aggregate(
        n=Count("pk"),
        own=Count("pk", filter=Q(player=player)),
        above=Count("pk", filter=Q(r__gt=Subquery(own))),
    )
    return (counts["above"] + 1, counts["n"]) if counts["own"] else None


def last_results(pool: Pool) -> list[tuple[float, int]]:
    """Parts of R's last changes that came from results, and how many games each player had before."""
    rows = RatedGame.objects.filter(pool=pool).order_by("-starts_at", "-event_id")
    return list(rows.values_list("result_part", "n_before")[:N_RESULTS])


def opponents_of(player: Player, pool: Pool, n: int | None) -> list[Opponent]:
    """Find the n opponents that the player has met most often; all if n is None."""
    # The counts use the join of the filter, which holds the player's own games.
    met = RatedGame.objects.filter(
        pool=pool, event__rated_games__player=player, event__rated_games__pool=pool
    ).exclude(player=player)
    counted = met.values("player_id", "player__name").annotate(
        n_games=Count("pk"),
        n_ahead=Count("pk", filter=Q(place__gt=F("event__rated_games__place"))),
        n_behind=Count("pk", filter=Q(place__lt=F("event__rated_games__place"))),
        balance=Sum("event__rated_games__balance"),
    )
    ordered = counted.order_by("-n_games", "player__key")[:n]
    return [Opponent(*row) for row in ordered.values_list("player_id", "player__name", *Opponent._fields[2:])]


def tables_of(event_ids: Collection[int]) -> dict[int, list[Entry]]:
    """The entries of some games, with their players, by event."""
    entries = (
        Entry.objects.filter(event__in=event_ids).select_related("player").order_by("event_id", "place", "pk")
    )
    return {event_id: list(rows) for event_id, rows in groupby(entries, key=lambda entry: entry.event_id)}
