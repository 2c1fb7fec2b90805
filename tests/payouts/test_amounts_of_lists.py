"""Money in pasted tables and files: it goes to the money of the event, and what is recorded there already stays."""

from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.models import Entry, Event, Import
from payouts.models import EntryMoney, EventMoney
from tests.entry.event_forms import create_url, edit_url, filled

pytestmark = pytest.mark.django_db
TABLE = (
    "Rank\tPlayer\tBuy-in\tFee\tRebuys\tAdd-ons\tKO\tBounties\tWinnings\n"
    "1\tIris\t20\t2\t1\t1\t2\t€15\t€60\n"
    "2\tMoss\t20\t2\t0\t0\t0\t\t€30\n"
    "3\tAce\t20\t2\t0\t0\t0\t\t\n"
)
AS_CHIPS = "rebuys=chip_rebuys"


def rows():
    money = EntryMoney.objects.order_by("entry__place")
    return list(money.values_list("entry__player__name", "rebuys", "add_ons", "prize"))


def paste(client, season, text=TABLE, **fields):
    typed = filled(text, **{"answer": AS_CHIPS} | fields)
    return client.post(
        create_url(season), {name: value for name, value in typed.items() if value is not None}
    )


def test_a_pasted_table_records_the_money_of_the_event(organizer_client, season):
    """Bounties of 5: two for Iris' knock-outs and her own. The prizes of 90 are the pool."""
    assert paste(organizer_client, season).status_code == 302
    money = EventMoney.objects.get()
    assert [Decimal(getattr(money, name)) for name in ("buy_in", "fee", "rebuy", "bounty", "stated_pool")] == [
        20, 2, 20, 5, 90,
    ]  # fmt: skip
    assert rows() == [("Iris", 1, 1, 60), ("Moss", 0, 0, 30), ("Ace", 0, 0, 0)]
    assert list(Entry.objects.values_list("number", flat=True)) == [1, 1, 1]
    page = organizer_client.get(
        reverse("payouts:money-edit", args=[season.club.slug, Event.objects.get().pk])
    )
    # Iris: 60 and three bounties of 5, less 20 + 2 + 5 and a rebuy of 20; the price of the add-on is not known.
    assert '<td class="n net key">+28</td>' in page.content.decode()
    assert "disagree" not in page.content.decode()


def test_money_that_is_recorded_is_not_touched_by_a_correction(organizer_client, season):
    paste(organizer_client, season)
    event = Event.objects.get()
    EventMoney.objects.update(buy_in=50)
    again = filled(TABLE.replace("€60", "€40"), version=1, answer=AS_CHIPS)
    assert organizer_client.post(edit_url(event), again).status_code == 302
    assert (EventMoney.objects.get().buy_in, rows()[0]) == (50, ("Iris", 1, 1, 60))


def test_a_wrong_amount_is_shown_beside_its_row(organizer_client, season):
    page = paste(organizer_client, season, TABLE.replace("€60", "-60")).content.decode()
    assert "“-60” is no number from 0 to 999999999" in page
    assert not Event.objects.exists()


def test_bounties_that_fit_no_price_are_part_of_the_prize(organizer_client, season):
    paste(organizer_client, season, TABLE.replace("€15", "€17"))
    assert EventMoney.objects.get().bounty == 0
    assert rows()[0] == ("Iris", 1, 1, 77)


FILE = (
    "Date,Pl,Player,Cost,Add-ons,Prize\n"
    "2026-01-13,1,Iris,30,1,45\n2026-01-13,2,Moss,20,0,25\n2026-01-13,3,Ace,20,,\n"
)


def imported(client, season, text=FILE, name="night.csv"):
    upload = SimpleUploadedFile(name, text.encode())
    preview = client.post(
        reverse("entry:import-upload", args=[season.club.slug, season.slug]), {"file": upload}
    ).url
    page = client.get(preview).content.decode()
    client.post(preview, {"save": "1"})
    return page


def test_a_file_records_the_money_of_its_events_and_undoing_it_takes_it_back(organizer_client, season):
    """The add-on costs what is left of the cost of 30 above the others' 20."""
    page = imported(organizer_client, season)
    assert "go to the money of the events" in page
    money = EventMoney.objects.get()
    assert (money.buy_in, money.add_on, money.stated_pool) == (20, 10, 70)
    assert rows() == [("Iris", 0, 1, 45), ("Moss", 0, 0, 25), ("Ace", 0, 0, 0)]
    organizer_client.post(reverse("entry:import-undo", args=[season.club.slug, Import.objects.get().pk]), {})
    assert not EventMoney.objects.exists()


def test_a_file_of_our_own_names_the_same_columns(organizer_client, season):
    head = "event,date,player,place,chip_rebuys,add_ons,fee,bounties,prize,cost\n"
    lines = "n1,2026-01-13,Iris,1,1,0,2,0,40,40\nn1,2026-01-13,Moss,2,0,0,2,0,,20\n"
    imported(organizer_client, season, head + lines)
    money = EventMoney.objects.get()
    assert (money.buy_in, money.rebuy, money.fee, money.stated_pool) == (20, 20, 2, 40)
    assert rows() == [("Iris", 1, 0, 40), ("Moss", 0, 0, 0)]


def test_amounts_that_are_too_large_together_are_refused_and_nothing_is_saved(organizer_client, season):
    lines = "".join(f"2026-01-13,{place},P{place},20,0,999999999\n" for place in (1, 2))
    imported(organizer_client, season, "Date,Pl,Player,Cost,Add-ons,Prize\n" + lines)
    assert not Event.objects.exists()


def test_a_list_without_money_records_none(organizer_client, season):
    imported(organizer_client, season, "Date,Pl,Player\n2026-01-13,1,Iris\n2026-01-13,2,Moss\n")
    assert Event.objects.exists()
    assert not EventMoney.objects.exists()
