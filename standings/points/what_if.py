"""The standings of a season under other rules beside the real ones. Nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.models import Entry, Season
from league.services.errors import Refused
from league.vocabulary import gettext as _
from payouts.engine.seasons.standings import SeasonRow
from payouts.engine.seasons.what_if import WhatIfRow, side_by_side
from payouts.models import SeasonRules
from payouts.services.settling import NoPoints, settle_events
from standings.recomputation.season import SeasonInput, read_season, results_of

MOST_ENTRIES = 60_000  # as many as an organizer can wait for
MOST_FOR_READERS = 4_000  # fewer, since anybody may ask, with any number of rules


@dataclass(frozen=True)
class NamedRow:
    name: str
    row: WhatIfRow


@dataclass(frozen=True)
class WhatIf:
    rows: list[NamedRow]  # in order of the other standings
    n_moved: int
    leaders: tuple[str, str]  # now, and under the other rules


def what_if(season: Season, rules: SeasonRules, *, is_organizer: bool) -> WhatIf:
    """Settle and count all events of a season by other rules.

    Raise Refused if the season is too large, or the structure has no value for one of its events.
    """
    _require_small(season, is_organizer=is_organizer)
    read = read_season(season)
    settled = read.entries.where(read.entries.denominator > 0)
    actual = read.rows(results_of(settled))
    try:
        resettled = settle_events([event.pk for event in read.events], structure=rules.points_structure)
    except NoPoints as error:
        raise Refused(error.in_words()) from error
    other = read.under(rules.scoring).rows(results_of(settled.with_points(resettled.points)))
    return _compared(read, actual, other)


def _require_small(season: Season, *, is_organizer: bool) -> None:
    entries = Entry.objects.filter(event__season=season)
    if is_organizer and entries[MOST_ENTRIES:].exists():
        raise Refused(_("This season has too many results to be computed while you wait."))
    if not is_organizer and entries[MOST_FOR_READERS:].exists():
        raise Refused(
            _(
                "This season has more than %(most)d results, too many to compute for every visitor. Its"
                " organizers can compare up to %(more)d once they are signed in."
            )
            % {"most": MOST_FOR_READERS, "more": MOST_ENTRIES}
        )


def _compared(read: SeasonInput, actual: Sequence[SeasonRow], other: Sequence[SeasonRow]) -> WhatIf:
    rows = sorted(side_by_side(actual, other), key=lambda row: (row.other_rank or 0, row.rank or 0))
    named = [NamedRow(read.names[row.player_id], row) for row in rows]
    first = [read.names[standings[0].player_id] if standings else "" for standings in (actual, other)]
    return WhatIf(named, sum(bool(row.moved) for row in rows), (first[0], first[1]))
