"""A cash table of a night: balances once all have left, fees apart, and only where a game takes them."""

from decimal import Decimal

import pytest

from league.models import EntryForm, Game, GameKind
from league.services.errors import Refused
from live.forms import StartForm
from live.services.nights import begin_night
from live.services.publishing import read_night
from live.stored_log import state_of
from tests.live.evenings import an_evening, publish_now
from tests.live.nights import START, LiveNight

pytestmark = pytest.mark.django_db


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


def test_a_correction_of_a_cash_table_keeps_its_fees(cash_season):
    night = cash_season
    _ada, boris = a_cash_table(night)
    night.record("cash_out", minute=62, entry=boris, amount=1000)
    event = publish_now(night)
    cleo = night.record_by_page("enter", name="Cleo", cost=2100, paid=2100)
    night.record_by_page("cash_out", entry=cleo, amount=2000)
    publish_now(night)
    event.refresh_from_db()
    assert event.scoring["house"] == "3"
    assert sum(event.entries.values_list("balance", flat=True)) == -3


def test_a_published_tournament_becomes_no_cash_table():
    night = an_evening()
    publish_now(night)
    night.record_by_page("setup", format="cash")
    for name in ("Ada", "Boris", "Cleo", "Dora"):
        night.record_by_page("cash_out", entry=night.ids[name], amount=0)
    with pytest.raises(Refused, match="does not become"):
        publish_now(night)


def test_only_a_cash_table_gives_money_back():
    night = an_evening()
    night.record_by_page("cash_out", entry=night.ids["Dora"], amount=5)
    state = state_of(night.night)
    assert [each.kind for each in state.questions] == ["no_cash"]
    assert [entry.name for entry in state.still_in] == ["Dora"]


def test_a_new_night_takes_over_the_last_tournament_and_no_cash_table():
    night = LiveNight(stack=5_000)
    begin_night(
        night.season.club, starts_at=START, season=None, planned_event=None, beside=night.night, name="Cash",
        setup={"format": "cash", "cost": 20}, form_token=None, actor=night.actor,
    )  # fmt: skip
    form = StartForm(None, club=night.season.club, planned=None)
    assert (form.initial["stack"], form.initial["format"]) == (5_000, None)
