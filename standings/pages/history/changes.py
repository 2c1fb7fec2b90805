"""Changes in words. Players have their current names, so that a withdrawn name never shows."""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from django.db.models import Model

from entry.night_sheets.forms import RulesForm
from league import formats
from league.models import AccessChange, Change, Club, Game, MeetOrder, PlannedEvent, Pool, Season
from league.queries import Rename
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from payouts.models import ClubMoney, EventTerms, SeasonRules
from payouts.sentences import bonuses_in_words, rules_in_words
from ratings.parameters import changed_parameters
from reading.names.keys import name_key
from standings.models import AwardKind
from standings.pages.history.differences import CurrentName, Summary, field_changes, from_to, time_text
from standings.pages.history.result_changes import (
    event_moved,
    result_corrected,
    result_deleted,
    result_entered,
)

N_DIGITS = 12  # of a checksum, enough to compare by eye
Description = Callable[[Summary, Summary, CurrentName], list[str]]


class ChangeLine(NamedTuple):
    """A line of the history: the change, its subject, and what was changed in words."""

    change: Change | AccessChange
    subject: str
    descriptions: list[str]

    @property
    def kind(self) -> str:
        """Name the kind of the change. Django's own method translates all kinds for each line."""
        return str(type(self.change).Kind(self.change.kind).label)


def change_lines(changes: Iterable[Change], renames: Sequence[Rename]) -> list[ChangeLine]:
    return [change_line(change, renames) for change in changes]


def change_line(change: Change, renames: Sequence[Rename]) -> ChangeLine:
    current_name = current_names(change, renames)
    lines = WORDS[Change.Kind(change.kind)](change.before, change.after, current_name)
    return ChangeLine(change, _subject(change, current_name), lines)


def current_names(change: Change, renames: Sequence[Rename]) -> CurrentName:
    """Make the function that turns a name at the time of a change into the player's present one."""
    later = [
        (name_key(rename.before), rename.after)
        for rename in renames
        if rename.pool_id == change.pool_id and rename.version > change.version
    ]

    def current_name(name: str) -> str:
        if later:
            key = name_key(name)
            for before, after in later:
                if key == before:
                    name, key = after, name_key(after)
        return name

    return current_name


def _subject(change: Change, current_name: CurrentName) -> str:
    if change.kind in OF_PLAYERS:
        return current_name((change.after or change.before)["name"])
    if change.kind == Change.Kind.PLAYERS_ADDED:
        return formats.listed(map(current_name, change.after["names"]))
    if change.kind == Change.Kind.NAMES_CHANGED:
        rows = [*change.before.get("names", ()), *change.after.get("names", ())]
        return formats.listed(dict.fromkeys(current_name(name) for _typed, name in rows))
    if change.kind in RESULTS:
        return str(
            change.before.get("event")
            or change.after.get("name")
            or _day(change.after)
            or change.season
            or ""
        )
    return str(change.season or change.after.get("name") or change.before.get("name", ""))


def _day(summary: Summary) -> str:
    """The day of an event without a name that is not stored any more."""
    return time_text(summary["starts_at"], "%Y-%m-%d") if summary.get("starts_at") else ""


def _fields_changed(model: type[Model]) -> Description:
    """Make a function that describes changes of a model's fields."""
    return lambda before, after, _current_name: field_changes(model, before, after)


def _terms_changed(before: Summary, after: Summary, current_name: CurrentName) -> list[str]:
    if "bonuses" not in after:
        return field_changes(EventTerms, before, after)
    sides = (
        bonuses_in_words((current_name(name), n, reason) for name, n, reason in side["bonuses"])
        for side in (before, after)
    )
    return [from_to(_("Bonus points"), *sides)]


def _rules_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    """List the rules that no longer apply, and the new ones."""
    old, new = (
        rules_in_words(SeasonRules(**{name: summary[name] for name in before if name in summary}))
        for summary in (before, after)
    )
    lines = [_("No longer: %(rule)s") % {"rule": rule} for rule in old if rule not in new]
    lines += [_("Now: %(rule)s") % {"rule": rule} for rule in new if rule not in old]
    return [*lines, _("Also for the %(events_word)s before.")] if after.get("settle_again") else lines


def _ratings_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    lines = [from_to(*parameter) for parameter in changed_parameters(before, after)]
    if season := after.get("from_season"):
        lines.append(_("In effect from the season %(season)s on.") % {"season": season})
    return lines


def _totals_brought(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    return [from_to(_("Players"), len(before.get("totals", ())), len(after.get("totals", ())))]


def _ratings_brought(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    return [from_to(_("Players"), len(before.get("ratings", ())), len(after.get("ratings", ())))]


def _season_came_or_went(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    n = (after or before)["n_events"]
    return [ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", n) % {"n": n}]


def _season_opened(_before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    """The days of a season; those of one that is open have no end."""
    days = {name: after[name] for name in ("starts_on", "ends_on")}
    return field_changes(Season, {}, days)


def _nothing_more(_before: Summary, _after: Summary, _current_name: CurrentName) -> list[str]:
    return []


def _meet_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    if not after:
        return [_("%(meet)s: dissolved") % {"meet": before["name"]}]
    lines = [_("%(meet)s: %(events)s") % {"meet": after["name"], "events": formats.listed(after["events"])}]
    old, new = (MeetOrder(summary.get("ordered_by", MeetOrder.TOTAL)).label for summary in (before, after))
    return lines if old == new else [*lines, from_to(_("Places by"), old, new)]


def _schedule_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    sides = [
        [time_text(start, "%Y-%m-%d %H:%M") for start in side.get("starts", ())] for side in (before, after)
    ]
    return [from_to(_("Planned"), *map(formats.listed, sides)), *field_changes(PlannedEvent, before, after)]


def _awards_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    old, new = ({_title(row): row for row in summary["awards"]} for summary in (before, after))
    return [
        *(_("%(award)s: added") % {"award": title} for title in new if title not in old),
        *(_("%(award)s: taken away") % {"award": title} for title in old if title not in new),
        *(
            _("%(award)s: changed") % {"award": title}
            for title, row in new.items()
            if old.get(title, row) != row
        ),
        *([_("another order")] if set(old) == set(new) and list(old) != list(new) else []),
    ]


def _title(row: Sequence[Any]) -> str:
    kind, title, *_rest = row
    return title or str(AwardKind(kind).label)


def _player_renamed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    if before["is_guest"] == after["is_guest"]:
        return []
    return [_("a guest now") if after["is_guest"] else _("no longer a guest")]


def _names_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    """Count the changed names without showing them, since a withdrawn name must not appear."""
    n, gone = (len(summary.get("names", ())) for summary in (after, before))
    return [
        *([ngettext("%(n)d name remembered", "%(n)d names remembered", n) % {"n": n}] if n else []),
        *([ngettext("%(n)d name removed", "%(n)d names removed", gone) % {"n": gone}] if gone else []),
    ]


def _club_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    return field_changes(Club, before, after) + field_changes(ClubMoney, before, after)


def _money_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    """Describe changes of money by counts alone: what a player paid or won is private."""
    rows = list(zip_longest(before["entries"], after["entries"]))
    n, n_paid = sum(old != new for old, new in rows), [_n_paid(summary) for summary in (before, after)]
    return [
        *([_("Prices, prize pool or payouts")] if before["money"] != after["money"] else []),
        *([ngettext("The money of %(n)d entry", "The money of %(n)d entries", n) % {"n": n}] if n else []),
        *([from_to(_("Prizes paid out"), *n_paid)] if n_paid[0] != n_paid[1] else []),
    ]


def _n_paid(summary: Summary) -> int:
    return sum(bool(paid) for *_row, paid in summary["entries"])


def _seal_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    return [_("Checksum %(digits)s…") % {"digits": (after or before)["sha256"][:N_DIGITS]}]


def _game_changed(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    """Fields of a game; its rules of scoring by the parts that changed."""
    fields = {name: value for name, value in after.items() if name != "scoring"}
    old, new = (summary.get("scoring") or {} for summary in (before, after))
    changed = [name for name in SCORING if old.get(name) != new.get(name)]
    return [
        *field_changes(Game, before, fields),
        *(from_to(str(SCORING[name]), _joined(old.get(name)), _joined(new.get(name))) for name in changed),
    ]


def _joined(value: Any) -> object:
    return " / ".join(map(str, value)) if isinstance(value, list) else value


# Rules of scoring with the labels of their form.
SCORING = {name: field.label for name, field in RulesForm.base_fields.items() if name != "preset"}

OF_PLAYERS = {
    Change.Kind.PLAYER_RENAMED,
    Change.Kind.PLAYERS_MERGED,
    Change.Kind.PLAYERS_UNMERGED,
    Change.Kind.PLAYER_DELETED,
    Change.Kind.PLAYER_RESTORED,
}
RESULTS = {
    Change.Kind.RESULT_ENTERED,
    Change.Kind.RESULT_CORRECTED,
    Change.Kind.RESULT_DELETED,
    Change.Kind.RESULT_RESTORED,
}
WORDS: dict[Change.Kind, Description] = {
    Change.Kind.RESULT_ENTERED: result_entered,
    Change.Kind.RESULT_CORRECTED: result_corrected,
    Change.Kind.RESULT_DELETED: result_deleted,
    Change.Kind.RESULT_RESTORED: result_entered,
    Change.Kind.EVENT_MOVED: event_moved,
    Change.Kind.RULES_CHANGED: _rules_changed,
    Change.Kind.TERMS_CHANGED: _terms_changed,
    Change.Kind.TOTALS_BROUGHT: _totals_brought,
    Change.Kind.RATINGS_CHANGED: _ratings_changed,
    Change.Kind.RATINGS_BROUGHT: _ratings_brought,
    Change.Kind.SEASON_CHANGED: _fields_changed(Season),
    Change.Kind.SEASON_OPENED: _season_opened,
    Change.Kind.SEASON_DELETED: _season_came_or_went,
    Change.Kind.SEASON_RESTORED: _season_came_or_went,
    Change.Kind.SEASON_SEALED: _seal_changed,
    Change.Kind.SEASON_UNSEALED: _seal_changed,
    Change.Kind.MEET_CHANGED: _meet_changed,
    Change.Kind.SCHEDULE_CHANGED: _schedule_changed,
    Change.Kind.AWARDS_CHANGED: _awards_changed,
    Change.Kind.PLAYERS_ADDED: _nothing_more,
    Change.Kind.PLAYER_RENAMED: _player_renamed,
    Change.Kind.PLAYERS_MERGED: _nothing_more,
    Change.Kind.PLAYERS_UNMERGED: _nothing_more,
    Change.Kind.PLAYER_DELETED: _nothing_more,
    Change.Kind.PLAYER_RESTORED: _nothing_more,
    Change.Kind.NAMES_CHANGED: _names_changed,
    Change.Kind.CLUB_CHANGED: _club_changed,
    Change.Kind.MONEY_CHANGED: _money_changed,
    Change.Kind.POOL_CHANGED: _fields_changed(Pool),
    Change.Kind.GAME_CHANGED: _game_changed,
    Change.Kind.RATINGS_TOUCHED: _nothing_more,  # shown in the season's pool
}
