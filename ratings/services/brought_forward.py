"""Changes of the ratings brought forward into a pool, under the pool's lock."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from league.database.bulk import as_one_parameter
from league.models import Change, Player, PlayerMerge, Pool, PoolKind
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused, Stale
from league.services.players import ensure_players, remember_aliases
from league.vocabulary import gettext as _
from ratings.brought_forward import BroughtLine
from ratings.models import BroughtRating
from ratings.queries import brought_version, first_start
from reading.names.keys import name_key
from reading.names.understanding import NO_ALIASES, Aliases

RATING = ("mu", "sigma", "n_entries", "day")
BATCH = 200
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
) -> bool:
    """Replace the pool's ratings brought forward by these lines, of one day; tell whether anything changed.

    Raise Stale if anything would change and `version` is outdated, and Refused for a day to come, a player with two
    lines, and a player with events before that day, which the rating would have to know. Unknown names become guests.
    """
    pool = lock_pool(pool.pk)
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
    if rows == _rows_of(BroughtRating.objects.filter(pool=pool)):
        return False
    if brought_version(pool.pk) != version:
        raise Stale
    _require_newcomers(pool, [row[0] for row in rows], day)
    _replace(pool, rows, actor)
    return True


@transaction.atomic
def take_back_ratings(pool: Pool, *, version: int, actor: User | None) -> None:
    """Bring back the ratings that were there before the change `version`; raise Stale if it is not the newest."""
    pool = lock_pool(pool.pk)
    change = Change.objects.filter(pool=pool, kind=Change.Kind.RATINGS_BROUGHT).order_by("-version").first()
    if change is None or change.version != version:
        raise Stale
    there = set(Player.objects.filter(club=pool.club_id).values_list("pk", flat=True))
    merged = dict(PlayerMerge.objects.filter(club=pool.club_id).values_list("merged_id", "kept_id"))
    rows: dict[int, Row] = {}
    for player_id, *rating in change.before["ratings"]:
        now = player_id
        while now not in there and now in merged:
            now = merged[now]
        if now in there and (now == player_id or now not in rows):
            rows[now] = [now, *rating]
    _replace(pool, list(rows.values()), actor)


def _require_newcomers(pool: Pool, player_ids: Sequence[int], day: date) -> None:
    """Raise Refused if a player has an event before the day, by the club's time."""
    moment = datetime.combine(day, time(), pool.club.tz)
    played = pool.events.filter(starts_at__lt=moment, entries__player__in=player_ids)
    if first := played.order_by("starts_at").values_list("entries__player__name", flat=True).first():
        raise Refused(
            _(
                "%(name)s has played here before that day: a rating of an older system stands before all"
                " %(events_word)s."
            )
            % {"name": first}
        )


def _rows_of(stored: Iterable[BroughtRating]) -> list[Row]:
    return [[row.player_id, row.mu, row.sigma, row.n_entries, row.day.isoformat()] for row in stored]


def _replace(pool: Pool, rows: Sequence[Row], actor: User | None) -> None:
    """Replace the ratings, and have the events computed again of the players whose rating is another.

    A row that stays keeps its id, by which the merge of a player can be undone.
    """
    stored = BroughtRating.objects.filter(pool=pool)
    before, after = _rows_of(stored), list(rows)
    if before == after:
        return
    stored.exclude(player__in=as_one_parameter({row[0] for row in after})).delete()
    ids = dict(stored.values_list("player_id", "pk"))
    wanted = [
        BroughtRating(
            pk=ids.get(row[0]), pool=pool, player_id=row[0], **dict(zip(RATING, row[1:], strict=True))
        )
        for row in after
    ]
    BroughtRating.objects.bulk_update([each for each in wanted if each.pk], RATING, batch_size=BATCH)
    BroughtRating.objects.bulk_create([each for each in wanted if not each.pk])
    changed = {row[0] for row in [*before, *after] if row not in before or row not in after}
    record_change(
        pool,
        kind=Change.Kind.RATINGS_BROUGHT,
        actor=actor,
        rated_from=first_start(pool.pk, changed),
        before={"ratings": before},
        after={"ratings": after},
    )
