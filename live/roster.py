"""List whom a night may expect, for checking in on phones: who says to come first, then who played lately."""

from collections import defaultdict
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from league.models import Player, PlayerAlias, Rsvp
from live.engine.state import Entry
from live.models import Night
from live.stored_log import state_of
from reading.names.keys import name_key

MOST = 2_000


def roster_of(night: Night) -> list[dict[str, Any]]:
    """List the players of the club: id, name, other names, number of events, day of the last one, and answer."""
    at_hand = _at_hand(night)
    answers = _answers(night) | {entry.player: Rsvp.Answer.YES for entry in at_hand if entry.player}
    others: dict[int, list[str]] = defaultdict(list)
    # Another name of a player who hides the own one may be that.
    aliases = PlayerAlias.objects.filter(club=night.club_id, player__real_name="")
    for player_id, name in aliases.order_by("key").values_list("player_id", "name"):
        others[player_id].append(name)
    players = Player.objects.filter(club=night.club_id).annotate(
        n=Count("entries__event", distinct=True), last=Max("entries__event__starts_at")
    )
    rows = [
        {
            "id": player.pk,
            "name": player.name,
            "others": others[player.pk],
            "n": player.n,
            "last": player.last.date().isoformat() if player.last else "",
            "answer": answers.get(player.pk, ""),
        }
        for player in players.order_by("key")
    ]
    rows.sort(key=lambda row: (row["answer"] == Rsvp.Answer.YES, row["last"], row["n"]), reverse=True)
    names = _known_names(night)
    guests = {name_key(entry.name): entry.name for entry in at_hand if not entry.player}
    return [*(_guest(name) for key, name in guests.items() if key not in names), *rows][:MOST]


def _known_names(night: Night) -> set[str]:
    """Collect the keys of all names of players, also hidden ones: a guest by such a name is that player."""
    pairs = Player.objects.filter(club=night.club_id).values_list("name", "real_name")
    aliases = PlayerAlias.objects.filter(club=night.club_id).values_list("key", flat=True)
    return {name_key(name) for pair in pairs for name in pair if name} | set(aliases)


def _guest(name: str) -> dict[str, Any]:
    """Write a guest of another night of the same evening, who is in no list of the club."""
    return {"id": None, "name": name, "others": [], "n": 0, "last": "", "answer": Rsvp.Answer.YES}


def has_other(night: Night) -> bool:
    """Tell whether another night of the same evening runs, so that its players come and go."""
    return _others(night).filter(stage=Night.Stage.OPEN).exists()


def _others(night: Night) -> QuerySet[Night]:
    return Night.objects.filter(Q(beside=night.pk) | Q(pk=night.beside_id), club=night.club_id)


def _at_hand(night: Night) -> list[Entry]:
    """Find who has come to the other nights of the same evening."""
    return [entry for other in _others(night).order_by("pk") for entry in state_of(other).entries.values()]


def _answers(night: Night) -> dict[int, str]:
    """Map players to what their accounts have said about the planned event."""
    said = Rsvp.objects.filter(planned_event=night.planned_event_id).values_list("user", "answer")
    accounts = dict(
        Player.objects.filter(club=night.club_id, user__in=[user for user, _ in said]).values_list(
            "user", "pk"
        )
    )
    return {accounts[user]: answer for user, answer in said if user in accounts}
