"""Twenty leagues, and the corrections that organizers make to them. Imported once Django is set up."""

import random
from datetime import timedelta

from django.core.management import call_command

from league.models import Event, Pool, Season
from league.services.errors import Stale
from league.services.events import EntryInput, EventDetails, correct_result, delete_event, enter_result
from processes.tables import create_tables
from standings.recomputation.service import recompute
from tests.factories import START, ClubFactory, SeasonFactory, UserFactory, enter, names
from tests.storm.wire import wire

N_EVENTS = 4
PLAYERS = names(12)


def open_leagues(n: int) -> list[Season]:
    """Make leagues of a few events each in an empty database, and compute them; no message is sent."""
    create_tables()  # a storm does not depend on how its tables were made, and migrations take 8 s instead of 1
    call_command("createcachetable", verbosity=0)
    wire.is_cut = True
    owner = UserFactory()
    seasons = [SeasonFactory(club=ClubFactory(owner=owner)) for _ in range(n)]
    for i, season in enumerate(seasons):
        for i_event in range(N_EVENTS):
            field = [*PLAYERS[i_event:], *PLAYERS[:i_event]][: 6 + i % 4]
            enter(season, "\n".join([*field[:-1], f"{field[-1]} x2"]), day=7 * i_event)
    for pool_id in Pool.objects.values_list("pk", flat=True):
        recompute(pool_id)
    wire.is_cut = False
    return seasons


def change_something(season: Season, rng: random.Random) -> None:
    """Correct a result, or sometimes enter or delete one, as an organizer does."""
    events = list(Event.objects.filter(season=season).order_by("pk"))
    kind = rng.choices(("correct", "enter", "delete"), (8, 1, 1))[0]
    event = rng.choice(events)
    if kind == "enter":
        field = rng.sample(PLAYERS, 8)
        details = EventDetails(START + timedelta(days=rng.randrange(60)))
        enter_result(
            season, details, [EntryInput(name, place) for place, name in enumerate(field, 1)], actor=None
        )
    elif kind == "delete" and len(events) > 2:
        delete_event(event, version=event.version, actor=season.club.memberships.get().user)
    else:
        _correct(event, rng)


def _correct(event: Event, rng: random.Random) -> None:
    """Swap two players, and sometimes move the event to another day."""
    stored = list(event.entries.select_related("player").order_by("place", "pk"))
    players = sorted({entry.player.name for entry in stored})
    if not players:
        raise Stale("deleted since the list of events was read")
    one, other = rng.sample(players, 2)
    swapped = {one: other, other: one}
    entries = [
        EntryInput(swapped.get(entry.player.name, entry.player.name), entry.place, entry.number)
        for entry in stored
    ]
    starts_at = event.starts_at + timedelta(days=rng.choice((0, 0, 0, 1, 9)))
    correct_result(event, EventDetails(starts_at), entries, version=event.version, actor=None)
