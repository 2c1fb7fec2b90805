"""Say what each device of a night may record. Screens and spectators read only."""

from collections.abc import Mapping
from types import MappingProxyType

from live.engine.actions import KINDS, OF_THE_SITE
from live.models import Role

OF_HELPERS = frozenset({"enter", "buy", "pay", "out", "cash_out", "by", "note", "void"})
MAY_RECORD: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        Role.ORGANIZER: frozenset(KINDS) - OF_THE_SITE,
        Role.HELPER: OF_HELPERS,
        Role.PLAYER: frozenset({"ask_in", "ask_out", "seen_move"}),
        Role.SCREEN: frozenset(),
        Role.SPECTATOR: frozenset(),
    }
)


# Devices that read the log itself, with names and money as they were typed; others see the face of the night.
READS_THE_LOG = frozenset({Role.ORGANIZER, Role.HELPER})


def may_record(role: str, kind: str) -> bool:
    return kind in MAY_RECORD[role]


def undoes_only_its_own(role: str) -> bool:
    return role != Role.ORGANIZER
