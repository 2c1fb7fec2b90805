"""The page of a night in a real browser: it answers while typing as the site does, and keeps what was typed."""

import json
import random
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from entry.night_sheets.reading import number_of
from reading.names.keys import name_key
from scores.errors import ScoreError
from scores.rules import PRESETS, THREE_PLAYERS, ScoreRules
from scores.sums import likely_slips
from scores.tables import Seat, provisional, right_written_sum
from tests.browser.conftest import ROOT
from tests.browser.looks import fits, in_both_languages, in_every_look, too_wide
from tests.browser.test_questions import VIEWPORTS, answer_three

NIGHT = "/c/kawabe/s/autumn/night/"
# A club that plays games with scores, beside the demo club of the other tests; it prints addresses of its pages.
MAKE_CLUB = """
import json, random, uuid
from datetime import UTC, date, datetime
from django.contrib.auth.models import User
from league.models import EntryForm, Game, GameKind
from people.services.clubs import open_club
from entry.services.nights import enter_night
from payouts.services.rules import open_season_with_rules
from standings.recomputation.service import recompute
from tests.factories import RULES
from tests.entry.nights.tables import night_of, table
owner = User.objects.get(username="demo")
club = open_club(owner, name="Kawabe", slug="kawabe", time_zone="UTC", is_public=True, plays=GameKind.MAHJONG_4)
open_season_with_rules(club, name="Autumn", starts_on=date(2026, 1, 1), ends_on=None, rules=RULES)
pool, riichi = club.pools.get(), club.games.get()
Game.objects.create(club=club, pool=pool, name="Cash", kind=GameKind.POKER, entry_form=EntryForm.BALANCES)
winter = open_season_with_rules(club, name="Winter", starts_on=date(2025, 1, 1), ends_on=date(2025, 12, 31), rules=RULES)
draw = random.Random(4)
names = ["Murata", "Sakuma", "Hamada", "Sudo", "Kurihara", "Tamura", "Wakabayashi-Nakagawa", "Oki"]
for month in range(1, 9):
    tables = []
    for round in range(1, 4):
        draw.shuffle(names)
        for number in (1, 2):
            scores = [draw.randrange(50, 450) * 100 for _seat in range(3)]
            seats = names[4 * number - 4 : 4 * number]
            tables.append(table(number, round=round, names=seats, scores=(*scores, 100_000 - sum(scores))))
    night = night_of(winter, riichi, name=f"Night {month}", starts_at=datetime(2025, month, 9, 19, tzinfo=UTC))
    meet = enter_night(night, tables, actor=owner, form_token=uuid.uuid4())
recompute(pool.pk)
event, player = meet.events.first(), club.players.get(name="Wakabayashi-Nakagawa")
event = player.entries.order_by("-event__starts_at").first().event
season, start = winter.get_absolute_url(), f"/c/{club.slug}"
pages = {
    "r-leaderboard": f"{season}?by=tier", "r-points": season, "r-season": f"{season}table/", "r-events": f"{season}events/",
    "r-meet": meet.get_absolute_url(), "r-event": event.get_absolute_url(), "r-players": f"{start}/players/",
    "r-player": player.get_absolute_url(), "r-why": f"{event.get_absolute_url()}players/{player.pk}/",
    "r-settings": f"{start}/rating/", "r-settings-form": f"{start}/rating/edit/",
    "calibrate": f"{start}/pools/{pool.pk}/calibrate/", "pools": f"{start}/pools/", "game-rules": f"{start}/games/{riichi.pk}/rules/",
    "enter": f"{season}enter/", "night-correct": f"{season}night/{meet.pk}/edit/", "night-delete": f"{season}night/{meet.pk}/delete/",
    "club-money": f"{start}/money/", "event-money": f"{event.get_absolute_url()}money/", "deal": f"{start}/deal/",
}
print(json.dumps(pages))
"""
RULES = [
    *PRESETS.values(),
    THREE_PLAYERS,
    ScoreRules.from_dict(
        {
            "ties": "wind",
            "sticks": "stay",
            "house_per_table": "1.5",
            "house_per_player": "0.25",
            "chip_value": 2,
        }
    ),
]


@pytest.fixture(scope="module")
def kawabe(site):
    """Make the club; return addresses of its pages by name."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", MAKE_CLUB]
    done = subprocess.run(command, check=True, cwd=ROOT, env=site.environment, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def scores_page(browser):
    page = browser.new_page()
    page.add_script_tag(path=ROOT / "static/js/scores.js")
    yield page
    page.close()


def cases():
    """Tables with and without ties, penalties, chips and sticks."""
    random.seed(1)
    for rules in RULES:
        for _ in range(25):
            scores = [100 * random.randint(-50, 400) for _ in range(rules.n_players)]
            if random.random() < 0.5:
                scores[1] = scores[0]
            if random.random() < 0.3:
                scores[2] = scores[0]
            sticks = random.randint(0, 2)
            if random.random() < 0.7:
                scores[-1] = rules.total - 1_000 * sticks - sum(scores[:-1])
            yield (
                rules,
                scores,
                sticks,
                random.choice([0, 20]),
                random.choice([0, 3]) if rules.chip_value else 0,
            )


def test_places_balances_and_slips_are_those_of_the_site(scores_page):
    checked = 0
    for rules, values, sticks, penalty, chips in cases():
        seats = [
            Seat(str(i), value, chips=chips, penalty=penalty if i == 1 else 0)
            for i, value in enumerate(values)
        ]
        expected = [
            [result.place, int(result.balance * 1_000)]
            for result in provisional(rules, seats, sticks_left=sticks)
        ]
        right = right_written_sum(rules, seats, sticks_left=sticks)
        slips = [
            [slip.kind, slip.seat, slip.right]
            for slip in likely_slips([value // 100 for value in values], int(right) // 100)
        ]
        answer = scores_page.evaluate(
            """([stored, values, sticksLeft, penalty, chips]) => {
                const rules = scores.rulesOf(stored);
                const seats = values.map((value, i) => ({ value, chips, penalty: i === 1 ? penalty * 1000 : 0 }));
                const right = scores.rightSum(rules, seats, { sticksLeft });
                return {
                    results: scores.settle(rules, seats, { sticksLeft }).map((row) => [row.place, row.balance]),
                    right,
                    slips: scores.slips(values.map((value) => value / 100), right / 100).map((slip) => [slip.kind, slip.seat, slip.right]),
                };
            }""",
            [json.loads(json.dumps(rules.to_dict())), values, sticks, penalty, chips],
        )
        assert answer == {"results": expected, "right": int(right), "slips": slips}, (rules, values)
        checked += 1
    assert checked == 25 * len(RULES)


@pytest.mark.parametrize("unit", ["hundreds", "points", "balance"])
def test_typed_numbers_are_read_as_the_site_reads_them(scores_page, unit):
    texts = [
        "453",
        "-42",
        "▲42",
        "−42",
        "45,300",
        "4,2",
        "+62.2",
        "62.25",
        "1.2345",
        "-0",
        "0.0",
        "x",
        "",
        "4 53",
        "1e3",
        ".5",
        "--1",
        "1_0",
    ]
    for text in texts:
        try:
            number = number_of(text, unit)
            expected = int(number * 1_000) if unit == "balance" else number
        except ScoreError:
            expected = None
        assert scores_page.evaluate("([text, unit]) => scores.parse(text, unit)", [text, unit]) == expected, (
            text
        )


def test_names_are_equal_where_they_are_for_the_site(scores_page):
    letters = [chr(code) for code in range(0x21, 0x3000) if chr(code).isalpha()]
    names = [
        *letters,
        *map(str.upper, letters),
        *map(str.lower, letters),
        "Straße",
        "STRASSE",
        "Ａｄａ  Ｌ",
        "ada l",
    ]
    keys = scores_page.evaluate("names => names.map(scores.nameKey)", names)
    pairs = {(name_key(name), key) for name, key in zip(names, keys, strict=True)}
    assert len(pairs) == len({ours for ours, _theirs in pairs}) == len({theirs for _ours, theirs in pairs})


def type_table(page, names, scores):
    """Type the first table key by key, as a hand does."""
    for row, (name, score) in enumerate(zip(names, scores, strict=True), start=1):
        page.locator(f"[name='1-1-{row}-name']").fill(name)
        page.locator(f"[name='1-1-{row}-score']").fill("")
        page.locator(f"[name='1-1-{row}-score']").press_sequentially(score)


@pytest.mark.usefixtures("kawabe")
def test_what_is_wrong_is_said_until_it_is_mended(open_page, log_in):
    page = open_page()
    log_in(page)
    page.goto(NIGHT)
    problem, publish = page.locator(".problem"), page.get_by_role("button", name="Publish 1 table")
    type_table(page, ["Straße", "STRASSE", "N/A", "Sudo"], ["453", "312", "184", "4"])
    expect(problem).to_have_text("STRASSE sits at this table twice.")
    type_table(page, ["Murata", "Sakuma", "N/A", "Sudo"], ["453", "312", "184", "42"])
    expect(problem).to_be_hidden()
    page.get_by_role("button", name="Make it 32,100").click()  # once, right after typing
    expect(page.locator(".sumline .n")).to_have_text("100,000 ✓")
    publish.click()  # only the site knows what is no name
    expect(problem).to_contain_text("“N/A” is no name.")
    expect(page.locator("#next")).to_have_text("Mend table 1")
    page.locator("[name='1-1-3-name']").fill("Bob")
    expect(problem).to_be_hidden()
    expect(publish).to_be_visible()
    page.locator(".hanchan summary").click()
    for part, text, said in [
        ("1-chips", "abc", "“abc”"),
        ("2-penalty", "chombo", "“chombo”"),
        ("sticks", "two", "“two”"),
        ("1-chips", "3", "have no chips"),
    ]:
        page.locator(f"[name='1-1-{part}']").fill(text)
        expect(problem).to_contain_text(said)
        page.locator(f"[name='1-1-{part}']").fill("")
    expect(publish).to_be_visible()
    expect(page.locator(".tail").first).to_be_visible()
    page.locator(".terms summary").click()
    expect(page.locator("#terms")).to_contain_text(
        "start 25,000, return 30,000 · uma 30 / 10 / −10 / −30 · oka 20"
    )
    page.locator("#id_rules-preset").select_option("ema")
    expect(page.locator("#terms")).to_have_text("start 30,000, return 30,000 · uma 15 / 5 / −5 / −15")
    page.locator("#unit").select_option("points")
    expect(page.locator(".tail").first).to_be_hidden()
    expect(page.locator("#how")).to_have_text("Type points: 45300.")


@pytest.mark.usefixtures("kawabe")
def test_a_night_is_typed_on_a_phone(open_page, log_in):
    page = open_page(viewport={"width": 360, "height": 740})
    log_in(page)
    page.goto(NIGHT)
    seats = page.locator(".hanchan .seat")
    for row, (name, score) in enumerate(
        [("Murata", "453"), ("Sakuma", "312"), ("Hamada", "184"), ("Sudo", "42")]
    ):
        seats.nth(row).locator(".who-at").fill(name)
        seats.nth(row).locator(".score input").fill(score)
    expect(page.locator("#next")).to_have_text("Mend table 1")
    expect(seats.nth(0).locator(".got")).to_have_text(re.compile("1st.*65.3"))
    assert fits(page)
    page.reload()  # what was typed is kept on the device
    expect(page.locator("#draft")).to_be_visible()
    page.get_by_role("link", name="Cash").click()  # and not for another game
    expect(page.locator("[name='1-1-1-name']")).to_have_value("")
    expect(page.locator("#draft")).to_be_hidden()
    page.goto(NIGHT)
    page.get_by_role("button", name="Make it 32,100").click()
    expect(page.locator(".sumline .n")).to_have_text("100,000 ✓")
    page.get_by_role("button", name=re.compile("Another")).click()
    expect(page.locator("[name='2-1-1-name']")).to_have_value("Murata")
    page.goto(NIGHT)  # a sheet of two rounds comes back too
    expect(page.locator("[name='2-1-1-name']")).to_have_value("Murata")
    page.get_by_role("button", name="Publish 1 table").click()
    expect(page.locator(".said")).to_contain_text("Published: 1 table. Murata is best with +65.3.")


@pytest.mark.usefixtures("kawabe")
def test_the_page_fits_in_every_look(open_page, log_in):
    page = open_page()
    log_in(page)
    wide = set()
    for language in in_both_languages(page):
        page.goto(NIGHT)
        for width in in_every_look(page, f"night-{language}"):
            if not fits(page):
                wide.add((language, width))
    assert wide == set()


def test_pages_of_a_club_with_balances_fit_in_every_look(open_page, log_in, kawabe):
    page = open_page()
    log_in(page)
    wide = set()
    for language in in_both_languages(page):
        for name, address in kawabe.items():
            assert page.goto(address).status == 200, address
            assert page.locator("html").get_attribute("lang") == language
            wide |= too_wide(page, name)
    assert wide == set()


@pytest.mark.parametrize("width", VIEWPORTS)
@pytest.mark.usefixtures("kawabe")
def test_three_names_of_a_sheet_are_answered_and_one_again(open_page, log_in, width):
    page = open_page(viewport=VIEWPORTS[width])
    log_in(page)
    page.goto(NIGHT)
    page.evaluate("localStorage.clear()")
    page.reload()
    type_table(page, ["Murato", "Sakumo", "Hamado", "Sudo"], ["453", "312", "184", "51"])
    page.get_by_role("button", name="Publish 1 table").click()
    answer_three(page)
