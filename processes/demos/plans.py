"""Plan what comes next in a demo club: a season in a month, its events, and who comes to the first."""

from datetime import date, datetime, time, timedelta

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.utils import timezone

from league.models import Club, Role, Rsvp
from league.services.schedule import EventPlan, plan_events, say_coming
from payouts.services.rules import open_season_with_rules
from people.services.members import set_member

UNTIL_THEN, APART = timedelta(weeks=5), timedelta(weeks=1)
N_EVENTS = 6


def plan_season(
    club: Club,
    *,
    name: str,
    rules: dict[str, object],
    weekday: int,
    begin: time,
    place: str,
    coming: dict[str, Rsvp.Answer],
    organizer: User,
) -> None:
    """Open a season whose events are on one day of the week; `coming` has the answers of members by user name."""
    first = _first_day(timezone.localdate(timezone=club.tz) + UNTIL_THEN, weekday)
    days = [first + APART * i for i in range(N_EVENTS)]
    season = open_season_with_rules(
        club, name=f"{name} {first.year}", starts_on=days[0], ends_on=days[-1], rules=rules, actor=organizer
    )
    plans = [
        EventPlan(datetime.combine(day, begin, tzinfo=club.tz), place=place, is_last=day == days[-1])
        for day in days
    ]
    planned = plan_events(season, plans=plans, actor=organizer)
    for username, answer in coming.items():
        member, _is_new = User.objects.get_or_create(
            username=username,
            defaults={"password": make_password(None)},  # nobody signs in with it
        )
        set_member(club, user=member, role=Role.MEMBER, actor=organizer)
        say_coming(planned[0], user=member, answer=answer)


def _first_day(after: date, weekday: int) -> date:
    """Find the first such day of the week, Monday 0, that is not before a day."""
    return after + timedelta(days=(weekday - after.weekday()) % 7)
