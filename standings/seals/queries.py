"""Seals: what is stored, and whether the database still says the same."""

import json

from league.models import Season
from standings.models import SeasonSeal
from standings.seals.document import canonical_text, checksum, first_difference, season_document


def seal_of(season: Season) -> SeasonSeal | None:
    """Without its text, which can be long."""
    return SeasonSeal.objects.filter(season=season).defer("text").select_related("sealed_by").first()


def broken_by(season: Season) -> str:
    """What differs from the sealed export; empty if nothing does. For the operator: in English."""
    seal = SeasonSeal.objects.filter(season=season).first()
    if seal is None or not season.is_sealed:
        return "the season is not sealed"
    if checksum(seal.text) != seal.sha256:
        return "the stored export does not have the stored checksum"
    sealed = json.loads(seal.text)
    found = season_document(season, sealed=sealed)
    if canonical_text(found) == seal.text:
        return ""
    return first_difference(sealed, found) or "the export is written in another form"
