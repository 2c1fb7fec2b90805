"""Find typed names that may be another name misspelt, shortened or decorated.

A name is asked about if it is unknown and

* one letter apart from another name: changed, added, left out, or two neighbours swapped. The longer of the two has
  at least four letters: "Ann" is asked about beside "Anna", and "Anna" beside "Ann"; "Ann" and "Ana" are two people.
  Names that differ in figures alone ("Guest 1", "Guest 2") are two people as well;
* the same as another name but for pictures, titles, remarks, accents and the order of words
  (reading.names.bare);
* the first name of at most three players, or the beginning of exactly one player's name;
* a player's name with the first name by its initial ("A. Holm");
* a text in which a player's whole name stands, whatever stands before or behind it ("Lena Voss £120").

Exact names and aliases are never asked about. Two names of one evening are two people, unless they are nearly
identical and one of them is unknown; "Tom B" and "Tom W", who differ in an initial, are two people there.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from reading.names.keys import name_key
from reading.names.matches import Likeness, differ_in_an_initial, matches

MOST_SUGGESTIONS = 3
REASONS = {
    Likeness.SAME: gettext_noop("The same but for signs, titles, accents or the order of words"),
    Likeness.ONE_LETTER: gettext_noop("One letter apart"),
    Likeness.FIRST_NAME: gettext_noop("A first name of this club"),
    Likeness.BEGINNING: gettext_noop("Nobody else’s name begins like this"),
    Likeness.INITIAL: gettext_noop("The first name by its initial"),
    Likeness.WITHIN: gettext_noop("The whole name stands in it"),
}
NEARLY_IDENTICAL = {Likeness.SAME, Likeness.ONE_LETTER}
Known = Mapping[str, tuple[int, str]]  # by key: id and name of the player


@dataclass(frozen=True)
class Suggestion:
    """Whose name a typed one may be: a player's, or (without an id) another new name of the same text.

    `is_remembered` tells whether the answer holds for the next time: not that of a name with a remark around it.
    """

    player_id: int | None
    name: str
    reason: str
    is_remembered: bool = True


@dataclass(frozen=True)
class Doubt:
    typed: str
    key: str
    suggestions: tuple[Suggestion, ...]


def doubts(typed: Sequence[str], known: Known, *, evenings: Iterable[Collection[str]] = ()) -> list[Doubt]:
    """List the typed names that are asked about, in the order in which they are typed.

    `evenings` are the names of each event of a file; without them, all names are of one evening.
    """
    names: dict[str, str] = {}
    for name in typed:
        names.setdefault(name_key(name), name)
    unknown = [key for key in names if key and key not in known]
    search = _Search(names, unknown, known, evenings)
    players = {key: player_id for key, (player_id, _name) in known.items()}
    for match in matches(unknown, players, search.is_full) if unknown else ():
        search.add(*match)
    return [Doubt(names[key], key, tuple(found)) for key in unknown if (found := search.found[key].values())]


class _Search:
    """The suggestions found so far for each unknown name, by player or by the key of another name."""

    def __init__(
        self,
        names: Mapping[str, str],
        unknown: Sequence[str],
        known: Known,
        evenings: Iterable[Collection[str]],
    ) -> None:
        self.names, self.known, self.typed = names, known, evenings
        self.found: dict[str, dict[int | str, Suggestion]] = {key: {} for key in unknown}
        self.keys_of_player: dict[int, list[str]] = defaultdict(list)
        for key in names.keys() & known.keys():
            self.keys_of_player[known[key][0]].append(key)

    @cached_property
    def evenings(self) -> list[set[str]]:
        """The keys of the names of each event."""
        return [{name_key(name) for name in evening} for evening in self.typed]

    def is_full(self, key: str) -> bool:
        return len(self.found[key]) == MOST_SUGGESTIONS

    def add(self, key: str, other: str, likeness: Likeness) -> None:
        found = self.found[key]
        player_id, name = self.known.get(other) or (None, self.names[other])
        whose = player_id or other
        if whose in found or self.is_full(key):
            return
        if not self._are_two_people(key, other, player_id, likeness):
            is_remembered = likeness is not Likeness.WITHIN
            found[whose] = Suggestion(player_id, name, _(REASONS[likeness]), is_remembered)

    def _are_two_people(self, key: str, other: str, player_id: int | None, likeness: Likeness) -> bool:
        """Tell whether two names play in one event and are not nearly identical."""
        if likeness in NEARLY_IDENTICAL and not differ_in_an_initial(key, other):
            return False
        present = [other] if player_id is None else self.keys_of_player[player_id]
        return any(self._meet(key, one) for one in present)

    def _meet(self, one: str, other: str) -> bool:
        return not self.evenings or any(one in evening and other in evening for evening in self.evenings)


def likely(typed: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
    """Map the keys of doubtful names to the known name that each resembles most; `names` are the known ones by key."""
    known = {key: (number, name) for number, (key, name) in enumerate(names.items(), start=1)}
    found = {
        doubt.key: [one.name for one in doubt.suggestions if one.player_id] for doubt in doubts(typed, known)
    }
    return {key: meant[0] for key, meant in found.items() if meant}
