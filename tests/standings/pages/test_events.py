"""Pages of an event, the table of a season and the events on a club's page."""

import re
from datetime import datetime

import pytest

from ratings.models import RatedEntry
from tests.factories import SeasonFactory, enter
from tests.pages import markup_of
from tests.standings.pages.addresses import queries, url

pytestmark = pytest.mark.django_db


def test_points_of_an_event_have_as_many_decimals_as_they_need(client, season, enter_event):
    event = enter_event("Ada = Boris\nCleo")
    html = client.get(url("standings:event", season, event.pk)).content.decode()
    assert re.findall(r'<td class="n key">([^<]*)</td>', html) == ["1.5", "1.5", "0.0"]
    event = enter_event("Ada\nBoris", day=1)
    html = client.get(url("standings:event", season, event.pk)).content.decode()
    assert re.findall(r'<td class="n key">([^<]*)</td>', html) == ["1", "1"]


def test_the_season_table_says_how_many_played(client, season, enter_event):
    enter_event("Ada\nBoris\nCleo x2")
    enter_event("Boris\nAda", day=1)
    html = client.get(url("standings:season-table", season)).content.decode()
    foot = html.partition("<tfoot>")[2].partition("</tfoot>")[0]
    assert [re.findall(r"<td>(\d+)</td>", row) for row in foot.split("</tr>")[:2]] == [["2", "3"], ["2", "4"]]
    assert (
        "<tfoot>" not in client.get(url("standings:season-table", season, query="?by=month")).content.decode()
    )


def test_an_event_page_says_who_is_new_and_how_strong_the_field_was(client, season, enter_event):
    first = enter_event("Ada\nBoris")
    event = enter_event("Boris\nCleo x2", day=1)
    # Where everybody is new, it is not worth a word in each row.
    assert "first event</span>" not in client.get(url("standings:event", season, first.pk)).content.decode()
    html = client.get(url("standings:event", season, event.pk)).content.decode()
    assert html.count("first event</span>") == 2  # both entries of Cleo
    before = RatedEntry.objects.filter(event=event, number=1).values_list("prior_rate", flat=True)
    assert f"Mean rate of the field before the event: {sum(before) / 2:.0f}." in html
    event = enter(season, "Boris\nAda", day=2)
    assert "Mean rate" not in client.get(url("standings:event", season, event.pk)).content.decode()


def test_events_are_listed_with_their_names_and_all_their_winners(client, season, enter_event):
    """Tables of a night have the same day; a phone has no column for the name."""
    event = enter_event("Ada = Boris = Cleo\nDana", name="Tuesday 1-1")
    enter_event("Dana\nAda", day=-1)
    html = client.get(url("standings:events", season)).content.decode()
    cells = re.findall(r"<td[^>]*>.*?</td>", html)
    assert cells[0] == f'<td class="nb"><a href="{event.get_absolute_url()}">2026-01-06</a></td>'
    assert cells[2] == (
        '<td class="">Ada, Boris and Cleo<span class="meta wrap narrow">Tuesday 1-1</span></td>'
    )
    assert cells[7] == '<td class="">Dana</td>'
    assert "<td>Ada, Boris and Cleo</td>" in client.get(url("standings:club", season)).content.decode()
    page = client.get(url("standings:event", season, event.pk)).content.decode()
    assert "Ada, Boris and Cleo share the win among 4 players" in page
    few = queries(client, url("standings:events", season))[0]
    enter_event("Ada\nBoris", day=2)
    assert queries(client, url("standings:events", season))[0] == few


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
        assert f"<span>{season.name}, Opener. {shown}</span>" in html


def test_a_new_season_leaves_the_last_events_on_the_clubs_page(client, season):
    event = enter(season, "Ada\nBoris")
    SeasonFactory(club=season.club, starts_on="2027-01-01")
    html = client.get(url("standings:club", season)).content.decode()
    assert event.get_absolute_url() in html


def test_late_arrivals_are_shown_to_all_and_costs_to_those_who_keep_the_money(enter_event, client_of):
    event = enter_event("Ada\nBoris in 20:15 cost 62.50 ko1\nCleo")
    pages = {who: markup_of(client_of(who).get(event.get_absolute_url())) for who in ("member", "organizer")}
    for page in pages.values():
        assert "In at" in page
        assert "in 20:15" in page
    assert "62.5" in pages["organizer"]
    assert "62.5" not in pages["member"]
    assert "Cost" not in pages["member"]


def test_columns_without_values_are_left_out(enter_event, client_of):
    page = markup_of(client_of("organizer").get(enter_event("Ada\nBoris").get_absolute_url()))
    assert "In at" not in page
    assert "Cost" not in page
