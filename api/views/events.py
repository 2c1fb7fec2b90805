"""Events: lists of them, an event with its result, a finishing order to enter or to correct, terms."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, EventView, ListView, SeasonView
from api.errors import bad_results_named
from api.filters import EventFilter
from api.finishing_orders import ReadResult, changed_entry, kept_entry, read_result, require_possible_change
from api.names import require_certain
from api.results import shown_event
from api.schema import VERSION
from api.serializers.base import checked
from api.serializers.events import (
    BinItemSerializer,
    CorrectedEventSerializer,
    DeletionSerializer,
    EntryChangeSerializer,
    EventDetailSerializer,
    EventSerializer,
    NewEventSerializer,
    NewEventsSerializer,
    SavedEventsSerializer,
    TermsSerializer,
)
from entry.night_sheets.stored import is_sheet_event
from league.models import Club, Entry, EntryForm, Event, Season
from league.queries import players_by_key
from league.rights import RIGHTS, Act
from league.services.changes import lock_all
from league.services.errors import Refused
from league.services.events import correct_result, delete_event, enter_result, pools_of_details
from league.services.players import with_own_names
from payouts.models import EventTerms
from payouts.queries import terms_of, terms_version
from payouts.services.terms import set_event_terms
from reading.names.keys import name_key
from reading.results import EventDetails
from standings.queries import events_of, with_counts


class ClubEventsView(ListView, ClubView):
    """Lists the events of a club, the newest first."""

    queryset = Event.objects.none()
    serializer_class = EventSerializer
    filterset_class = EventFilter

    def get_queryset(self) -> QuerySet[Event]:
        return _listed(with_counts(Event.objects.filter(season__club=self.club)))


class SeasonEventsView(ListView, SeasonView):
    """Lists the events of a season, the newest first, and enters one with its finishing order."""

    writes = Act.ENTER_RESULTS
    is_of_version = True
    queryset = Event.objects.none()
    serializer_class = EventSerializer
    filterset_class = EventFilter

    def get_queryset(self) -> QuerySet[Event]:
        return _listed(events_of(self.season))

    @extend_schema(
        request=NewEventSerializer,
        responses={201: EventDetailSerializer},
        filters=False,
    )
    def post(self, request: Request, **_address: Any) -> Response:
        """Enter an event with its finishing order."""
        data = checked(NewEventSerializer, request.data)
        result = _read_new(self.club, data)
        with bad_results_named("entries" if "entries" in data else "text"):
            event = _enter(self.season, result, is_another=data["another"], actor=self.actor)
        return Response(shown_event(event, request), status=status.HTTP_201_CREATED)


class ManyEventsView(SeasonView):
    """Enters several events, all or none."""

    queryset = Event.objects.none()
    reads = writes = Act.ENTER_RESULTS

    @extend_schema(
        request=NewEventsSerializer,
        responses={201: SavedEventsSerializer},
    )
    def post(self, request: Request, **_address: Any) -> Response:
        """Enter several events, all or none."""
        sent = checked(NewEventsSerializer, request.data)["events"]
        results = [self._read(i, data) for i, data in enumerate(sent)]
        listed = [result for result, data in zip(results, sent, strict=True) if _asks_about_names(data)]
        names = [entry.name for result in listed for entry in result.entries]
        require_certain(names, players_by_key(self.club), "events")
        with transaction.atomic():
            lock_all(pools_of_details(self.season, [result.details for result in results]))
            events = [
                self._enter(i, result, is_another=sent[i]["another"]) for i, result in enumerate(results)
            ]
        shown = [shown_event(event, request) for event in events]
        return Response({"events": shown}, status=status.HTTP_201_CREATED)

    def _read(self, i: int, data: Mapping[str, Any]) -> ReadResult:
        """Read one of the results; an error says which one it is of."""
        try:
            return _read_new(self.club, data)
        except ValidationError as error:
            raise ValidationError({"events": {str(i): error.detail}}) from error

    def _enter(self, i: int, result: ReadResult, *, is_another: bool) -> Event:
        """Enter one of the results; an error says which one it is of."""
        try:
            with bad_results_named("entries"):
                return _enter(self.season, result, is_another=is_another, actor=self.actor)
        except ValidationError as error:
            raise ValidationError({"events": {str(i): error.detail}}) from error


class EventDetailView(EventView):
    """Answers with an event and its result, replaces the result, and puts the event into the bin."""

    writes, deletes = Act.ENTER_RESULTS, Act.DELETE_RESULTS
    serializer_class = EventDetailSerializer
    parameters = ("version",)

    def get(self, request: Request, **_address: Any) -> Response:
        """Read an event with its result."""
        sees_costs = self.role >= RIGHTS[Act.ENTER_RESULTS]
        return Response(shown_event(self.event, request, sees_costs=sees_costs))

    @extend_schema(request=CorrectedEventSerializer, responses=EventDetailSerializer)
    def put(self, request: Request, **_address: Any) -> Response:
        """Replace the result of an event."""
        return Response(shown_event(correct(self.event, request.data, actor=self.actor), request))

    @extend_schema(
        parameters=[VERSION],
        responses={200: BinItemSerializer},
    )
    def delete(self, request: Request, **_address: Any) -> Response:
        """Put an event into the bin of the club."""
        version = checked(DeletionSerializer, request.query_params)["version"]
        item = delete_event(self.event, version=version, actor=self.actor)
        return Response(BinItemSerializer(item).data)


class EntryView(EventView):
    """Changes one entry of a finishing order and leaves the others as they are."""

    reads = writes = Act.ENTER_RESULTS
    entry: Entry

    def found(self, event_id: int, entry_id: int) -> Club:  # type: ignore[override]
        club = super().found(event_id)
        entries = Entry.objects.select_related("player", "bonus", "money")
        self.entry = get_object_or_404(entries, event=self.event, pk=entry_id)
        return club

    @extend_schema(request=EntryChangeSerializer, responses=EventDetailSerializer)
    def patch(self, request: Request, **_address: Any) -> Response:
        """Change one entry and leave the others as they are. With another player it becomes another entry."""
        require_finishing_order(self.event)
        data = checked(EntryChangeSerializer, request.data)
        changed, aliases = changed_entry(self.club, self.entry, data)
        others = self.event.entries.select_related("player").exclude(pk=self.entry.pk)
        is_other = name_key(changed.name) != self.entry.player.key
        if is_other:
            _require_nothing_noted([self.entry])
        event = self.event
        details = EventDetails(event.starts_at, event.name, event.ends_at, event.closes_at)
        entries = [changed, *map(kept_entry, others)]
        require_possible_change(self.club, details, entries, is_moved=is_other or "place" in data)
        with bad_results_named("place"):
            saved = correct_result(
                event,
                details,
                entries,
                version=data["version"],
                reason=data["reason"],
                aliases=aliases,
                actor=self.actor,
            )
        return Response(shown_event(saved, request))


class TermsView(EventView):
    """Answers with what is special about an event, and replaces it."""

    serializer_class = TermsSerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read what is special about an event."""
        return _terms(self.event, terms_of(self.event))

    def put(self, request: Request, **_address: Any) -> Response:
        """Replace what is special about an event."""
        terms = checked(TermsSerializer, request.data)
        version = terms.pop("version")
        stored = set_event_terms(self.event, terms=terms, version=version, actor=self.actor)
        return _terms(self.event, stored)


def correct(event: Event, sent: object, *, actor: User) -> Event:
    """Replace the result of an event by one that was sent."""
    require_finishing_order(event)
    data = checked(CorrectedEventSerializer, sent)
    result = read_result(event.season.club, data)
    _require_nothing_lost(event, result)
    with bad_results_named("entries" if "entries" in data else "text"):
        return correct_result(
            event,
            result.details,
            result.entries,
            version=data["version"],
            reason=data["reason"],
            aliases=result.aliases,
            actor=actor,
        )


def _require_nothing_lost(event: Event, result: ReadResult) -> None:
    """Refuse a result that has no longer an entry for which bonus points or money are noted."""
    kept = {
        (name_key(entry.name), entry.number) for entry in with_own_names(event.season.club, result.entries)
    }
    stored = event.entries.select_related("player", "bonus", "money")
    _require_nothing_noted([entry for entry in stored if (entry.player.key, entry.number) not in kept])


def _require_nothing_noted(entries: Iterable[Entry]) -> None:
    if any(hasattr(entry, "bonus") or hasattr(entry, "money") for entry in entries):
        raise Refused(_("Bonus points or money are noted for this entry: take them off first."))


def require_finishing_order(event: Event) -> None:
    """Raise ValidationError for a game with scores or balances, which has no finishing order of its own."""
    if is_sheet_event(event):
        text = _("This is a game with scores or balances: correct them at its address `scores/`.")
        raise ValidationError({"entries": [text]})


def _asks_about_names(data: Mapping[str, Any]) -> bool:
    """Tell whether a result is a list whose unknown names were not said to be new; a text has answers of its own."""
    return "entries" in data and not data["new_players"]


def _listed(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.select_related("season__club")


def _read_new(club: Club, data: Mapping[str, Any]) -> ReadResult:
    """Read a new event as it was sent."""
    if game_id := data.get("game"):
        game = club.games.filter(pk=game_id).first()
        if game is None or game.entry_form != EntryForm.ORDER:
            raise ValidationError({"game": [_("The club has no such game with a finishing order.")]})
    return read_result(club, data)


def _enter(season: Season, result: ReadResult, *, is_another: bool, actor: User) -> Event:
    """Enter a new event. A request that is sent again is known by its key, so the token of a form is a new one."""
    return enter_result(
        season,
        result.details,
        result.entries,
        form_token=uuid.uuid4(),
        is_another=is_another,
        aliases=result.aliases,
        actor=actor,
    )


def _terms(event: Event, terms: EventTerms) -> Response:
    terms.version = terms_version(event)  # type: ignore[attr-defined]
    return Response(TermsSerializer(terms).data)
