"""Reads of points rules."""

from league.models import Season
from payouts.models import SeasonRules


def rules_of(season: Season) -> SeasonRules:
    """The season's rules; the defaults where nobody has chosen any (a season made outside the site's form)."""
    rules: SeasonRules | None = getattr(season, "rules", None)
    return rules or SeasonRules(season=season)
