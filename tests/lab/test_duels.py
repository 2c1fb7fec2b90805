"""Duels of players with a weakness: the command that plays them, what is stored of them, and the page that shows it."""

import csv
import io
import math
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from lab.charts import interval_charts
from lab.engine.duels import STRENGTHS, Duels, stored_duels
from lab.engine.holdem.tournament import play_duels
from lab.engine.seasons.figures import Share
from lab.engine.utility import Style
from lab.holdem import duels as duel_report

PAGE = reverse("lab:duels")


def printed(capsys, **options):
    call_command("duels", **options)
    return capsys.readouterr().out


def test_the_command_plays_each_weakness_and_the_same_for_a_seed(capsys):
    text = printed(capsys, tournaments=2, seed=5)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["weakness"], float(row["strength"])) for row in rows] == list(STRENGTHS)
    assert {row["tournaments"] for row in rows} == {"2"}
    first = play_duels(Style(noise=0.0), Style(), 2, 5)
    last = play_duels(Style(bias=0.8), Style(), 2, 5 + len(STRENGTHS) - 1)
    assert [int(rows[0]["wins"]), int(rows[-1]["wins"])] == [first, last]
    assert printed(capsys, tournaments=2, seed=5) == text


@pytest.mark.parametrize(("options", "field"), [({"tournaments": 0}, "tournaments"), ({"seed": -1}, "seed")])
def test_impossible_duels_are_refused(options, field):
    with pytest.raises(CommandError, match=f"^{field} must be a whole number from "):
        call_command("duels", **({"tournaments": 1} | options))


def test_stored_are_ten_thousand_tournaments_of_each_weakness():
    stored = stored_duels()
    assert [(duels.weakness, duels.strength) for duels in stored] == list(STRENGTHS)
    assert {duels.tournaments for duels in stored} == {10_000}


def test_what_the_documents_say_of_the_stored_duels():
    """docs/laboratory-duels.md: small noise makes no difference that is found, everything else does."""
    report = duel_report.duel_report()
    as_good = [row.name for row in report.rows if row.verdict == "no difference found"]
    assert as_good == ["No weakness", "Noise 0.05"]
    assert {row.verdict for row in report.rows if row.name not in as_good} == {"weaker"}
    text = (Path(__file__).parents[2] / "docs/laboratory-duels.md").read_text(encoding="utf-8")
    for row in report.rows:
        assert "| {} % | {}–{} % |".format(*row.percents) in text


@pytest.mark.rest
def test_duels_of_today_agree_with_the_stored_ones():
    """100 tournaments of the player who does worst, within four standard errors of the stored share."""
    worst = min(stored_duels(), key=lambda duels: duels.wins)
    share = worst.wins / worst.tournaments
    wins = play_duels(Style(**{worst.weakness: worst.strength}), Style(), 100, 99)
    assert wins / 100 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 100))


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [(4800, "weaker"), (4903, "no difference found"), (5097, "no difference found"), (5200, "stronger")],
)
def test_a_verdict_says_only_what_the_interval_allows(monkeypatch, wins, verdict):
    """4,900 of 10,000 are two standard errors from one half, and the interval reaches 1.96 of them."""
    monkeypatch.setattr(duel_report, "stored_duels", lambda: (Duels("noise", 0.1, 10_000, wins),))
    (row,) = duel_report.duel_report().rows
    assert row.verdict == verdict


def test_the_axis_of_a_chart_can_begin_above_zero():
    """From 40 to 50 percent in steps of 2: 45 percent is in the middle of 340 less 130 for names and 40."""
    narrow, _wide = interval_charts([("a", Share(0.45, 0.44, 0.46))], 0.5, least=0.4, decimals=1)
    assert [tick.label for tick in narrow.ticks] == ["40 %", "42 %", "44 %", "46 %", "48 %", "50 %"]
    assert [narrow.ticks[0].at, narrow.rows[0].at, narrow.reference] == [130.0, 215.0, 300.0]
    assert narrow.rows[0].label == "45.0 %"


@pytest.mark.django_db
def test_the_page_shows_every_stored_figure_and_reads_no_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get(PAGE).content.decode()
    for duels in stored_duels():
        assert f'<td class="n">{duels.wins / 100:.1f}</td>' in page
    assert "10000 tournaments" in page
    assert client.post(PAGE).status_code == 405
