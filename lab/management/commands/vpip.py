from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from lab.calculators.answers import ALL_SEATS, AVERAGE, LIMP_DEFAULT, VPIP_DEFAULTS, vpip_answer
from payouts.answers import Answer
from payouts.cli import FORMATS, formatted
from ratings.engine.vpip import POSITIONS


class Command(BaseCommand):
    help = (
        "Prints the share of hands a player plays (VPIP, percent) by table size and position. It is a model."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        # No types, so that a value that is no number is bad input (exit 1) and not wrong usage (exit 2).
        for name, about in (
            ("phi", "percent of the hands at a table of six, 0 to 100"),
            ("tau", "table factor, 0 to 10: 0 is the same at every size, 1 the model"),
            ("pi", "position factor, -10 to 10: 0 is the same at every position, 1 the model"),
        ):
            default = VPIP_DEFAULTS[name]
            parser.add_argument(f"--{name}", default=default, help=f"{about}; {default} if not given")
        parser.add_argument("--seats", default=ALL_SEATS, metavar="2-10", help="a table size, or from-to")
        parser.add_argument(
            "--limp",
            default=LIMP_DEFAULT,
            metavar="0|1",
            help="1: the small blind also limps in when all fold",
        )
        parser.add_argument(
            "--strategy", metavar="S", help="0 keeps strong ranges, 1 moves all in proportion"
        )
        parser.add_argument("--ranges", metavar="a,b,c", help="ranges in percent, as for 3-bet,2-bet,call")
        parser.add_argument("--to", metavar="X", help="the last range after the move, percent")
        parser.add_argument("--format", choices=FORMATS, default="text")

    def handle(self, **options: Any) -> None:
        self.stdout.write(formatted(vpip_answer, options, _grid))


def _grid(answer: Answer) -> str:
    """Write a line for each position, with the table sizes in columns, and one for the moved ranges."""
    sizes = {
        seats: {str(row[1]): row[2] for row in rows}
        for seats, rows in groupby(answer.rows, lambda row: row[0])
    }
    ranges = sizes.pop("", {})
    lines = [" " * 7 + "".join(f"{seats:>6}" for seats in sizes)]
    for position in (*POSITIONS, AVERAGE):
        cells = [sizes[seats].get(position) for seats in sizes]
        if any(cell is not None for cell in cells):
            shown = "".join(" " * 6 if cell is None else f"{cell:6.1f}" for cell in cells)
            lines.append(f"{position:<7}{shown}".rstrip())
    if ranges:
        lines.append("ranges  " + ", ".join(f"{share:g}" for share in ranges.values()))
    return "\n".join(lines)
