"""Makes up two seasons of a mahjong league: writes demo/kamome/scores.csv.

    python demo/make_mahjong.py

The names are names of birds, and the scores are drawn from a generator with a fixed seed: the same bytes each time.
A player's score is 25,000 points plus a share of skill and a larger one of luck; a table adds up to 100,000.
"""

import csv
from datetime import date, timedelta
from pathlib import Path

import numpy as np

TARGET = Path(__file__).with_name("kamome") / "scores.csv"
SEED = 136  # tiles of a set
BIRDS = (
    "かもめ", "つばめ", "ひばり", "すずめ", "つぐみ", "うずら", "みさご", "かけす", "ちどり", "あおじ", "もず", "さぎ",
    "とび", "ひわ", "めじろ", "かわせみ",
)  # fmt: skip
SEASONS = {"秋リーグ 2025": date(2025, 9, 4), "冬リーグ 2026": date(2026, 1, 8)}
NIGHTS, TABLES, ROUNDS, SEATS = 9, 3, 3, 4
MEAN, HUNDRED = 250, 100  # points of a seat at the end, in hundreds
SKILL, LUCK = 25.0, 140.0  # standard deviations, in hundreds of points

Line = tuple[str, date, int, int, str, int]


def scores(draw: np.random.Generator, skills: np.ndarray) -> list[int]:
    """Draw the scores of a table that add up to what it started with; no two are equal."""
    while True:
        parts = skills + draw.normal(0.0, LUCK, SEATS)
        hundreds = [round(MEAN + part) for part in parts - parts.mean()]
        hundreds[int(np.argmax(parts))] += MEAN * SEATS - sum(hundreds)
        if len({*hundreds}) == SEATS:
            return [HUNDRED * each for each in hundreds]


def night(draw: np.random.Generator, season: str, day: date, skills: np.ndarray) -> list[Line]:
    """Seat those who come at new tables in each round."""
    present = draw.permutation(len(BIRDS))[: TABLES * SEATS]
    lines = []
    for number in range(1, ROUNDS + 1):
        tables = draw.permutation(present).reshape(TABLES, SEATS)
        for table, seats in enumerate(tables, 1):
            won = scores(draw, skills[seats])
            lines += [
                (season, day, number, table, BIRDS[who], score) for who, score in zip(seats, won, strict=True)
            ]
    return lines


def main() -> None:
    draw = np.random.default_rng(SEED)
    skills = draw.normal(0.0, SKILL, len(BIRDS))
    TARGET.parent.mkdir(exist_ok=True)
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("season", "day", "round", "table", "player", "score"))
        for season, first in SEASONS.items():
            for week in range(NIGHTS):
                writer.writerows(night(draw, season, first + timedelta(weeks=2 * week), skills))


if __name__ == "__main__":
    main()
