"""Test what a big screen says at each stage of a night, and when a clock rings, with the site's modules in Chromium."""

import json
from pathlib import Path

import pytest
from django.utils import translation

from live.words.faces import words_of_faces

MODULES = Path(__file__).parents[2] / "static" / "js" / "live"
SITE = "http://face.test/"
MINUTE, NOW = 60_000, 1_800_000_000_000
LEVELS = [
    {"sb": 25, "bb": 50, "ms": 15 * MINUTE},
    {"is_break": True, "ms": 5 * MINUTE, "gone": [25]},
    {"sb": 100, "bb": 200, "ms": 15 * MINUTE},
]
DRAW = """async ([face, now]) => {
  const { drawFace } = await import("/face.js");
  const shown = drawFace(face, now);
  return [shown.dataset.stage, shown.textContent];
}"""
RINGS = """async (seen) => {
  const { Alarm } = await import("/alarm.js");
  const rung = [];
  const alarm = new Alarm({ minute: () => rung.push("minute"), end: () => rung.push("end") });
  for (const [level, left_ms, ran_ms] of seen) {
    alarm.see({ isStarted: true, isLast: false, now: { is_running: true, level, left_ms, ran_ms } });
  }
  return rung;
}"""


@pytest.fixture
def page_in(browser):
    """Open a page with the modules and the words of a language."""
    pages = []

    def open_page(language):
        with translation.override(language):
            words = json.dumps({key: str(text) for key, text in words_of_faces().items()})
        html = f'<!doctype html><html lang="{language}"><script type="application/json" id="words">{words}</script>'

        def fulfil(route):
            name = route.request.url.removeprefix(SITE)
            if name:
                text = (MODULES / name).read_text(encoding="utf-8")
                route.fulfill(body=text, content_type="text/javascript; charset=utf-8")
            else:
                route.fulfill(body=html, content_type="text/html; charset=utf-8")

        page = browser.new_page()
        page.route("**/*", fulfil)
        page.goto(SITE)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()


def player(i, seat=None, moved=None):
    return {
        "id": f"e{i}",
        "name": f"Player {i}",
        "seat": seat,
        "moved": moved,
        "has_seen": moved is None,
        "chips": None,
    }


def gone(i, place):
    return {"id": f"g{i}", "name": f"Gone {i}", "place": place, "by": "", "at_ms": NOW - MINUTE}


def face(n_left, n_out=0, *, tables=2, minutes=None, **more):
    """Write the face of a night so many minutes after its start; None is before it."""
    clock = {
        "is_running": True,
        "level": 0,
        "left_ms": 15 * MINUTE,
        "ran_ms": 0,
        "at_ms": NOW - (minutes or 0) * MINUTE,
    }
    left = [player(i, [1 + i % tables, 1 + i // tables]) for i in range(n_left)]
    return {
        "club": "Kestrel", "title": "Cup", "stage": "open", "starts_ms": NOW + 10 * MINUTE,
        "clock": None if minutes is None else clock, "started_ms": None, "levels": LEVELS, "stack": 5000,
        "closing_level": None, "expected": 16, "table_size": 8, "final_size": 8, "may_say_out": False, "is_cash": False,
        "n_entries": n_left + n_out, "chips": 5000 * (n_left + n_out), "left": left,
        "out": [gone(i, n_left + 1 + i) for i in range(n_out)], "points": [[1, 1, "5"], [2, 3, "1"]],
        "seed": {"sha256": "ab" * 32}, "set_back": None, "bonuses": [], "ends": None, "money": None, "result": None,
    } | more  # fmt: skip


MONEY = {
    "pool": 40000,
    "by_place": [20000, 12000, 8000],
    "shares": [],
    "added": 0,
    "decimals": 2,
    "currency": "EUR",
}
DEAL = MONEY | {
    "by_place": [],
    "shares": [
        {"entry": "e0", "name": "Player 0", "amount": 21000},
        {"entry": "g0", "name": "Gone 0", "amount": 19000},
    ],
}
MOVED = [player(i, [1, i + 1], NOW - 1000) for i in range(12)]
RESULT = {
    "address": "/c/kestrel/events/1/", "is_rated": True, "hides_ratings": False,
    "rows": [
        {"entry": "e0", "player": 1, "name": "Ada", "place": 1, "points": "5.5", "prize": 21000, "rate": 1600, "change": 20,
         "badge": "A3", "before": "B1"},
        {"entry": "g0", "player": 2, "name": "Zoe", "place": 2, "points": "1", "prize": None, "rate": 1400, "change": -9,
         "badge": "C1", "before": "B3"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "stage", "says"),
    [
        (face(6), "before", ["Cards in the air in", "10:00", "6 of 16 expected", "abababababababab"]),
        (face(12, 2, minutes=1), "running", ["Level 1", "14:00", "25 / 50", "12 of 14", "13th, Gone 0"]),
        (face(12, 2, minutes=16), "break", ["Break", "4:00", "the 25 go", "Level 2 after the break: 100 / 200"]),
        (face(12, 2, minutes=1, left=MOVED), "running", ["12 players move."]),
        (face(9, 5, minutes=1, points=[[1, 8, "1"]]), "bubble", ["On the bubble: the first 8 win something."]),
        (face(8, 6, minutes=1, tables=1), "final", ["Final table", "8Player 7"]),
        (face(4, 6, minutes=1, tables=1, money=MONEY), "final", ["On the bubble: the first 3", "Prizes 400.00 EUR", "1st 200"]),
        (face(2, 6, minutes=1, tables=1), "two", ["2 of 8"]),
        (face(1, 6, minutes=1, tables=1), "over", ["Player 0 wins", "5 points", "Gone 0"]),
        (face(1, 1, minutes=1, money=DEAL), "over", ["210.00 EUR", "190.00 EUR"]),
        (face(1, 1, minutes=1, money=DEAL, result=RESULT), "over", ["Ada wins", "5.5 points", "1 point", "210.00 EUR", "B1→A3"]),
        (face(200, 1, minutes=1, tables=25), "running", ["200 of 201", "25 of 8"]),
    ],
)  # fmt: skip
def test_each_stage_says_what_it_is_about(page_in, shown, stage, says):
    found, text = page_in("en").evaluate(DRAW, [shown, NOW])
    assert found == stage
    assert [each for each in says if each not in text] == [], text


def test_only_rises_are_shown_and_no_prize_of_a_place_after_a_deal(page_in):
    page = page_in("en")
    _stage, text = page.evaluate(DRAW, [face(1, 1, minutes=1, money=DEAL, result=RESULT), NOW])
    assert "C1" not in text
    _stage, text = page.evaluate(DRAW, [face(3, 1, minutes=1, money=DEAL), NOW])
    assert "1st" not in text


def test_a_screen_speaks_japanese(page_in):
    _stage, text = page_in("ja").evaluate(DRAW, [face(9, 5, minutes=1, points=[[1, 8, "1"]]), NOW])
    assert "バブル" in text
    assert "Level" not in text


def test_a_clock_rings_at_a_minute_and_at_the_end_but_not_for_what_is_jumped_over(page_in):
    page = page_in("en")
    last_minute = [(0, MINUTE + 500, 0), (0, MINUTE - 500, 1_000)]
    end = [(0, 500, 5_000), (1, 5 * MINUTE - 500, 6_000)]
    jump = [(0, 8 * MINUTE, 5_000), (1, 5 * MINUTE, 6_000)]
    slept = [(0, 500, 5_000), (1, 4 * MINUTE, 65_500)]
    assert page.evaluate(RINGS, last_minute) == ["minute"]
    assert page.evaluate(RINGS, end) == ["end"]
    assert page.evaluate(RINGS, jump) == page.evaluate(RINGS, slept) == []
