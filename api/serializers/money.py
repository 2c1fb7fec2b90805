"""Money of an event: prices, prize pool, payouts, and what each entry has given and won."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import ExactField, PlayerRef


class EntryMoneySerializer(serializers.Serializer[Any]):
    """Money of an entry. `given` and `paid` are null until money was given or paid out."""

    entry = serializers.IntegerField(source="entry.pk")
    player = PlayerRef(source="entry.player")
    rebuys = serializers.IntegerField()
    add_ons = serializers.IntegerField()
    prize = ExactField()
    given = ExactField(allow_null=True)
    paid = ExactField(allow_null=True)


class MoneySerializer(serializers.Serializer[Any]):
    """Money of an event, version 0 where none is recorded; `result_version` is that of the result it is for."""

    buy_in = ExactField()
    fee = ExactField()
    rebuy = ExactField()
    add_on = ExactField()
    bounty = ExactField()
    stated_pool = ExactField(allow_null=True)
    guarantee = ExactField(allow_null=True)
    payout_kind = serializers.CharField()
    payouts = serializers.ListField(child=serializers.CharField())
    round_to = ExactField()
    version = serializers.IntegerField()
    result_version = serializers.IntegerField()
    entries = EntryMoneySerializer(many=True)
