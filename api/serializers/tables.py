"""Queries for what anybody may compute: seats and points, hands played, decisions of a simulated player."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rest_framework import serializers

from api.serializers.base import Part
from lab.calculators.answers import ALL_SEATS, DECIDE_DEFAULTS, LIMP_DEFAULT, SPOT_OPTIONS, VPIP_DEFAULTS

MOST_PLACES = 10_000  # of a field or a seat table, which anybody may request


class StructureQuery(Part):
    """A points structure by the options of the commands; the engine checks their values."""

    structure = serializers.CharField()
    ties = serializers.CharField(default="better")
    alpha = serializers.CharField(required=False)
    votes = serializers.CharField(required=False)
    tail = serializers.CharField(required=False)


class SeatsQuery(StructureQuery):
    seats = serializers.IntegerField(min_value=0, max_value=MOST_PLACES)


class PointsQuery(StructureQuery):
    entries = serializers.IntegerField(min_value=1, max_value=MOST_PLACES)
    cap = serializers.IntegerField(required=False)
    total = serializers.CharField(required=False)
    per_entry = serializers.CharField(required=False)
    expression = serializers.CharField(required=False)
    buy_in = serializers.CharField(default="1")
    paid = serializers.IntegerField(default=1)


class OptionsQuery(Part):
    """Options of a command, which reads their texts itself; those without a default are required."""

    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    defaults: Mapping[str, str] = MappingProxyType({})

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            **{name: serializers.CharField() for name in self.needed},
            **{name: serializers.CharField(default=default) for name, default in self.defaults.items()},
            **{name: serializers.CharField(required=False) for name in self.optional},
        }


class VpipQuery(OptionsQuery):
    defaults = MappingProxyType({**VPIP_DEFAULTS, "seats": ALL_SEATS, "limp": LIMP_DEFAULT})
    optional = ("strategy", "ranges", "to")


class DecideQuery(OptionsQuery):
    needed = tuple(SPOT_OPTIONS)
    defaults = MappingProxyType({name: value for name, value in DECIDE_DEFAULTS.items() if value})
    optional = tuple(name for name, value in DECIDE_DEFAULTS.items() if not value)
