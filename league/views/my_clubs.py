"""The clubs that a person is in, each with what to do there next."""

from datetime import date
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Prefetch
from django.urls import reverse
from django.utils import timezone

from league.models import Club, Event, Membership, Player, Role, Season
from league.queries import has_two_factor, nearest_season, needs_two_factor
from league.rights import Act, may
from league.vocabulary import gettext as _


class NextStep(NamedTuple):
    label: str
    address: str


class MyClub(NamedTuple):
    club: Club
    role: Role
    next_step: NextStep


def my_clubs(user: User) -> list[MyClub]:
    """List the clubs of a person by name, in a constant number of queries."""
    seasons = Season.objects.annotate(has_events=Exists(Event.objects.filter(season=OuterRef("pk"))))
    memberships = (
        Membership.objects.filter(user=user)
        .select_related("club")
        .prefetch_related(Prefetch("club__seasons", seasons))
        .order_by("club__name", "club")
    )
    players = dict(Player.objects.filter(user=user).values_list("club", "pk"))
    is_safe = has_two_factor(user)
    return [
        MyClub(
            each.club,
            Role(each.role),
            _next_step(
                each,
                players.get(each.club_id),
                lacks_factor=needs_two_factor(user, each.club) and not is_safe,
            ),
        )
        for each in memberships
    ]


def _next_step(membership: Membership, player_id: int | None, *, lacks_factor: bool) -> NextStep:
    club, role = membership.club, Role(membership.role)
    if role > Role.MEMBER and lacks_factor:
        return NextStep(_("Set up two-factor sign-in"), reverse("mfa_index"))
    season = nearest_season(club.seasons.all(), _today(club))
    if season is None or season.is_closed:
        if may(role, Act.CHANGE_RULES):
            label = _("Begin the first season") if season is None else _("Begin the next season")
            return NextStep(label, reverse("payouts:season-create", args=[club.slug]))
    elif may(role, Act.ENTER_RESULTS):
        has_events = getattr(season, "has_events", False)
        label = _("Enter %(an_event_word)s") if has_events else _("Enter the first %(event_word)s")
        return NextStep(label, reverse("entry:enter", args=[club.slug, season.slug]))
    if player_id is None:
        return NextStep(_("Find yourself among the players"), reverse("standings:players", args=[club.slug]))
    return NextStep(_("Your results"), reverse("standings:player", args=[club.slug, player_id]))


def _today(club: Club) -> date:
    return timezone.now().astimezone(club.tz).date()
