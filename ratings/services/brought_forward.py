"""Changes of the ratings brought forward into a pool, under the pool's lock."""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Change, Player, Pool, PoolKind, name_key
from league.reading.names.understanding import NO_ALIASES, Aliases
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused, Stale
from league.services.players import ensure_players, remember_aliases
from ratings.brought_forward import BroughtLine
from ratings.models import BroughtRating
from ratings.queries import brought_version, first_start

Row = list[Any]  # player, mu, sigma, entries, day in ISO


@transaction.atomic
def bring_ratings(
    pool: Pool,
    lines: Sequence[BroughtLine],
    *,
    day: date,
    version: int,
    actor: User | None,
    aliases: Aliases = NO_ALIASES,
) -> int:
    """Replace the pool's ratings brought forward by these lines, of one day, and return their number.

    Raise Stale if `version` is outdated, and Refused for a day to come, a player with two lines, and a player with
    events before that day, which the rating would have to know. Unknown names become guests.
    """
    pool = lock_pool(pool.pk)
    if brought_version(pool.pk) != version:
        raise Stale
    if pool.kind == PoolKind.NONE:
        raise Refused(_("The rating pool %(pool)s gives no ratings.") % {"pool": pool.name})
    if day > timezone.localdate(timezone=pool.club.tz):
        raise Refused(_("The day of the ratings has not come yet."))
    players = ensure_players(pool.club, [line.name for line in lines])
    remember_aliases(pool.club, aliases, pool=pool, actor=actor)
    rows: list[Row] = [
        [players[name_key(line.name)].pk, line.mu, line.sigma, line.n_entries, day.isoformat()]
        for line in lines
    ]
    if len({row[0] for row in rows}) < len(rows):
        raise Refused(_("A player is there twice, by two names."))
    _require_newcomers(pool, [row[0] for row in rows], day)
    _replace(pool, rows, actor)
    return len(rows)


@transaction.atomic
def take_back_ratings(pool: Pool, *, version: int, actor: User | None) -> None:
    """Bring back the ratings that were there before the change `version`; raise Stale if it is not the newest."""
    pool = lock_pool(pool.pk)
    change = Change.objects.filter(pool=pool, kind=Change.Kind.RATINGS_BROUGHT).order_by("-version").first()
    if change is None or change.version != version:
        raise Stale
    there = set(Player.objects.filter(club=pool.club_id).values_list("pk", flat=True))
    _replace(pool, [row for row in change.before["ratings"] if row[0] in there], actor)


def _require_newcomers(pool: Pool, player_ids: Sequence[int], day: date) -> None:
    """Raise Refused if a player has an event before the day, by the club's time."""
    moment = datetime.combine(day, time(), pool.club.tz)
    played = pool.events.filter(starts_at__lt=moment, entries__player__in=player_ids)
    if first := played.order_by("starts_at").values_list("entries__player__name", flat=True).first():
        raise Refused(
            _(
                "%(name)s has played here before that day: a rating of an older system stands before all events."
            )
            % {"name": first}
        )


def _replace(pool: Pool, rows: Sequence[Row], actor: User | None) -> None:
    """Replace all rows, and have the events computed again of the players whose rating is another."""
    stored = BroughtRating.objects.filter(pool=pool)
    before = [[row.player_id, row.mu, row.sigma, row.n_entries, row.day.isoformat()] for row in stored]
    after = [list(row) for row in rows]
    if before == after:
        return
    stored.delete()
    BroughtRating.objects.bulk_create(
        BroughtRating(pool=pool, player_id=player_id, mu=mu, sigma=sigma, n_entries=n, day=day)
        for player_id, mu, sigma, n, day in after
    )
    changed = {row[0] for row in [*before, *after] if row not in before or row not in after}
    record_change(
        pool,
        kind=Change.Kind.RATINGS_BROUGHT,
        actor=actor,
        rated_from=first_start(pool.pk, changed),
        before={"ratings": before},
        after={"ratings": after},
    )
