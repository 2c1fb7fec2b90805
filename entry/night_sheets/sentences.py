"""Sentences about a table that is being typed: one source for the site and for static/js/night.js.

Names in braces are filled in by both, so they are not plural forms: each number word has its own sentence.
"""

from django.utils.translation import pgettext

from entry.score_messages import MESSAGES
from league.formats import ordinal
from league.vocabulary import gettext as _

MOST_PLACES = 60
# Errors of a table that the script finds too.
CHECKED_WHILE_TYPED = ("no_name", "no_chips", "chips_not_zero", "chips_not_used")
VALUES = {name: f"{{{name}}}" for name in ("seat", "name", "got")}


def words() -> dict[str, str]:
    """All sentences in the reader's language, by name."""
    return {
        **{code: str(MESSAGES[code]) % VALUES for code in CHECKED_WHILE_TYPED},
        "terms": _("start {start}, return {back} · uma {uma}"),
        "oka": _("oka"),
        "type_hundreds": _("Type hundreds: 453 is 45,300."),
        "type_points": _("Type points: 45300."),
        "type_balance": _("Type each player’s balance: +62.2."),
        "sum": _("Sum"),
        "sum_so_far": _("Sum so far"),
        "to_come": _("{left} to come"),
        "left_for": _("{left} left for {name}"),
        "of": _("{got} of {right}"),
        "missing": _("{n} missing. Places and points may still change."),
        "too_much": _("{n} too much. Places and points may still change."),
        "swap": _("Two digits the wrong way round? With {text} the sum is right."),
        "sign": _("Below zero? With {text} the sum is right."),
        "digit": _("One digit mistyped? With {text} the sum is right."),
        "only_one": _("No other single slip explains it."),
        "which_missing": _("{n} missing. Which one is it?"),
        "which_too_much": _("{n} too much. Which one is it?"),
        "each_one": _("Each of these would be a single slip."),
        "make": _("Make it {text}"),
        "unit_down": _("These look like points: {text} is typed as hundreds here."),
        "unit_up": _("These look like hundreds: {text} is typed as points here."),
        "read_down": _("Read all of them as points"),
        "read_up": _("Read all of them as hundreds"),
        "twice": _("{name} sits at table {one} and at table {two} of hanchan {round}."),
        "twice_here": _("{name} sits at this table twice."),
        "unread": _("“{text}” is not a number."),
        "count_one": _("{players} players, 1 table."),
        "count_many": _("{players} players, {tables} tables."),
        "count_none": _("Nothing is typed yet."),
        "todo_wrong": _("Table {where} has a wrong sum."),
        "todo_begun": _("Table {where} is not complete."),
        "todo_bad": _("Table {where} cannot be read."),
        "todo_names": _("Names asked about: {n}."),
        "todo_all": _("All sums are right."),
        "do_wrong": _("Mend table {where}"),
        "do_begun": _("Finish table {where}"),
        "do_bad": _("Mend table {where}"),
        "do_names": _("Say who is meant"),
        "do_empty": _("Type the scores"),
        "publish_one": _("Publish 1 table"),
        "publish_many": _("Publish {tables} tables"),
        "empty": pgettext("a table", "not begun"),
        "good_tables": _("{good} of {tables} right"),
        "kept": _("Kept on this device."),
    }


def ordinals() -> list[str]:
    """List the ordinals of the places in the reader's language: 1st, 2nd, 3rd and so on."""
    return [ordinal(place) for place in range(1, MOST_PLACES + 1)]


def winds(n_seats: int) -> list[str]:
    """Letters of the seats of a table, the first East first."""
    letters = [
        pgettext("wind", "E"),
        pgettext("wind", "S"),
        pgettext("wind", "W"),
        pgettext("wind", "N"),
    ]
    return letters[:n_seats]
