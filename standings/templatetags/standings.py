"""What pages of a season say beside their tables: its rules, its neighbours, how far it is computed."""

from fractions import Fraction

from django import template

from league import formats
from league.models import Season
from league.templatetags.formatting import moment
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from payouts.queries import rules_of, structures_of_events
from payouts.sentences import rules_in_words, structure_in_words
from standings import queries

register = template.Library()


@register.simple_tag
def seasons_beside(season: Season) -> tuple[queries.NearSeason | None, queries.NearSeason | None]:
    """Read the seasons before and after this one."""
    return queries.seasons_beside(season)


@register.filter
def rules_sentences(season: Season) -> list[str]:
    """Write the rules of a season, and which of its events were settled by other points."""
    return [*rules_in_words(rules_of(season)), *_settled_otherwise(season)]


def _settled_otherwise(season: Season) -> list[str]:
    present = rules_of(season).points_structure
    return [
        ngettext(
            "%(n)d %(event_word)s was settled by other points: %(structure)s.",
            "%(n)d %(events_word)s were settled by other points: %(structure)s.",
            n,
        )
        % {"n": n, "structure": structure_in_words(structure)}
        for structure, n in structures_of_events(season)
        if structure != present
    ]


@register.filter
def scaled(value: Fraction, places: int) -> str:
    """Write points with as many decimals as all others of their table have."""
    return formats.number(float(value), places)


@register.filter
def progress(work: queries.WorkState) -> str:
    """Write how many events are computed."""
    text = _("Computing: %(done)s of %(total)s %(events_word)s done. Until then the old numbers stand.")
    return text % {"done": work.n_done, "total": work.n_events}


@register.filter
def computed_when(work: queries.WorkState) -> str:
    """Write when the points and ratings were computed."""
    return _("Points and ratings computed %(time)s") % {"time": moment(work.rated_at)}
