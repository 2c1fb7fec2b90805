"""Sentences beside a leaderboard: who is ranked, and as of when it is."""

from datetime import date

from django.utils.formats import date_format

from league.models import PoolKind, Season
from league.templatetags.formatting import rating_name
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from payouts.queries import rules_of
from payouts.sentences import inactive_in_words
from standings.queries import rating_terms


def ranking_rule(season: Season, by: str) -> str:
    """Explain who is ranked in this order; empty if all players are."""
    if by == "tier":
        text = _("Players in placement have no position by %(rating)s; they follow below the ranked.")
        rules = rules_of(season)
        inactive = inactive_in_words(rules) if rules.inactive_after else ""
        return f"{text % {'rating': rating_name(season.pool.kind)}} {inactive}".strip()
    return _ranked_from(rules_of(season).min_events) if by == "profit" else ""


def _ranked_from(n: int) -> str:
    text = ngettext(
        "Ranked by profit from %(n)d %(event_word)s on.", "Ranked by profit from %(n)d %(events_word)s on.", n
    )
    return text % {"n": n}


def placed_after(season: Season) -> str:
    """Tell after how many entries or games newcomers are ranked; empty without ratings."""
    terms = rating_terms(season)
    if terms is None:
        return ""
    n = terms.n_placement
    if season.pool.kind == PoolKind.PROFIT:
        text = ngettext(
            "Newcomers are ranked by R after %(n)d %(game_word)s.",
            "Newcomers are ranked by R after %(n)d %(games_word)s.",
            n,
        )
    else:
        text = ngettext(
            "Newcomers are ranked by TIER after %(n)d entry.",
            "Newcomers are ranked by TIER after %(n)d entries.",
            n,
        )
    return text % {"n": n}


def as_it_was(day: date) -> str:
    """Say that a leaderboard is one of a past day."""
    return _("The leaderboard as it was after %(day)s.") % {"day": date_format(day, "DATE_FORMAT")}
