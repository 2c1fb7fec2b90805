"""Payout points, the season of 1999 and meets of several games (spec/payouts.md).

Seats are given here one by one to the highest quotient, as the method is told; the lists of 1999 are those printed by
the club (tests/data/straddle-1999/SOURCE.md).
"""

import csv
import io
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from league.models import Event, GameKind, Meet, Player
from ratings.models import RatedEntry
from standings.recomputation.service import recompute
from tests.factories import RULES, SeasonFactory, enter

pytestmark = pytest.mark.django_db
PRINTED = Path(__file__).parents[1] / "data" / "straddle-1999"


def inverse(place):
    return Fraction(100, place)


def vp_kid(place):
    return Fraction((100, 60, 40, 25)[place - 1]) if place <= 4 else Fraction(100, place)


def soft_top(place):
    return Fraction((100, 70, 50)[place - 1]) if place <= 3 else Fraction(100, place)


def seat_order(votes, seats, places, ties="better"):
    """Place of each seat in turn: the highest votes / (seats held + 1), of equal ones the better or the worse place."""
    held, order = dict.fromkeys(range(1, places + 1), 0), []
    for _seat in range(seats):
        quotient = {place: votes(place) / (n + 1) for place, n in held.items()}
        best = max(quotient.values())
        # Irrational votes are decimals of 60 digits, whose last ones say nothing.
        equal = [place for place, value in quotient.items() if abs(value - best) * 10**45 < 1]
        order.append(min(equal) if ties == "better" else max(equal))
        held[order[-1]] += 1
    return order


def seat_table(order):
    """Rows (place, k-th point, seat) of an order of seats."""
    return sorted((place, order[: i + 1].count(place), i + 1) for i, place in enumerate(order))


def won(order, places):
    return [order.count(place) for place in range(1, places + 1)]


def printed(name):
    with (PRINTED / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def of_command(name, **options):
    """Rows of the command as CSV, whole numbers or fractions."""
    out = io.StringIO()
    call_command(name, *(f"--{key}={value}" for key, value in options.items()), "--format=csv", stdout=out)
    return [tuple(map(Fraction, row)) for row in list(csv.reader(io.StringIO(out.getvalue())))[1:]]


def points(**options):
    """Points by place as the command gives them, without places that get nothing."""
    rows = of_command("points", **options)
    assert [place for place, _points in rows] == list(range(1, int(options["entries"]) + 1))
    return [value for _place, value in rows if value]


@pytest.mark.parametrize(
    ("structure", "votes", "seats"),
    [("inverse", inverse, 50), ("vp_kid", vp_kid, 100)],
    ids=["50", "100 vp_kid"],
)
@pytest.mark.parametrize("ties", ["better", "worse"])
def test_payouts_1_seat_tables(client, structure, votes, seats, ties):
    """Section 1: tables of 50 seats for 100/n and of 100 for VP_KID, equal quotients to the better or worse place."""
    expected = seat_table(seat_order(votes, seats, seats, ties))
    assert of_command("seats", structure=structure, seats=seats, ties=ties) == expected
    answer = client.get("/api/v1/seats/", {"structure": structure, "seats": seats, "ties": ties})
    assert [tuple(row.values()) for row in answer.json()["rows"]] == expected
    other = seat_table(seat_order(votes, seats, seats, {"better": "worse", "worse": "better"}[ties]))
    assert other != expected  # So that the setting is known to make a difference in these tables.


def test_payouts_1_the_printed_seat_table_of_50():
    """Section 1: the club's table of 50 seats; the winner's seats begin 1, 2, 4, 6, 9, 11, 15, 17, 21, 24, 28, 30."""
    rows = of_command("seats", structure="inverse", seats=50)
    assert rows == [tuple(map(Fraction, row.values())) for row in printed("seat_order_inverse_50.csv")]
    winner = [seat for place, _kth, seat in rows if place == 1]
    assert winner[:12] == [1, 2, 4, 6, 9, 11, 15, 17, 21, 24, 28, 30]


@pytest.mark.parametrize(
    ("entries", "expected"), [(10, [5, 2, 1, 1, 1]), (30, [12, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1])]
)
def test_payouts_1_points_of_10_and_30_players(client, entries, expected):
    """Section 1, examples: 10 seats are 5, 2, 1, 1, 1; 30 seats are 12, 5, 3, 2, 2, then 1 each down to place 11."""
    assert points(structure="inverse", entries=entries) == expected
    answer = client.get("/api/v1/points/", {"structure": "inverse", "entries": entries}).json()
    assert [row["points"] for row in answer["rows"]] == expected + [0] * (entries - len(expected))
    assert sum(expected) == entries


@pytest.mark.parametrize("alpha", ["1", "1.05", "1.1", "1.5", "2"])
def test_payouts_1_vp_kid_alpha(alpha):
    """Section 1: 25 (4/n)^alpha after the fourth place; a larger alpha pays fewer places, and 1 is VP_KID itself."""
    with localcontext() as context:
        context.prec = 60
        head = [Decimal(value) for value in (100, 60, 40, 25)]
        tail = [25 * (Decimal(4) / n) ** Decimal(alpha) for n in range(5, 101)]
        order = seat_order(lambda place: [*head, *tail][place - 1], 100, 100)
    expected = won(order, 100)
    assert points(structure="vp_kid_alpha", alpha=alpha, entries=100) == [
        value for value in expected if value
    ]
    as_vp_kid = points(structure="vp_kid", entries=100)
    assert (sum(map(bool, expected)) < len(as_vp_kid)) == (alpha != "1")
    assert (expected[: len(as_vp_kid)] == as_vp_kid) == (alpha == "1")


@pytest.mark.parametrize("entries", [9, 40, 100])
def test_payouts_1_soft_top(entries):
    """Section 1: votes 100, 70, 50, then 100/n."""
    expected = won(seat_order(soft_top, entries, entries), entries)
    assert points(structure="soft_top", entries=entries) == [value for value in expected if value]


def test_payouts_1_large_fields_use_the_seats_of_the_cap():
    """Section 1: with a cap of 100, 150 entries share 100 seats, each worth 150/100: 40.5, 24, 16.5, 9, 7.5, 6 ..."""
    expected = [value * Fraction(150, 100) for value in won(seat_order(vp_kid, 100, 150), 150) if value]
    assert points(structure="vp_kid", entries=150, cap=100) == expected
    assert expected[:6] == [Fraction(81, 2), 24, Fraction(33, 2), 9, Fraction(15, 2), 6]
    assert sum(expected) == 150


def test_payouts_1_fixed_percentages():
    """Section 1: 40, 25, 20 and 15 % of 20 seats are 8, 5, 4 and 3, and nothing for the others."""
    assert points(structure="fixed", votes="40,25,20,15", entries=20) == [8, 5, 4, 3]
    # Of 7 seats the shares are 2.8, 1.75, 1.4 and 1.05; the highest quotients give 3, 2, 1 and 1.
    expected = won(seat_order(lambda place: Fraction([40, 25, 20, 15][place - 1]), 7, 4), 4)
    assert points(structure="fixed", votes="40,25,20,15", entries=7) == expected == [3, 2, 1, 1]


def test_payouts_1_points_put_up_differ(season, organizer_client):
    """Section 1: seats stay the number of entries, each worth total/seats: 50 points put up by 20 are 2.5 a seat.

    The command takes the total, and so does the form of an event, whose page then shows the points.
    """
    expected = [value * Fraction(50, 20) for value in won(seat_order(vp_kid, 20, 20), 20) if value]
    assert expected[:5] == [20, 10, Fraction(15, 2), 5, Fraction(5, 2)]
    assert points(structure="vp_kid", entries=20, total=50) == expected
    event = enter(season, "\n".join(f"P{i * i + 11}{'abcdefghijklmnopqrst'[i] * 3}" for i in range(20)))
    terms = {"multiplier": "1", "total": "50", "buy_in": "1", "paid": "1", "version": 0}
    organizer_client.post(reverse("payouts:terms-edit", args=[season.club.slug, event.pk]), terms)
    recompute(season.pool_id)
    stored = event.entries.order_by("place").values_list("points__numerator", "points__denominator")
    assert [Fraction(*each) for each in stored if each[0]] == expected
    assert sum(expected) == 50


@pytest.fixture
def season_1999(club, organizer_client):
    """The season whose printed totals are brought forward by its page; a rank by profit needs five events."""
    rules = RULES | {"min_events": 5}
    season = SeasonFactory(club=club, name="Cup 1999", starts_on="1999-01-01", rules=rules)
    rows = printed("standings_by_points.csv")
    lines = [f"{row['player']},{row['total_points']},{row['events']}" for row in rows]
    text = "\n".join(["player,points,events", *lines])
    address = reverse("payouts:brought-edit", args=[club.slug, season.slug])
    answer = organizer_client.post(address, {"text": text, "version": 0, "attendance": "added", "save": "1"})
    assert answer.status_code == 302, answer.context["form"].errors
    recompute(season.pool_id)
    return season


def standings(client, season, by):
    """All rows of the standings by the API, page by page, with the names of the players."""
    address, rows = f"/api/v1/seasons/{season.pk}/standings/?by={by}", []
    while address:
        answer = client.get(address).json()
        rows += [row | {"player": row["player"]["name"]} for row in answer["results"]]
        address = answer["next"]
    return rows


def test_payouts_3_every_figure_of_1999(client, season_1999):
    """Section 3: total + events = with attendance; (points - entries)/events is profit per tourney: 52 players."""
    found = {row["player"]: row for row in standings(client, season_1999, "points")}
    rows = printed("standings_by_points.csv")
    assert len(found) == len(rows) == 52
    for row in rows:
        ours, total, events = found[row["player"]], Fraction(row["total_points"]), Fraction(row["events"])
        assert (Fraction(ours["points"]), ours["events"]) == (total, events)
        assert (
            Fraction(ours["points_with_attendance"])
            == total + events
            == Fraction(row["points_with_attendance"])
        )
        assert float(ours["profit_per_tourney"]) == pytest.approx(float(total / events - 1), abs=5e-7)
        assert float(ours["profit_per_tourney"]) == pytest.approx(float(row["profit_per_tourney"]), abs=5e-6)


def names_by(rows, *figures):
    """Players of each run of rows whose figures are equal: among these a printed order follows no column."""
    groups = groupby(rows, key=lambda row: [float(row[figure]) for figure in figures])
    return [{row["player"] for row in group} for _figures, group in groups]


def test_payouts_3_order_of_1999_by_points(client, season_1999):
    """Section 3: the printed order by points with attendance; only players with equal totals may change places."""
    ours, theirs = standings(client, season_1999, "points"), printed("standings_by_points.csv")
    assert names_by(ours, "points_with_attendance") == names_by(theirs, "points_with_attendance")
    totals = [int(float(row["points_with_attendance"])) for row in ours]
    assert totals == [int(row["points_with_attendance"]) for row in theirs]


def test_payouts_3_order_of_1999_by_profit(client, season_1999):
    """Section 3: the 18 players with at least five events by profit per tourney; equal rows share a rank."""
    ours = [row for row in standings(client, season_1999, "profit") if row["rank"]]
    theirs = printed("standings_by_profit.csv")
    assert len(ours) == len(theirs) == 18
    assert names_by(ours, "profit_per_tourney", "points") == names_by(
        theirs, "profit_per_tourney", "total_points"
    )
    figures = {row["player"]: (float(row["profit_per_tourney"]), int(row["total_points"])) for row in theirs}
    expected = {name: 1 + sum(other > own for other in figures.values()) for name, own in figures.items()}
    assert {row["player"]: row["rank"] for row in ours} == expected


def test_payouts_3_months_of_1999(club, client, tmp_path):
    """Section 3: a column for each month, as the newsletter printed them, for the players of all nine events.

    Places of 1999 are not published, so each month's points are entered as balances that count for themselves.
    """
    rules = RULES | {"structure": {"name": "balance"}}
    season = SeasonFactory(club=club, name="Months", starts_on="1999-01-01", rules=rules)
    rows = [row for row in printed("standings_by_points.csv") if row["events"] == "9"]
    lists = {row["player"]: [int(value) for value in row["event_points_in_order"].split()] for row in rows}
    assert len(lists) == 5
    lines = ["event,date,player,place,balance"]
    for month in range(9):
        order = sorted(lists, key=lambda name: -lists[name][month])
        for name in order:
            place = 1 + sum(other[month] > lists[name][month] for other in lists.values())
            lines.append(f"cup {month},1999-{month + 1:02}-20,{name},{place},{lists[name][month]}")
    file = tmp_path / "months.csv"
    file.write_text("\n".join([*lines, ""]))
    options = ("--club", club.slug, "--season", season.slug)
    call_command("import_events", str(file), *options, stdout=io.StringIO(), stderr=io.StringIO())
    recompute(season.pool_id)
    page = client.get(reverse("standings:season-table", args=[club.slug, season.slug]), {"by": "month"})
    shown = page.context["shown"]
    assert len(shown.columns) == 9
    found = {row.name: [cell and cell.points for cell in cells] for row, cells, _brought in shown.rows}
    # The newest month comes first.
    assert {name: values[::-1] for name, values in found.items()} == lists
    totals = {
        row["player"]: Fraction(row["points_with_attendance"]) for row in standings(client, season, "points")
    }
    assert totals == {row["player"]: Fraction(row["points_with_attendance"]) for row in rows}


# Ada, who wins the first game, misses the second, which three players play alone.
FIRST = ["Ada", "Boris", "Chie", "Dmitri", "Eve", "Fumi", "Gus", "Hana", "Ivo", "Juno", "Kit", "Lark"]
SECOND = ["Lark", "Boris", "Kit", "Mia", "Juno", "Chie", "Nils", "Otto"]


@pytest.fixture
def meet(club, organizer_client):
    """A meet of 12 and 8 players, made by its page, with equal quotients to the worse place."""
    rules = RULES | {"structure": {"name": "inverse", "ties": "worse"}}
    season = SeasonFactory(club=club, name="Meets", rules=rules)
    games = [
        enter(season, "\n".join(order), day=i / 10, name=f"Game {i}")
        for i, order in enumerate((FIRST, SECOND))
    ]
    sent = {"name": "Autumn", "ordered_by": "total", "events": [game.pk for game in games]}
    organizer_client.post(reverse("entry:meet-create", args=[club.slug, season.slug]), sent)
    recompute(season.pool_id)
    return Meet.objects.get()


def meet_points():
    """Points of each game by player: 5, 2, 2, 1, 1, 1 of twelve and 4, 2, 1, 1 of eight."""
    of_games = [won(seat_order(inverse, n, n, "worse"), n) for n in (12, 8)]
    assert [[value for value in values if value] for values in of_games] == [[5, 2, 2, 1, 1, 1], [4, 2, 1, 1]]
    return [
        dict(zip(order, values, strict=True)) for order, values in zip((FIRST, SECOND), of_games, strict=True)
    ]


def lines_of(client, meet):
    """Rows of the table on the page of a meet: place, name, then its figures."""
    table = (
        client.get(meet.get_absolute_url()).content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    )
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in table.split("</tr>")[:-1]]
    return [[re.sub(r"<[^>]+>|\s", "", cell).replace("−", "-") for cell in row] for row in rows]


def test_payouts_3_meet_of_several_games(client, meet):
    """Section 3: each game gives its places points by the same structure, and the meet adds them up."""
    first, second = meet_points()
    totals = {name: first.get(name, 0) + second.get(name, 0) for name in first | second}
    lines = lines_of(client, meet)
    assert {name: int(total) for _place, name, *_games, total in lines} == totals
    for _place, name, *cells, _total in lines:
        assert cells == [str(game.get(name, "absent")) for game in (first, second)], name
    ordered = [totals[name] for _place, name, *_figures in lines]
    assert ordered == sorted(ordered, reverse=True)


def test_payouts_3_meet_by_total_or_by_profit(client, meet, organizer_client):
    """Section 3: the organizer chooses the order: by total, or by profit per tourney, (points - entries)/games."""
    first, second = meet_points()
    by_total = [name for _place, name, *_figures in lines_of(client, meet)]
    sent = {
        "name": "Autumn",
        "ordered_by": "profit",
        "events": list(meet.events.values_list("pk", flat=True)),
    }
    season = meet.season
    organizer_client.post(reverse("entry:meet-edit", args=[season.club.slug, season.slug, meet.pk]), sent)
    lines = lines_of(client, meet)
    profits = {}
    for name in first | second:
        games = [game[name] for game in (first, second) if name in game]
        profits[name] = Fraction(sum(games) - len(games), len(games))
    assert {name: Fraction(profit) for _place, name, *_figures, profit in lines} == profits
    ordered = [profits[name] for _place, name, *_figures in lines]
    assert ordered == sorted(ordered, reverse=True)
    assert [name for _place, name, *_figures in lines] != by_total


def test_payouts_3_another_game_does_not_move_the_poker_rating(season, client_of):
    """Section 3: a mahjong game gives points and rates in a pool of its own; the poker rating stays to the last bit."""
    enter(season, "Ada\nBoris\nChie\nDmitri")
    recompute(season.pool_id)

    def poker():
        return list(
            RatedEntry.objects.filter(pool=season.pool).values_list(
                "player__name", "posterior_mu", "posterior_rate"
            )
        )

    before = poker()
    assert len(before) == 4
    game = {
        "name": "Riichi",
        "kind": GameKind.MAHJONG_4,
        "entry_form": "scores",
        "table_size": "4",
        "pool": "",
    }
    owner, club = client_of("owner"), season.club
    assert owner.post(reverse("league:game-create", args=[club.slug]), game).status_code == 302
    seats = [{"player": name, "score": score} for name, score in
             zip(("Dmitri", "Chie", "Boris", "Ada"), (42_200, 22_300, 20_500, 15_000), strict=True)]  # fmt: skip
    night = {"game": club.games.get(name="Riichi").pk, "starts_at": "2026-01-13T19:30:00Z", "name": "Tuesday", "tables": [{"seats": seats}]}  # fmt: skip
    address = f"/api/v1/seasons/{season.pk}/nights/"
    answer = owner.post(address, night, content_type="application/json")
    assert answer.status_code == 201, answer.content
    played = Event.objects.get(table=1, round=1)
    assert played.pool_id != season.pool_id
    for pool_id in (played.pool_id, season.pool_id):
        recompute(pool_id, from_scratch=True)
    assert poker() == before
    assert not RatedEntry.objects.filter(event=played).exists()
    assert Player.objects.get(name="Dmitri").rated_games.filter(pool=played.pool).count() == 1
    assert played.entries.filter(points__numerator__gt=0).exists()
