"""Publishing: the log is the result, once, whatever is killed; what comes later is one correction."""

from itertools import count

import pytest
from django.db import connection, transaction

from league.models import Change, EntryForm, Event, Game, GameKind, Player, PlayerAlias, Pool
from league.services.errors import Refused, Stale
from live.models import Night
from live.services.held import admit, waiting
from live.services.publishing import publish, read_night
from live.stored_log import state_of
from payouts.models import EventMoney
from tests.factories import correct
from tests.live.nights import LiveNight

pytestmark = pytest.mark.django_db


def an_evening(**setup):
    """Play a night of four with a re-entry; return it, ready to be published."""
    night = LiveNight(**setup)
    night.ada, night.boris, night.cleo, night.dora = night.enter("Ada", "Boris", "Cleo", "Dora")
    night.out(night.boris, minute=10)
    (night.again,) = night.enter("Boris", minute=15)
    night.out(night.cleo, minute=30)
    night.out(night.again, minute=40)
    night.out(night.ada, minute=50)
    return night


def publish_now(night, **more):
    arguments = {"answers": {}, "head": night.head(), "actor": night.actor, **more}
    return publish(night.night, night.season, **arguments)


def stored(event):
    rows = event.entries.order_by("place").values_list("player__name", "number", "place")
    return list(rows)


EXPECTED = [("Dora", 1, 1), ("Ada", 1, 2), ("Boris", 2, 3), ("Cleo", 1, 4), ("Boris", 1, 5)]


def test_the_log_is_the_result():
    night = an_evening()
    event = publish_now(night)
    assert stored(event) == EXPECTED
    night.night.refresh_from_db()
    assert (night.night.event, night.night.stage) == (event, Night.Stage.PUBLISHED)
    change = Change.objects.get(event=event)
    assert change.reason == "From the log of the night"
    assert change.actor == night.actor


def test_published_twice_it_is_one_event():
    night = an_evening()
    assert publish_now(night) == publish_now(night)
    assert Event.objects.count() == 1
    assert Change.objects.filter(kind=Change.Kind.RESULT_ENTERED).count() == 1


class Killed(BaseException):
    """A worker that is killed: nothing catches it."""


def killing_at(n):
    """Make a wrapper of queries that kills the process at the n-th one."""
    counts = iter(range(10**6))

    def wrapper(execute, *args):
        if next(counts) == n:
            raise Killed
        return execute(*args)

    return wrapper


def is_killed(act, n):
    """Do something that is killed at its n-th statement; tell whether it had that many."""
    try:
        with transaction.atomic(), connection.execute_wrapper(killing_at(n)):
            act()
    except Killed:
        return True
    return False


@pytest.mark.rest
def test_killed_at_any_statement_and_repeated_it_is_one_event_equal_to_the_projection():
    """Property 9."""
    night = an_evening(cost=20)
    for n in count():
        with transaction.atomic():
            was_killed = is_killed(lambda: publish_now(night), n)
            assert Event.objects.count() == (not was_killed)
            assert stored(publish_now(night)) == EXPECTED
            assert Event.objects.count() == 1
            transaction.set_rollback(True)
        if not was_killed:
            break
    assert n > 20


def test_what_comes_late_is_one_correction():
    """Property 9, second half: a phone that was away had seen Cleo go out after Boris."""
    night = an_evening()
    event = publish_now(night)
    night.record("out", minute=45, phone="late", groups=[[night.cleo]])
    assert night.reply.status == "held"
    (row,) = waiting(night.night)
    undone = next(
        row.name for row in night.night.actions.filter(kind="out") if row.body["groups"] == [[night.cleo]]
    )
    admit(row, actor=night.actor)
    night.record_by_page("void", target=undone, on=True)
    assert waiting(night.night) == []
    assert publish_now(night) == event == publish_now(night)
    assert stored(event) == [
        ("Dora", 1, 1), ("Ada", 1, 2), ("Cleo", 1, 3), ("Boris", 2, 4), ("Boris", 1, 5),
    ]  # fmt: skip
    assert Change.objects.filter(event=event, kind=Change.Kind.RESULT_CORRECTED).count() == 1


def test_a_result_that_was_corrected_by_its_form_is_not_overwritten_unasked():
    night = an_evening()
    event = publish_now(night)
    correct(event, "Ada\nDora\nBoris\nCleo")
    event.refresh_from_db()
    night.record_by_page("note", text="late")
    with pytest.raises(Stale):
        publish_now(night)
    publish_now(night, replaces_version=event.version)
    assert stored(event) == EXPECTED


def test_a_log_that_went_on_since_it_was_shown_is_shown_again():
    night = an_evening()
    head = night.head()
    night.record("note", minute=60, text="fine")
    with pytest.raises(Refused, match="Something was recorded meanwhile"):
        publish_now(night, head=head)


def test_several_left_no_season_or_called_off_is_refused_with_the_reason():
    night = LiveNight()
    night.enter("Ada", "Boris")
    with pytest.raises(Refused, match="2 are still in: Ada, Boris"):
        publish_now(night)
    over = an_evening()
    with pytest.raises(Refused, match="Choose the season"):
        publish(over.night, None, answers={}, head=over.head(), actor=over.actor)
    Night.objects.filter(pk=over.night.pk).update(stage=Night.Stage.CALLED_OFF)
    with pytest.raises(Refused, match="called off"):
        publish_now(over)


def test_a_guest_named_like_a_member_is_asked_about():
    night = LiveNight()
    edda = Player.objects.create(club=night.season.club, name="Edda", key="edda")
    eda, boris = night.enter("Eda", "Boris")
    night.out(eda, minute=10)
    (question,) = read_night(night.night, {}).understood.questions
    assert "Eda" in question.text
    with pytest.raises(Refused, match="Say first who is meant"):
        publish_now(night)
    event = publish_now(night, answers={"eda": str(edda.pk)})
    assert stored(event) == [("Boris", 1, 1), ("Edda", 1, 2)]
    assert PlayerAlias.objects.get(player=edda).name == "Eda"
    assert boris


def test_a_member_from_the_list_keeps_the_place_when_renamed_in_between():
    night = LiveNight()
    edda = Player.objects.create(club=night.season.club, name="Edda", key="edda")
    night.enter("Edda", player=edda.pk)
    (boris,) = night.enter("Boris")
    night.out(boris, minute=10)
    Player.objects.filter(pk=edda.pk).update(name="Edda K", key="edda k")
    assert stored(publish_now(night)) == [("Edda K", 1, 1), ("Boris", 1, 2)]


def test_costs_and_a_deal_become_the_money_of_the_event():
    night = LiveNight(cost=20)
    ada, boris = night.enter("Ada", "Boris", cost=20, paid=20)
    night.record("chop", minute=10, method="even", groups=[[ada], [boris]], money={ada: 20, boris: 20})
    event = publish_now(night)
    money = EventMoney.objects.get(event=event)
    assert money.buy_in == 20
    assert sorted(event.entries.values_list("player__name", "cost", "money__prize")) == [
        ("Ada", 20, 20),
        ("Boris", 20, 20),
    ]


def test_ratings_never_meet_a_night_that_is_not_published():
    night = an_evening()
    assert state_of(night.night).n_in == 1
    assert (Event.objects.count(), Player.objects.count()) == (0, 0)


def test_a_correction_has_the_times_of_the_log_to_the_second():
    """Two exits of one minute change places: both move in time, though their minutes stay."""
    night = LiveNight()
    ada, boris, _cleo = night.enter("Ada", "Boris", "Cleo")
    first = night.out(ada, minute=10.1)
    night.out(boris, minute=10.8)
    event = publish_now(night)
    night.record_by_page("order", target=first)
    publish_now(night)
    rows = list(event.entries.order_by("-place").values_list("player__name", "busted_at"))
    assert [name for name, _time in rows] == ["Boris", "Ada", "Cleo"]
    assert rows[0][1] <= rows[1][1]


def test_a_guest_whose_name_no_form_takes_is_named_anew():
    night = LiveNight()
    long = "x" * 61
    (guest, boris) = night.enter(long, "Boris")
    night.out(boris, minute=10)
    reading = read_night(night.night, {})
    assert (reading.bad_name, reading.outcome) == (long, None)
    with pytest.raises(Refused, match="x: "):
        publish_now(night)
    assert stored(publish_now(night, answers={f"rename:{long}": "Zoe"})) == [("Zoe", 1, 1), ("Boris", 1, 2)]
    assert guest


def test_the_event_is_rated_in_the_pool_of_its_season_whatever_games_there_are():
    night = an_evening()
    club = night.season.club
    other = Pool.objects.create(club=club, name="Other")
    Game.objects.create(club=club, pool=other, name="Omaha", kind=GameKind.POKER, entry_form=EntryForm.ORDER)
    event = publish_now(night)
    assert event.pool == night.season.pool
    assert event.game is None or event.game.pool == night.season.pool
