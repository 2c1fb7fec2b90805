"""Publish a night: its log becomes the result of an event, and what changes the log later a correction of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from entry.night_sheets.stored import rules_of_game
from league.models import Entry as StoredEntry
from league.models import EntryForm, Event, Game, Season
from league.queries import players_by_key
from league.services.errors import Refused
from league.services.events import correct_result, enter_result
from league.vocabulary import gettext as _
from live.courses import course_of
from live.engine.prizes import decimals_of
from live.engine.state import Entry
from live.engine.state import Night as State
from live.models import Night
from live.money import money_of
from live.queries import game_of
from live.results import (
    InTwice,
    Outcome,
    Unbalanced,
    Unfinished,
    cash_outcome_of,
    entry_places,
    outcome_of,
)
from live.services.hunts import set_hunts
from live.services.passes import end_passes
from live.stored_log import state_of
from payouts.services.amounts import record_money
from payouts.services.bonuses import Bonus, set_bonuses
from reading.names.keys import name_key
from reading.names.rules import name_problem
from reading.names.understanding import Understood, understand
from scores.rules import decimal_of, stored_scoring

RENAME = "rename:"  # before the key of a typed name: the name that takes its place
Answers = Mapping[str, str]  # by the key of a typed name: the id of a player, or that it is a new one


@dataclass(frozen=True)
class Reading:
    """What the log of a night says about its result: whom names mean, and the result or why there is none yet."""

    state: State
    understood: Understood
    outcome: Outcome | None
    why_not: str = ""
    bad_name: str = ""  # of a guest who has to be named anew


def read_night(night: Night, answers: Answers) -> Reading:
    """Read the result of a night. Players who were chosen from the list are known; typed names may be asked about."""
    state = state_of(night)
    known = players_by_key(night.club)
    new_names = {
        typed.removeprefix(RENAME): name for typed, name in answers.items() if typed.startswith(RENAME)
    }
    names_by_id = dict(night.club.players.values_list("pk", "name"))
    for entry in state.entries.values():
        entry.name = new_names.get(name_key(entry.name)) or entry.name
    typed = [entry.name for entry in state.entries.values() if entry.player not in names_by_id]
    understood = understand(dict.fromkeys(typed), known, answers)

    def name_of(entry: Entry) -> str:
        return names_by_id.get(entry.player or 0) or understood.name_of(entry.name)

    for guest in understood.guests:
        if problem := name_problem(guest.name):
            return Reading(state, understood, None, f"{guest.name[:60]}: {problem}", guest.name)
    said: dict[str, Any] = {"name_of": name_of, "starts_at": night.starts_at, "name": night.name}
    try:
        outcome = cash_outcome_of(state, **said) if state.is_cash else outcome_of(state, **said)
    except Unfinished as error:
        why = _("Nobody has come in yet.") if not error.names else _still_in(error.names)
        return Reading(state, understood, None, why)
    except Unbalanced as error:
        return Reading(state, understood, None, _unbalanced(error))
    except InTwice as error:
        why = _("%(name)s is in twice at once. Undo one of the two entries.") % {"name": error.name}
        return Reading(state, understood, None, why)
    return Reading(state, understood, outcome)


def _still_in(names: list[str]) -> str:
    shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")  # noqa: PLR2004  names that fit a line
    return _("%(n)d are still in: %(names)s.") % {"n": len(names), "names": shown}


def _unbalanced(error: Unbalanced) -> str:
    amount = f"{error.amount:f}"
    if error.is_too_much:
        return _("%(amount)s more were given back than were put in. Count again.") % {"amount": amount}
    return _("%(amount)s of what was put in were not given back. Count again.") % {"amount": amount}


@transaction.atomic
def publish(
    night: Night,
    season: Season | None,
    *,
    answers: Answers,
    head: int,
    actor: User,
    replaces_version: int | None = None,
) -> Event:
    """Publish the log of a night as an event, or as a correction of the one that was published. Idempotent.

    `head` is the last number of the log that was shown: raise Refused if there are later ones. Raise Stale if the event
    was corrected by its form meanwhile, unless that is the version that `replaces_version` names.
    """
    nights = Night.objects.select_related("club", "event__season", "event__game")
    current = nights.select_for_update(of=("self",)).get(pk=night.pk)
    if current.stage == Night.Stage.CALLED_OFF:
        raise Refused(_("This night was called off. Open it again first."))
    if current.published_head == head == current.head and current.event and replaces_version is None:
        reading = read_night(current, answers)
        if reading.outcome is not None:
            _save_beside(current, current.event, reading, reading.outcome, actor)
        return current.event
    if head != current.head:
        raise Refused(_("Something was recorded meanwhile. Look at the order again."))
    reading = read_night(current, answers)
    if reading.outcome is None:
        raise Refused(reading.why_not)
    if reading.understood.n_open:
        raise Refused(_("Say first who is meant by the names that are asked about."))
    event = _save(current, season, reading, reading.outcome, actor, replaces_version)
    _save_beside(current, event, reading, reading.outcome, actor)
    Night.objects.filter(pk=current.pk).update(
        season=event.season,
        event=event,
        stage=Night.Stage.PUBLISHED,
        published_head=head,
        course=course_of(reading.state),
        published_version=event.version,
    )
    end_passes(current)
    return event


def _save(
    night: Night,
    season: Season | None,
    reading: Reading,
    outcome: Outcome,
    actor: User,
    replaces_version: int | None,
) -> Event:
    reason = _("From the log of the night")
    aliases = reading.understood.aliases
    if night.event is not None:
        version = night.published_version if replaces_version is None else replaces_version
        return correct_result(
            night.event,
            replace(outcome.details, **_of_stored_game(night.event, reading.state)),
            outcome.entries,
            version=version or 0,
            actor=actor,
            reason=reason,
            aliases=aliases,
        )
    if season is None:
        raise Refused(_("Choose the season in which the night counts."))
    return enter_result(
        season,
        replace(outcome.details, **_of_game(season, reading.state)),
        outcome.entries,
        actor=actor,
        # A result that was published and deleted waits in the bin with the token.
        form_token=night.form_token if night.published_version is None else None,
        aliases=aliases,
        reason=reason,
    )


def _of_game(season: Season, state: State) -> dict[str, Any]:
    """Say which game a result is of. A cash table needs one with balances."""
    if not state.is_cash:
        game = game_of(season.club, season)
        return {"game_id": game.pk if game else None}
    game = game_of(season.club, season, EntryForm.BALANCES)
    if game is None:
        raise Refused(
            _(
                "A cash table counts in a season of a game with balances. The club has none, or several, for this"
                " season."
            )
        )
    return {"game_id": game.pk, **_scoring(game, state)}


def _of_stored_game(event: Event, state: State) -> dict[str, Any]:
    """Keep the game of a published result, with what a cash table has kept now."""
    was_cash = event.game is not None and event.game.entry_form == EntryForm.BALANCES
    if was_cash != state.is_cash:
        raise Refused(
            _("A tournament that is published does not become a cash table, or the other way round.")
        )
    return _scoring(event.game, state) if was_cash else {}


def _scoring(game: Game | None, state: State) -> dict[str, Any]:
    assert game is not None
    house = decimal_of("house", Decimal(_fees(state)).scaleb(-decimals_of(state.setup)))
    return {"scoring": stored_scoring(rules_of_game(game), house=house, sticks_left=0)}


def _fees(state: State) -> int:
    return (state.setup.get("fee") or 0) * len(state.entries)


def _save_beside(night: Night, event: Event, reading: Reading, outcome: Outcome, actor: User) -> None:
    """Save what a log says beside its result: who put whom out, bonus points, and how the prize pool is shared."""
    state = reading.state
    stored = {(entry.player.key, entry.number): entry for entry in event.entries.select_related("player")}
    entry_of = {
        each: stored[name_key(row.name), row.number]
        for each, row in outcome.input_of.items()
        if (name_key(row.name), row.number) in stored
    }
    set_hunts(night, state, entry_of)
    set_bonuses(event, _bonuses(state, entry_of), actor=actor)
    if not state.is_cash and (money := money_of(state, entry_places(state))):
        rows = {
            entry_of[each].pk: {"rebuys": won.n_rebuys, "add_ons": won.n_addons, "prize": won.won}
            for each, won in money.entries.items()
            if each in entry_of
        }
        record_money(
            event,
            prices=money.prices,
            percent=money.percent,
            guarantee=money.guarantee,
            rows=rows,
            actor=actor,
        )


def _bonuses(state: State, entry_of: Mapping[str, StoredEntry]) -> dict[int, Bonus]:
    found: dict[int, Bonus] = {}
    for each in state.bonuses:
        if entry := entry_of.get(each["entry"]):
            before = found.get(entry.pk, Bonus(0))
            reasons = [reason for reason in (before.reason, each["reason"]) if reason]
            found[entry.pk] = Bonus(before.points + each["points"], "; ".join(reasons))
    return found
