"""A night of the demo club, run live by simulated phones: the last evening of its season again, in minutes.

It has levels, drawn seats and moves, progressive bounties, chip counts, bonus points, a player who checks in with a
phone, and a cash table beside it for those who are out.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone

from league.models import Club, Entry, Event
from live.engine.blinds import Plan, levels_of
from live.models import Device, Night, Role
from live.queries import seasons_of_day
from live.services.log import Batch, take_in
from live.services.nights import begin_night, now_ms
from live.services.seating import follow_proposal, proposal_of, shown_id
from live.stored_log import state_of

NAME = "Live"
CASH_NAME = "Cash table"
DESK, HELPERS, PLAYER = "Marta", ("Till", "Finn"), "A player’s phone"
PHONES = (DESK, *HELPERS, PLAYER)
ROLES = {DESK: Role.ORGANIZER, PLAYER: Role.PLAYER} | dict.fromkeys(HELPERS, Role.HELPER)
SECONDS_PER_HOUR = 60  # an hour of the evening takes a minute
LEAST_SECONDS = 0.3  # a phone sends no more than five batches a second
PRICE, STACK, CHIPS = 20, 6_500, (25, 100, 500, 1_000, 5_000)
N_PLAYERS, HOURS = 16, 4  # for which levels are proposed
N_COUNTED = 3  # players left whose chips are counted
SETUP = {
    "stack": STACK,
    "cost": PRICE,
    "fee": 2,
    "bounty": {"kind": "progressive", "amount": 4},
    "guarantee": 300,
    "payouts": [50, 30, 20],
    "closing_level": 6,
    "expected": N_PLAYERS,
    "seating": "drawn",
    "table_size": 8,
    "final_size": 8,
    "self_out": True,
}
SOON = timedelta(seconds=20)
CASH_OUT = (1, 1, 2)  # how those at the cash table share what was put in


class Tap(NamedTuple):
    """What a phone records, and when after the start of the evening."""

    after: timedelta
    phone: str
    kind: str
    body: dict[str, Any]
    id: str


def play(club: Club, organizer: User, *, wait: Callable[[float], None] = time.sleep) -> Night:
    """Begin a night and play the club's last evening in it; return when it is over."""
    night = begin(club, organizer)
    clock = timedelta(0)
    phones = {name: _phone(night, name) for name in PHONES}
    for tap in taps_of(_last_evening(club)):
        wait(max(LEAST_SECONDS, (tap.after - clock).total_seconds() * SECONDS_PER_HOUR / 3600))
        clock = tap.after
        _record(phones[tap.phone], tap)
        _move(night, phones[DESK])
    _play_cash(night, organizer)
    return night


def begin(club: Club, organizer: User) -> Night:
    """Begin a night of the season that runs, or a friendly one; or find the one that runs already."""
    running = Night.objects.filter(club=club, name=NAME, stage=Night.Stage.OPEN).first()
    return running or begin_night(
        club,
        starts_at=timezone.now(),
        season=next(iter(seasons_of_day(club, timezone.localdate(timezone=club.tz))), None),
        planned_event=None,
        name=NAME,
        setup=SETUP,
        levels=_levels(),
        form_token=uuid.uuid4(),
        actor=organizer,
    )


def _levels() -> list[dict[str, Any]]:
    """Propose levels, as much shorter as the evening is."""
    levels = levels_of(Plan(N_PLAYERS, STACK, CHIPS, minutes=60 * HOURS))
    return [{**level, "ms": level["ms"] * SECONDS_PER_HOUR // 3600} for level in levels]


def _move(night: Night, desk: Device) -> None:
    """Do what is proposed for the tables, as the desk would."""
    night.refresh_from_db()
    if proposal := proposal_of(night, state_of(night), now_ms=now_ms()):
        follow_proposal(night, desk, name=str(uuid.uuid4()), kind=shown_id(proposal), now_ms=now_ms())


def _play_cash(night: Night, organizer: User) -> None:
    """Let the first three who are out play at a cash table beside: one buys again, and all cash out."""
    cash = begin_night(
        night.club,
        starts_at=timezone.now(),
        season=None,
        planned_event=None,
        beside=night,
        name=CASH_NAME,
        setup={"format": "cash", "cost": PRICE, "rebuy": PRICE},
        form_token=uuid.uuid4(),
        actor=organizer,
    )
    state = state_of(night)
    gone = {state.entries[each.entries[0]].key: state.entries[each.entries[0]] for each in state.exits}
    players = list(gone.values())[: len(CASH_OUT)]
    paid = {"cost": PRICE, "paid": PRICE}
    entered = [
        _tap(SOON, DESK, "enter", {"name": each.name, "player": each.player, **paid}) for each in players
    ]
    again = _tap(SOON, DESK, "buy", {"entry": entered[0].id, "kind": "rebuy", **paid})
    shares = CASH_OUT[: len(players)]
    unit = PRICE * (len(players) + 1) // sum(shares)
    left = [
        _tap(SOON, DESK, "cash_out", {"entry": tap.id, "amount": share * unit})
        for tap, share in zip(entered, shares, strict=True)
    ]
    _record(_phone(cash, DESK), *entered, again, *left)


def _last_evening(club: Club) -> Event:
    return Event.objects.filter(season__club=club).order_by("-starts_at")[0]


def taps_of(event: Event) -> list[Tap]:
    """Turn a result into the taps by which it could have come about, in their order."""
    entries = list(event.entries.select_related("player").order_by("-place"))
    ids = {entry.pk: str(uuid.uuid4()) for entry in entries}
    ends = {entry.pk: _end(event, entry, i) for i, entry in enumerate(entries)}
    entering = list(_entering(event, entries, ids, ends))
    came = {tap.id: tap.after for tap in entering}
    taps = [*entering, *_going_out(entries, ids, ends, came), *_told_at_the_desk(entries, ids, ends, came)]
    taps.append(_tap(timedelta(0), DESK, "clock", {"op": "start"}))
    asked = _tap(entering[0].after, PLAYER, "ask_in", {"name": entries[0].player.name})
    entering[0].body["ask"] = asked.id
    return sorted([asked, *taps], key=lambda tap: tap.after)


def _tap(after: timedelta, phone: str, kind: str, body: dict[str, Any]) -> Tap:
    return Tap(after, phone, kind, body, str(uuid.uuid4()))


def _end(event: Event, entry: Entry, i: int) -> timedelta:
    """Find when an entry went out, counted from the start; without a time, one after the other."""
    return entry.busted_at - event.starts_at if entry.busted_at else timedelta(minutes=30 + 12 * i)


def _entering(
    event: Event, entries: list[Entry], ids: dict[int, str], ends: dict[int, timedelta]
) -> Iterator[Tap]:
    """Enter everybody in the first minutes or when they came, and a re-entry after the entry before it was out."""
    by_number = {(entry.player_id, entry.number): entry for entry in entries}
    for i, entry in enumerate(entries):
        came = entry.registered_at - event.starts_at if entry.registered_at else timedelta(seconds=10 * i)
        if before := by_number.get((entry.player_id, entry.number - 1)):
            came = max(came, ends[before.pk] + timedelta(minutes=1))
        body = {"name": entry.player.name, "player": entry.player_id, "number": entry.number}
        body |= {"cost": PRICE, "paid": PRICE, "stack": STACK}
        yield Tap(came, DESK, "enter", body, ids[entry.pk])


def _going_out(
    entries: list[Entry], ids: dict[int, str], ends: dict[int, timedelta], came: dict[str, timedelta]
) -> Iterator[Tap]:
    """Put everybody but the winner out, by one of those who are in then and stay longer."""
    for i, entry in enumerate(entries[:-1]):
        phone, end = HELPERS[i % len(HELPERS)], ends[entry.pk]
        yield _tap(end, phone, "out", {"groups": [[ids[entry.pk]]]})
        hunters = [
            other
            for other in entries[i + 1 :]
            if came[ids[other.pk]] <= end < ends[other.pk] and other.player_id != entry.player_id
        ]
        if hunters:
            yield _tap(end, phone, "by", {"target": ids[entry.pk], "by": ids[hunters[i % len(hunters)].pk]})


def _told_at_the_desk(
    entries: list[Entry], ids: dict[int, str], ends: dict[int, timedelta], came: dict[str, timedelta]
) -> Iterator[Tap]:
    """Count the chips of the last ones, and give the first one out a point for dealing."""
    when = (ends[entries[-N_COUNTED - 1].pk] if len(entries) > N_COUNTED else timedelta(0)) + SOON
    left = [ids[entry.pk] for entry in entries[-N_COUNTED:] if came[ids[entry.pk]] <= when]
    share = STACK * len(entries) // sum(range(1, len(left) + 1))
    yield _tap(when, DESK, "stacks", {"stacks": {each: share * n for n, each in enumerate(left, start=1)}})
    bonus = {"entry": ids[entries[0].pk], "points": 1, "reason": "Dealt at the final table"}
    yield _tap(ends[entries[-2].pk] + SOON, DESK, "bonus", bonus)


def _phone(night: Night, name: str) -> Device:
    found = night.devices.filter(name=name).first()
    return found or Device.objects.create(night=night, name=name, role=ROLES[name])


def _record(phone: Device, *taps: Tap) -> None:
    """Send taps of a phone in one batch."""
    phone.refresh_from_db()
    now = now_ms()
    raws = [
        {
            "id": tap.id,
            "counter": phone.last_counter + i,
            "kind": tap.kind,
            "body": tap.body,
            "tap_ms": now,
            "offset_ms": 0,
        }
        for i, tap in enumerate(taps, start=1)
    ]
    take_in(phone.pk, Batch(now, phone.night.head, raws), now_ms=now)
