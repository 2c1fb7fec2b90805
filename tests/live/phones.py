"""Ten real poker nights, recorded by three phones whose clocks are hours off and whose Wi-Fi comes and goes."""

import csv
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from live.engine.actions import Action
from live.engine.order import ClockOffset, is_unsure, recorded_at

NIGHTS = sorted((Path(__file__).parents[2] / "demo" / "nights").glob("*.csv"))
N_PHONES = 3
APART = 2_000  # ms between two facts
POLL = 2_000
HOUR, MINUTE = 3_600_000, 60_000
MOST_LATENCY = 900  # ms one way, so that a clock is compared to within half a second
LOST = 0.2  # of requests, and of replies


@cache
def night(path):
    """Read who went out when, the first out first: (name, minute in ms); the winner is not among them."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["busted_at"]]
    rows.sort(key=lambda row: -int(row["place"]))
    at = [
        int(datetime.fromisoformat(row["busted_at"]).replace(tzinfo=UTC).timestamp() * 1000) for row in rows
    ]
    return [(f"{row['player']} {row['number']}", minute) for row, minute in zip(rows, at, strict=True)]


@dataclass
class Tap:
    """One fact: what was true, what the phone wrote down, and what the server knew when it arrived."""

    name: str
    phone: int
    counter: int
    true_ms: int
    tap_ms: int
    offset_ms: int
    sent_ms: int  # by the phone's clock
    received_ms: int
    polled_ms: int  # when the phone last heard of others
    at_ms: int = 0
    is_unsure: bool = False

    def action(self, at_ms):
        return Action(
            f"{self.phone}-{self.counter}",
            str(self.phone),
            self.counter,
            "out",
            {"groups": [[self.name]]},
            at_ms,
        )


@dataclass
class Phone:
    """A phone: how wrong its clock is from which moment on, and when it is cut off."""

    errors: list[tuple[int, int]]
    outages: list[tuple[int, int]]

    def error(self, at):
        return [error for since, error in self.errors if since <= at][-1]

    def outage(self, at):
        return next(((begin, end) for begin, end in self.outages if begin <= at < end), None)


def phone(rng, begin, end, *, jumps):
    errors = [(0, rng.randrange(-6 * HOUR, 6 * HOUR))]
    outages, at = [], begin
    while at < end:
        at += rng.randrange(5 * MINUTE, 40 * MINUTE)
        outages.append((at, at + rng.randrange(MINUTE, 25 * MINUTE)))
        at = outages[-1][1]
    if jumps:
        gone, back = rng.choice(outages)
        errors.append((rng.randrange(gone, back), rng.randrange(-6 * HOUR, 6 * HOUR)))
    return Phone(errors, outages)


def recorded(path, rng, *, jumps=False):
    """Let three phones record a night; return its taps in true order, dated as the server dates them."""
    facts, last = [], 0
    for name, minute in night(path):
        last = max(minute + rng.randrange(0, 20_000), last + APART)
        facts.append((name, last))
    begin, end = facts[0][1] - HOUR, facts[-1][1] + HOUR
    phones = [phone(rng, begin, end, jumps=jumps) for _ in range(N_PHONES)]
    counters, free = [0] * N_PHONES, [0] * N_PHONES
    taps = []
    for name, at in facts:
        i = rng.randrange(N_PHONES)
        counters[i] += 1
        tap = _tap(name, at, i, counters[i], phones[i], rng, free[i])
        free[i] = tap.received_ms
        taps.append(tap)
    _arrive(taps)
    return taps


def _tap(name, at, i, counter, phone, rng, free):
    outage = phone.outage(at)
    heard = outage[0] if outage else at - rng.randrange(POLL)
    offset = ClockOffset()
    for n in range(8, 0, -1):
        there, back = rng.randrange(20, MOST_LATENCY), rng.randrange(20, MOST_LATENCY)
        sent = heard - n * POLL
        own = sent + phone.error(sent)
        offset.add(sent_ms=own, returned_ms=own + there + back, server_ms=sent + there)
    sent = outage[1] if outage else at + 50
    while rng.random() < LOST:  # the request is lost; the phone tries again
        sent += rng.randrange(2_000, 8_000)
    received = max(sent + rng.randrange(20, MOST_LATENCY), free + 1)
    return Tap(
        name,
        i,
        counter,
        at,
        at + phone.error(at),
        round(offset.best.offset_ms),
        sent + phone.error(sent),
        received,
        heard - POLL,
    )


def _arrive(taps):
    """Date the taps in the order in which they arrive; a lost reply changes nothing, since a repeated one is known."""
    known = []
    for tap in sorted(taps, key=lambda tap: tap.received_ms):
        seen = [
            other.at_ms for other in known if other.received_ms <= tap.polled_ms or other.phone == tap.phone
        ]
        tap.at_ms = recorded_at(tap.tap_ms, tap.offset_ms, received_ms=tap.received_ms, seen_ms=seen)
        tap.is_unsure = is_unsure(tap.tap_ms, tap.offset_ms, sent_ms=tap.sent_ms, received_ms=tap.received_ms)
        known.append(tap)
