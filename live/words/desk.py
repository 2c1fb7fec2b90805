"""What the scripts of a desk say, in the language of the reader. Names in braces are filled in by the scripts."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def words_of_desk() -> dict[str, str]:
    """Translate everything that the desk of a night says."""
    return {
        **words_of_places(),
        **_acts(),
        **_calls(),
        **_wire(),
        **_questions(),
        **_log(),
        **_room(),
    }


def words_of_places() -> dict[str, str]:
    """Translate places and lists."""
    return {
        "place one": pgettext("place", "{n}st"),
        "place two": pgettext("place", "{n}nd"),
        "place few": pgettext("place", "{n}rd"),
        "place other": pgettext("place", "{n}th"),
        "list": pgettext("between the items of a list", ", "),
        "and": _(" and "),
    }


def _acts() -> dict[str, str]:
    return {
        "Out": pgettext("button", "Out"),
        "In": pgettext("button", "In"),
        "Undo": _("Undo"),
        "Redo": _("Redo"),
        "Paid": pgettext("button", "Paid"),
        "Not paid yet": _("Not paid yet"),
        "Bring back": _("Bring back"),
        "Re-entry": _("Re-entry"),
        "Rebuy": _("Rebuy"),
        "Add-on": _("Add-on"),
        "Wrong person": _("Wrong person"),
        "Cash out": _("Cash out"),
        "Count": pgettext("button", "Count"),
        "Bonus": pgettext("button", "Bonus"),
        "leaves with": _("Leaves with"),
        "chips counted": _("Chips counted"),
        "bonus points": _("Bonus points"),
        "what for": _("What for"),
        "not a number": _("“{text}” is not a number that fits here."),
        "balance": _("balance {amount}"),
        "in chips": _("{n} chips"),
        "bounty": _("bounty {amount}"),
        "sound here": _("Sound here, at one minute and at the level’s end"),
        "More": _("More"),
        "Less": _("Less"),
        "By whom": _("By whom?"),
        "By": pgettext("who put somebody out", "By"),
        "Nobody saw": _("Nobody saw"),
        "Tie with": _("Tie with {place}"),
        "Several": _("Several in one hand"),
        "Several help": _("Tap them, first out first. “Tie” puts one on the same place as the one before."),
        "Put out": _("Put {n} out"),
        "Leave out": _("Leave out"),
        "Tie": _("Tie"),
        "No tie": _("No tie"),
        "Cancel": _("Cancel"),
        "Start": _("Start now"),
        "Copy as text": _("Copy as text"),
        "Copied": _("Copied."),
        "Right": _("Right"),
        "Leave it": _("Leave it"),
        "Guest": _("Guest “{name}”"),
        "guest hint": _("a name for tonight, joined to a player later"),
        "near": _("one letter apart"),
        "is called": _("is called “{name}” too"),
        "the says yes": _("says yes"),
        "is in": _("is in"),
        "new": pgettext("player without events", "new"),
        "played": _("last on {day}"),
        "Note": _("Note"),
    }


def _calls() -> dict[str, str]:
    return {
        "called out": _("{place}, {name}"),
        "called out tie": _("Equal {place}, {name}"),
        "called in": _("{name} is in"),
        "called again": _("{name} again"),
        "called undone": _("Undone: {what}"),
        "called redone": _("Done again: {what}"),
        "by": _("by {name}"),
        "from": _("from {device}"),
        "paid amount": _("{amount} paid"),
        "owes amount": _("owes {amount}"),
        "guess": _("if nobody else went out elsewhere"),
        "left": _("{n} left"),
        "of entries": _("of {n} entries"),
        "in": _("{n} in"),
        "not begun": _("not begun"),
        "since": _("since {time}"),
        "nobody": _("Nobody is in yet. Tap a name as they come in."),
        "In heading": _("In"),
        "Out heading": _("Out"),
        "Expected": pgettext("who may come", "Expected"),
        "Owes": _("Still to pay"),
        "All players": _("All {n}"),
        "second entry": _("entry {n}"),
        "over": _("{name} wins. Finish and publish."),
    }


def _wire() -> dict[str, str]:
    return {
        "offline": _("No connection since {time}."),
        "waiting": _("{n} taps wait on this phone and go out by themselves."),
        "waiting one": _("One tap waits on this phone and goes out by itself."),
        "all out": _("Everything has gone out."),
        "came": _("{n} actions came from {device}."),
        "private": _(
            "Nothing is kept on this phone: the window is private or storage is full. Taps count once they have been"
            " sent. Wait until nothing waits here."
        ),
        "not kept": _("This tap could not be kept. Tap again; if it happens again, load the page again."),
        "second tab": _("The desk is open in another tab too. That one sends; this one shows the same."),
        "revoked": _(
            "The organizer has ended this phone’s access. What is tapped now waits for the organizer to decide."
        ),
        "published": _(
            "This night is published. What is tapped now waits for the organizer as a correction."
        ),
        "held": _("{n} taps wait for the organizer to decide."),
        "held one": _("One tap waits for the organizer to decide."),
        "no key": _("This phone has no access to this night. Scan the code at the desk again."),
        "organizer sign in": _("I run this club: open the desk"),
        "another place": _("{name} is {place}, not {before}."),
        "text heading": _("Taps of {device} that have not gone out"),
    }


def _questions() -> dict[str, str]:
    return {
        "order": _("{names}: two phones saw it in different orders. Who is right?"),
        "twice": _("{names} is out twice, far apart in time. Which counts?"),
        "tied": _("{names}: a tie with somebody who was out already."),
        "not_together": _("{names} cannot be tied: they are not next to each other."),
        "last_one": _("{names} is the last one in and was put out."),
        "by question": _("Who put {names} out? Two phones say different names."),
        "in_twice": _("{names} is in twice. Undo the wrong entry in the log."),
        "same_name": _("Two players are called {names}."),
        "unknown": _("Something was recorded about an entry that the log does not have."),
        "seat_taken": _("A seat was given that somebody else has."),
        "wants_in": _("{names} asks to be checked in. Check in the right player below, or leave it."),
        "is_it_you": _("A phone says it is that of {names}, who is in. Is it?"),
        "says_out": _("{names} says on the phone to be out. Put out below, or leave it."),
        "after_closing": _("{names} came in after late entry had closed. Undo it in the log, or leave it."),
        "late_clock": _("A touch of the clock came late. Set the clock back to it?"),
        "no_cash": _("{names} was cashed out, but this is no cash table."),
        "moved_twice": _("{names} was moved on two phones. Which move counts?"),
        "yes": pgettext("answer", "Yes"),
        "set_back": _("Set it back"),
        "ignore": _("It is right as it is"),
        "depends": _("{what}: undo it? Later things depend on it: {changes}."),
        "would be": _("{name} would be {place}"),
        "would be in": _("{name} would be in"),
        "undo it": _("Undo it"),
    }


def _log() -> dict[str, str]:
    return {
        "log setup": _("The night begins"),
        "log start": _("The cards are in the air"),
        "log clock": _("The clock was touched"),
        "log enter": _("{name} in"),
        "log out": _("{names} out"),
        "log by": _("{name} out by {by}"),
        "log buy": _("{name}: {what}"),
        "log cash_out": _("{name} leaves with {amount}"),
        "log envelope": _("{name}: an envelope with {amount} is opened"),
        "log bonus": _("{name}: {n} points more. {reason}"),
        "log stacks": _("Chips counted: {names}"),
        "log pay": _("{name}: {amount} paid"),
        "log tie": _("A tie: {names}"),
        "log chop": _("A deal"),
        "log note": _("Note: {text}"),
        "log settle": _("A question was answered"),
        "log admit": _("Taken in from what waited"),
        "log levels": _("Levels of the blinds were changed"),
        "log seed": _("The fingerprint of the draw"),
        "log draw": _("Seats drawn: {names}"),
        "log move": _("Moved: {names}"),
        "log button": _("Big blind at table {table}: {name}"),
        "log ask_in": _("{name} asks to be checked in"),
        "log ask_out": _("{name} says to be out"),
        "log seen_move": _("{name} has read the new seat"),
        "log pause": _("The clock is stopped"),
        "log resume": _("The clock goes on"),
        "log order": _("The order was changed: {what}"),
        "log other": "{kind}",
        "undone by": _("Undone by {device}"),
        "unsure": _("Time unsure: this phone’s clock was changed or not known."),
        "late": _("arrived {time}"),
        "Earlier": pgettext("move in time", "Earlier"),
        "Later": pgettext("move in time", "Later"),
        "empty log": _("Nothing is recorded yet."),
        "waits": _("waits here"),
    }


def _room() -> dict[str, str]:
    return {
        "the clock": _("Clock"),
        "the stop": _("Stop"),
        "the go on": _("Go on"),
        "minute more": _("+1 min"),
        "minute less": _("−1 min"),
        "level back": _("Level back"),
        "level on": _("Next level"),
        "no levels": _("No levels: the clock counts up. Night, “Blinds” makes some."),
        "the ends": _("Ends {from} to {to}"),
        "ends about": _("Ends about {about}"),
        "asks in": _("Asks to come in"),
        "no seat yet": _("wait for the seat"),
        "called seat": _("{name}: table {table}, seat {seat}"),
        "free seat": pgettext("seat", "free"),
        "the table": _("Table {n}"),
        "Move": pgettext("button", "Move"),
        "move here": _("Sit here"),
        "has not read": _("has not read it"),
        "propose final": _("{n} left. Draw the final table?"),
        "propose final why": _(
            "Everybody sits down anew at one table; who has a seat of their own keeps it."
        ),
        "propose break": _("Table {table} breaks: {names} move"),
        "propose break why": _("One table fewer holds everybody. Each has drawn a free seat."),
        "propose balance why": _(
            "Table {table} is two short. Who pays the big blind next moves to where it comes soonest."
        ),
        "propose balance drawn": _(
            "Table {table} is two short. Nobody said who is big blind, so it was drawn."
        ),
        "Do it": _("Move them"),
        "Draw them": _("Draw the seats"),
        "the not now": _("Not now"),
        "nobody seated": _("Nobody has a seat yet."),
        "who is big blind": _("Table {table}: who is big blind now?"),
        "moved": _("Done: {names}"),
        "choose a seat": _("{name}: choose a free seat"),
        "how drawn": _("How the seats are drawn"),
        "draw hidden": _("The seed is shown once the night is published."),
    }
