"""Write the stored table of chances before the flop."""

from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from lab.engine.holdem.cards import bits_of
from lab.engine.holdem.preflop import MOST_OTHERS, N_CLASSES, TABLE, cards_of_class, table_text


class Command(BaseCommand):
    help = (
        "Draw the chances to win with each class of two cards against one to nine random hands, and write them to "
        "lab/engine/holdem/preflop.csv."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--samples", type=int, default=4_000_000, help="hands drawn for each chance")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        from lab.engine.holdem.kernels import win_chances

        state = np.array([options["seed"]], dtype=np.uint64)
        hands = np.array([bits_of(cards_of_class(index)) for index in range(N_CLASSES)], dtype=np.uint64)
        chances = np.empty((N_CLASSES, MOST_OTHERS))
        for n_others in range(1, MOST_OTHERS + 1):
            chances[:, n_others - 1] = win_chances(
                hands, np.uint64(0), 0, n_others, options["samples"], state
            )
            self.stderr.write(f"{n_others} of {MOST_OTHERS}")
        TABLE.write_text(table_text(chances), encoding="utf-8")
