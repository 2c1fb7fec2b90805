"""Stored seals, and whether the database still agrees with them."""

import json

from league.models import Season
from standings.models import SeasonSeal
from standings.seals.document import canonical_text, checksum, first_difference, season_document


def seal_of(season: Season) -> SeasonSeal | None:
    """Read the seal of a season without its text, which can be long."""
    return SeasonSeal.objects.filter(season=season).defer("text").select_related("sealed_by").first()


def broken_by(season: Season) -> str:
    """Describe what differs from the sealed export, in English for the operator; empty if nothing does."""
    seal = SeasonSeal.objects.filter(season=season).first()
    if seal is None or not season.is_sealed:
        return "the season is not sealed"
    if checksum(seal.text) != seal.sha256:
        return "the stored export does not have the stored checksum"
    sealed = json.loads(seal.text)
    current = season_document(season, sealed=sealed)
    if canonical_text(current) == seal.text:
        return ""
    return first_difference(sealed, current) or "the export is written in another form"
