"""Put the events of a list in the order in which they were played, whichever end the list begins at."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any


def in_order_of_the_day(events: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
    """Reverse a list that runs newest first, and sort each day's numbered events."""
    in_order = events[::-1] if _falls([day for *_what, day in events]) else events
    turned: list[tuple[str, ...]] = []
    for _day, of_day in groupby(in_order, key=itemgetter(-1)):
        games = list(of_day)
        numbers = [_number_of(parts) for parts in games]
        is_numbered = all(number is not None for number in numbers) and len(set(numbers)) == len(numbers)
        turned += sorted(games, key=lambda parts: _number_of(parts) or 0) if is_numbered else games
    return turned


def _number_of(parts: tuple[str, ...]) -> int | None:
    """Find the number of a game among those of its day: that of the event, or that of its round."""
    event, round_of_day = parts[1], parts[4]
    number_of_event = next((text for text in (event, round_of_day) if text.isdecimal() and len(text) < 6), "")  # noqa: PLR2004
    return int(number_of_event) if number_of_event else None


def _falls(values: Sequence[Any]) -> bool:
    return all(one >= next_one for one, next_one in pairwise(values)) and values[:1] != values[-1:]
