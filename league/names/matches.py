"""Find pairs of names that resemble each other. The work grows with the number of names, not with that of pairs."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from rapidfuzz.distance import OSA

from league.names.bare import bare, in_any_order

LEAST_LETTERS = 4
MOST_OF_A_FIRST_NAME = 3
LAST = "\U0010ffff"  # sorts after any text with the same beginning
FIGURES = re.compile(r"\d+")


class Likeness(StrEnum):
    SAME = "same"
    ONE_LETTER = "one letter"
    FIRST_NAME = "first name"
    BEGINNING = "beginning"


Match = tuple[str, str, Likeness]  # key of an unknown name, key of the name that it resembles


def matches(unknown: Sequence[str], known: Mapping[str, int]) -> Iterator[Match]:
    """Match unknown keys with each other and with known ones, which map to players; the best matches come first."""
    everybody = [*known, *unknown]
    yield from _same(unknown, everybody)
    yield from _one_letter_apart(unknown, everybody)
    yield from _beginnings(unknown, known)


def differ_in_an_initial(one: str, other: str) -> bool:
    """Whether two names differ in a word of one letter alone: "hale b", "hale c"."""
    words = list(zip(one.split(), other.split(), strict=False))
    different = [pair for pair in words if pair[0] != pair[1]]
    return (
        one.count(" ") == other.count(" ") > 0
        and len(different) == 1
        and all(len(word) == 1 for word in different[0])
    )


def _same(unknown: Iterable[str], others: Iterable[str]) -> Iterator[Match]:
    by_form: dict[str, list[str]] = defaultdict(list)
    for key in unknown:
        by_form[in_any_order(bare(key))].append(key)
    by_form.pop("", None)  # pictures alone
    for other in others:
        for key in by_form.get(in_any_order(bare(other)), ()):
            yield key, other, Likeness.SAME


def _one_letter_apart(unknown: Iterable[str], others: Iterable[str]) -> Iterator[Match]:
    """Match names by what is left of them without one letter, and then compare them."""
    by_rest: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for key in unknown:
        for form in _forms(key):
            for rest in _rests(form):
                by_rest[rest].append((key, form))
    lengths = {len(rest) for rest in by_rest}
    for other in others:
        for form in _forms(other):
            if lengths.isdisjoint((len(form), len(form) - 1)):
                continue
            candidates = {pair for rest in _rests(form) for pair in by_rest.get(rest, ())}
            for key, written in sorted(candidates):
                if _is_one_letter_apart(written, form):
                    yield key, other, Likeness.ONE_LETTER


def _is_one_letter_apart(one: str, other: str) -> bool:
    if max(len(one), len(other)) < LEAST_LETTERS or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    return one == other or FIGURES.sub("0", one) != FIGURES.sub("0", other)


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
    """Whether the figures at the end of a beginning are a part of others only: "guest 1" of "guest 12"."""
    rest = whole[len(beginning) :]
    return beginning[-1].isdigit() and rest[:1].isdigit()
