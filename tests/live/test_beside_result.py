"""What a log says beside the finishing order: money by place, bounties, bonus points, knock-outs, a cash table."""

from decimal import Decimal

import pytest

from league.models import Change, EntryForm, Game, GameKind
from league.services.errors import Refused
from live.engine.bounties import envelopes_of
from live.models import Hunt
from live.queries import Rival, rivals_of
from live.roster import roster_of
from live.seeds import seed_of
from live.services.nights import begin_night, say_setup
from live.services.publishing import publish, read_night
from live.stored_log import state_of
from payouts.models import EntryBonus, EntryMoney, EventMoney
from standings.pages.history.changes import change_line
from standings.recomputation.service import recompute
from tests.live.nights import START, LiveNight

pytestmark = pytest.mark.django_db
PRICE = {"cost": 2000, "fee": 200, "decimals": 2, "currency": "EUR"}


def publish_now(night):
    return publish(night.night, night.season, answers={}, head=night.head(), actor=night.actor)


def an_evening(**setup):
    """Ada puts Cleo and Boris out, Dora puts Ada out and wins."""
    night = LiveNight(**setup)
    cost = {"cost": setup["cost"], "paid": setup["cost"]} if "cost" in setup else {}
    ada, boris, cleo, dora = night.enter("Ada", "Boris", "Cleo", "Dora", **cost)
    for minute, (out, by) in enumerate(((cleo, ada), (boris, ada), (ada, dora)), start=10):
        night.out(out, minute=minute)
        night.record("by", minute=minute, target=out, by=by)
    night.ids = {"Ada": ada, "Boris": boris, "Cleo": cleo, "Dora": dora}
    return night


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
    """Of 20, 2 are the fee and 4 the bounty: 56 in the pool, half of it each.

    Ada wins half of 4 twice and has 4 + 2 + 2 = 8 on her head: half to Dora, who keeps the rest and her own.
    """
    bounty = {"kind": "progressive", "amount": 400}
    event = publish_now(an_evening(**PRICE, payouts=[50, 50], bounty=bounty))
    assert prizes(event) == {"Dora": 28 + 12, "Ada": 28 + 4, "Boris": 0, "Cleo": 0}
    assert EventMoney.objects.get(event=event).stated_pool == 72


def test_envelopes_are_opened_in_the_order_of_the_draw():
    bounty = {"kind": "mystery", "amount": 500, "envelopes": [1000, 500, 300, 200]}
    night = an_evening(**PRICE, payouts=[100], bounty=bounty)
    say_setup(night.night, {**PRICE, "payouts": [100], "bounty": bounty}, None, actor=night.actor)
    first, second, third, last = envelopes_of(state_of(night.night), bounty, seed_of(night.night))
    assert sorted([first, second, third, last]) == [200, 300, 500, 1000]
    won = prizes(publish_now(night))
    pool = Decimal(4 * (20 - 2 - 5))
    assert won["Ada"] == Decimal(first + second) / 100
    assert won["Dora"] == pool + Decimal(third + last) / 100  # the last one is the winner's


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


@pytest.fixture
def cash_season():
    night = LiveNight(format="cash", fee=100, decimals=2)
    pool = night.season.pool
    Game.objects.create(
        club=night.season.club, pool=pool, name="Cash", kind=GameKind.POKER, entry_form=EntryForm.BALANCES
    )
    return night


def a_cash_table(night):
    """Ada buys in for 20 and 20, Boris for 20, each with a fee of 1; Ada leaves with 50, Boris with 8."""
    ada, boris = night.enter("Ada", "Boris", cost=2100, paid=2100)
    night.record("buy", minute=30, entry=ada, kind="rebuy", cost=2000)
    night.record("cash_out", minute=60, entry=ada, amount=5000)
    return ada, boris


def test_a_cash_table_becomes_balances(cash_season):
    night = cash_season
    _ada, boris = a_cash_table(night)
    assert "still in" in read_night(night.night, {}).why_not
    night.record("cash_out", minute=61, entry=boris, amount=900)
    assert "1.00 of what was put in" in read_night(night.night, {}).why_not
    night.record("cash_out", minute=62, entry=boris, amount=1000)
    event = publish_now(night)
    assert list(event.entries.order_by("place").values_list("player__name", "place", "balance")) == [
        ("Ada", 1, Decimal("9.000")),
        ("Boris", 2, Decimal("-11.000")),
    ]
    assert event.scoring["house"] == "2"
    assert event.game.name == "Cash"


def test_a_cash_table_needs_a_game_with_balances():
    night = LiveNight(format="cash")
    ada, boris = night.enter("Ada", "Boris", cost=20)
    for entry in (ada, boris):
        night.record("cash_out", minute=60, entry=entry, amount=20)
    with pytest.raises(Refused, match="balances"):
        publish_now(night)


def test_guests_of_one_night_stand_in_the_list_of_the_other():
    night = LiveNight()
    night.enter("Zoe, a guest")
    beside = begin_night(
        night.season.club, starts_at=START, season=None, planned_event=None, beside=night.night, name="",
        setup={}, form_token=None, actor=night.actor,
    )  # fmt: skip
    assert [(row["id"], row["name"]) for row in roster_of(beside)] == [(None, "Zoe, a guest")]
