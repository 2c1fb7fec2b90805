import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lab.calculators.answers import DECIDE_DEFAULTS, decide_answer
from lab.engine.utility import STREETS


class Command(BaseCommand):
    help = "Prints what a simulated player does, as JSON: the utilities of fold, call and raise, f* and the choice."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        # No types, so that a value that is no number is bad input (exit 1) and not wrong usage (exit 2).
        for name, metavar, about in (
            ("p", "P", "chance to win, 0 to 1"),
            ("n", "N", "players who have not folded, with this one: 2 to 10"),
            ("own", "W", "own stack at the start of the hand, in chips"),
            ("in", "b", "chips the player has put into the pot so far"),
            ("call", "c", "chips the player will have put in after a call"),
            ("raise", "m", "what a raise adds to the call at least"),
            ("folded", "beta", "chips in the pot of those who have folded"),
        ):
            parser.add_argument(f"--{name}", metavar=metavar, required=True, help=about)
        for name, metavar, about in (
            ("gamma", "G", "risk aversion, 0 to 100: 0 counts chips, 1 is the Kelly player"),
            (
                "style",
                "s",
                "-5 to 0.99: positive is loose and takes the chance p for p^(1-s), negative tight",
            ),
            (
                "river",
                "s",
                "the same on the river, in a straight line between; as before the flop if not given",
            ),
            ("inconsistency", "L", "-100 to 100: risk aversion grows by it with the own chance"),
            ("bias", "D", "0 to 1: long odds are overrated"),
            ("noise", "X", "0 to 1: standard deviation of the error in the chance"),
            ("street", "S", f"one of {', '.join(STREETS)}"),
            (
                "padding",
                "P",
                "1 to 5: by how many percent the stack counts as more; none, unless all may be lost",
            ),
        ):
            default = DECIDE_DEFAULTS[name]
            parser.add_argument(
                f"--{name}",
                metavar=metavar,
                default=default,
                help=f"{about}; {default} if not given" if default else about,
            )

    def handle(self, **options: Any) -> None:
        try:
            answer = decide_answer(options)
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(answer))
