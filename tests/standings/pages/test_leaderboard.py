"""The leaderboard: sorting, searching, pages, placement, and what it says while there is nothing to show."""

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from league.models import Player, Season
from league.services.seasons import close_season
from payouts.models import SeasonRules
from ratings.engine.tier.params import TierParams
from ratings.services.settings import set_rating_settings
from standings.models import Standing
from standings.pages.readers import row_of
from standings.queries import PER_PAGE
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, UserFactory, enter, names
from tests.pages import markup_of
from tests.standings.pages.addresses import rows_of, url

pytestmark = pytest.mark.django_db


def test_sorting_searching_and_picking_out(client, season, enter_event):
    for day in range(3):
        enter_event("Ada\nBoris\nCleo\nDana", day=day)
    enter_event("Emil\nAda\nBoris", day=3)

    def shown(query=""):
        return rows_of(client.get(url("standings:leaderboard", season, query=query)))

    assert set(shown()) == {"Ada", "Boris", "Cleo", "Dana", "Emil"}
    assert shown("?sort=name") == ["Ada", "Boris", "Cleo", "Dana", "Emil"]
    assert shown("?sort=-name") == ["Emil", "Dana", "Cleo", "Boris", "Ada"]
    assert shown("?sort=-n_wins")[:2] == ["Ada", "Emil"]
    assert shown("?q=ＢＯＲ") == ["Boris"]
    assert shown("?q=%25") == []
    assert shown("?least=3&sort=name") == ["Ada", "Boris", "Cleo", "Dana"]
    assert shown("?least=10") == []
    badges = dict(Standing.objects.values_list("player__name", "badge"))
    for family in "SABC":
        assert set(shown(f"?badge={family}")) == {
            name for name, badge in badges.items() if badge[0] == family
        }
    rates = dict(Standing.objects.values_list("player__name", "rate"))
    assert shown("?sort=-rate") == sorted(rates, key=rates.get, reverse=True)


@pytest.mark.parametrize(
    ("by", "head"),
    [
        ("points", "Points"),
        ("tier", "Rate"),
        ("profit", "Profit"),
        ("wins", "Wins"),
        ("attendance", "Events"),
    ],
)
def test_the_ranking_figure_is_marked_and_stands_last_on_phones(client, season, enter_event, by, head):
    enter_event("Ada\nBoris\nCleo")
    html = markup_of(client.get(url("standings:leaderboard", season, query=f"?by={by}")))
    table = html.partition('<table class="lead-t')[2].partition("</table>")[0]
    heads = re.findall(r'<th scope="col" class="([^"]*)"[^>]*>(?:<a[^>]*>)?([^<]*)', table)
    on_phones = [(classes, label) for classes, label in heads if "wide" not in classes]
    assert on_phones[-1] == ("n", head)
    rows = table.split("<tr id=")[1:]
    assert len(rows) == 3
    for row in rows:
        cells = [cell for cell in re.findall(r'<td class="([^"]*)"', row) if "wide" not in cell]
        assert [cell.split() for cell in cells if "key" in cell] == [["n", "key"]]
        assert "key" in cells[-1]
        assert "<svg" not in row


@pytest.mark.rest
def test_pages_of_a_long_table_show_each_player_once(client, season, enter_event):
    enter_event("\n".join(names(2 * PER_PAGE + 7)))
    for query in ("?by=points", "?by=tier", "?sort=-rate", "?least="):
        seen = []
        for number in (1, 2, 3):
            shown = rows_of(client.get(url("standings:leaderboard", season, query=f"{query}&page={number}")))
            assert len(shown) == (PER_PAGE if number < 3 else 7)
            seen += shown
        assert len(set(seen)) == 2 * PER_PAGE + 7
        beyond = rows_of(client.get(url("standings:leaderboard", season, query=f"{query}&page=9")))
        assert beyond == seen[-7:]


def test_players_in_placement_have_no_rank_by_tier(client, season, enter_event):
    for day in range(2):
        enter_event("Ada\nBoris\nCleo", day=day)
    address = url("standings:leaderboard", season, query="?by=tier")
    assert set(re.findall(r'<td class="n pos">([^<]*)</td>', client.get(address).content.decode())) == {"–"}
    enter_event("Boris\nAda\nNewcomer", day=2)
    positions = re.findall(r'<td class="n pos">([^<]*)</td>', client.get(address).content.decode())
    assert positions == ["1", "2", "–", "–"]
    assert rows_of(client.get(address))[:2] in (["Ada", "Boris"], ["Boris", "Ada"])
    ranked = Standing.objects.exclude(tier_rank=None)
    assert not ranked.filter(is_provisional=True).exists()
    assert ranked.count() == 2


@pytest.mark.parametrize(("n", "entries"), [(2, "2 entries"), (4, "4 entries")])
def test_pages_say_after_how_many_entries_placement_ends(client, season, enter_event, n, entries):
    set_rating_settings(season.pool, TierParams(provisional_entries=n), revision=0, actor=None)
    enter_event("Ada\nBoris")
    board = url("standings:leaderboard", season)
    player = Player.objects.get(key="ada").get_absolute_url()
    assert f"Newcomers are ranked by TIER after {entries}." in client.get(board).content.decode()
    assert f"ranked by TIER after {entries}" in client.get(player).content.decode()
    for address in (board, player):
        assert (
            f"{n}回目のエントリー" in client.get(address, headers={"accept-language": "ja"}).content.decode()
        )


def test_an_empty_season_invites_those_who_can_enter_an_event(organizer_client, season):
    pages = [url("standings:leaderboard", season), url("standings:season-table", season)]

    def invited(reader):
        return ["Enter the first one" in reader.get(page).content.decode() for page in pages]

    assert invited(Client()) == [False, False]
    assert invited(organizer_client) == [True, True]
    assert Client().get(pages[0]).content.decode().count(f">{season.name}<") == 1  # as the headline
    close_season(season, actor=UserFactory())
    assert invited(organizer_client) == [False, False]


def test_no_plot_while_all_are_in_placement(client, season, enter_event):
    address = url("standings:leaderboard", season)
    for day in range(3):
        enter_event("Ada\nBoris", day=day)
        assert ("Where everyone stands" in client.get(address).content.decode()) == (day == 2)


def test_the_state_line_asks_for_the_page_once_the_numbers_are_there(client, season):
    enter(season, "Ada\nBoris")
    address = url("standings:state", season)
    assert "Computing points and ratings" in client.get(address).content.decode()
    recompute(season.pool_id)
    assert client.get(address).headers["HX-Refresh"] == "true"


def test_messages_stay_while_the_page_loads_itself_again(organizer_client, season):
    event = enter(season, "Ada\nBoris")
    address = url("standings:leaderboard", season)
    organizer_client.post(reverse("entry:event-delete", args=[season.club.slug, event.pk]), {"version": 1})

    def offers_undo():
        return "Undo" in organizer_client.get(address).content.decode()

    assert offers_undo()
    assert "Computing" in organizer_client.get(url("standings:state", season)).content.decode()
    assert offers_undo()
    recompute(season.pool_id)
    assert [offers_undo(), offers_undo()] == [True, False]


def test_messages_of_a_page_that_loads_itself_again_are_not_said_on_the_next(organizer_client, season):
    events = [enter(season, "Ada\nBoris", day=day) for day in range(2)]
    delete = reverse("entry:event-delete", args=[season.club.slug, events[1].pk])
    organizer_client.post(delete, {"version": 1})
    assert "Undo" in organizer_client.get(url("standings:leaderboard", season)).content.decode()
    assert "Undo" not in organizer_client.get(events[0].get_absolute_url()).content.decode()
    assert "Undo" not in organizer_client.get(url("standings:leaderboard", season)).content.decode()


def test_what_is_said_anew_takes_the_place_of_what_was_kept(organizer_client, season):
    """The undo that was kept may be the very thing that was done."""
    events = [enter(season, "Ada\nBoris", day=day) for day in range(2)]
    address = url("standings:leaderboard", season)
    for event in events:
        organizer_client.post(
            reverse("entry:event-delete", args=[season.club.slug, event.pk]), {"version": 1}
        )
        assert organizer_client.get(address).content.decode().count("It waits in the bin") == 1


def test_a_failed_computation_is_said(client, season):
    from standings.models import Recomputation

    enter(season, "Ada\nBoris")
    Recomputation.objects.create(pool=season.pool, n_failures=1)
    assert "could not be computed yet" in client.get(url("standings:leaderboard", season)).content.decode()


def test_the_inactive_and_those_in_placement_stand_apart_by_rating(client, season, enter_event):
    SeasonRules.objects.filter(season=season).update(inactive_after=2)
    for day in range(3):
        enter_event("Ada\nBoris\nCleo", day=day)
    for day in (3, 4):
        enter_event("Boris\nCleo\nDana", day=day)
    address = url("standings:leaderboard", season, query="?by=tier")
    table = markup_of(client.get(address)).partition('<table class="lead-t')[2].partition("</table>")[0]
    shown = re.findall(r'scope="rowgroup">([^<]+)|<th scope="row"><a href="[^"]+">([^<]+)</a>', table)
    assert ["".join(each) for each in shown[2:]] == ["In placement", "Dana", "Inactive", "Ada"]
    assert "Who has missed the last 2 days of play is inactive" in client.get(address).content.decode()
    assert "rowgroup" not in client.get(f"{address}&sort=-rate").content.decode()


def test_a_season_that_has_ended_says_who_won(client, season, enter_event):
    enter_event("Ada\nBoris\nCleo")
    address = url("standings:leaderboard", season)
    assert "leads" in headline_of(client.get(address))
    assert "leads" in headline_of(client.get(f"{address}?by=tier"))
    close_season(season, actor=UserFactory())
    headline = headline_of(client.get(address))
    assert "Ada won" in headline
    assert "leads" not in headline
    assert "leads" in headline_of(client.get(f"{address}?at=2026-01-06"))
    Season.objects.filter(pk=season.pk).update(is_closed=False, ends_on="2026-02-01")
    caches["pages"].clear()
    assert "Ada won" in headline_of(client.get(address))


def headline_of(answer):
    return answer.content.decode().partition("<h1>")[2].partition("</h1>")[0]


def test_every_page_of_a_season_leads_to_the_same_page_of_the_seasons_beside_it(client, club, season):
    after = SeasonFactory(club=club, starts_on="2026-06-01")
    SeasonFactory(club=club, starts_on="2025-01-01")
    SeasonFactory(starts_on="2026-03-01")  # of another club
    for page in ("leaderboard", "season-table", "events", "awards"):
        links = client.get(reverse(f"standings:{page}", args=[club.slug, season.slug])).content.decode()
        nav = links.partition("<main")[2].partition('<nav class="pn')[2].partition("</nav>")[0]
        assert reverse(f"standings:{page}", args=[club.slug, after.slug]) in nav
        assert nav.count("<a ") == 3


@pytest.mark.parametrize(("by", "column"), [("wins", "n_wins"), ("attendance", "n_events")])
def test_counted_orders_share_ranks_and_know_every_row(client, season, enter_event, by, column):
    for day, order in enumerate(["Ada\nBoris\nCleo", "Ada\nCleo", "Boris\nDora\nCleo", "Dora\nCleo"]):
        enter_event(order, day=day)
    page = client.get(url("standings:leaderboard", season, query=f"?by={by}"))
    rows = page.context["table"].shown["rows"]
    values = dict(Standing.objects.values_list("player__name", column))
    assert [row.rank for row in rows] == [
        1 + sum(other > values[row.name] for other in values.values()) for row in rows
    ]
    assert [values[row.name] for row in rows] == sorted(values.values(), reverse=True)
    day_page = client.get(url("standings:leaderboard", season, query=f"?by={by}&at=2026-12-31"))
    assert [row[:4] for row in day_page.context["table"].shown["rows"]] == [row[:4] for row in rows]
    for row in rows:
        place = row_of(season, by, row.player_id)
        assert (place.rank, place.page) == (row.rank, 1)
