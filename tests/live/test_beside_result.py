"""Try what a log says beside the finishing order: money by place, bounties, bonus points, knock-outs."""

from decimal import Decimal

import pytest

from league.models import Change
from league.services.errors import Refused
from live.courses import chips_of
from live.engine.project import project
from live.engine.seats import drawn
from live.forms import SetupForm
from live.models import Hunt
from live.queries import Rival, rivals_of
from live.roster import roster_of
from live.seeds import seed_of
from live.services.envelopes import envelopes_to_check
from live.services.nights import begin_night, say_setup
from live.showing.names import public_names
from live.stored_log import state_of
from payouts.models import ClubMoney, EntryBonus, EntryMoney, EventMoney
from standings.pages.history.changes import change_line
from standings.recomputation.service import recompute
from tests.factories import correct
from tests.live.evenings import PRICE, an_evening, publish_now
from tests.live.logs import Writer
from tests.live.nights import START, LiveNight

pytestmark = pytest.mark.django_db


def prizes(event):
    rows = EntryMoney.objects.filter(entry__event=event).order_by("entry__place")
    return {row.entry.player.name: row.prize for row in rows.select_related("entry__player")}


def test_the_prize_pool_is_shared_by_place():
    """4 x (20 - 2) = 72 in the pool; 50, 30 and 20 percent in whole euros, what is left to the first places."""
    event = publish_now(an_evening(**PRICE, payouts=[50, 30, 20]))
    money = EventMoney.objects.get(event=event)
    assert (money.buy_in, money.fee, money.payouts) == (18, 2, ["50", "30", "20"])
    assert prizes(event) == {"Dora": 37, "Ada": 21, "Boris": 14, "Cleo": 0}


def test_a_guarantee_is_added_to_and_what_is_typed_later_stays():
    night = an_evening(**PRICE, payouts=[100], guarantee=10000)
    event = publish_now(night)
    assert prizes(event)["Dora"] == 100
    EventMoney.objects.filter(event=event).update(payouts=["60", "40"])
    night.out("nobody", minute=30)
    publish_now(night)
    assert EventMoney.objects.get(event=event).payouts == ["60", "40"]


def test_progressive_bounties_are_won_beside_the_prize_of_a_place():
    """Add bounties to prizes: of 20, 2 are the fee and 4 the bounty: 56 in the pool, half of it each.

    Ada wins half of 4 twice and has 4 + 2 + 2 = 8 on her head: half to Dora, who keeps the rest and her own.
    """
    bounty = {"kind": "progressive", "amount": 400}
    event = publish_now(an_evening(**PRICE, payouts=[50, 50], bounty=bounty))
    assert prizes(event) == {"Dora": 28 + 12, "Ada": 28 + 4, "Boris": 0, "Cleo": 0}
    assert EventMoney.objects.get(event=event).stated_pool == 72


def test_rebuys_have_their_own_price_and_fill_the_pool():
    """4 x 18 and one rebuy of 10: 82 in the pool, half of it each."""
    night = LiveNight(**PRICE, rebuy=1000, payouts=[50, 50])
    ada, boris, cleo, _dora = night.enter("Ada", "Boris", "Cleo", "Dora", cost=2000, paid=2000)
    night.record("buy", minute=5, entry=ada, kind="rebuy", cost=1000, paid=1000)
    for minute, out in enumerate((ada, boris, cleo), start=10):
        night.out(out, minute=minute)
    event = publish_now(night)
    money = EventMoney.objects.get(event=event)
    assert (money.buy_in, money.fee, money.rebuy, money.payouts) == (18, 2, 10, ["50", "50"])
    assert prizes(event) == {"Dora": 41, "Cleo": 41, "Boris": 0, "Ada": 0}
    assert EntryMoney.objects.get(entry__event=event, entry__player__name="Ada").rebuys == 1


def test_fixed_bounties_follow_from_their_price_if_all_hunters_are_known():
    event = publish_now(an_evening(**PRICE, payouts=[100], bounty={"kind": "fixed", "amount": 400}))
    money = EventMoney.objects.get(event=event)
    assert (money.buy_in, money.bounty, money.payouts) == (14, 4, ["100"])
    assert prizes(event) == {"Dora": 56, "Ada": 0, "Boris": 0, "Cleo": 0}


def test_a_hunter_whom_nobody_saw_takes_no_prize_away():
    """Nobody saw who put Boris out: his bounty is the winner's, and the places are paid all the same."""
    night = LiveNight(**PRICE, payouts=[60, 40], bounty={"kind": "fixed", "amount": 400})
    ada, boris, cleo, dora = night.enter("Ada", "Boris", "Cleo", "Dora", cost=2000, paid=2000)
    for minute, (out, by) in enumerate(((cleo, ada), (boris, None), (ada, dora)), start=10):
        night.out(out, minute=minute)
        if by:
            night.record("by", minute=minute, target=out, by=by)
    event = publish_now(night)
    # 4 x (20 - 2 - 4) = 56: 34 and 22; Dora has Ada's, Boris' and her own bounty, Ada has Cleo's.
    assert prizes(event) == {"Dora": 34 + 12, "Ada": 22 + 4, "Boris": 0, "Cleo": 0}
    assert EventMoney.objects.get(event=event).bounty == 0


def test_who_entered_for_less_changes_no_price():
    night = LiveNight(**PRICE, payouts=[100])
    ada, boris = night.enter("Ada", "Boris", cost=2000, paid=2000)
    (cleo,) = night.enter("Cleo")
    for minute, out in enumerate((boris, cleo), start=10):
        night.out(out, minute=minute)
    assert ada
    event = publish_now(night)
    assert prizes(event) == {"Ada": 36, "Boris": 0, "Cleo": 0}


def test_a_free_night_has_its_guarantee_and_bounties():
    event = publish_now(an_evening(guarantee=100, payouts=[60, 40]))
    assert prizes(event) == {"Dora": 60, "Ada": 40, "Boris": 0, "Cleo": 0}
    event = publish_now(an_evening(bounty={"kind": "leader", "amount": 5, "on": ["Ada"]}))
    assert prizes(event)["Dora"] == 5


MYSTERY = {"kind": "mystery", "amount": 500, "envelopes": [1000, 500, 300, 200]}


def test_envelopes_are_drawn_by_the_site_and_stay_open():
    night = an_evening(**PRICE, payouts=[100], bounty=MYSTERY)
    state = state_of(night.night)
    opened = [state.envelopes[night.ids[name]] for name in ("Cleo", "Boris", "Ada")]
    assert len({*opened} & {1000, 500, 300, 200}) == 3
    night.record_by_page("void", target=night.outs["Cleo"], on=True)
    night.record("out", minute=40, groups=[[night.ids["Cleo"]]])
    night.record("by", minute=41, target=night.ids["Cleo"], by=night.ids["Dora"])
    assert state_of(night.night).envelopes == state.envelopes
    won = prizes(publish_now(night))
    pool, rest = Decimal(4 * (20 - 2 - 5)), 2000 - sum(opened)
    assert won["Ada"] == Decimal(opened[1]) / 100
    assert won["Dora"] == pool + Decimal(opened[0] + opened[2] + rest) / 100
    for each in envelopes_to_check(night.night):
        number = drawn(seed_of(night.night), each["i"], len(each["of"]))
        assert each["of"][number] == each["amount"]


def test_nobody_but_the_site_opens_an_envelope():
    night = an_evening(bounty=MYSTERY)
    forged = {"action": "x", "kind": "envelope", "body": {"entry": night.ids["Dora"], "amount": 1000}}
    night.record("admit", minute=50, **forged)
    assert night.ids["Dora"] not in state_of(night.night).envelopes
    night.record("envelope", minute=51, entry=night.ids["Dora"], amount=1000)
    assert night.reply.status == "held"


def test_what_is_in_envelopes_is_no_more_than_members_may_see(client):
    night = an_evening(**PRICE, bounty=MYSTERY)
    publish_now(night)
    address = f"/live/{night.night.pk}/draw.json"
    assert "envelopes" not in client.get(address).json()
    ClubMoney.objects.create(club=night.season.club, shows_net=True)
    assert len(client.get(address).json()["envelopes"]) == 3


def test_the_seed_of_envelopes_is_shown_as_a_fingerprint_first():
    night = LiveNight()
    assert state_of(night.night).seed == {}
    say_setup(night.night, {"bounty": {"kind": "mystery", "amount": 5}}, None, actor=night.actor)
    assert len(state_of(night.night).seed["sha256"]) == 64


def test_who_put_whom_out_is_kept_and_follows_the_log(client):
    night = an_evening()
    event = publish_now(night)
    people = {player.name: player for player in night.season.club.players.all()}
    assert rivals_of(people["Ada"], 5) == [
        Rival(people["Boris"].pk, "Boris", 1, 0),
        Rival(people["Cleo"].pk, "Cleo", 1, 0),
        Rival(people["Dora"].pk, "Dora", 0, 1),
    ]
    night.record_by_page("by", target=night.ids["Cleo"], by=night.ids["Boris"])
    publish_now(night)
    assert rivals_of(people["Cleo"], 5) == [Rival(people["Boris"].pk, "Boris", 0, 1)]
    assert Hunt.objects.filter(night=night.night).count() == 3
    recompute(night.season.pool_id)
    page = client.get(people["Ada"].get_absolute_url()).content.decode()
    assert "was put out by" in page
    event.delete()
    assert not Hunt.objects.exists()


def test_bonus_points_count_and_go_with_the_action(client):
    night = an_evening()
    event = publish_now(night)
    recompute(night.season.pool_id)
    before = event.entries.get(player__name="Cleo").points.points
    bonus = night.record_by_page("bonus", entry=night.ids["Cleo"], points=5, reason="High hand")
    night.record_by_page("bonus", entry=night.ids["Cleo"], points=2)
    publish_now(night)
    recompute(night.season.pool_id)
    assert event.entries.get(player__name="Cleo").points.points == before + 7
    assert "Bonus points: Cleo +7 (High hand)." in client.get(event.get_absolute_url()).content.decode()
    change = Change.objects.filter(kind=Change.Kind.TERMS_CHANGED).get()
    assert change_line(change, []).descriptions == ["Bonus points: – → Cleo +7 (High hand)"]
    night.record_by_page("void", target=bonus, on=True)
    publish_now(night)
    assert list(EntryBonus.objects.values_list("points", "reason")) == [(2, "")]


def test_bonus_points_without_measure_are_refused():
    night = an_evening()
    night.record_by_page("bonus", entry=night.ids["Cleo"], points=2_000_000)
    with pytest.raises(Refused):
        publish_now(night)


def test_guests_of_one_night_stand_in_the_list_of_the_other():
    night = LiveNight()
    night.enter("Zoe, a guest")
    beside = begin_night(
        night.season.club, starts_at=START, season=None, planned_event=None, beside=night.night, name="",
        setup={}, form_token=None, actor=night.actor,
    )  # fmt: skip
    assert [(row["id"], row["name"]) for row in roster_of(beside)] == [(None, "Zoe, a guest")]


def test_what_a_correction_by_form_took_away_is_back_when_published_again():
    night = an_evening()
    night.record("bonus", minute=50, entry=night.ids["Cleo"], points=5)
    event = publish_now(night)
    correct(event, "Dora\nAda\nBoris\nZoe")
    event.refresh_from_db()
    correct(event, "Dora\nAda\nBoris\nCleo")
    assert (Hunt.objects.count(), EntryBonus.objects.count()) == (2, 0)
    publish_now(night)
    assert (Hunt.objects.count(), EntryBonus.objects.count()) == (3, 1)


def test_who_put_somebody_out_goes_with_the_exit_that_is_undone():
    log = Writer()
    ada, boris, cleo = log.enter("Ada", "Boris", "Cleo")
    out = log.out(cleo)
    log.add("by", target=cleo, by=ada)
    log.add("void", "other", target=out, on=True)
    log.out(cleo)
    assert project(log.actions).entries[cleo].by is None
    log.add("void", "other", target=out, on=False)
    assert project(log.actions).entries[cleo].by == ada
    log.add("by", target=boris, by=boris)
    assert project(log.actions).entries[boris].by is None


def test_who_is_brought_back_gets_a_new_seat_and_is_told():
    night = LiveNight(seating="drawn", table_size=2)
    ada, boris = night.enter("Ada", "Boris")
    out = night.out(ada, minute=10)
    seat = state_of(night.night).entries[ada].seat
    (cleo,) = night.enter("Cleo", minute=11)
    before = state_of(night.night).entries[cleo].seat
    night.record("void", minute=12, target=out, on=True)
    state = state_of(night.night)
    assert seat is None
    assert state.entries[cleo].seat == before
    assert state.entries[ada].seat not in {None, before, state.entries[boris].seat}
    assert not state.entries[ada].has_seen


def test_emptied_prices_keep_the_decimals_of_a_night():
    night = LiveNight(cost=2000, decimals=2, currency="EUR")
    said = state_of(night.night).setup
    form = SetupForm({"stack": "5000"}, club=night.season.club, said=said)
    assert form.is_valid(), form.errors
    assert form.setup["decimals"] == 2


def test_players_begin_with_stacks_of_their_own():
    night = LiveNight()
    form = SetupForm({"stack": "5000", "own_stacks": "Ada: 12,000\nBoris： 800"}, club=night.season.club)
    assert form.is_valid(), form.errors
    assert form.setup["own_stacks"] == [["Ada", 12_000], ["Boris", 800]]
    say_setup(night.night, form.setup, None, actor=night.actor)
    night.enter("Ada", stack=12_000)
    night.enter("Cleo", stack=5_000)
    assert chips_of(state_of(night.night)) == 17_000
    for wrong in ("Ada 5", "Ada: many", "Ada: 0", "Ada: ,"):
        assert not SetupForm({"own_stacks": wrong}, club=night.season.club).is_valid()


def test_a_hidden_name_is_shown_by_nobody_who_types_it():
    night = LiveNight()
    player = night.season.club.players.create(name="Player 1", key="player 1", real_name="Edda Smith")
    (edda,) = night.enter("Edda Smith")
    assert public_names(night.night, state_of(night.night)) == {edda: "Player 1"}
    beside = begin_night(
        night.season.club, starts_at=START, season=None, planned_event=None, beside=night.night, name="",
        setup={}, form_token=None, actor=night.actor,
    )  # fmt: skip
    assert [row["name"] for row in roster_of(beside)] == [player.name]


def test_who_was_undone_is_not_at_hand_beside():
    night = LiveNight()
    (zoe,) = night.enter("Zoe")
    night.record("void", target=zoe, on=True)
    beside = begin_night(
        night.season.club, starts_at=START, season=None, planned_event=None, beside=night.night, name="",
        setup={}, form_token=None, actor=night.actor,
    )  # fmt: skip
    assert roster_of(beside) == []
