"""Tell what stands beside the table of a season: who is ahead since when, and how early it was decided."""

from league.formats import points as points_in_words
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.points.race import Race


def race_in_words(race: Race) -> str:
    """Say who is ahead, by how much, since when."""
    lines = race.lines
    values = {
        "n": race.n_events,
        "first": lines[0].name,
        "points": points_in_words(lines[0].totals[-1]),
    }
    if len(lines) == 1:
        return _("After %(event_word)s %(n)d: %(first)s %(points)s points.") % values
    values |= {"second": lines[1].name, "behind": points_in_words(lines[1].totals[-1])}
    if lines[0].totals[-1] == lines[1].totals[-1]:
        return (
            _("After %(event_word)s %(n)d: %(first)s and %(second)s level with %(points)s points.") % values
        )
    values["since"] = race.leads_since
    return (
        _(
            "After %(event_word)s %(n)d: %(first)s %(points)s points, %(second)s %(behind)s."
            " Of these players nobody has been ahead of %(first)s since %(event_word)s %(since)d."
        )
        % values
    )


def decision_in_words(race: Race) -> str:
    """Say when an ended season was decided; nothing if that cannot be said."""
    if race.decided_after is None:
        return ""
    n_left = race.n_events - race.decided_after
    values = {"first": race.lines[0].name, "n": race.decided_after, "left": n_left}
    if n_left == 0:
        return _("Decided at the last %(night_word)s: until then another player could have won.")
    return (
        ngettext(
            "Decided after %(event_word)s %(n)d, with %(left)d to come: nobody could catch up with %(first)s any more.",
            "Decided after %(event_word)s %(n)d, with %(left)d to come: nobody could catch up with %(first)s any"
            " more, not even"
            " by winning all of them.",
            n_left,
        )
        % values
    )
