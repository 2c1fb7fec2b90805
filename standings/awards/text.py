"""Awards in words: what each is given for, and what it was won with."""

from collections.abc import Callable

from league import formats
from league.hooks.taking_over import TakenOver
from league.models import Season
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from payouts.engine.seasons.awards import IMPROVED_FROM
from payouts.queries import rules_of
from standings.awards.winners import SeasonLine, WonAward
from standings.models import Award, AwardKind, SeasonSummary


def award_rule(award: Award) -> str:
    """Write the rule by which the winner of an award is found."""
    n = award.min_events
    pays_balances = rules_of(award.season).pays_balances
    rules: dict[str, str] = {
        AwardKind.FIRST_THREE: _("The first three of the table by points."),
        AwardKind.BEST_PROFIT: ngettext(
            "The highest balance per %(game_word)s of those with at least %(n)d %(game_word)s.",
            "The highest balance per %(game_word)s of those with at least %(n)d %(games_word)s.",
            n,
        )
        % {"n": n}
        if pays_balances
        else ngettext(
            "The highest profit per tourney of those with at least %(n)d %(event_word)s.",
            "The highest profit per tourney of those with at least %(n)d %(events_word)s.",
            n,
        )
        % {"n": n},
        AwardKind.MOST_ATTENDANCE: _("The most %(events_word)s played."),
        AwardKind.BEST_NEWCOMER: _(
            "The best by points of those whose first %(event_word)s in this rating pool was one of this season."
        ),
        AwardKind.MOST_IMPROVED: _improved_rule(award),
        AwardKind.MOST_WINS: _("The most %(events_word)s won."),
        AwardKind.MOST_KNOCKOUTS: _(
            "The most players knocked out, in the %(events_word)s whose knock-outs are recorded."
        ),
        AwardKind.CHOSEN: _("Chosen by the organizers."),
    }
    return rules[award.kind]


def _improved_rule(award: Award) -> str:
    """The rule of "most improved". A sealed season may have been counted by another one, from the first event on."""
    n = award.min_events if award.season.is_sealed else max(award.min_events, IMPROVED_FROM)
    text = (
        ngettext(
            "The greatest gain of rate, as it was counted when the season was sealed, of those with at least %(n)d"
            " %(event_word)s.",
            "The greatest gain of rate, as it was counted when the season was sealed, of those with at least %(n)d"
            " %(events_word)s.",
            n,
        )
        if award.season.is_sealed
        else ngettext(
            "The greatest gain of rate from a player's third %(event_word)s of the season on, so that placement"
            " does not count;"
            " of those with at least %(n)d %(event_word)s.",
            "The greatest gain of rate from a player's third %(event_word)s of the season on, so that placement"
            " does not count;"
            " of those with at least %(n)d %(events_word)s.",
            n,
        )
    )
    return text % {"n": n}


def award_reason(kind: str, line: SeasonLine) -> str:
    """Write the figures that a player has won an award with."""
    return REASONS[kind](line) if kind in REASONS else ""


def awards_taken_over(season: Season) -> TakenOver:
    """Say which awards of a season a new one takes over."""
    awards = list(Award.objects.filter(season=season))
    computed = [str(award) for award in awards if award.kind != AwardKind.CHOSEN]
    chosen = [str(award) for award in awards if award.kind == AwardKind.CHOSEN]
    return TakenOver(
        taken=(_("Awards: %(awards)s.") % {"awards": formats.listed(computed)},) if computed else (),
        left=(_("Awards chosen by the organizers: %(awards)s.") % {"awards": formats.listed(chosen)},)
        if chosen
        else (),
    )


def awards_stand(
    awards: list[WonAward], summary: SeasonSummary | None, *, is_closed: bool, has_ended: bool
) -> str:
    """Say below the title whether these are winners or leaders."""
    n = summary.n_events if summary else 0
    if not awards or not n:
        return ""
    if is_closed:
        return _("The season is closed: these are its winners.")
    if has_ended:
        return _("The season is over: these are its winners. There are certificates once it is closed.")
    return ngettext(
        "How the awards stand after %(n)d %(event_word)s.",
        "How the awards stand after %(n)d %(events_word)s.",
        n,
    ) % {"n": n}


def _points(line: SeasonLine) -> str:
    n = 1 if line.total == 1 else 2  # only exactly 1 is singular: 1.5 points
    text = ngettext("%(points)s point", "%(points)s points", n)
    return text % {"points": formats.points(line.total)}


def _profit(line: SeasonLine) -> str:
    text = ngettext(
        "%(profit)s a tourney over %(n)d %(event_word)s",
        "%(profit)s a tourney over %(n)d %(events_word)s",
        line.n_events,
    )
    return text % {"profit": formats.signed(line.profit, 2), "n": line.n_events}


def _attendance(line: SeasonLine) -> str:
    return ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", line.n_events) % {"n": line.n_events}


def _newcomer(line: SeasonLine) -> str:
    return _("%(points)s, position %(rank)d") % {"points": _points(line), "rank": line.points_rank}


def _improved(line: SeasonLine) -> str:
    return _("%(gain)s: from %(before)s to %(after)s") % {
        "gain": formats.signed(line.gain or 0.0),
        "before": formats.whole_rate(line.rate_from_third or 0.0),
        "after": formats.whole_rate(line.rate or 0.0),
    }


def _wins(line: SeasonLine) -> str:
    return ngettext("%(n)d win", "%(n)d wins", line.n_wins) % {"n": line.n_wins}


def _knockouts(line: SeasonLine) -> str:
    return ngettext("%(n)d knock-out", "%(n)d knock-outs", line.n_knockouts) % {"n": line.n_knockouts}


REASONS: dict[str, Callable[[SeasonLine], str]] = {
    AwardKind.FIRST_THREE: _points,
    AwardKind.BEST_PROFIT: _profit,
    AwardKind.MOST_ATTENDANCE: _attendance,
    AwardKind.BEST_NEWCOMER: _newcomer,
    AwardKind.MOST_IMPROVED: _improved,
    AwardKind.MOST_WINS: _wins,
    AwardKind.MOST_KNOCKOUTS: _knockouts,
}
