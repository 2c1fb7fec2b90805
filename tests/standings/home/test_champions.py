"""The page of champions: ended seasons alone, shared titles, leads, who has won most."""

from datetime import date

import pytest
from django.urls import reverse

from league.models import Season
from standings.home.champions import holders_of, titles_of
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, enter

pytestmark = pytest.mark.django_db
TODAY = date(2026, 6, 1)


def seasons_won_by(*winners):
    """Seasons that have ended, the oldest first, each with two events."""
    club = ClubFactory()
    for year, winner in enumerate(winners, 2020):
        season = SeasonFactory(
            club=club, name=str(year), starts_on=date(year, 1, 1), ends_on=date(year, 12, 31)
        )
        others = [name for name in ("Ada", "Boris", "Cleo") if name != winner]
        for event in range(2):
            enter(season, "\n".join([winner, *others]), day=(year - 2026) * 365 + 30 + 7 * event)
        recompute(season.pool_id)
    return club


def test_ended_seasons_have_their_champions_and_leads():
    club = seasons_won_by("Ada", "Boris", "Ada")
    running = SeasonFactory(club=club, starts_on=date(2026, 1, 1))
    enter(running, "Cleo\nAda", day=20)
    recompute(running.pool_id)
    titles = titles_of(club, TODAY)
    assert [title.season.name for title in titles] == ["2022", "2021", "2020"]
    assert [[line.player.name for line in title.champions] for title in titles] == [
        ["Ada"],
        ["Boris"],
        ["Ada"],
    ]
    # Of three entries VP_KID gives seats 2, 1, 0, twice; attendance is the same for all.
    assert {(title.lead, title.second.player.name) for title in titles} == {(2, "Boris"), (2, "Ada")}
    holders = holders_of(titles)
    assert [(holder.player.name, [season.name for season in holder.seasons]) for holder in holders] == [
        ("Ada", ["2022", "2020"]), ("Boris", ["2021"]),
    ]  # fmt: skip


def test_a_closed_season_has_a_champion_and_a_shared_title_names_both(client):
    season = SeasonFactory(rules={"structure": {"name": "vp_kid", "ties": "better"}, "tie_breaks": []})
    enter(season, "Ada\nBoris\nCleo", day=0)
    enter(season, "Boris\nAda\nCleo", day=7)
    recompute(season.pool_id)
    assert titles_of(season.club, TODAY) == []
    address = reverse("standings:champions", args=[season.club.slug])
    assert "No season has ended yet." in client.get(address).content.decode()
    Season.objects.filter(pk=season.pk).update(is_closed=True)
    (title,) = titles_of(season.club, TODAY)
    assert [line.player.name for line in title.champions] == ["Ada", "Boris"]
    assert title.second.player.name == "Cleo"
    assert "Ada and Boris" in client.get(address).content.decode()


def test_the_page_says_who_has_won_most_in_the_same_queries_for_any_number(
    client, django_assert_max_num_queries
):
    club = seasons_won_by("Ada", "Boris", "Ada", "Ada")
    with django_assert_max_num_queries(4):
        page = client.get(reverse("standings:champions", args=[club.slug])).content.decode()
    assert "Ada has won 3 seasons, nobody more." in page
    assert "2023, 2022, 2020" in page
