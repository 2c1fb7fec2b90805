"""What the scripts of screens, players' phones and the clock say, in the language of the reader."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from live.words.desk import words_of_places


def words_of_faces() -> dict[str, str]:
    """Translate everything that a screen and a player's phone say."""
    return {**words_of_places(), **words_of_clock(), **_screen(), **_player()}


def words_of_clock() -> dict[str, str]:
    """Translate what a clock says, on desks too."""
    return {
        "the level": _("Level {n}"),
        "the break": _("Break"),
        "the next": pgettext("level", "Next"),
        "Last level": _("Last level. It goes on until one is left."),
        "the stopped": _("stopped"),
        "set back": _("Set back {time}."),
        "set back why": _("The stop of {time} came late from {device}."),
        "the seat": _("Table {table}, seat {seat}"),
        "the prizes": _("Prizes"),
        "the point": _("{n} point"),
        "the points": _("{n} points"),
        "fingerprint": _("Fingerprint, shown before anybody was in: {sha}"),
        "draw file": _("The draw as a file"),
        "draw check": _("Whoever has it can check every seat."),
    }


def _screen() -> dict[str, str]:
    return {
        "the running": _("Running"),
        "ante": _("ante {n}"),
        "after the break": _("Level {n} after the break:"),
        "Stopped at": _("Stopped at {time}"),
        "the hours": _("{h} h {m}"),
        "minutes": _("{m} min"),
        "set back late": _("The stop of {time} came late."),
        "Colour up": _("Colour up:"),
        "chips go": _("the {chips} go. Odd ones are raced off."),
        "bb": _("{n} bb"),
        "the average": _("Average"),
        "the likely finish": _("Likely finish"),
        "moves to": _("{name} moves: table {table}, seat {seat}"),
        "offline": _("No connection since {time}."),
        "by": _("by {name}"),
        "left": _("{n} left"),
        "of entries": _("of {n} entries"),
        "not begun": _("not begun"),
        "the table": _("table {n}"),
        "Out heading": _("Out"),
        "Left": pgettext("players", "Left"),
        "of": _("of {n}"),
        "In": pgettext("players", "In"),
        "of expected": _("of {n} expected"),
        "the tables": _("Tables"),
        "the registration": _("Registration"),
        "closes in": _("Registration closes in"),
        "the closed": pgettext("registration", "closed"),
        "the break ends": _("Break ends"),
        "the break in": _("Break in"),
        "the final table": _("Final table"),
        "the cards in the air in": _("Cards in the air in"),
        "stack and level": _("{stack} chips, {minutes} minutes a level"),
        "points label": _("Points"),
        "the bubble": _("On the bubble: the first {n} win something."),
        "many move": _("{n} players move. Their phones and the desk say where."),
        "the on your phone": _("On your phone"),
        "on your phone why": _("where you sit, who is left"),
        "the wins": _("{name} wins"),
        "draw sha": _("Fingerprint of the draw of seats: {sha}"),
        "the new badges": _("New badges"),
        "Rates are being computed": _("The rates are being computed."),
        "screen offline": _("The clock runs on. Who goes out is not shown."),
        "screen over": _("The access of this screen is ended."),
        "screen waits": _("The night is being loaded."),
        "screen no key": _(
            "This screen has no access to this night. Open the page “Screen” and type its code at the desk."
        ),
    }


def _player() -> dict[str, str]:
    return {
        "follow over": _("The access of this phone is ended."),
        "follow no key": _("This phone has no access to this night. Scan the code at the door again."),
        "follow offline": _("The clock runs on; who is out may be old."),
        "asks at the desk": _("{name}: the desk is asked. Your seat stands here in a moment."),
        "I am": _("I am {name}, and I am here"),
        "bonus": _("{points} points more: {reason}"),
        "you win": _("You win"),
        "you come": _("You come {place}"),
        "you are out": _("You are out in {place}"),
        "here": _("{n} are here"),
        "left with you": _("{n} are left, and you are one of them"),
        "left of": _("{n} are left of {of}"),
        "the the whole result": _("The whole result"),
        "rate now": _("Rate {rate} ({change})."),
        "badge now": _("{before} → {badge}"),
        "may re-enter": _("Late entry is still open: ask at the desk."),
        "new seat": _("New seat: table {table}, seat {seat}."),
        "the i have read it": _("I have read it"),
        "the place": _("Place"),
        "the rate": _("Rate"),
        "the what your place would bring": _("What your place would bring"),
        "brings caption": _(
            "Rated as if the night ended with you there; the others finish in the order of their rates."
        ),
        "the still in": _("Still in"),
        "the you": _("you"),
        "nobody here": _("Nobody is here yet."),
        "the all of them": _("All of them"),
        "said out": _("The desk is asked."),
        "the i am out": _("I am out"),
    }
