"""What there is of a season to seal, and the command that checks its seal."""

import io

from django.core.management import call_command
from django.urls import reverse

from payouts.models import EntryPoints, EventRules, SeasonRules
from standings.models import Award, AwardKind, SeasonSummary, Standing

COMPUTED = [kind for kind in AwardKind.values if kind != "chosen"]


def url(season, page="seal"):
    return reverse(f"standings:{page}", args=[season.club.slug, season.slug])


def rows(model, season):
    key = {Standing: "season", SeasonSummary: "season", Award: "season"}.get(model, "entry__event__season")
    if model is EventRules:
        key = "event__season"
    if model is SeasonRules:
        key = "season"
    return sorted(map(repr, model.objects.filter(**{key: season}).values_list()))


def everything(season):
    """Every stored cell of a season, bit by bit."""
    models = (Standing, SeasonSummary, Award, EntryPoints, EventRules, SeasonRules)
    return {model.__name__: rows(model, season) for model in models}


def check(season):
    out = io.StringIO()
    call_command("check_seal", "--club", season.club.slug, "--season", season.slug, stdout=out)
    return out.getvalue()
