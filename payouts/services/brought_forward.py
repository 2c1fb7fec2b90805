"""Changes of totals brought forward, under the pool's lock."""

from collections import Counter
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Season
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused, Stale
from league.services.players import ensure_players, remember_aliases
from league.vocabulary import gettext as _
from payouts.brought_forward import BroughtForwardLine
from payouts.models import BroughtTotals
from payouts.queries import brought_forward_version
from payouts.services.rules import require_open
from reading.names.keys import name_key
from reading.names.understanding import NO_ALIASES, Aliases


@transaction.atomic
def bring_forward(
    season: Season,
    lines: Sequence[BroughtForwardLine],
    *,
    version: int,
    actor: User | None,
    aliases: Aliases = NO_ALIASES,
) -> int:
    """Replace the season's totals brought forward by these lines and return their number.

    Raise Stale if `version` is outdated. Unknown names become guests, as in a result; `aliases` are other names of
    players to remember.
    """
    _require_one_line_each(lines)
    pool = lock_pool(season.pool_id)
    if brought_forward_version(season) != version:
        raise Stale
    require_open(season)
    players = ensure_players(season.club, [line.name for line in lines])
    remember_aliases(season.club, aliases, pool=pool, actor=actor)
    stored = BroughtTotals.objects.filter(season=season).select_related("player")
    before = [
        [totals.player_id, str(totals.points), totals.n_events, totals.n_entries, totals.n_wins]
        for totals in stored
    ]
    after = [
        [players[name_key(line.name)].pk, str(line.points), line.n_events, line.n_entries, line.n_wins]
        for line in lines
    ]
    if before != after:
        stored.delete()
        BroughtTotals.objects.bulk_create(
            BroughtTotals(
                season=season,
                player=players[name_key(line.name)],
                numerator=line.points.numerator,
                denominator=line.points.denominator,
                n_events=line.n_events,
                n_entries=line.n_entries,
                n_wins=line.n_wins,
            )
            for line in lines
        )
        record_change(
            pool,
            kind=Change.Kind.TOTALS_BROUGHT,
            actor=actor,
            season=season,
            before={"totals": before},
            after={"totals": after},
        )
    return len(after)


def _require_one_line_each(lines: Sequence[BroughtForwardLine]) -> None:
    """Raise Refused if a player has two lines, by one name or by two."""
    counts = Counter(name_key(line.name) for line in lines)
    if twice := next((line.name for line in lines if counts[name_key(line.name)] > 1), ""):
        raise Refused(_("%(name)s is there twice.") % {"name": twice})
