"""What stands on the certificate of an award."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext

from league import formats
from league.models import Season
from league.vocabulary import gettext as _
from standings.awards.text import award_reason
from standings.awards.winners import AwardPlace, Winner, WonAward, season_awards
from standings.models import AwardKind
from standings.queries import summary_of


@dataclass(frozen=True)
class Certificate:
    club: str
    season: str
    award: str
    name: str
    shared_with: str  # names; empty for a single winner
    reason: str
    date: str


def certificate_of(season: Season, award_id: int, player_id: int) -> Certificate | None:
    """Build the certificate of a winner of an award; None for any other player, and before the season is closed.

    The season was read with its club and summary.
    """
    if not season.is_closed:
        return None
    for won in season_awards(season):
        for place in won.places:
            for winner in place.winners:
                if (won.award.pk, winner.player_id) == (award_id, player_id):
                    return _certificate(season, won, place, winner)
    return None


def _certificate(season: Season, won: WonAward, place: AwardPlace, winner: Winner) -> Certificate:
    others = [each.name for each in place.winners if each.player_id != winner.player_id]
    return Certificate(
        club=season.club.name,
        season=season.name,
        award=_title(won, place),
        name=winner.name,
        shared_with=formats.together(others),
        reason=award_reason(won.award.kind, winner.line) if winner.line else "",
        date=_date(season),
    )


def _title(won: WonAward, place: AwardPlace) -> str:
    """Name what was won; of the first three on points, the place."""
    if won.award.kind != AwardKind.FIRST_THREE:
        return str(won.award)
    return {1: pgettext("award", "Winner"), 2: _("Second place"), 3: _("Third place")}[place.place]


def _date(season: Season) -> str:
    """Write the day of the last event."""
    summary = summary_of(season)
    last = summary.facts.get("last_event") if summary else None
    if last is None:
        return ""
    return date_format(timezone.localtime(datetime.fromisoformat(last["starts_at"])), "DATE_FORMAT")
