"""What members read: the same queries for one row and for three, never stale, never a failure."""

import re
from datetime import datetime
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Player
from league.services.clubs import set_member
from league.services.imports import stage_import
from league.services.players import update_player
from league.services.seasons import set_season_closed
from payouts.brought_forward import BroughtForwardLine
from payouts.services.brought_forward import bring_forward
from ratings.engine.tier import TierParams
from ratings.models import RatedEntry
from ratings.services.settings import set_rating_settings
from standings.models import Standing
from standings.queries import PER_PAGE
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter, names
from tests.pages import markup_of

pytestmark = pytest.mark.django_db
SEASON_PAGES = (
    "standings:leaderboard",
    "standings:season-table",
    "standings:events",
    "standings:standings-file",
)


def url(page, season, *more, query=""):
    needs_season = page in {*SEASON_PAGES, "standings:state"}
    arguments = [season.club.slug, *([season.slug] if needs_season else []), *more]
    return reverse(page, args=arguments) + query


def queries(client, address):
    from django.core.cache import caches

    caches["pages"].clear()
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return len(captured), answer


def pages_of(season, event, draft=None):
    player = Player.objects.filter(club=season.club).order_by("key").first()
    leaderboard = url("standings:leaderboard", season)
    pages = {
        "club": url("standings:club", season),
        **{f"leaderboard {by}": f"{leaderboard}?by={by}" for by in ("points", "tier", "profit")},
        "leaderboard sorted": f"{leaderboard}?sort=-n_wins",
        "leaderboard searched": f"{leaderboard}?q=a",
        "season table": url("standings:season-table", season),
        "events": url("standings:events", season),
        "event": url("standings:event", season, event.pk),
        "players": url("standings:players", season),
        "players then": url("standings:players", season, query="?on=2026-01-20"),
        "why": url("standings:explanation", season, event.pk, player.pk),
        "rating settings": url("ratings:settings", season),
        "rating settings form": url("ratings:settings-edit", season),
        "player": url("standings:player", season, player.pk),
        "changes": url("standings:changes", season),
        "csv": url("standings:standings-file", season),
        "new event": reverse("league:event-create", args=[season.club.slug, season.slug]),
        "event form": url("league:event-edit", season, event.pk),
        "members": url("league:members", season),
    }
    if draft:
        pages["import preview"] = url("league:import-preview", season, draft.pk)
    return pages


def drafted(season, user, n):
    rows = [
        f"n{i},2026-02-{i + 1:02},{name},{place}"
        for i in range(n)
        for place, name in enumerate(("Ada", f"New{i}"), 1)
    ]
    return stage_import(
        season, user=user, file_name="f.csv", text="\n".join(["event,date,player,place", *rows])
    )


def league_of(n):
    """n seasons, events, and about as many of everything else."""
    club = ClubFactory()
    for i in range(n - 1):
        enter(SeasonFactory(club=club), "Ada\nBoris", day=i)
    season = SeasonFactory(club=club)
    for day in range(10, 10 + n):
        event = enter(season, "\n".join(["Ada", "Boris", *names(n)]), day=day)
    for _member in range(n - 1):
        set_member(club, user=UserFactory(), role=10)
    recompute(season.pool_id)
    return season, event


def test_every_list_takes_the_same_queries_for_one_row_and_for_three(client):
    """Of an owner, who sees the most."""
    staff = UserFactory(is_superuser=True)
    client.force_login(staff)
    counts = {}
    for n in (1, 3):
        season, event = league_of(n)
        for page, address in pages_of(season, event, drafted(season, staff, n)).items():
            counts.setdefault(page, []).append(queries(client, address)[0])
    # It saves each event and undoes it (tests/league/test_imports.py counts how it grows).
    first, last = counts.pop("import preview")
    assert last - first <= 2 * 18
    assert {page: pair for page, pair in counts.items() if pair[0] != pair[1]} == {}
    assert max(max(pair) for pair in counts.values()) <= 16, counts


def test_the_list_of_clubs_takes_one_query_for_any_number(client):
    counts = []
    for _n in range(3):
        ClubFactory()
        counts.append(queries(client, "/")[0])
    assert counts == [1, 1, 1]


def test_readers_without_an_account_cost_few_queries(client):
    season, event = league_of(3)
    most = {
        "leaderboard points": 4,
        "season table": 7,
        "event": 8,
        "why": 7,
        "rating settings": 6,
        "players": 4,
        "events": 4,
        "club": 5,
        "player": 6,
    }
    counts = {
        page: queries(client, address)[0] for page, address in pages_of(season, event).items() if page in most
    }
    assert {page: (count, most[page]) for page, count in counts.items() if count > most[page]} == {}


def test_a_leaderboard_read_before_is_one_query(client, django_assert_num_queries):
    season, _event = league_of(3)
    for by in ("points", "tier", "profit"):
        address = url("standings:leaderboard", season, query=f"?by={by}&page=1")
        first = client.get(address).content
        with django_assert_num_queries(1):
            assert client.get(address).content == first


def test_the_first_request_after_each_commit_is_new(client, season):
    """Before the recomputation it says that it is behind; after it, it shows the new numbers."""
    address = url("standings:leaderboard", season)
    assert "No event has been computed yet" in client.get(address).content.decode()
    enter(season, "Ada\nBoris\nCleo")
    behind = client.get(address).content.decode()
    assert "Until then the old numbers stand." in behind
    assert behind.count("Ada") == 0
    recompute(season.pool_id)
    page = client.get(address).content.decode()
    assert "Ada wins the night and leads Boris by a single point" in page
    assert "Points and ratings computed" in page
    enter(season, "Boris\nAda\nCleo", day=1)
    stale = client.get(address).content.decode()
    assert "Until then the old numbers stand." in stale
    recompute(season.pool_id)
    assert "Ada and Boris share the lead" in client.get(address).content.decode()
    update_player(Player.objects.get(name="Ada"), name="Zoe", is_guest=False, actor=UserFactory())
    assert "Zoe" in client.get(address).content.decode()


def test_a_page_kept_for_one_season_or_language_is_not_shown_for_another(client, club):
    seasons = [SeasonFactory(club=club), SeasonFactory(club=club)]
    for season, winner in zip(seasons, ("Ada", "Boris"), strict=True):
        enter(season, f"{winner}\nCleo\nDana")
    recompute(seasons[0].pool_id)
    for season, winner in zip(seasons, ("Ada", "Boris"), strict=True):
        for language in ("en", "ja"):
            client.cookies["django_language"] = language
            page = markup_of(client.get(url("standings:leaderboard", season)))
            assert f'<html lang="{language}"' in page
            assert ('scope="col" class=""><a href="?by=points&amp;sort=name">Player</a>' in page) == (
                language == "en"
            )
            assert season.name in page
            assert winner in page


def test_every_page_in_both_languages(client):
    season, event = league_of(3)
    staff = UserFactory(is_superuser=True)
    client.force_login(staff)
    more = {
        "home": "/",
        "about": reverse("standings:about"),
        "new club": reverse("league:club-create"),
        "settings": url("league:club-edit", season),
        "new player": url("league:player-create", season),
        "new season": url("payouts:season-create", season),
        "season": reverse("payouts:season-edit", args=[season.club.slug, season.slug]),
        "import": reverse("league:import-upload", args=[season.club.slug, season.slug]),
        "delete": url("league:event-delete", season, event.pk),
        **{
            name: reverse(f"account_{name}")
            for name in ("logout", "email", "change_password", "reset_password")
        },
    }
    for language in ("en", "ja"):
        client.cookies["django_language"] = language
        for page, address in (pages_of(season, event, drafted(season, staff, 2)) | more).items():
            answer = client.get(address)
            assert answer.status_code == 200, (page, language)
            if page != "csv":
                html = answer.content.decode()
                assert f'<html lang="{language}"' in html, page
                assert html.count("<h1") == 1, page
                assert "{%" not in html, page


@pytest.mark.parametrize(
    "query",
    [
        "by=votes", "by=", "page=0", "page=-1", "page=99", "page=x", "page=²", "page=" + "9" * 5_000, "sort=name",
        "sort=-rate", "sort=-", "sort=,", "sort=password", "sort=-player__user__password", "sort=rank",
        "sort=name,name,-name", "q=" + "é" * 500, "q=%00", "q=%F0%9F", "q=%25", "badge=Z", "badge=S", "least=3",
        "least=-1", "least=x", "by=tier&sort=n_events&page=2&q=a&badge=C&least=3", "sort=" + "%E6%BC%A2" * 60,
        "by=" + "%20%01" * 30, "unknown=1",
    ],
)  # fmt: skip
def test_no_parameter_is_a_failure(client, enter_evening, season, query):
    enter_evening("Ada\nBoris\nCleo")
    for page in (
        *SEASON_PAGES,
        "standings:state",
        "standings:players",
        "standings:club",
        "standings:changes",
    ):
        assert client.get(url(page, season, query=f"?{query}")).status_code == 200, page


def rows_of(answer):
    table = markup_of(answer).partition('<table class="lead-t')[2].partition("</table>")[0]
    return re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', table)


def test_sorting_searching_and_picking_out(client, season, enter_evening):
    for day in range(3):
        enter_evening("Ada\nBoris\nCleo\nDana", day=day)
    enter_evening("Emil\nAda\nBoris", day=3)

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
    ("by", "head"), [("points", "Total"), ("tier", "Rate"), ("profit", "Profit/tourney")]
)
def test_the_ranking_figure_stands_last_and_on_phones(client, season, enter_evening, by, head):
    enter_evening("Ada\nBoris\nCleo")
    html = markup_of(client.get(url("standings:leaderboard", season, query=f"?by={by}")))
    table = html.partition('<table class="lead-t')[2].partition("</table>")[0]
    heads = re.findall(r'<th scope="col" class="([^"]*)"[^>]*>(?:<a[^>]*>)?([^<]*)', table)
    assert heads[-1] == ("n ", head)
    for row in table.split("<tr>")[2:]:
        cells = re.findall(r'<td class="([^"]*)"', row)
        assert cells[-1] == "n key"
        assert sum("key" in it for it in cells) == 1
        assert [("wide" in it) for it in cells] == [("wide" in it) for it, _label in heads[:2] + heads[3:]]
        assert "<svg" not in row


def test_pages_of_a_long_table_show_each_player_once(client, season, enter_evening):
    enter_evening("\n".join(names(2 * PER_PAGE + 7)))
    for query in ("?by=points", "?by=tier", "?sort=-rate", "?least="):
        seen = []
        for number in (1, 2, 3):
            shown = rows_of(client.get(url("standings:leaderboard", season, query=f"{query}&page={number}")))
            assert len(shown) == (PER_PAGE if number < 3 else 7)
            seen += shown
        assert len(set(seen)) == 2 * PER_PAGE + 7
        beyond = rows_of(client.get(url("standings:leaderboard", season, query=f"{query}&page=9")))
        assert beyond == seen[-7:]


def test_players_in_placement_have_no_rank_by_tier(client, season, enter_evening):
    for day in range(2):
        enter_evening("Ada\nBoris\nCleo", day=day)
    address = url("standings:leaderboard", season, query="?by=tier")
    assert set(re.findall(r'<td class="n pos">([^<]*)</td>', client.get(address).content.decode())) == {"–"}
    enter_evening("Boris\nAda\nNewcomer", day=2)
    positions = re.findall(r'<td class="n pos">([^<]*)</td>', client.get(address).content.decode())
    assert positions == ["1", "2", "–", "–"]
    assert rows_of(client.get(address))[:2] in (["Ada", "Boris"], ["Boris", "Ada"])
    ranked = Standing.objects.exclude(tier_rank=None)
    assert not ranked.filter(is_provisional=True).exists()
    assert ranked.count() == 2


@pytest.mark.parametrize(("n", "entries"), [(2, "2 entries"), (4, "4 entries")])
def test_pages_say_after_how_many_entries_placement_ends(client, season, enter_evening, n, entries):
    set_rating_settings(season.pool, TierParams(provisional_entries=n), revision=0, actor=None)
    enter_evening("Ada\nBoris")
    board = url("standings:leaderboard", season)
    player = Player.objects.get(key="ada").get_absolute_url()
    assert f"Newcomers are ranked by TIER after {entries}." in client.get(board).content.decode()
    assert f"ranked by TIER after {entries}" in client.get(player).content.decode()
    for address in (board, player):
        assert (
            f"{n}回目のエントリー" in client.get(address, headers={"accept-language": "ja"}).content.decode()
        )


def test_markup_in_names_is_text_on_every_page(client):
    evil = "<script>alert(1)</script>"
    club = ClubFactory(name=evil)
    season = SeasonFactory(club=club, name=f"S {evil}")
    for day in range(3):
        event = enter(season, f'{evil}\n{evil} 2 (new)\n"onload=x &amp;', day=day, name=evil)
    recompute(season.pool_id)
    client.force_login(UserFactory(is_superuser=True))
    for page, address in (pages_of(season, event) | {"home": "/"}).items():
        html = client.get(address).content.decode()
        assert evil[:13] not in html or page == "csv", page
        assert evil[8:16] in html, page


def test_points_of_an_event_have_as_many_decimals_as_they_need(client, season, enter_evening):
    event = enter_evening("Ada = Boris\nCleo")
    html = client.get(url("standings:event", season, event.pk)).content.decode()
    assert re.findall(r'<td class="n key">([^<]*)</td>', html) == ["1.5", "1.5", "0.0"]
    event = enter_evening("Ada\nBoris", day=1)
    html = client.get(url("standings:event", season, event.pk)).content.decode()
    assert re.findall(r'<td class="n key">([^<]*)</td>', html) == ["1", "1"]


def test_the_season_table_says_how_many_played(client, season, enter_evening):
    enter_evening("Ada\nBoris\nCleo x2")
    enter_evening("Boris\nAda", day=1)
    html = client.get(url("standings:season-table", season)).content.decode()
    foot = html.partition("<tfoot>")[2].partition("</tfoot>")[0]
    assert [re.findall(r"<td>(\d+)</td>", row) for row in foot.split("</tr>")[:2]] == [["3", "2"], ["4", "2"]]
    assert (
        "<tfoot>" not in client.get(url("standings:season-table", season, query="?by=month")).content.decode()
    )


def test_an_event_page_says_who_is_new_and_how_strong_the_field_was(client, season, enter_evening):
    enter_evening("Ada\nBoris")
    event = enter_evening("Boris\nCleo x2", day=1)
    html = client.get(url("standings:event", season, event.pk)).content.decode()
    assert html.count("first event</span>") == 2  # both entries of Cleo
    before = RatedEntry.objects.filter(event=event, number=1).values_list("prior_rate", flat=True)
    assert f"Mean rate of the field before the event: {sum(before) / 2:.0f}." in html
    event = enter(season, "Boris\nAda", day=2)
    assert "Mean rate" not in client.get(url("standings:event", season, event.pk)).content.decode()


def test_a_start_at_midnight_is_not_a_time(client, season):
    event = enter(season, "Ada\nBoris", name="Opener")
    for start, end, shown in (
        ("2026-01-06T00:00", None, "Jan. 6, 2026"),
        ("2026-01-06T00:00", "2026-01-06T03:00", "Jan. 6, 2026, 00:00–03:00"),
        ("2026-01-06T19:30", None, "Jan. 6, 2026, 19:30"),
    ):
        event.starts_at, event.ends_at = (
            at and datetime.fromisoformat(at).replace(tzinfo=season.club.tz) for at in (start, end)
        )
        event.save()
        html = client.get(url("standings:event", season, event.pk)).content.decode()
        assert f'<p class="kicker">{season.name}, Opener. {shown}</p>' in html


def test_an_empty_season_invites_those_who_can_enter_an_evening(organizer_client, season):
    pages = [url("standings:leaderboard", season), url("standings:season-table", season)]

    def invited(reader):
        return ["Enter the first one" in reader.get(page).content.decode() for page in pages]

    assert invited(Client()) == [False, False]
    assert invited(organizer_client) == [True, True]
    assert Client().get(pages[0]).content.decode().count(f">{season.name}<") == 1  # as the headline
    set_season_closed(season, is_closed=True, actor=UserFactory())
    assert invited(organizer_client) == [False, False]


def test_a_club_without_players_does_not_speak_of_a_search(client, season):
    assert "No player has been entered yet." in client.get(url("standings:players", season)).content.decode()
    searched = client.get(url("standings:players", season, query="?q=ada")).content.decode()
    assert "No player has this name." in searched


def test_no_plot_while_all_are_in_placement(client, season, enter_evening):
    address = url("standings:leaderboard", season)
    for day in range(3):
        enter_evening("Ada\nBoris", day=day)
        assert ("Where everyone stands" in client.get(address).content.decode()) == (day == 2)


def test_a_new_season_leaves_the_last_evenings_on_the_clubs_page(client, season):
    event = enter(season, "Ada\nBoris")
    SeasonFactory(club=season.club, starts_on="2027-01-01")
    html = client.get(url("standings:club", season)).content.decode()
    assert event.get_absolute_url() in html


def test_the_state_line_asks_for_the_page_once_the_numbers_are_there(client, season):
    enter(season, "Ada\nBoris")
    address = url("standings:state", season)
    assert "Computing points and ratings" in client.get(address).content.decode()
    recompute(season.pool_id)
    assert client.get(address).headers["HX-Refresh"] == "true"


def test_a_failed_computation_is_said(client, season):
    from standings.models import Recomputation

    enter(season, "Ada\nBoris")
    Recomputation.objects.create(pool=season.pool, n_failures=1)
    assert "could not be computed yet" in client.get(url("standings:leaderboard", season)).content.decode()


def test_pages_stay_open_between_a_deleted_event_and_its_recomputation(client):
    from league.services.events import delete_event

    season, event = league_of(3)
    delete_event(event, version=1, actor=UserFactory())
    remaining = season.events.first()
    for page, address in pages_of(season, remaining).items():
        if page not in {"new event", "event form", "members", "rating settings form"}:
            assert client.get(address).status_code == 200, page
    assert client.get(url("standings:event", season, event.pk)).status_code == 404


def players_then(client, season, query):
    answer = client.get(url("standings:players", season, query=query))
    assert answer.status_code == 200
    page = answer.content.decode()
    rows = re.findall(r"<tr>.*?</tr>", page.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return page, {
        re.sub(r"<[^>]+>", "", row[0]): [re.sub(r"<[^>]+>", "", it) for it in row[1:]] for row in cells
    }


def test_players_as_at_the_end_of_a_past_day(client):
    """An evening of the club's 10 January begins on the 11th in UTC."""
    season = SeasonFactory(club=ClubFactory(time_zone="America/New_York"))
    first = enter(season, "Ada\nBoris", day=0, name="6 January")
    enter(season, "Boris\nAda\nCleo", day=5)
    recompute(season.pool_id)
    rates = dict(RatedEntry.objects.filter(event=first).values_list("player__name", "posterior_rate"))
    heading, rows = players_then(client, season, "?on=2026-01-10")
    assert "Players on 2026-01-10" in heading
    assert {name: row[1] for name, row in rows.items()} == {
        "Ada": f"{rates['Ada']:.0f}", "Boris": f"{rates['Boris']:.0f}", "Cleo": "–",
    }  # fmt: skip
    assert rows["Cleo"] == ["–"] * 4
    assert [row[2] for row in rows.values()] == ["1", "1", "–"]
    _page, before = players_then(client, season, "?on=2026-01-05")
    assert {it for row in before.values() for it in row} == {"–"}
    _page, now = players_then(client, season, "")
    assert players_then(client, season, "?on=2026-01-11")[1] == now
    assert now["Cleo"][1] != "–"


def test_a_day_begins_at_midnight_in_the_club(client):
    """19:30 UTC of 6 January is 04:30 of the 7th in Tokyo."""
    season = SeasonFactory(club=ClubFactory(time_zone="Asia/Tokyo"))
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    assert players_then(client, season, "?on=2026-01-06")[1]["Ada"][1] == "–"
    assert players_then(client, season, "?on=2026-01-07")[1]["Ada"][1] != "–"


def test_the_day_survives_sorting_and_searching(client, season, enter_evening):
    enter_evening("Ada\nBoris\nCleo")
    enter_evening("Dana\nCleo", day=9)
    page, rows = players_then(client, season, "?on=2026-01-08&sort=-rate")
    assert list(rows) == ["Ada", "Boris", "Cleo", "Dana"]  # without a rating: last
    assert list(players_then(client, season, "?on=2026-01-08&sort=rate")[1]) == [
        "Cleo",
        "Boris",
        "Ada",
        "Dana",
    ]
    assert "on=2026-01-08&amp;sort=" in page
    assert 'name="sort" value="-rate"' in page
    assert 'name="on" value="2026-01-08"' in page
    assert list(players_then(client, season, "?on=2026-01-08&q=an")[1]) == ["Dana"]


@pytest.mark.parametrize(
    "day", ["x", "2026-02-30", "0001-01-01", "9999-12-31", "2999-01-01", "1" * 200, "%00", "20260108"]
)
def test_a_day_that_is_none_is_named_and_ignored(client, season, enter_evening, day):
    enter_evening("Ada\nBoris")
    page, rows = players_then(client, season, f"?on={day}")
    assert "Ratings at the end of: " in page
    assert "Players on" not in page
    assert rows["Ada"][1] != "–"


def test_a_player_page_marks_totals_brought_forward_and_counts_entries(client, season, enter_evening):
    enter_evening("Ada\nBoris x2\nCleo")
    ada, boris = (Player.objects.get(key=name) for name in ("ada", "boris"))
    totals = BroughtForwardLine("Ada", Fraction("180.45"), 8, 9, 1)
    bring_forward(season, [totals], version=0, actor=None)
    recompute(season.pool_id)
    page = client.get(url("standings:player", season, ada.pk)).content.decode()
    assert "of 4 entries" in page
    marked = '<span aria-hidden="true">&nbsp;†</span><span class="vh"> with totals brought forward</span>'
    assert f"9 in {season.name}{marked}" in page
    assert f">{season.name}</a>{marked}" in page
    assert page.count("† with totals brought forward from events") == 2
    assert "†" not in client.get(url("standings:player", season, boris.pk)).content.decode()
    client.cookies["django_language"] = "ja"
    assert "/ 4エントリー" in client.get(url("standings:player", season, ada.pk)).content.decode()
