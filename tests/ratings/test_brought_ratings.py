"""Ratings of an older system: what players begin with, and what is computed again when the list changes."""

import math
from datetime import date, timedelta

import pytest

from league.models import Change, Player
from league.services.errors import Refused, Stale
from people.services.merges import merge_players, unmerge
from ratings.brought_forward import BroughtLine, brought_text, read_ratings
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.params import TierParams, skill_of_rate
from ratings.models import BroughtRating, PlayerRating, ProfitRating, RatedEntry, RatedGame, RatingSettings
from ratings.queries import brought_version
from ratings.services.brought_forward import bring_ratings, take_back_ratings
from ratings.services.calibration import adopt_calibration, calibration_of, preview
from ratings.services.settings import set_rating_settings
from reading.names.keys import name_key
from standings.points.rating_what_if import rating_what_if
from standings.recomputation.service import recompute
from tests.factories import FIRST_DAY, START, correct, enter
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db
K, L = 0.84162123357, 0.84162123357 * 440  # of ratings/README.md
BEFORE = FIRST_DAY - timedelta(days=5)


def bring(pool, *lines, day=BEFORE, version=None):
    version = brought_version(pool.pk) if version is None else version
    bring_ratings(pool, [BroughtLine(*line) for line in lines], day=day, version=version, actor=None)


def rows(pool):
    """Everything that was computed, without the rows' own ids."""
    return [
        sorted(
            [sorted(row.items()) for row in model.objects.filter(pool=pool).values() if row.pop("id")],
            key=repr,
        )
        for model in (RatedEntry, PlayerRating, RatedGame, ProfitRating)
    ]


def assert_as_from_scratch(pool):
    recompute(pool.pk)
    found = rows(pool)
    recompute(pool.pk, from_scratch=True)
    assert rows(pool) == found


def of_the_first_game(season):
    return season.events.earliest("starts_at").entries.first().player.name


def first_of(name):
    return RatedEntry.objects.filter(player__key=name_key(name)).earliest("starts_at")


def test_a_player_begins_with_the_rating_brought_forward(season):
    bring(season.pool, ("Ada", 1700.0, 350.0))
    enter(season, "Boris\nAda")
    recompute(season.pool_id)
    ada, boris = first_of("Ada"), first_of("Boris")
    assert (ada.prior_mu, ada.prior_sigma, ada.n_before) == (1700.0, 350.0, 0)
    assert ada.prior_rate == pytest.approx(1700 - K * 350 + L, abs=1e-9)
    assert (boris.prior_mu, boris.prior_sigma) == (1500.0, 500.0)
    assert (boris.posterior_mu > 1500.0, ada.posterior_mu < 1700.0) == (True, True)


def test_entries_behind_a_rating_end_the_placement(season):
    bring(season.pool, ("Ada", 1700.0, 350.0, 2), ("Cleo", 1400.0, 350.0))
    enter(season, "Boris\nAda\nCleo")
    recompute(season.pool_id)
    now = {row.player.name: row for row in PlayerRating.objects.select_related("player")}
    assert {name: row.is_provisional for name, row in now.items()} == {
        "Ada": False,
        "Boris": True,
        "Cleo": True,
    }
    assert {name: row.n_entries for name, row in now.items()} == {"Ada": 3, "Boris": 1, "Cleo": 1}


def test_sigma_drifts_from_the_day_of_the_rating(season):
    set_rating_settings(season.pool, TierParams(tau_per_day=20.0), revision=0, actor=None)
    bring(season.pool, ("Ada", 1700.0, 350.0), day=FIRST_DAY - timedelta(days=9))
    enter(season, "Boris\nAda")
    recompute(season.pool_id)
    hours = START.hour + START.minute / 60
    assert first_of("Ada").prior_sigma == pytest.approx(math.sqrt(350**2 + 20**2 * (9 + hours / 24)))


def test_a_change_of_the_list_is_computed_as_from_scratch(season):
    for day, order in enumerate(("Ada\nBoris", "Boris\nCleo", "Cleo\nAda\nBoris", "Boris\nAda")):
        enter(season, order, day=day)
    recompute(season.pool_id)
    empty = rows(season.pool)
    bring(season.pool, ("Cleo", 1700.0, 350.0))
    assert Change.objects.latest("pk").rated_from == START + timedelta(days=1)
    assert_as_from_scratch(season.pool)
    assert first_of("Cleo").prior_mu == 1700.0
    bring(season.pool, ("Cleo", 1700.0, 350.0), ("Boris", 1600.0, 400.0, 9))
    assert Change.objects.latest("pk").rated_from == START
    assert_as_from_scratch(season.pool)
    bring(season.pool, ("Cleo", 1700.0, 350.0), ("Boris", 1600.0, 400.0, 9))
    assert Change.objects.filter(kind=Change.Kind.RATINGS_BROUGHT).count() == 2
    bring(season.pool)
    assert_as_from_scratch(season.pool)
    assert rows(season.pool) == empty


def test_a_correction_of_the_first_event_keeps_the_beginning(season):
    bring(season.pool, ("Ada", 1700.0, 350.0))
    events = [
        enter(season, order, day=day) for day, order in enumerate(("Boris\nAda", "Ada\nCleo", "Cleo\nBoris"))
    ]
    recompute(season.pool_id)
    correct(events[0], "Boris\nCleo")
    assert_as_from_scratch(season.pool)
    assert (first_of("Ada").prior_mu, first_of("Ada").starts_at) == (1700.0, events[1].starts_at)
    events[0].refresh_from_db()
    correct(events[0], "Ada\nBoris")
    assert_as_from_scratch(season.pool)
    assert (first_of("Ada").prior_mu, first_of("Ada").starts_at) == (1700.0, events[0].starts_at)


def test_the_list_is_taken_back_once(season):
    enter(season, "Boris\nAda")
    bring(season.pool, ("Ada", 1700.0, 350.0))
    bring(season.pool, ("Ada", 1650.0, 350.0), ("Boris", 1500.0, 320.0), day=BEFORE + timedelta(days=1))
    version = brought_version(season.pool_id)
    take_back_ratings(season.pool, version=version, actor=None)
    (row,) = BroughtRating.objects.select_related("player")
    assert (row.player.name, row.mu, row.sigma, row.day) == ("Ada", 1700.0, 350.0, BEFORE)
    assert_as_from_scratch(season.pool)
    with pytest.raises(Stale):
        take_back_ratings(season.pool, version=version, actor=None)


@pytest.mark.parametrize(
    ("lines", "day", "said"),
    [
        ([("Ada", 1700.0, 350.0)], FIRST_DAY + timedelta(days=1), "Ada has played here before that day"),
        ([("Ada", 1700.0, 350.0)], date(2199, 1, 1), "has not come yet"),
        ([("Ada", 1700.0, 350.0), ("ADA", 1600.0, 350.0)], BEFORE, "there twice"),
    ],
)
def test_lists_that_cannot_be_are_refused(season, lines, day, said):
    enter(season, "Boris\nAda")
    with pytest.raises(Refused, match=said):
        bring(season.pool, *lines, day=day)
    assert not BroughtRating.objects.exists()
    bring(season.pool, ("Ada", 1700.0, 350.0), day=FIRST_DAY)  # the day of the first event itself
    with pytest.raises(Stale):
        bring(season.pool, version=0)


def test_a_merged_player_hands_its_beginning_on_and_gets_it_back(season, people):
    for day, order in enumerate(("Ada\nBoris", "Cleo\nBoris", "Ada\nCleo")):
        enter(season, order, day=day)
    enter(season, "Zoe\nBoris", day=4)
    bring(season.pool, ("Zoe", 1800.0, 350.0))
    recompute(season.pool_id)
    apart = rows(season.pool)
    ada, zoe = (Player.objects.get(key=key) for key in ("ada", "zoe"))
    merge = merge_players(ada, zoe, actor=people["owner"])
    assert_as_from_scratch(season.pool)
    assert first_of("Ada").prior_mu == 1800.0
    unmerge(season.club, merge.pk, actor=people["owner"])
    assert_as_from_scratch(season.pool)
    assert first_of("Ada").prior_mu == 1500.0
    assert rows(season.pool) == apart


def test_a_merge_is_undone_after_the_list_was_saved_again(season, people):
    for day, order in enumerate(("Ada\nBoris", "Zoe\nBoris")):
        enter(season, order, day=day)
    bring(season.pool, ("Zoe", 1800.0, 350.0))
    ada, zoe = (Player.objects.get(key=key) for key in ("ada", "zoe"))
    merge = merge_players(ada, zoe, actor=people["owner"])
    bring(season.pool, ("Ada", 1800.0, 350.0), ("Boris", 1600.0, 350.0))
    unmerge(season.club, merge.pk, actor=people["owner"])
    assert_as_from_scratch(season.pool)
    assert [first_of(name).prior_mu for name in ("Ada", "Zoe", "Boris")] == [1500.0, 1800.0, 1600.0]


def test_a_list_is_taken_back_to_the_players_of_today(season, people):
    for day, order in enumerate(("Ada\nBoris", "Zoe\nBoris")):
        enter(season, order, day=day)
    bring(season.pool, ("Zoe", 1800.0, 350.0))
    bring(season.pool, ("Zoe", 1800.0, 350.0), ("Boris", 1600.0, 350.0))
    ada, zoe = (Player.objects.get(key=key) for key in ("ada", "zoe"))
    merge_players(ada, zoe, actor=people["owner"])
    take_back_ratings(season.pool, version=brought_version(season.pool_id), actor=None)
    assert list(BroughtRating.objects.values_list("player__name", "mu")) == [("Ada", 1800.0)]


def test_saving_the_same_list_again_is_no_change_for_anybody(season):
    lines = [BroughtLine("Ada", 1700.0, 350.0)]
    options = {"day": BEFORE, "version": 0, "actor": None}
    assert [bring_ratings(season.pool, lines, **options) for _press in range(2)] == [True, False]
    with pytest.raises(Stale):
        bring_ratings(season.pool, [BroughtLine("Ada", 1701.0, 350.0)], **options)


def test_the_preview_of_a_calibration_is_what_its_adoption_makes(club):
    season = profit_season(club)
    add_games(season)
    bring(season.pool, (of_the_first_game(season), 2200.0, None, 30))
    recompute(season.pool_id)
    calibration = calibration_of(season.pool)
    shown = {row.player.pk: row.then["quick-start"] for row in preview(calibration)}
    params = calibration.candidates["quick-start"]
    adopt_calibration(
        season.pool,
        origin="quick-start",
        pair=(params.f, params.g),
        revision=calibration.revision,
        season=None,
        actor=None,
    )
    recompute(season.pool_id)
    assert {row.player_id: row.r for row in ProfitRating.objects.all()} == pytest.approx(shown)


def test_other_settings_that_are_those_in_force_give_the_ratings_that_there_are(season):
    for day, order in enumerate(
        ("Ada\nBoris\nCleo", "Boris\nCleo\nAda", "Cleo\nAda\nBoris", "Ada\nCleo\nBoris")
    ):
        enter(season, order, day=day)
    bring(season.pool, ("Cleo", 1900.0, 350.0))
    recompute(season.pool_id)
    rows = rating_what_if(season.pool, TIER, is_organizer=True)
    assert [row.rate for row in rows] == pytest.approx([row.real_rate for row in rows])


def test_r_begins_with_the_r_brought_forward(club):
    season = profit_season(club)
    add_games(season)
    name = of_the_first_game(season)
    recompute(season.pool_id)
    empty = rows(season.pool)
    bring(season.pool, (name, 1620.0, None, 150))
    assert_as_from_scratch(season.pool)
    game = RatedGame.objects.filter(player__name=name).earliest("starts_at")
    assert (game.r_before, game.n_before) == (1620.0, 150)
    bring(season.pool)
    assert_as_from_scratch(season.pool)
    assert rows(season.pool) == empty


def test_a_stretch_moves_only_what_was_brought_before_it(club):
    """A revision that begins after the day of the list stretches it; one that begins before does not."""
    season = profit_season(club)
    add_games(season)
    name = of_the_first_game(season)
    params = calibration_of(season.pool).candidates["quick-start"]
    RatingSettings.objects.create(
        pool=season.pool, revision=1, season=season, stretch=1.5,
        params={field: getattr(params, field) for field in ("f", "g", "r0")} | {"balance_unit": 1.0},
    )  # fmt: skip
    begins = season.starts_on
    for day, r in ((begins - timedelta(days=1), 1500 + 1.5 * 120), (begins + timedelta(days=1), 1620.0)):
        bring(season.pool, day=BEFORE)
        first = season.events.earliest("starts_at").starts_at
        assert day < first.date()
        bring(season.pool, (name, 1620.0, None), day=day)
        recompute(season.pool_id, from_scratch=True)
        assert RatedGame.objects.filter(player__name=name).earliest("starts_at").r_before == pytest.approx(r)


TIER, R = TierParams(), ProfitParams()


@pytest.mark.parametrize(
    ("text", "params", "expected"),
    [
        ("Kit Marsh 1640", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("Kit Marsh 1610 380", TIER, ("Kit Marsh", 1610.0, 380.0, 0)),
        ("Kit Marsh 1610 380 25", TIER, ("Kit Marsh", 1610.0, 380.0, 25)),
        ("Kit Marsh, 1640", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("Kit Marsh;1610,5;380", TIER, ("Kit Marsh", 1610.5, 380.0, 0)),
        ("Player\tRating\nKit Marsh\t1,640", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("Name\tGames\tSigma\tMu\nKit Marsh\t25\t380\t1610", TIER, ("Kit Marsh", 1610.0, 380.0, 25)),
        ("名前\tレート\nKit Marsh\t１６４０", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("1. Kit Marsh 1640", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("#1 Kit Marsh 1640", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("Kit Marsh: 1640", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("Kit Marsh - 1640", TIER, ("Kit Marsh", 1640.0, 440.0, 0)),
        ("Name\tRating\tRD\nKit Marsh\t1610\t380", TIER, ("Kit Marsh", 1610.0, 380.0, 0)),
        ("Kit Marsh 1,640", R, ("Kit Marsh", 1640.0, None, 0)),
        ("Kit Marsh 1520", R, ("Kit Marsh", 1520.0, None, 0)),
        ("Kit Marsh 1520 40", R, ("Kit Marsh", 1520.0, None, 40)),
        ("Player,R,Games\nKit Marsh,1520,40", R, ("Kit Marsh", 1520.0, None, 40)),
    ],
)
def test_lines_are_read(text, params, expected):
    read = read_ratings(text, set(), params)
    assert read.is_ready, [line.problem for line in read.lines]
    assert [(each.name, each.mu, each.sigma, each.n_entries) for each in read.ratings] == [expected]


@pytest.mark.parametrize(
    ("text", "params", "said"),
    [
        ("Kit Marsh", TIER, "After the name comes a rate"),
        ("Kit Marsh 1 2 3 4", TIER, "sigma: a number"),
        ("Kit Marsh 25 8.3", TIER, "sigma: a number from 300 to 500, not “8.3”."),
        ("Kit Marsh 800", TIER, "Rate: a number from 900 to 10000"),
        ("Kit Marsh 1610 380 2.5", TIER, "Entries: a number from 0"),
        ("1640", TIER, "After the name comes a rate"),
        ("Kit Marsh 1640\nKIT MARSH 1700", TIER, "KIT MARSH is there twice."),
        ("Name\tRate\nKit Marsh\tgood", TIER, "not “good”"),
        ("Name\tRate\nKit Marsh\t1640\t9", TIER, "more cells"),
        ("Kit Marsh 1.640", R, "R: a number from 100 to 10000"),
        ("Kit 1 640", R, "R: a number from 100"),
        ("Kit,1,640", R, "R: a number from 100"),
        ("Team 7 1640", R, "R: a number from 100"),
        ("Kit Marsh 1610,5 380,2", R, "Entries: a number"),
        ("Kit Marsh 1520 40 3", R, "After the name comes R"),
        ("Kit Marsh 1e400", TIER, "After the name"),
        ("Kit Marsh, nan", TIER, "not “nan”"),
    ],
)
def test_lines_that_are_not_understood_say_why(text, params, said):
    read = read_ratings(text, set(), params)
    assert not read.is_ready
    assert any(said in line.problem for line in read.lines), [line.problem for line in read.lines]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Name\tMu\nKit Marsh\t1640", "sigma is needed"),
        ("Name\tGames\nKit Marsh\t4", "No column holds the ratings"),
        ("Rate\tGames\n1640\t3", "No column holds the names"),
        ("Name\tRate\tElo\nKit\t1\t2", "Two columns are the same: rate."),
        ('Name\tRate\nKit\t1640\nAnn\t1640\nBo\t1640\n"Cy\t1640', "quote"),
    ],
)
def test_tables_that_are_not_understood_say_why(text, said):
    assert said in read_ratings(text, set(), TIER).problem


def test_a_rate_alone_is_as_sure_as_after_the_placement():
    assert skill_of_rate(1640.0, TIER) == (1640.0, 440.0)
    odd = TierParams(conservatism=2.0, offset=100.0, sigma0=400.0)
    assert skill_of_rate(1640.0, odd) == (1640.0 + 2 * 400 - 100, 400.0)


def test_the_stored_list_is_read_back_as_it_is(season):
    bring(
        season.pool,
        ("Ada", 1700.123456789, 350.5, 3),
        ("O'Neil, Jr", 1500.0, 300.0),
        ('"Ace" Kit', 1500.0, 300.0),
    )
    stored = list(BroughtRating.objects.select_related("player"))
    read = read_ratings(brought_text(stored, season.pool.kind), set(), TIER)
    assert [(each.name, each.mu, each.sigma, each.n_entries) for each in read.ratings] == [
        ("Ada", 1700.123456789, 350.5, 3), ("O'Neil, Jr", 1500.0, 300.0, 0), ('"Ace" Kit', 1500.0, 300.0, 0),
    ]  # fmt: skip
