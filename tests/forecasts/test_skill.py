"""The share of skill: computed after results, kept with them, said beside tables, explained on its page, printed."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from forecasts.engine.skill_share import Estimate, Growth, SkillShare, skill_share
from forecasts.models import PoolQuality, SeasonSkill
from forecasts.pages.skill import better_of_two, charts, in_words, meaning
from forecasts.queries import season_skill
from forecasts.services import claim_pools, compute_pool
from forecasts.skill import orders_of
from league.models import Pool, PoolKind
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter, names
from tests.forecasts.seasons import played

pytestmark = pytest.mark.django_db
DURING = datetime(2026, 1, 25, tzinfo=UTC)
SAID = Estimate(
    p=0.38, spread=0.12, low=0.0, high=0.33, share=0.11, share_low=0.0, share_high=0.48, mean_events=9.5,
    growth=Growth(1.0, 70.0), growth_low=Growth(0.0, 1.0), growth_high=Growth(1.0, 10.0),
)  # fmt: skip
FOUND = SkillShare(10, 16, 0.122, 0.113, SAID)


def page_of(client, season, name="forecasts:skill"):
    return client.get(reverse(name, args=[season.club.slug, season.slug])).content.decode()


def long_season(**also):
    season = SeasonFactory(**also)
    for day in range(6):
        people = names(8)
        enter(season, "\n".join(people[day % 3 :] + people[: day % 3]), day=day)
    recompute(season.pool_id)
    return season


def test_what_is_stored_is_what_the_engine_says():
    season = long_season()
    compute_pool(season.pool_id)
    orders = orders_of(season.events.all())
    assert orders.sizes.tolist() == [8] * 6
    assert season_skill(season) == skill_share(orders)
    assert PoolQuality.objects.get().figures["skill"] == SeasonSkill.objects.get().figures


def test_figures_of_an_older_revision_wait_for_new_ones(client, monkeypatch):
    season = long_season()
    compute_pool(season.pool_id)
    monkeypatch.setattr("forecasts.skill.REVISION", 2)
    assert season_skill(season) is None
    assert "Nothing to show yet" in page_of(client, season)
    compute_pool(season.pool_id)
    season.refresh_from_db()
    assert season_skill(season).n_events == 6


def test_only_seasons_whose_results_have_changed_are_computed_again():
    season = long_season()
    other = SeasonFactory(club=season.club)
    assert other.pool_id == season.pool_id
    compute_pool(season.pool_id, now=DURING)
    enter(other, "\n".join(names(5)), day=40)
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    computed = dict(SeasonSkill.objects.values_list("season_id", "computed_at"))
    assert computed[season.pk] == DURING
    assert computed[other.pk] > DURING
    assert season_skill(other).n_events == 1


def test_the_last_entry_of_a_player_counts():
    season = SeasonFactory()
    enter(season, "Ada\nBoris\nCleo\nAda #1\nDora")
    orders = orders_of(season.events.all())
    assert orders.sizes.tolist() == [4]
    assert orders.place.tolist() == [1, 2, 3, 5]


def test_a_game_without_ratings_has_its_share_too(client):
    season = long_season()
    Pool.objects.filter(pk=season.pool_id).update(kind=PoolKind.NONE)
    assert claim_pools() == [season.pool_id]
    compute_pool(season.pool_id)
    assert claim_pools() == []
    assert "of the differences in the table" in page_of(client, season)
    assert "The rating allows for it" not in page_of(client, season)


@pytest.mark.parametrize("name", ["standings:leaderboard", "standings:season-table"])
def test_it_stands_once_beside_a_table_as_soon_as_it_is_computed(client, name):
    season = long_season()
    assert "skillline" not in page_of(client, season, name)
    compute_pool(season.pool_id)
    page = page_of(client, season, name)
    assert page.count("of the differences in the table is skill") == 1
    assert reverse("forecasts:skill", args=[season.club.slug, season.slug]) in page


def test_its_page_says_when_it_is_too_early(client):
    season = played(3)
    assert "Nothing to show yet" in page_of(client, SeasonFactory())
    compute_pool(season.pool_id)
    assert "It is too early to tell skill from chance: 2 more events are needed." in page_of(client, season)


def test_its_page_shows_the_figures(client):
    season = long_season()
    compute_pool(season.pool_id)
    page, found = page_of(client, season), season_skill(season)
    assert "After 6 events." in page
    assert f"{found.v:.3f}" in page
    assert f"{found.e0:.3f}" in page
    assert f"{round(100 * found.estimate.share)} %" in page
    assert "<svg" in page
    quality = client.get(reverse("forecasts:quality", args=[season.club.slug])).content.decode()
    assert in_words(found).share in quality


def test_the_words():
    words = in_words(FOUND)
    assert words.share == (
        "Mostly chance so far: about a tenth of the differences in the table is skill (11 %; likely between 0 % and 48 %)."
    )
    # Half is 70 events; 11 % are as much as 8.65 of them.
    assert words.more == "After about 62 more events each it would be half."
    third = in_words(replace(FOUND, estimate=replace(SAID, share=0.35, share_high=0.7)))
    assert third.share.startswith("So far about a third of the differences in the table is skill (35 %;")
    most = in_words(replace(FOUND, estimate=replace(SAID, share=0.6)))
    assert most.share.startswith("So far about two thirds of the differences")
    assert "it would be four fifths." in most.more
    none = replace(SAID, share=0.0, spread=0.0, growth=Growth(0.0, 1.0))
    assert in_words(replace(FOUND, estimate=none)).share.startswith(
        "The differences in the table are no larger"
    )
    assert in_words(replace(FOUND, estimate=none)).more == "More events and larger fields would tell more."
    early = in_words(SkillShare(5, 3, 0.1, 0.1))
    assert (
        early.share
        == "There are too few players to tell skill from chance: 1 more with three events is needed."
    )


def test_what_it_means_for_two_players():
    """A lead of arctan(s)/pi over a half: with skills as far apart as forms, three times out of four."""
    assert better_of_two(0.0) == 0.5
    assert better_of_two(1.0) == pytest.approx(0.75)
    lines = meaning(SAID)
    assert lines[0] == "Of two players, the better one is ahead in about 54 of 100 events (50 to 60)."
    assert "Half skill needs about 70 events of everybody." in lines
    assert "Four fifths need about 280 events of everybody." in lines


def test_the_chart_shows_now_and_the_half():
    narrow, wide = charts(SAID)
    assert narrow.width < 360 < wide.width
    for chart in (narrow, wide):
        assert chart.half is not None
        assert 40 < chart.now[0] < chart.half[0] < chart.right
        assert chart.now[1] > chart.half[1]
        assert chart.ticks[0].label == 0
    far = charts(replace(SAID, share=0.01, growth=Growth(1.0, 5_000.0)))[0]
    assert far.half is None


def file_of(tmp_path, events):
    path = tmp_path / "results.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["event", "date", "player", "place"])
        for number, order in enumerate(events, start=1):
            writer.writerows(
                [number, f"2026-01-{number:02}", name, i] for i, name in enumerate(order.split(), 1)
            )
    return path


def printed(path, *options):
    out, errors = io.StringIO(), io.StringIO()
    call_command("skill_share", str(path), *options, stdout=out, stderr=errors)
    return json.loads(out.getvalue()), errors.getvalue()


def test_the_command_prints_figures(tmp_path):
    season = long_season()
    events = season.events.order_by("starts_at")
    orders = [
        " ".join(event.entries.order_by("place").values_list("player__name", flat=True)) for event in events
    ]
    figures, errors = printed(file_of(tmp_path, orders))
    found = skill_share(orders_of(season.events.all()))
    assert errors == ""
    assert list(figures) == [
        "v", "e0", "p", "spread", "low", "high", "share", "share_low", "share_high", "nights_to_half", "nights_to_80",
        "n_events", "n_players",
    ]  # fmt: skip
    assert (figures["n_events"], figures["n_players"]) == (6, 8)
    assert figures["v"] == pytest.approx(found.v)
    assert figures["share"] == pytest.approx(found.estimate.share, abs=0.1)


def test_the_command_says_what_is_missing(tmp_path):
    figures, errors = printed(file_of(tmp_path, ["a b", "b a", "a b"]))
    assert figures["e0"] == pytest.approx(2 / 3)
    assert figures["share"] is None
    assert "2 more events are needed" in errors
    assert "2 more players of at least 3 events are needed" in errors
    with pytest.raises(CommandError, match="--min-events must be at least 1"):
        printed(file_of(tmp_path, ["a b"]), "--min-events=0")
    with pytest.raises(CommandError, match=r"nothing\.csv"):
        printed(tmp_path / "nothing.csv")
