"""Webhooks of a club and what they were told."""

from typing import Any

from rest_framework import serializers

from api.models import ApiKey
from api.serializers.base import Part, WordField
from league.forms.names import checked_name
from reading.names.rules import text_problem
from webhooks.models import MOST_OF_URL, Delivery, Hook, Kind, Target
from webhooks.services.addresses import address_problems
from webhooks.services.hooks import HookFields


class HookSerializer(serializers.ModelSerializer[Hook]):
    """A webhook. `url` and `secret` are null for a key that may only read: whoever has them speaks for the club."""

    target = serializers.ChoiceField(choices=Target.choices, read_only=True)
    url = serializers.CharField(allow_null=True, read_only=True)
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=Kind.choices), read_only=True)
    secret = serializers.CharField(allow_null=True, read_only=True)

    class Meta:
        model = Hook
        fields = (
            "id", "target", "name", "url", "chat", "kinds", "asks_first", "is_on", "failing_since", "made_at", "secret",
            "version",
        )  # fmt: skip

    def to_representation(self, hook: Hook) -> dict[str, Any]:
        shown = super().to_representation(hook)
        if getattr(self.context["request"].auth, "scope", None) == ApiKey.Scope.READ:
            shown |= {"url": None, "secret": None}
        return shown


class NewHookSerializer(Part):
    """The choices about a new webhook."""

    target = serializers.ChoiceField(choices=Target.choices, help_text="Who is at the other end.")
    name = WordField(max_length=60)
    url = WordField(max_length=MOST_OF_URL)
    chat = WordField(
        max_length=60, default="", allow_blank=True, help_text="The chat, if a bot of Telegram writes."
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=Kind.choices), min_length=1, max_length=len(Kind)
    )
    asks_first = serializers.BooleanField(default=False, help_text="Whether each message waits for you.")

    def validate_name(self, name: str) -> str:
        return checked_name(name, most=60)

    def validate_chat(self, chat: str) -> str:
        if problem := text_problem(chat):
            raise serializers.ValidationError(problem)
        return chat

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs["target"] = Target(attrs["target"])
        attrs["kinds"] = [kind for kind in Kind.values if kind in attrs["kinds"]]
        if problems := address_problems(attrs["target"], attrs["url"], attrs["chat"]):
            raise serializers.ValidationError(problems)
        return attrs


class ChangedHookSerializer(NewHookSerializer):
    """The choices about a stored webhook, whether it is on, and the version that they are made from."""

    is_on = serializers.BooleanField()
    version = serializers.IntegerField(min_value=1)


def fields_of(chosen: dict[str, Any]) -> HookFields:
    """Collect what was chosen about a webhook."""
    return HookFields(**{name: chosen[name] for name in HookFields._fields})


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """A message to a webhook: its id, as the receiver sees it, what it says, and what was answered last."""

    message = serializers.CharField(source="message.name", read_only=True)
    type = serializers.CharField(source="message.kind", read_only=True)
    at = serializers.DateTimeField(source="message.at", read_only=True)
    content = serializers.DictField(source="message.data", read_only=True)

    class Meta:
        model = Delivery
        fields = (
            "id",
            "message",
            "type",
            "at",
            "content",
            "state",
            "due_at",
            "n_tries",
            "status",
            "answer",
            "sent_at",
        )


class DecisionSerializer(Part):
    """A decision about a message: sent if it waits for you, sent again if it was settled, or not sent."""

    decision = serializers.ChoiceField(choices=["send", "again", "leave"])
