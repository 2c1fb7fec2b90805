"""Merge two corrections of one event that were made at the same time. Only what collides is left to be chosen.

A version is what its form shows: fields, entries with their marks, and who finished above whom. Each value that one
side alone has changed is taken from that side. Places are merged by pairs: a pair whose order one side has changed is
taken from that side, and the pairs together must be an order again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Key = tuple[str, int | None]  # key of a name, and the number of an earlier entry
Marks = Mapping[str, str]
Groups = tuple[tuple[Key, ...], ...]  # tied entries together, the winner first

BASE, THEIRS, MINE = "base", "theirs", "mine"
ORDER = "order"
MOST_COMPARED = 400  # entries; of more, the order as a whole is taken from one side


@dataclass(frozen=True)
class Version:
    fields: Mapping[str, str]
    groups: Groups
    marks: Mapping[Key, Marks]

    def __post_init__(self) -> None:
        ranks = {key: rank for rank, group in enumerate(self.groups) for key in group}
        object.__setattr__(self, "ranks", ranks)

    ranks: Mapping[Key, int] = field(init=False, compare=False, repr=False)

    def relation(self, one: Key, other: Key) -> int | None:
        """Compare two places: -1 if the first is better, 0 for a tie, None if one of them is not there."""
        if one not in self.ranks or other not in self.ranks:
            return None
        return _sign(self.ranks[one] - self.ranks[other])


@dataclass(frozen=True)
class Conflict:
    """Something that both sides have changed, each in another way.

    `what` is ORDER, a field, "entry" for one that a side took out, or a mark; `keys` are the entries it is about.
    """

    id: str
    what: str
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True)
class Merged:
    version: Version
    conflicts: tuple[Conflict, ...]


def merge(base: Version, theirs: Version, mine: Version, choices: Mapping[str, str]) -> Merged:
    """Merge two versions; `choices` says by conflict whose value to take, which is theirs if nothing was chosen."""
    work = _Merge(base, theirs, mine, choices)
    fields = {
        name: work.chosen(name, name, (), *(version.fields.get(name, "") for version in (base, theirs, mine)))
        for name in dict.fromkeys([*theirs.fields, *mine.fields])
    }
    keys = [key for key in dict.fromkeys([*theirs.ranks, *mine.ranks]) if work.stays(key)]
    marks = {key: work.marks(key) for key in keys}
    groups = work.order(keys)
    return Merged(Version(fields, groups, marks), tuple(work.conflicts))


class _Merge:
    """One merge, and the conflicts found so far."""

    def __init__(self, base: Version, theirs: Version, mine: Version, choices: Mapping[str, str]) -> None:
        self.base, self.theirs, self.mine = base, theirs, mine
        self.versions = {BASE: base, THEIRS: theirs, MINE: mine}
        self.choices = choices
        self.conflicts: list[Conflict] = []

    def chosen(self, id_: str, what: str, keys: tuple[Key, ...], base: str, theirs: str, mine: str) -> str:
        """Take the changed value; of two different ones, the chosen one."""
        if mine in {base, theirs}:
            return theirs
        if theirs == base:
            return mine
        self.conflicts.append(Conflict(id_, what, keys))
        return {BASE: base, MINE: mine}.get(self.choices.get(id_, THEIRS), theirs)

    def stays(self, key: Key) -> bool:
        """Tell whether an entry is in the merged version; removing what the other side has changed is a conflict."""
        in_theirs, in_mine = key in self.theirs.ranks, key in self.mine.ranks
        if key not in self.base.ranks or in_theirs == in_mine:
            return True
        if not self._is_touched(self.theirs if in_theirs else self.mine, key):
            return False
        id_ = _id_of("entry", key)
        self.conflicts.append(Conflict(id_, "entry", (key,)))
        choice = self.choices.get(id_, THEIRS)
        return choice == BASE or (in_theirs if choice == THEIRS else in_mine)

    def _is_touched(self, version: Version, key: Key) -> bool:
        """Tell whether a version has changed the marks or the place of an entry of the base."""
        if version.marks[key] != self.base.marks[key]:
            return True
        pairs = ((version.relation(key, other), self.base.relation(key, other)) for other in self.base.ranks)
        return any(now is not None and now != before for now, before in pairs)

    def marks(self, key: Key) -> Marks:
        """Merge the marks of an entry; those of one that a single side has are that side's."""
        sides = [version.marks[key] for version in (self.theirs, self.mine) if key in version.marks]
        if len(sides) == 1:
            return sides[0]
        before = self.base.marks.get(key, {})
        theirs, mine = sides
        return {
            name: self.chosen(
                _id_of(name, key), name, (key,), *(marks.get(name, "") for marks in (before, theirs, mine))
            )
            for name in dict.fromkeys([*theirs, *mine])
        }

    def order(self, keys: Sequence[Key]) -> Groups:
        if self.mine.groups in {self.base.groups, self.theirs.groups}:
            return self._whole(THEIRS, keys)
        if self.theirs.groups == self.base.groups:
            return self._whole(MINE, keys)
        choice = self.choices.get(ORDER, THEIRS)
        if len(keys) > MOST_COMPARED:
            self.conflicts.append(Conflict(ORDER, ORDER, tuple(keys)))
            return self._whole(choice, keys)
        return self._by_pairs(keys, choice)

    def _by_pairs(self, keys: Sequence[Key], choice: str) -> Groups:
        relations, colliding = {}, []
        for pair in combinations(keys, 2):
            relation = self._relation(*pair)
            if relation is None:
                colliding.append(pair)
                relation = self._chosen_relation(*pair, choice)
            relations[pair] = relation
        groups = _order_of(keys, relations)
        if colliding or groups is None:
            involved = dict.fromkeys(key for pair in colliding for key in pair)
            self.conflicts.append(Conflict(ORDER, ORDER, tuple(involved) or tuple(keys)))
        return self._whole(choice, keys) if groups is None else groups

    def _relation(self, one: Key, other: Key) -> int | None:
        """Merge the order of a pair of entries; None if both sides changed it differently."""
        base, theirs, mine = (version.relation(one, other) for version in self.versions.values())
        if theirs is None or mine is None:
            return mine if theirs is None else theirs
        if mine in {base, theirs}:
            return theirs
        return mine if theirs == base else None

    def _chosen_relation(self, one: Key, other: Key, choice: str) -> int:
        """Order a pair as in the chosen version; if only one entry is in it, rank that one first."""
        relation = self.versions[choice].relation(one, other)
        if relation is not None:
            return relation
        side = self.mine if choice == MINE else self.theirs
        return -1 if one in side.ranks else 1

    def _whole(self, choice: str, keys: Sequence[Key]) -> Groups:
        """Take the order of one version; entries that it does not have come last, in the order of the others."""
        wanted = set(keys)
        groups = []
        for name in dict.fromkeys([choice, THEIRS, MINE, BASE]):
            for group in self.versions[name].groups:
                if kept := tuple(key for key in group if key in wanted):
                    groups.append(kept)
                    wanted -= set(kept)
        return tuple(groups)


def _order_of(keys: Sequence[Key], relations: Mapping[tuple[Key, Key], int]) -> Groups | None:
    """Put entries in the order that all their pairs have; None if there is none."""
    n_above = dict.fromkeys(keys, 0)
    for (one, other), relation in relations.items():
        if relation:
            n_above[other if relation < 0 else one] += 1
    if any(_sign(n_above[one] - n_above[other]) != relation for (one, other), relation in relations.items()):
        return None
    return tuple(_grouped(sorted(keys, key=lambda key: n_above[key]), n_above))


def _grouped(ordered: Sequence[Key], rank: Mapping[Key, int]) -> Iterator[tuple[Key, ...]]:
    for value in dict.fromkeys(rank[key] for key in ordered):
        yield tuple(key for key in ordered if rank[key] == value)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _id_of(what: str, key: Key) -> str:
    name, number = key
    return f"{what}:{number or ''}:{name}"
