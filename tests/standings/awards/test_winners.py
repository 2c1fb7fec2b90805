"""Who wins an award: what the standings say."""

from decimal import Decimal
from importlib import import_module

import pytest
from django.apps import apps

from league.models import Player, Pool, Season
from league.services.players import update_player
from ratings.engine.tier.params import TierParams
from ratings.models import RatedEntry
from ratings.services.settings import set_rating_settings
from standings.awards.winners import season_awards
from standings.models import EventColumns, Standing
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, correct, enter
from tests.standings.awards.choices import COMPUTED, add, url

pytestmark = pytest.mark.django_db


def won(season):
    """(place, names) of each award by its title."""
    return {
        str(won.award): [(place.place, [winner.name for winner in place.winners]) for place in won.places]
        for won in season_awards(season)
    }


def value(season, kind):
    return next(won for won in season_awards(season) if won.award.kind == kind).places[0].value


def test_each_award_is_won_by_what_the_standings_say(season, events):
    for kind in COMPUTED:
        add(season, kind=kind, min_events=2 if kind == "most_improved" else 1)
    lines = {row.player.name: row for row in Standing.objects.select_related("player")}
    assert {name: row.total for name, row in lines.items()} == {"Ada": 6, "Boris": 5, "Cleo": 6, "Dana": 1}
    found = won(season)
    gains = {name: row.rate - row.rate_from_third for name, row in lines.items() if row.n_events >= 3}
    assert found == {
        "First three on points": [(1, ["Ada"]), (2, ["Cleo"]), (3, ["Boris"])],
        "Best profit per tourney": [(1, ["Ada"])],
        "Best attendance": [(1, ["Boris", "Cleo"])],
        "Best newcomer": [(1, ["Ada"])],
        "Most improved": [(1, [max(gains, key=gains.get)])],
        "Most wins": [(1, ["Ada"])],
        "Most knock-outs": [],
    }
    assert value(season, "first_three") == Decimal(6)
    assert value(season, "best_profit") == Decimal(1)
    assert (value(season, "most_attendance"), value(season, "most_wins")) == (3, 2)
    assert value(season, "most_improved") == max(gains.values())


def test_knock_outs_count_over_the_events_of_the_season(season, enter_event):
    """Two awards for them count nothing twice: Ada knocked out 1 + 2, Boris 3, Cleo 1."""
    enter_event("Ada ko 1\nBoris ko 3\nCleo")
    enter_event("Cleo ko 1\nAda ko 2\nBoris", day=7)
    add(season, kind="most_knockouts")
    add(season, kind="most_knockouts", title="Hunter")
    recompute(season.pool_id)
    assert won(season) == {"Most knock-outs": [(1, ["Ada", "Boris"])], "Hunter": [(1, ["Ada", "Boris"])]}
    assert value(season, "most_knockouts") == 3


def test_a_least_number_of_events_leaves_the_rare_guest_out(season, enter_event, events):
    enter_event("Zoe\nAda\nBoris\nCleo\nDana", day=21)
    add(season, kind="best_profit", title="Any", min_events=1)
    add(season, kind="best_profit", title="Three", min_events=3)
    add(season, kind="best_profit", title="Nine", min_events=9)
    assert won(season) == {"Any": [(1, ["Zoe"])], "Three": [(1, ["Ada"])], "Nine": []}


def test_the_gain_runs_from_before_the_first_event_of_the_season_to_after_its_last(club, season, enter_event):
    enter_event("Ada\nBoris\nCleo")
    second = SeasonFactory(club=club, starts_on="2026-03-01")
    enter(second, "Boris\nAda", day=60)
    enter(second, "Boris\nAda", day=67)
    recompute(season.pool_id)
    lines = Standing.objects.all()
    assert {(row.season, row.player.name) for row in lines} == {
        *((season, name) for name in ("Ada", "Boris", "Cleo")),
        *((second, name) for name in ("Ada", "Boris")),
    }
    for row in lines:
        rated = list(
            RatedEntry.objects.filter(player=row.player, event__season=row.season).order_by("starts_at")
        )
        assert (row.rate_before, row.rate) == (rated[0].prior_rate, rated[-1].posterior_rate)
        assert row.rate_from_third is None


def test_improvement_counts_from_the_third_event_so_that_a_placement_does_not_win(season, enter_event):
    for day in range(3):
        enter_event("Ada\nBoris\nCleo\nDana", day=day)
    add(season, kind="most_improved")
    enter_event("Zoe\nAda\nCleo\nBoris\nDana", day=3)
    enter_event("Zoe\nAda\nBoris\nCleo\nDana", day=4)
    lines = {row.player.name: row for row in Standing.objects.select_related("player")}
    assert lines["Zoe"].rate - lines["Zoe"].rate_before > lines["Ada"].rate - lines["Ada"].rate_from_third
    assert lines["Zoe"].rate_from_third is None
    third = RatedEntry.objects.filter(player=lines["Ada"].player).order_by("starts_at")[2]
    assert lines["Ada"].rate_from_third == third.prior_rate
    assert won(season) == {"Most improved": [(1, ["Ada"])]}


def test_a_newcomer_has_played_his_first_event_in_this_season(club, season, enter_event):
    enter_event("Ada\nBoris")
    second = SeasonFactory(club=club, starts_on="2026-03-01")
    enter(second, "Ada\nCleo", day=60)
    recompute(season.pool_id)
    add(second, kind="best_newcomer")
    assert won(second) == {"Best newcomer": [(1, ["Cleo"])]}
    enter_event("Boris\nCleo", day=2)  # found later: Cleo had been there before
    assert won(second) == {"Best newcomer": []}
    assert set(
        Standing.objects.filter(season=season, is_newcomer=True).values_list("player__name", flat=True)
    ) == {
        "Ada",
        "Boris",
        "Cleo",
    }


def newcomers(season):
    rows = Standing.objects.filter(season=season, is_newcomer=True).order_by("player__key")
    return list(rows.values_list("player__name", flat=True))


def test_a_season_that_begins_with_new_ratings_has_no_other_newcomers(club, season, enter_event):
    """Cleo and Dana are new; Dana comes again at once, and has another event at the same moment."""
    enter_event("Ada\nBoris")
    second = SeasonFactory(club=club, starts_on="2026-03-01")
    set_rating_settings(season.pool, TierParams(season_start="full"), revision=0, actor=None)
    first = enter(second, "Ada\nCleo\nDana x2", day=60)
    enter(second, "Dana\nBoris", day=60)
    recompute(season.pool_id)
    assert RatedEntry.objects.get(event=first, player__name="Ada").n_before == 0
    assert (newcomers(season), newcomers(second)) == (["Ada", "Boris"], ["Cleo", "Dana"])
    correct(first, "Cleo\nAda\nDana x2")
    recompute(season.pool_id)
    EventColumns.objects.all().delete()  # then the rows of the rated entries are read
    enter(second, "Ada\nBoris\nEva", day=67)
    recompute(season.pool_id)
    assert newcomers(second) == ["Cleo", "Dana", "Eva"]
    enter(second, "Ada\nBoris\nFritz", day=74)  # the columns of the others are read
    recompute(season.pool_id)
    assert newcomers(second) == ["Cleo", "Dana", "Eva", "Fritz"]


def test_newcomers_of_two_pools_are_those_of_each(club, season, enter_event):
    """Whichever pool is recomputed, and in whichever order."""
    other = SeasonFactory(club=club)
    Season.objects.filter(pk=other.pk).update(pool=Pool.objects.create(club=club, name="Other"))
    other.refresh_from_db()
    enter_event("Ada\nBoris", day=7)
    enter(other, "Ada\nBoris\nCleo")
    recompute(other.pool_id)
    recompute(season.pool_id, from_scratch=True)
    newcomers = Standing.objects.filter(is_newcomer=True).order_by("player__key")
    assert list(newcomers.filter(season=season).values_list("player__name", flat=True)) == ["Ada", "Boris"]
    assert list(newcomers.filter(season=other).values_list("player__name", flat=True)) == [
        "Ada",
        "Boris",
        "Cleo",
    ]


def test_an_event_of_another_club_makes_nobody_an_old_hand(season, enter_event):
    enter(SeasonFactory(club=ClubFactory()), "Ada\nBoris")
    enter_event("Ada\nBoris", day=7)
    assert Standing.objects.filter(season=season, is_newcomer=True).count() == 2


def test_tied_winners_share_a_place(season, enter_event):
    enter_event("Ada = Boris\nCleo")
    add(season, kind="first_three")
    assert won(season) == {"First three on points": [(1, ["Ada", "Boris"]), (3, ["Cleo"])]}


def test_a_player_chosen_by_hand_need_not_have_played(season, client, events, people):
    from league.services.players import add_player

    person = add_player(season.club, name="Zoe", actor=None)
    add(season, kind="chosen", title="Best dealer", player=person)
    assert won(season) == {"Best dealer": [(1, ["Zoe"])]}
    assert "Chosen by the organizers." in client.get(url(season)).content.decode()
    update_player(person, name="Zoe B", is_guest=False, actor=people["organizer"])
    assert won(season) == {"Best dealer": [(1, ["Zoe B"])]}


def test_a_player_with_an_award_is_not_lost(season, events):
    from django.db.models import ProtectedError

    person = Player.objects.get(name="Ada")
    add(season, kind="chosen", title="Best dealer", player=person)
    person.entries.all().delete()
    with pytest.raises(ProtectedError):
        person.delete()


def test_sealed_seasons_keep_the_improvement_that_was_counted_from_the_first_event(season, events):
    """The migration that adds the rate before the third event leaves the award of a sealed season as it was."""
    add(season, kind="most_improved")
    Season.objects.filter(pk=season.pk).update(is_closed=True, is_sealed=True)
    Standing.objects.update(rate_from_third=None)
    migration = import_module("standings.migrations.0010_moves_and_inactive")
    migration.keep_sealed_awards(apps, None)
    gains = {row.player.name: row.rate - row.rate_before for row in Standing.objects.select_related("player")}
    assert won(season) == {"Most improved": [(1, [max(gains, key=gains.get)])]}
    assert value(season, "most_improved") == max(gains.values())
