"""Breakdowns, the season table by month, and what-if: the same sums as the leaderboard, for every player."""

import html
import random
import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.formats import points
from payouts.brought_forward import BroughtForwardLine
from payouts.models import SeasonRules
from payouts.services.brought_forward import bring_forward
from payouts.services.rules import set_rules
from payouts.services.terms import set_event_terms
from standings.models import Standing
from standings.points import breakdowns
from standings.points import what_if as what_if_module
from standings.points.breakdowns import player_season, season_table
from standings.points.what_if import what_if
from standings.recomputation.service import recompute
from tests.cases import seeds
from tests.factories import RULES, SeasonFactory, enter, enter_many, names
from tests.pages import markup_of
from tests.standings.recomputation.test_season import random_league

pytestmark = pytest.mark.django_db
TERMS = {"multiplier": Decimal(2), "is_final": True, "total": None, "buy_in": Decimal(1), "paid": 1}


def url(season, page, *more, query=""):
    return reverse(f"standings:{page}", args=[season.club.slug, season.slug, *more]) + query


def rounded(value, places=4):
    return Decimal(round(value * 10**places)).scaleb(-places)


@pytest.mark.parametrize("seed", seeds(10, first=100))
def test_every_total_is_the_sum_of_its_parts(seed):
    season = random_league(random.Random(seed))
    season.refresh_from_db()
    for standing in Standing.objects.select_related("player"):
        details = player_season(season, standing.player)
        counted = sum((line.verdict.counted for month in details.months for line in month.lines), Fraction(0))
        brought_forward = details.breakdown.brought_forward.points if details.breakdown.brought_forward else 0
        assert details.counted == counted
        assert details.breakdown.total == counted + brought_forward + details.breakdown.attendance
        assert rounded(details.breakdown.total) == standing.total
        assert rounded(details.net / details.sums.n_events, 6) == standing.profit
    for by in ("event", "day", "month"):
        for row, cells, brought_forward in season_table(season, page=1, columns_by=by).rows:
            counting = sum((cell.points for cell in cells if cell and not cell.dropped), Fraction(0))
            assert rounded(counting + (brought_forward or 0)) == row.points


@pytest.mark.parametrize("seed", seeds(5, first=200))
def test_what_if_by_the_same_rules_is_the_real_table(seed):
    season = random_league(random.Random(seed))
    season.refresh_from_db()
    result = what_if(season, season.rules, is_organizer=True)
    assert result.n_moved == 0
    real = dict(Standing.objects.values_list("player", "points_rank"))
    assert {named.row.player_id: named.row.rank for named in result.rows} == real
    assert all(named.row.total == named.row.other_total for named in result.rows)


@pytest.fixture
def dropped(season):
    set_rules(
        season,
        rules=RULES | {"best_n": 2, "best_n_per_month": 2, "drop_worst": 1},
        settle_again=False,
        actor=None,
    )
    events = [
        enter(season, text, day=day)
        for day, text in enumerate(["Ada\nBoris", "Boris\nAda", "Ada\nCleo\nBoris"])
    ]
    events.append(enter(season, "Cleo\nBoris\nAda", day=40))
    set_event_terms(events[3], terms=TERMS, version=0, actor=None)
    recompute(season.pool_id)
    season.refresh_from_db()
    return season


def test_the_page_says_which_events_count_and_why(dropped, client):
    ada = Standing.objects.get(player__name="Ada").player
    page = html.unescape(client.get(url(dropped, "breakdown", ada.pk)).content.decode())
    assert "not among the best 2 of January 2026" in page
    assert "dropped: among the worst 1" in page
    assert "final, always counts" in page
    assert "×2, final" in page
    assert "January 2026" in page
    assert "February 2026" in page
    assert re.search(r"How Ada comes to \d", page)
    leaderboard = client.get(dropped.get_absolute_url()).content.decode()
    assert f'href="{url(dropped, "breakdown", ada.pk)}"' in leaderboard
    for sentence in ("A final always counts.", "best 2 results count.", "worst result is dropped"):
        assert sentence in html.unescape(leaderboard)


def test_counts_of_one_are_singular(season, client):
    enter(season, "Ada\nBoris")
    bring_forward(season, [BroughtForwardLine("Ada", Fraction(3), 1, 1, 1)], version=0, actor=None)
    recompute(season.pool_id)
    ada = Standing.objects.get(player__name="Ada").player
    assert ">1 event, 1 entry, 1 win<" in client.get(url(season, "breakdown", ada.pk)).content.decode()


def test_points_are_without_attendance_and_the_total_with_it(dropped, client):
    page = markup_of(client.get(url(dropped, "season-table")))
    head = re.findall(r"<th[^>]*>(?:<[^>]+>)*([^<]+)<", page.partition("</thead>")[0])
    row = page.partition("<tbody>")[2].partition("</tr>")[0]
    first = season_table(dropped, page=1).rows[0][0]
    assert head[-4:] == ["Without attendance", "Events", "Profit", "Points"]
    assert f'<td class="wide">{points(first.points)}</td>' in row
    assert f">{points(first.total)}</a></td>" in row
    assert first.points < first.total


def test_a_player_who_has_not_played_has_no_breakdown(dropped, client):
    from league.services.players import add_player

    stranger = add_player(dropped.club, name="Nobody", actor=None)
    assert client.get(url(dropped, "breakdown", stranger.pk)).status_code == 404


def test_the_table_by_month_sorts_by_profit(dropped, client):
    answer = client.get(url(dropped, "season-table", query="?by=month&sort=profit"))
    table = answer.context["shown"]
    assert [column.label.isoformat() for column in table.columns] == ["2026-02-01", "2026-01-01"]
    profits = [row.profit for row, _cells, _brought_forward in table.rows]
    assert profits == sorted(profits, reverse=True)
    by_event = client.get(url(dropped, "season-table", query="?by=nonsense&sort=nonsense"))
    assert len(by_event.context["shown"].columns) == 4
    assert "<s title=" in by_event.content.decode()


def test_the_table_opens_at_the_newest_and_leads_to_older_columns(dropped, client, monkeypatch):
    monkeypatch.setattr(breakdowns, "MOST_COLUMNS", 3)
    first = client.get(url(dropped, "season-table", query="?by=event"))
    assert [column.number for column in first.context["shown"].columns] == [4, 3, 2]
    html = markup_of(first)
    assert "part=2" in html
    assert "Newer columns" not in html
    older = client.get(url(dropped, "season-table", query="?by=event&part=2"))
    assert [column.number for column in older.context["shown"].columns] == [1]
    both = zip(first.context["shown"].rows, older.context["shown"].rows, strict=True)
    monkeypatch.setattr(breakdowns, "MOST_COLUMNS", 60)
    whole = client.get(url(dropped, "season-table", query="?by=event&sort=points")).context["shown"].rows
    assert [new[1] + old[1] for new, old in both] == [cells for _row, cells, _brought in whole]
    assert "Older columns" not in markup_of(older)


def test_a_page_of_fifty_players_has_as_many_columns_as_fit_into_60_kilobytes(season, client):
    people = names(55)
    enter_many(season, [people[number % 2 :: 2] if number % 3 else people for number in range(30)])
    recompute(season.pool_id)
    answer = client.get(url(season, "season-table", query="?by=event"))
    shown = answer.context["shown"]
    assert (len(shown.rows), len(shown.columns), shown.n_parts) == (50, 18, 2)
    assert len(answer.content) <= 60_000


def test_columns_are_days_where_most_days_have_several_events(season, client, enter_event):
    for day in (0, 7):
        for text in ("Ada\nBoris", "Boris\nAda", "Boris\nAda\nCleo"):
            enter_event(text, day=day, name=f"{day} {text}")
    shown = client.get(url(season, "season-table")).context["shown"]
    assert [column.label.isoformat() for column in shown.columns] == ["2026-01-13", "2026-01-06"]
    for row, cells, _brought in shown.rows:
        assert sum(cell.points for cell in cells if cell) == row.points


def test_what_if_another_structure(dropped, client):
    before = list(Standing.objects.order_by("pk").values())
    rules = list(SeasonRules.objects.values())
    answer = client.get(url(dropped, "what-if", query="?structure=winner_takes_all"))
    by_name = {named.name: named.row for named in answer.context["result"].rows}
    assert set(by_name) == {"Ada", "Boris", "Cleo"}
    assert by_name["Ada"].other_total == 3 + 4  # the better win of January, and four events played
    assert "Winner takes all" in answer.content.decode()
    assert list(Standing.objects.order_by("pk").values()) == before
    assert list(SeasonRules.objects.values()) == rules


def test_what_if_other_rules_by_the_whole_form(dropped, client):
    form = client.get(url(dropped, "what-if")).context["form"]
    typed = {
        name: form[name].value() or ""
        for name in form.fields
        if name not in {"tie_breaks", "missed_count_as_zero"}
    }
    answer = client.get(
        url(dropped, "what-if"), typed | {"best_n": "", "best_n_per_month": "", "drop_worst": "0"}
    )
    ada = next(named.row for named in answer.context["result"].rows if named.name == "Ada")
    assert ada.other_total > ada.total
    assert answer.context["form"]["best_n"].value() == ""


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("structure=nothing", "structure", "Select a valid choice."),
        ("structure=fixed&votes=50", "votes", "The percentages sum to 50"),
        ("structure=linear&best_n=0", "best_n", "greater than or equal to 1"),
        ("structure=expression&expression=1/(n-37)^2", "expression", "It divides by zero for 37 entries"),
    ],
)
def test_bad_rules_have_a_message_beside_the_field(dropped, client, query, field, message):
    answer = client.get(url(dropped, "what-if", query=f"?{query}"))
    assert answer.status_code == 200
    assert message in answer.context["form"].errors[field][0]
    assert answer.context["result"] is None


def test_a_season_too_large_is_refused(dropped, organizer_client, monkeypatch):
    monkeypatch.setattr(what_if_module, "MOST_ENTRIES", 3)
    answer = organizer_client.get(url(dropped, "what-if", query="?structure=linear"))
    assert "too many results" in answer.context["form"].non_field_errors()[0]


def test_readers_compare_fewer_results_than_organizers_and_read_why(dropped, client, people, monkeypatch):
    monkeypatch.setattr(what_if_module, "MOST_FOR_READERS", 3)
    address = url(dropped, "what-if", query="?structure=linear")
    for person in (None, "member"):
        if person:
            client.force_login(people[person])
        message = client.get(address).context["form"].non_field_errors()[0]
        assert "more than 3 results" in message
        assert "organizers can compare up to 60000" in message
    client.force_login(people["organizer"])
    assert client.get(address).context["result"].rows


def totals_shown(answer):
    cells = re.findall(r'<td class="n key">([^<]*)</td><td class="n">([^<]*)</td></tr>', markup_of(answer))
    return sorted(cells)


def test_what_if_is_computed_once_for_readers_and_anew_after_each_commit(
    dropped, client, django_assert_num_queries
):
    address = url(dropped, "what-if", query="?structure=linear&best_n=")
    seen = [totals_shown(client.get(address))]
    with django_assert_num_queries(1):
        assert totals_shown(client.get(address)) == seen[0]
    assert totals_shown(client.get(url(dropped, "what-if", query="?structure=sqrt"))) != seen[0]

    set_rules(dropped, rules=RULES | {"attendance_points": 5}, settle_again=False, actor=None)
    seen.append(totals_shown(client.get(address)))
    event = enter(dropped, "Ada\nBoris", day=41)
    recompute(dropped.pool_id)
    seen.append(totals_shown(client.get(address)))
    set_event_terms(event, terms=TERMS, version=0, actor=None)
    seen.append(totals_shown(client.get(address)))
    assert len(seen[0]) == 3
    assert all(before != after for before, after in pairwise(seen))


def test_pages_take_the_same_queries_for_any_number_of_events(client):
    counts = {}
    for n in (1, 3):
        season = SeasonFactory()
        for day in range(n):
            enter(season, "Ada\nBoris\nCleo", day=40 * day)
        recompute(season.pool_id)
        player = Standing.objects.filter(season=season).first().player_id
        for address in (
            url(season, "breakdown", player),
            url(season, "what-if", query="?structure=linear"),
            url(season, "season-table", query="?by=month"),
            reverse("payouts:seat-table", args=[season.club.slug, season.slug]),
        ):
            with CaptureQueriesContext(connection) as captured:
                assert client.get(address).status_code == 200
            counts.setdefault(address.replace(season.slug, "").split("/")[-2], []).append(len(captured))
    assert {page: pair for page, pair in counts.items() if len(set(pair)) != 1} == {}
    turn = 8  # queries that count a comparison (league.site.limits)
    games = 1  # the query whether a game of the club has balances
    bonuses = 1  # the points beside the result
    most = {page: 12 + (turn + games + bonuses) * (page == "what-if") for page in counts}
    assert [page for page, pair in counts.items() if max(pair) > most[page]] == [], counts
