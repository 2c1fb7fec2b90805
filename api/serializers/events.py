"""Events: what they are, their results, and finishing orders as programs send them."""

from typing import Any

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import (
    ExactField,
    LinkField,
    MomentField,
    NamedPart,
    NamedPlayer,
    Part,
    PlayerRef,
    Replacement,
    checked_reason,
    checked_title,
)
from entry.forms.results import MAX_TEXT
from league.forms.names import MAX_TITLE
from league.models import Entry, Event
from league.models.change import MAX_REASON
from payouts.models import EventTerms
from payouts.services.terms import TERM_FIELDS
from reading.event_files.reader import SEATS
from reading.finishing_order.order import MAX_LINES

MOST_EVENTS, MOST_ENTRIES = 50, 1_000  # of one request, which holds the locks of its pools
MOST_ANSWERS = 2_000


class EventSerializer(serializers.ModelSerializer[Event]):
    """An event as a list shows it: `name` is its own and may be empty, `title` is what pages call it."""

    title = serializers.CharField(source="__str__", read_only=True)
    url = LinkField()
    players = serializers.IntegerField(source="n_players")
    entries = serializers.IntegerField(source="n_entries")
    winners = serializers.SerializerMethodField()

    class Meta:
        model = Event
        fields = (
            "id", "season", "name", "title", "url", "starts_at", "ends_at", "pool", "game", "meet", "round", "table",
            "version", "players", "entries", "winners",
        )  # fmt: skip

    @extend_schema_field(PlayerRef(many=True))
    def get_winners(self, event: Any) -> Any:
        slug = event.season.club.slug
        players = [NamedPlayer(entry.player_id, entry.player.name, slug) for entry in event.winners]
        return [self._winner.to_representation(player) for player in players]

    @cached_property
    def _winner(self) -> PlayerRef:
        """Make one for all events of a list."""
        return PlayerRef(context=self.context)


class EntryRatingSerializer(serializers.Serializer[Any]):
    """The rating of a player before and after an entry."""

    before = serializers.FloatField()
    after = serializers.FloatField()
    badge = serializers.CharField()
    is_provisional = serializers.BooleanField()
    expected_place = serializers.FloatField(source="expected", help_text="Among the players of the event.")


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """An entry of a result: `points` and `rating` are null until they are computed, or where there are none.

    `cost` is null for whoever may not enter results.
    """

    player = PlayerRef()
    cost = ExactField(allow_null=True, source="shown_cost")
    score = ExactField(allow_null=True)
    balance = ExactField(allow_null=True)
    penalty = ExactField(allow_null=True)
    points = ExactField(allow_null=True, source="shown_points")
    rating = EntryRatingSerializer(allow_null=True, source="shown_rating")

    class Meta:
        model = Entry
        fields = (
            "id", "player", "number", "is_last", "place", "registered_at", "busted_at", "knockouts", "cost", "score",
            "balance", "chips", "penalty", "seat", "points", "rating",
        )  # fmt: skip


class EventDetailSerializer(serializers.ModelSerializer[Event]):
    """An event with its result; `is_waiting` tells that points and ratings of this version are being computed."""

    club = serializers.CharField(source="season.club.slug", read_only=True)
    title = serializers.CharField(source="__str__", read_only=True)
    url = LinkField()
    is_waiting = serializers.BooleanField()
    scoring = serializers.DictField(allow_null=True, help_text="The rules that scores were counted by.")
    entries = EntrySerializer(many=True, source="shown_entries")

    class Meta:
        model = Event
        fields = (
            "id", "club", "season", "name", "title", "url", "starts_at", "ends_at", "closes_at", "table_size",
            "final_table_size", "pool", "game", "meet", "round", "table", "scoring", "version", "is_waiting", "entries",
        )  # fmt: skip


class EntryInputSerializer(NamedPart):
    """One entry: a player who enters again has several, of which the last has the highest `number`."""

    place = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_LINES,
        help_text="Among all entries; tied entries share one. Without any place, the list is the finishing order.",
    )  # fmt: skip
    number = serializers.IntegerField(
        required=False, min_value=1, max_value=999, default=None,
        help_text="Which entry of the player it is; by default the better the place, the later the entry.",
    )  # fmt: skip
    registered_at = MomentField(required=False, allow_null=True, default=None)
    busted_at = MomentField(required=False, allow_null=True, default=None)
    knockouts = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=999, default=None
    )
    cost = serializers.DecimalField(12, 3, required=False, allow_null=True, min_value=0, default=None)


class EntryChangeSerializer(NamedPart):
    """Change one entry: whatever is left out stays as it is, null removes it."""

    is_name_required = False

    version = serializers.IntegerField(min_value=1, help_text="The version of the event that you have read.")
    reason = serializers.CharField(
        max_length=MAX_REASON, allow_blank=True, default="", validators=[checked_reason]
    )
    new_players = serializers.BooleanField(default=False)
    place = serializers.IntegerField(required=False, min_value=1, max_value=MAX_LINES)
    registered_at = MomentField(required=False, allow_null=True)
    busted_at = MomentField(required=False, allow_null=True)
    knockouts = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=999)
    cost = serializers.DecimalField(12, 3, required=False, allow_null=True, min_value=0)


class ResultInputSerializer(Part):
    """A finishing order: `entries`, or a `text` that is read like the text of the form. Exactly one of them."""

    name = serializers.CharField(max_length=MAX_TITLE, allow_blank=True, default="")
    starts_at = MomentField()
    ends_at = MomentField(required=False, allow_null=True, default=None)
    closes_at = MomentField(
        required=False, allow_null=True, default=None, help_text="When registration closed."
    )
    table_size = serializers.IntegerField(required=False, min_value=SEATS[0], max_value=SEATS[1])
    final_table_size = serializers.IntegerField(required=False, min_value=SEATS[0], max_value=SEATS[1])
    pool = serializers.IntegerField(required=False, min_value=1, help_text="By default that of the season.")
    entries: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=EntryInputSerializer(), required=False, allow_empty=False, max_length=MAX_LINES
    )
    text = serializers.CharField(required=False, max_length=MAX_TEXT, trim_whitespace=False)
    answers = serializers.ListField(
        child=serializers.CharField(max_length=400), default=list, max_length=MOST_ANSWERS,
        help_text="Answers to the questions about the text, each as ID=VALUE.",
    )  # fmt: skip
    new_players = serializers.BooleanField(
        default=False,
        help_text="All unknown names of `entries` are new players, also those that resemble others.",
    )

    def validate_name(self, text: str) -> str:
        return checked_title(text) if text else ""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("entries" in attrs) == ("text" in attrs):
            raise serializers.ValidationError({"entries": [_("Send either entries or a text.")]})
        for name in ("ends_at", "closes_at"):
            if attrs[name] and attrs[name] < attrs["starts_at"]:
                raise serializers.ValidationError({name: [_("This is before the start.")]})
        placed = ["place" in entry for entry in attrs.get("entries", ())]
        if any(placed) and not all(placed):
            raise serializers.ValidationError({"entries": [_("Give a place to all entries, or to none.")]})
        return attrs


class NewEventSerializer(ResultInputSerializer):
    """A new event with its finishing order."""

    game = serializers.IntegerField(required=False, min_value=1)
    another = serializers.BooleanField(
        default=False, help_text="Save it although an event like it is there on the same day."
    )


class NewEventsSerializer(Part):
    """Several new events, which are saved together or not at all."""

    events: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=NewEventSerializer(), allow_empty=False, max_length=MOST_EVENTS
    )

    def validate_events(self, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        n_entries = sum(len(event.get("entries", ())) + event.get("text", "").count("\n") for event in events)
        if n_entries > MOST_ENTRIES:
            text = _("These are more than %(most)d entries: send them in several requests, or as a file.")
            raise serializers.ValidationError(text % {"most": MOST_ENTRIES})
        return events


class SavedEventsSerializer(serializers.Serializer[Any]):
    """Several events that were entered, in the order in which they were sent."""

    events = EventDetailSerializer(many=True)


class CorrectedEventSerializer(ResultInputSerializer):
    """A corrected result. What is left out of it is removed; of table sizes and pool what is stored stays."""

    version = serializers.IntegerField(min_value=1, help_text="The version that you have read.")
    reason = serializers.CharField(
        max_length=MAX_REASON, allow_blank=True, default="", validators=[checked_reason]
    )


class DeletionSerializer(Part):
    """The version of an event that is deleted as it was read."""

    version = serializers.IntegerField(min_value=1)


class BinItemSerializer(serializers.Serializer[Any]):
    """Something in the bin of a club, for 30 days."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    name = serializers.CharField(source="label")
    deleted_at = serializers.DateTimeField()
    days_left = serializers.IntegerField()


class RestoringSerializer(Part):
    """Whether whatever an item needs from the bin comes back with it."""

    with_others = serializers.BooleanField(default=False)


class TermsSerializer(Replacement):
    """The terms of an event: its multiplier, whether it is the final, the points put up."""

    version = serializers.IntegerField(min_value=0)

    class Meta:
        model = EventTerms
        fields = (*TERM_FIELDS, "version")
        extra_kwargs = {name: {"normalize_output": True} for name in ("multiplier", "total", "buy_in")}
