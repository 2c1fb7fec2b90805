"""Find pairs of names that resemble each other. The work grows with the number of names, not with that of pairs."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from rapidfuzz.distance import OSA

from reading.names.bare import bare, in_any_order

LEAST_LETTERS = 4
MOST_OF_A_FIRST_NAME = 3
MOST_COMPARED = 100  # names with which an unknown one is compared, so that no text takes long
LAST = "\U0010ffff"  # sorts after any text with the same beginning
MOST_WORDS = 12  # of a typed name, in which whole known names are looked for
LEAST_OF_A_WHOLE_NAME = 2  # letters; of one letter, or of figures alone, a name says too little
FIGURES = re.compile(r"\d+")
WORDS = re.compile(r"\d+|[^\W\d_]+")


class Likeness(StrEnum):
    SAME = "same"
    ONE_LETTER = "one letter"
    FIRST_NAME = "first name"
    BEGINNING = "beginning"
    INITIAL = "initial"
    WITHIN = "within"


Match = tuple[str, str, Likeness]  # key of an unknown name, key of the name that it resembles
IsSettled = Callable[[str], bool]  # whether an unknown key needs no more matches
Sign = tuple[
    str, str
]  # what names that may match have in common, and the form of the name that it was made of


def matches(unknown: Sequence[str], known: Mapping[str, int], is_settled: IsSettled) -> Iterator[Match]:
    """Match unknown keys with known ones, which map to players, and with earlier unknown ones; the best come first."""
    for likeness, signs, fits in (
        (Likeness.SAME, _same, None),
        (Likeness.ONE_LETTER, _rests_of_forms, _is_one_letter_apart),
    ):
        index = _Index(unknown, signs, fits, is_settled)
        for other in known:
            yield from ((key, other, likeness) for key in index.matching(other))
        for other in unknown:
            yield from ((key, other, likeness) for key in index.matching(other, behind=index.position[other]))
    yield from _beginnings(unknown, known)
    yield from _with_initials(unknown, known)
    yield from _within(unknown, known)


class _Index:
    """Unknown keys by their signs, without those that are settled or have been compared with very many names.

    Without `fits`, a common sign is enough. Otherwise keys stand apart by what they are without figures: "Guest 1" to
    "Guest 9999" have signs in common, but are not compared.
    """

    def __init__(
        self,
        unknown: Sequence[str],
        signs: Callable[[str], Iterable[Sign]],
        fits: Callable[[str, str], bool] | None,
        is_settled: IsSettled,
    ) -> None:
        self.signs, self.fits, self.is_settled = signs, fits, is_settled
        self.position = {key: i for i, key in enumerate(unknown)}
        self.n_compared = dict.fromkeys(unknown, 0)
        self.groups: dict[str, str] = {}
        self.by_sign: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
        for key in unknown:
            for sign, form in signs(key):
                self.by_sign[sign][self._group_of(form)].append((key, form))

    def matching(self, other: str, *, behind: int = -1) -> Iterator[str]:
        """Yield the keys after a position that resemble another name, each once."""
        met = set()
        for sign, form in self.signs(other):
            for key, own in self._waiting(sign, form, behind):
                if (key, own, form) not in met:
                    met.add((key, own, form))
                    self.n_compared[key] += 1
                    if self.fits is None or self.fits(own, form):
                        yield key

    def _group_of(self, form: str) -> str:
        """Return the group of a form (its digits masked), and cache it."""
        if form not in self.groups:
            self.groups[form] = FIGURES.sub("0", form) if self.fits else ""
        return self.groups[form]

    def _waiting(self, sign: str, form: str, behind: int) -> Iterator[tuple[str, str]]:
        if sign not in self.by_sign:
            return
        groups, own = self.by_sign[sign], self._group_of(form)
        for group in [group for group in groups if self.fits is None or group != own]:
            groups[group] = [pair for pair in groups[group] if self._is_waiting(pair[0], behind)]
            yield from groups[group]

    def _is_waiting(self, key: str, behind: int) -> bool:
        is_behind = self.position[key] > behind
        return is_behind and self.n_compared[key] < MOST_COMPARED and not self.is_settled(key)


def differ_in_an_initial(one: str, other: str) -> bool:
    """Tell whether two names differ in a word of one letter alone: "hale b", "hale c"."""
    words = list(zip(one.split(), other.split(), strict=False))
    different = [pair for pair in words if pair[0] != pair[1]]
    return (
        one.count(" ") == other.count(" ") > 0
        and len(different) == 1
        and all(len(word) == 1 for word in different[0])
    )


def _same(key: str) -> Iterator[Sign]:
    if form := in_any_order(bare(key)):  # nothing is left of pictures alone
        yield form, form


def _rests_of_forms(key: str) -> Iterator[Sign]:
    """Yield the signs of a key: its forms, whole and with each one letter deleted."""
    for form in _forms(key):
        if len(form) >= LEAST_LETTERS - 1:
            yield from ((rest, form) for rest in _rests(form))


def _is_one_letter_apart(one: str, other: str) -> bool:
    if max(len(one), len(other)) < LEAST_LETTERS or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    return FIGURES.sub("0", one) != FIGURES.sub("0", other)


def _forms(key: str) -> set[str]:
    return {key, bare(key)} - {""}


def _rests(form: str) -> set[str]:
    return {form, *(form[:i] + form[i + 1 :] for i in range(len(form)))}


def _beginnings(unknown: Sequence[str], known: Mapping[str, int]) -> Iterator[Match]:
    initials = {form[0] for key in unknown for form in _forms(key)}
    forms = sorted((form, key) for key in known for form in _forms(key) if form[0] in initials)
    texts = [form for form, _key in forms]
    for key in unknown:
        for form in sorted(_forms(key)):
            named = forms[bisect_left(texts, f"{form} ") : bisect_left(texts, f"{form} {LAST}")]
            if 1 <= len({known[other] for _form, other in named}) <= MOST_OF_A_FIRST_NAME:
                yield from ((key, other, Likeness.FIRST_NAME) for _form, other in named)
            begun = forms[bisect_left(texts, form) : bisect_left(texts, form + LAST)]
            if len({known[other] for _form, other in begun}) == 1 and not _goes_on_with_a_figure(
                form, begun[0][0]
            ):
                yield key, begun[0][1], Likeness.BEGINNING


def _goes_on_with_a_figure(beginning: str, whole: str) -> bool:
    """Tell whether a prefix ends within a number of the whole text, like "guest 1" in "guest 12"."""
    rest = whole[len(beginning) :]
    return beginning[-1].isdigit() and rest[:1].isdigit()


def _words(key: str) -> tuple[str, ...]:
    """Split a name into words and figures; what stands between them counts for nothing."""
    return tuple(WORDS.findall(bare(key)))


def _with_initials(unknown: Sequence[str], known: Mapping[str, int]) -> Iterator[Match]:
    """Match "a holm" with "anders holm", if at most three players have such a name."""
    by_initial: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for other in known:
        first, *others = _words(other) or ("",)
        if others:
            by_initial[first[0], *others].append(other)
    for key in unknown:
        named = by_initial.get(_words(key), [])
        if len({known[other] for other in named}) <= MOST_OF_A_FIRST_NAME:
            yield from ((key, other, Likeness.INITIAL) for other in named)


def _within(unknown: Sequence[str], known: Mapping[str, int]) -> Iterator[Match]:
    """Match typed texts that contain a whole known name with that name, the longest first."""
    whole: dict[tuple[str, ...], str] = {}
    for other in known:
        words = _words(other)
        if len("".join(words)) >= LEAST_OF_A_WHOLE_NAME and not all(word.isdigit() for word in words):
            whole.setdefault(words, other)
    for key in unknown:
        words = _words(key)[:MOST_WORDS]
        for length in range(len(words) - 1, 0, -1):
            for start in range(len(words) - length + 1):
                if named := whole.get(words[start : start + length]):
                    yield key, named, Likeness.WITHIN
