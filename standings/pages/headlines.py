"""Headlines made of data; where none fits, the plain title."""

from collections.abc import Iterable, Sequence
from datetime import datetime, time
from decimal import Decimal

from django.utils import timezone
from django.utils.formats import date_format

from league import formats
from league.models import Event, PoolKind, Season
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from payouts.sentences import bonuses_in_words
from standings.event_story.entries import EventPage
from standings.models import SeasonSummary
from standings.points.meets import MeetLine
from standings.recomputation.summary import SeasonFacts

N_POINTS_TOLD = 5  # places whose points are told at first sight


def kicker(titles: Iterable[str], rest: str) -> str:
    """Write the line above a headline: titles and a date or other text."""
    return _("%(titles)s. %(rest)s") % {"titles": formats.listed(titles), "rest": rest}


def event_kicker(event: Event) -> str:
    return kicker(filter(None, [event.season.name, event.name]), _day_and_time(event))


def _day_and_time(event: Event) -> str:
    """The day and times of an event; only the day if it starts at midnight without an end, as in imports by day."""
    start = timezone.localtime(event.starts_at)
    day = date_format(start, "DATE_FORMAT")
    if start.time() == time() and event.ends_at is None:
        return day
    end = f"–{timezone.localtime(event.ends_at):%H:%M}" if event.ends_at else ""
    return _("%(day)s, %(time)s") % {"day": day, "time": f"{start:%H:%M}{end}"}


def season_kicker(season: Season, summary: SeasonSummary | None) -> str:
    """The season's name, how many events it has had, and the day of the last."""
    last = summary.facts.get("last_event") if summary else None
    if summary is None or not last:
        return season.name
    at = timezone.localtime(datetime.fromisoformat(last["starts_at"]))
    text = ngettext(
        "%(season)s. After %(n)d %(event_word)s, %(day)s",
        "%(season)s. After %(n)d %(events_word)s, %(day)s",
        summary.n_events,
    )
    return text % {"season": season.name, "n": summary.n_events, "day": date_format(at, "DATE_FORMAT")}


def season_headline(
    facts: SeasonFacts | None, season: str, *, has_ended: bool = False, nobody_leads: str = ""
) -> str:
    """Say who leads, or once the season has ended who won, and by how much.

    While nobody leads anybody, it is `nobody_leads`, or else the name of the season.
    """
    if not facts or len(facts["leaders"]) < 2:  # noqa: PLR2004  a lead needs a second
        return nobody_leads or season
    (first, first_total), (second, second_total) = facts["leaders"]
    gap = Decimal(first_total) - Decimal(second_total)
    if gap == 0:
        return _equal_headline(facts, first, second, has_ended=has_ended)
    values = {"name": first, "second": second, "points": formats.points(gap)}
    n = 1 if gap == 1 else 2  # only exactly 1 is singular: 1.5 points
    if has_ended:
        text = ngettext(
            "%(name)s won, a point ahead of %(second)s", "%(name)s won, %(points)s ahead of %(second)s", n
        )
    else:
        text = ngettext(
            "%(name)s leads, a point ahead of %(second)s", "%(name)s leads, %(points)s ahead of %(second)s", n
        )
    return text % values


def _equal_headline(facts: SeasonFacts, first: str, second: str, *, has_ended: bool) -> str:
    """The headline of equal totals: a shared lead, unless a tie-break decides."""
    n_first = facts["n_first"]
    if has_ended and n_first == 1:
        return _("%(first)s won on equal points with %(second)s") % {"first": first, "second": second}
    if has_ended and n_first == 2:  # noqa: PLR2004  both have names
        return _("%(first)s and %(second)s won together") % {"first": first, "second": second}
    if has_ended:
        return _("%(n)d players won together") % {"n": n_first}
    if n_first == 1:
        return _("%(first)s leads %(second)s on equal points") % {"first": first, "second": second}
    if n_first == 2:  # noqa: PLR2004  both have names
        return _("%(first)s and %(second)s share the lead") % {"first": first, "second": second}
    return _("%(n)d players share the lead") % {"n": n_first}


def meet_headline(winners: Sequence[MeetLine], title: str, *, by_profit: bool = False) -> str:
    if not winners:
        return title
    if len(winners) > 1:
        names = formats.together(line.name for line in winners)
        return _("%(names)s share %(meet)s") % {"names": names, "meet": title}
    if by_profit:
        text = _("%(name)s wins %(meet)s with %(profit)s %(a_game_word)s")
        return text % {
            "name": winners[0].name, "meet": title, "profit": formats.signed(winners[0].profit, 2)
        }  # fmt: skip
    n = 1 if winners[0].total == 1 else 2
    text = ngettext(
        "%(name)s wins %(meet)s with a single point", "%(name)s wins %(meet)s with %(points)s points", n
    )
    values = {"name": winners[0].name, "meet": title, "points": formats.points(winners[0].total)}
    return text % values


def event_headline(page: EventPage, title: str) -> str:
    """Say who won: with which balance, or how many were outlasted."""
    winners, n_players = page.winners, page.n_players
    if not winners or n_players < 2:  # noqa: PLR2004  nobody was outlasted
        return title
    if len(winners) > 1:
        names = formats.together(winners)
        return _("%(names)s share the win among %(n)d players") % {"names": names, "n": n_players}
    first = page.rows[0]
    if first.balance is not None and first.place == 1:
        return _("%(name)s wins with %(balance)s") % {
            "name": winners[0],
            "balance": formats.signed(first.balance, 1),
        }
    values = {"name": winners[0], "n": n_players - 1}
    return (
        ngettext(
            "%(name)s %(outlasts_word)s %(n)d other", "%(name)s %(outlasts_word)s %(n)d others", n_players - 1
        )
        % values
    )


def event_stand(event: Event, page: EventPage) -> list[str]:
    """Say how many played, for which points, and how good they were."""
    terms = getattr(event, "terms", None)
    sentences = [_field(event, page), *_points(event, page)]
    if terms and terms.is_final:
        sentences.append(_("A final: it always counts."))
    if terms and terms.multiplier != 1:
        multiplier = formats.points(terms.multiplier)
        sentences.append(_("It counts %(multiplier)s times in the standings.") % {"multiplier": multiplier})
    if bonuses := [(row.name, *row.bonus) for row in page.rows if row.bonus]:
        sentences.append(_("Bonus points: %(bonuses)s.") % {"bonuses": bonuses_in_words(bonuses)})
    if page.mean_rate is not None:
        text = (
            _("Mean R of the table before the %(game_word)s: %(rate)s.")
            if event.pool.kind == PoolKind.PROFIT
            else _("Mean rate of the field before the %(event_word)s: %(rate)s.")
        )
        sentences.append(text % {"rate": formats.number(page.mean_rate)})
    return sentences


def _points(event: Event, page: EventPage) -> list[str]:
    """Say what the first places brought, on the page that shows them; a balance says it in its own column."""
    rules = getattr(event, "rules", None)
    if rules is None or page.number > 1 or rules.points_structure.uses_balance:
        return []
    first, *others = [row.points for row in page.rows][:N_POINTS_TOLD] or [None]
    if not first:
        return []
    values = {
        "first": formats.points(first),
        "others": formats.listed(formats.points(points) for points in others if points),
    }
    if not values["others"]:
        return [_("Winner %(first)s, the others nothing.") % values]
    return [_("Winner %(first)s, then %(others)s.") % values]


def _field(event: Event, page: EventPage) -> str:
    terms, rules = getattr(event, "terms", None), getattr(event, "rules", None)
    structure = rules.points_structure if rules else None
    players = ngettext("%(n)s player", "%(n)s players", page.n_players) % {"n": page.n_players}
    entries = ngettext("%(n)s entry", "%(n)s entries", page.n_entries) % {"n": page.n_entries}
    values = {"players": players, "entries": entries}
    if terms and terms.total is not None and structure and structure.shares_a_total:
        values["total"] = formats.points(terms.total)
        return _("%(players)s, %(entries)s, %(total)s points put up.") % values
    if structure and structure.is_dhondt:
        values["points"] = ngettext("%(n)d point", "%(n)d points", page.n_entries) % {"n": page.n_entries}
        if page.n_players < page.n_entries:
            return _("%(entries)s of %(players)s, so %(points)s were shared out.") % values
        return _("%(entries)s, so %(points)s were shared out.") % values
    return _("%(players)s, %(entries)s.") % values
