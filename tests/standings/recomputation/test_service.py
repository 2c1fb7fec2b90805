"""The one recomputation: right, repeatable, restartable, and the same from a change on as from scratch."""

import pytest
from django.forms.models import model_to_dict

from league.models import Event
from league.services.events import correct_result, delete_event
from payouts.models import EntryPoints
from ratings.engine.history import EventHistory
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import rate_event
from ratings.engine.tier.pool_state import PoolState
from ratings.models import PlayerRating, RatedEntry
from reading.results import EntryInput, EventDetails
from standings.models import Recomputation, SeasonSummary, Standing
from standings.queries import stale_pools
from standings.recomputation.service import claim_stale_pools, recompute
from tests.factories import START, enter, names

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def rows(*models):
    """Every computed row without its id, to compare bit by bit."""
    dumped = []
    for model in models or (RatedEntry, PlayerRating, EntryPoints, Standing, SeasonSummary):
        for row in model.objects.all():
            fields = {field: value for field, value in model_to_dict(row).items() if field != "id"}
            dumped.append((model.__name__, sorted((k, repr(v)) for k, v in fields.items())))
    return sorted(dumped)


def test_ten_names_give_vp_kid_points_rates_and_badges(season, enter_event):
    enter_event("\n".join(names(10)))
    standings = Standing.objects.order_by("points_position")
    assert [int(row.points) for row in standings] == [5, 3, 1, 1, 0, 0, 0, 0, 0, 0]
    assert [int(row.total) for row in standings[:4]] == [6, 4, 2, 2]
    winner = RatedEntry.objects.get(place=1)
    rated = rate_event(
        EventHistory.of_orders([list(range(10))]), PoolState.fresh(10, TierParams()), TierParams()
    )
    assert (winner.posterior_mu, winner.posterior_sigma) == (rated.posterior_mu[0], rated.posterior_sigma[0])
    # Six minutes for each entry if no end is known: an hour, of which everybody played a half on average.
    assert winner.minutes == 30.0
    assert winner.evidence == pytest.approx(TierParams().hands_scale * 0.5 ** (1 / 3))
    shown = rate(float(rated.posterior_mu[0]), float(rated.posterior_sigma[0]), TierParams())
    assert standings[0].rate == winner.posterior_rate == shown
    assert standings[0].badge == "B1"
    assert all(row.is_provisional and row.tier_rank is None for row in standings)


def enter_three_events(season):
    texts = [
        "Ada\nBoris\nCleo\nDmitri\nEdda",
        "Cleo = Edda\nBoris x2\nFritz\nAda",
        "Gunnar\nAda\nBoris\nCleo\nFritz",
    ]
    return [enter(season, text, day=7 * i) for i, text in enumerate(texts)]


def order(*names_):
    return [EntryInput(name, place) for place, name in enumerate(names_, start=1)]


def test_computing_twice_gives_identical_rows(season):
    enter_three_events(season)
    recompute(season.pool_id)
    first = rows()
    recompute(season.pool_id, from_scratch=True)
    assert rows() == first
    assert len(first) > 30


def test_nothing_to_do_writes_nothing(season, django_assert_max_num_queries):
    enter_three_events(season)
    recompute(season.pool_id)
    before = Recomputation.objects.get().rated_at
    with django_assert_max_num_queries(8):  # on PostgreSQL, taking and releasing the lock are queries too
        assert recompute(season.pool_id)
    assert Recomputation.objects.get().rated_at == before


def correct_first(events):
    correct_result(
        events[0], EventDetails(START), order("Edda", "Cleo", "Boris", "Ada", "Hilda"), version=1, actor=None
    )


def move_last_to_the_front(events):
    details = EventDetails(START.replace(day=2))
    correct_result(events[2], details, order("Gunnar", "Ada", "Boris"), version=1, actor=None)


def delete_middle(events):
    delete_event(events[1], version=1, actor=None)


def delete_all(events):
    for event in events:
        delete_event(event, version=1, actor=None)


@pytest.mark.parametrize("correction", [correct_first, move_last_to_the_front, delete_middle, delete_all])
def test_a_correction_gives_the_rows_of_a_computation_from_scratch(season, correction):
    events = enter_three_events(season)
    recompute(season.pool_id)
    before = rows()
    correction(events)
    recompute(season.pool_id)
    corrected = rows()
    recompute(season.pool_id, from_scratch=True)
    assert corrected == rows()
    assert corrected != before


def test_a_correction_leaves_earlier_ratings_alone(season):
    events = enter_three_events(season)
    recompute(season.pool_id)
    pks = set(RatedEntry.objects.filter(event__in=events[:2]).values_list("pk", flat=True))
    correct_result(
        events[2], EventDetails(events[2].starts_at), order("Ada", "Gunnar", "Boris"), version=1, actor=None
    )
    recompute(season.pool_id)
    assert pks == set(RatedEntry.objects.filter(event__in=events[:2]).values_list("pk", flat=True))
    assert RatedEntry.objects.filter(event=events[2]).count() == 3


def test_the_old_rows_stay_if_writing_the_new_ones_fails(season, monkeypatch):
    events = enter_three_events(season)
    recompute(season.pool_id)
    correct_first(events)
    before = rows()  # deleting an entry has deleted its points

    def fail(*_args, **_kwargs):
        raise RuntimeError("killed here")

    monkeypatch.setattr("standings.recomputation.work.write_points", fail)
    with pytest.raises(RuntimeError):
        recompute(season.pool_id)
    assert rows() == before
    state = Recomputation.objects.get()
    assert (state.n_failures, state.rated_version) == (1, 3)
    assert "killed here" in state.error
    monkeypatch.undo()
    recompute(season.pool_id)
    after = rows()
    recompute(season.pool_id, from_scratch=True)
    assert after == rows() != before


def test_a_renamed_player_is_sorted_anew(season):
    from league.models import Player
    from league.services.players import update_player
    from tests.factories import UserFactory

    enter(season, "Ada = Boris\nCleo")
    recompute(season.pool_id)
    update_player(Player.objects.get(name="Ada"), name="Zoe", is_guest=False, actor=UserFactory())
    recompute(season.pool_id)
    in_order = Standing.objects.order_by("points_position").values_list("player__name", flat=True)
    assert list(in_order) == ["Boris", "Zoe", "Cleo"]


def test_a_saved_result_is_published_once_and_claimed_by_the_sweep(season, published):
    enter(season, "Ada\nBoris")
    assert published == [season.pool_id]
    assert claim_stale_pools() == [season.pool_id]
    assert claim_stale_pools() == []
    recompute(season.pool_id)
    Recomputation.objects.update(published_at=None)
    assert claim_stale_pools() == []


def test_events_at_the_same_moment_are_rated_in_the_order_they_were_entered(season):
    first, second = enter(season, "Ada\nBoris"), enter(season, "Boris\nAda")
    recompute(season.pool_id)
    rated = RatedEntry.objects.filter(player__name="Ada").order_by("n_before")
    assert [row.event_id for row in rated] == [first.pk, second.pk]
    assert Event.objects.in_rating_order().first() == first


def test_rows_of_another_engine_are_computed_again(season, enter_event):
    for field in ("Ada\nBoris\nCleo", "Cleo\nAda\nBoris"):
        enter_event(field)
    before = rows()
    assert not stale_pools()
    RatedEntry.objects.update(posterior_mu=0.0, balance=0.0)
    Recomputation.objects.update(engine_revision=0)
    assert [pool.pk for pool in stale_pools()] == [season.pool_id]
    assert recompute(season.pool_id)
    assert rows() == before
    assert not stale_pools()
