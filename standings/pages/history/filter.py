"""The choice of a part of a club's history: by person, kind, event and time."""

from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q

from league.models import AccessChange, Change, Club, Event
from league.queries import typed_id
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy

Kind = Change.Kind
RESULTS = (
    Kind.RESULT_ENTERED,
    Kind.RESULT_CORRECTED,
    Kind.RESULT_DELETED,
    Kind.RESULT_RESTORED,
    Kind.MEET_CHANGED,
)
PLAYERS = (
    Kind.PLAYERS_ADDED,
    Kind.PLAYER_RENAMED,
    Kind.PLAYERS_MERGED,
    Kind.PLAYERS_UNMERGED,
    Kind.PLAYER_DELETED,
    Kind.PLAYER_RESTORED,
    Kind.NAMES_CHANGED,
)
GROUPS = {
    "results": (gettext_lazy("Results"), RESULTS),
    "corrections": (gettext_lazy("Corrections"), (Kind.RESULT_CORRECTED,)),
    "players": (gettext_lazy("Players"), PLAYERS),
    "rules": (
        gettext_lazy("Rules, seasons and settings"),
        tuple(set(Kind) - {*RESULTS, *PLAYERS, Kind.MONEY_CHANGED, Kind.RATINGS_TOUCHED}),
    ),
    "money": (gettext_lazy("Money"), (Kind.MONEY_CHANGED,)),
}
PEOPLE = "people"  # the lines about rights
SITE = "site"  # what nobody did: commands, imports by the site
MOST_EVENTS = 200  # in the list to choose from


class Chosen(NamedTuple):
    """Conditions on the changes of results and rules, and on those of rights."""

    changes: Q
    rights: Q


class HistoryFilterForm(forms.Form):
    by = forms.ChoiceField(label=gettext_lazy("By"), required=False)
    about = forms.ChoiceField(label=gettext_lazy("About"), required=False)
    event = forms.ChoiceField(label=gettext_lazy("%(Event_word)s"), required=False)
    since = forms.DateField(
        label=gettext_lazy("Since"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    until = forms.DateField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, data: Any, *, club: Club, shows_people: bool, shows_rights: bool) -> None:
        super().__init__(data)
        self.club = club
        fields: dict[str, Any] = self.fields
        if shows_people:
            fields["by"].choices = [("", _("Everybody")), *_people(club, with_rights=shows_rights)]
        else:
            del fields["by"]
        groups = [(name, label) for name, (label, _kinds) in GROUPS.items()]
        rights = [(PEOPLE, _("People and rights"))] if shows_rights else []
        fields["about"].choices = [("", _("Everything")), *groups, *rights]
        fields["event"].choices = [("", _("Any")), *_events(club, str(data.get("event", "")))]

    def chosen(self) -> Chosen:
        """Turn what is valid into conditions; a wrong value chooses nothing."""
        self.full_clean()
        data = self.cleaned_data
        shared = _by(data.get("by", "")) & self._at(data.get("since"), data.get("until"))
        about, event = data.get("about", ""), data.get("event", "")
        changes, rights = shared, shared
        if about in GROUPS:
            changes &= Q(kind__in=GROUPS[about][1])
        if about == PEOPLE:
            changes &= Q(pk__in=())
        if event:
            changes &= Q(event=event)
        if event or about in GROUPS:
            rights &= Q(pk__in=())
        return Chosen(changes, rights)

    def _at(self, since: date | None, until: date | None) -> Q:
        """Select the changes of whole days by the clock of the club."""
        after = Q(at__gte=self._midnight(since)) if since else Q()
        return after & Q(at__lt=self._midnight(until + timedelta(days=1))) if until else after

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), tzinfo=self.club.tz)


def _by(person: str) -> Q:
    return Q(actor=None) if person == SITE else Q(actor=person) if person else Q()


def _people(club: Club, *, with_rights: bool) -> list[tuple[str, str]]:
    actors = Q(pk__in=Change.objects.filter(pool__club=club).values("actor"))
    if with_rights:
        actors |= Q(pk__in=AccessChange.objects.filter(club=club).values("actor"))
    names = User.objects.filter(actors).order_by("username").values_list("pk", "username")
    return [*((str(pk), name) for pk, name in names), (SITE, _("the site itself"))]


def _events(club: Club, chosen: str) -> list[tuple[str, str]]:
    """List the latest events, and the chosen one even if it is older."""
    written = ("name", "starts_at", "season__name", "season__club__time_zone")
    events = Event.objects.filter(season__club=club).order_by("-starts_at", "-pk")
    events = events.select_related("season__club").only(*written)
    latest = list(events[:MOST_EVENTS])
    if typed_id(chosen) and chosen not in {str(event.pk) for event in latest}:
        latest += events.filter(pk=chosen)
    return [(str(event.pk), f"{event.starts_at.astimezone(club.tz):%Y-%m-%d} {event}") for event in latest]
