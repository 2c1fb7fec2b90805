"""What a player's games say, in whole translatable sentences."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from league import formats
from league.formats import ordinal
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.explanations.sentences import filled
from standings.games.figures import GameFigures

# Spreads of luck from a new player's R: as far as luck alone is likely to bring a rating, and hardly ever does.
LIKELY, HARDLY = 1.0, 2.0


def stand(rank: tuple[int, int] | None, figures: GameFigures, r0: float) -> str:
    """Say where the player stands, and how far that is from the middle."""
    spreads = figures.above / figures.luck.now if figures.luck.now > 0.0 else 0.0
    text = (
        _("%(spreads)s spreads of luck above %(r0)s.")
        if spreads >= 0
        else _("%(spreads)s spreads of luck below %(r0)s.")
    )
    distance = text % {"spreads": formats.number(abs(spreads), 1), "r0": formats.number(r0)}
    if rank is None:
        return _("Not ranked by R yet, %(distance)s") % {"distance": distance}
    place, n = rank
    return _("%(place)s of %(n)d by R, %(distance)s") % {
        "place": ordinal(place),
        "n": n,
        "distance": distance,
    }


def verdict(name: str, figures: GameFigures, r0: float) -> list[SafeString]:
    """Say how much of the distance to the middle luck alone explains; nothing after few games."""
    if figures.is_few or figures.luck.now == 0.0:
        return []
    pairs = ngettext(
        "Of two equal players with %(n)d %(game_word)s, one pair in three is more than %(points)s points apart by"
        " luck alone.",
        "Of two equal players with %(n)d %(games_word)s, one pair in three is more than %(points)s points apart by"
        " luck alone.",
        figures.n_games,
    )
    apart = format_html("<b>{}</b>", formats.number(figures.luck.apart))
    return [
        filled(pairs, n=figures.n_games, points=apart),
        filled(
            _verdict(figures), name=name, points=formats.number(abs(figures.above)), r0=formats.number(r0)
        ),
    ]


def _verdict(figures: GameFigures) -> str:
    spreads = figures.above / figures.luck.now
    if abs(spreads) <= LIKELY:
        return (
            _("%(name)s is %(points)s above %(r0)s: luck alone can do that.")
            if spreads >= 0
            else _("%(name)s is %(points)s below %(r0)s: luck alone can do that.")
        )
    if abs(spreads) <= HARDLY:
        return (
            _("%(name)s is %(points)s above %(r0)s: a good sign, not yet proof.")
            if spreads > 0
            else _("%(name)s is %(points)s below %(r0)s: a bad sign, not yet proof.")
        )
    return (
        _("%(name)s is %(points)s above %(r0)s: more than luck alone explains.")
        if spreads > 0
        else _("%(name)s is %(points)s below %(r0)s: more than luck alone explains.")
    )
