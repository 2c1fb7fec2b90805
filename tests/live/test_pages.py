"""Pages of live nights for organizers: start, doors, helpers, finish, deal, call off and open again."""

import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import EntryForm, Event, Game, GameKind, Role
from league.services.bin import restore
from league.services.events import delete_event
from live.models import Device, Night
from live.services.passes import revoke_device
from people.services.members import set_member
from tests.factories import SeasonFactory
from tests.live.nights import LiveNight

pytestmark = pytest.mark.django_db


@pytest.fixture
def live(client):
    found = LiveNight(SeasonFactory(starts_on="2026-01-01"), cost=2000, decimals=2, stack=5000)
    set_member(found.season.club, user=found.actor, role=Role.HELPER, actor=None)
    client.force_login(found.actor)
    found.of = lambda name, *more: reverse(
        f"live:{name}", args=[found.season.club.slug, found.night.pk, *more]
    )
    return found


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_a_night_begins_once_with_the_lines_of_the_last_one(client, live):
    url = reverse("live:start", args=[live.season.club.slug])
    page = client.get(url)
    form = page.context["form"]
    assert (form["stack"].value(), form["cost"].value()) == (5000, 20)
    sent = {
        "starts_at": f"{timezone.localdate()}T19:00",
        "season": live.season.pk,
        "stack": "6000",
        "cost": "25",
        "form_token": str(uuid.uuid4()),
    }
    answers = [client.post(url, sent) for _twice in range(2)]
    assert answers[0].url == answers[1].url
    night = Night.objects.exclude(pk=live.night.pk).get()
    assert night.actions.get().body == {"stack": 6000, "cost": 25, "decimals": 0, "currency": ""}
    assert {each.role for each in night.passes.all()} == {"helper", "player"}


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("starts_at", "tomorrow"),
        ("starts_at", "9999-12-31T23:59"),
        ("stack", "-1"),
        ("cost", "1.005"),
        ("season", "999"),
        ("name", "\0"),
        ("fixed", "Edda: 1, 9"),
    ],
)
def test_a_wrong_line_is_named_and_the_others_keep_what_was_typed(client, live, field, typed):
    url = reverse("live:start", args=[live.season.club.slug])
    sent = {
        "starts_at": f"{timezone.localdate()}T19:00",
        "stack": "6000",
        "cost": "25",
        "table_size": "8",
        "form_token": str(uuid.uuid4()),
    }
    page = client.post(url, sent | {field: typed})
    assert page.status_code == 200
    assert field in page.context["form"].errors
    assert Night.objects.count() == 1
    assert 'value="6000"' in text_of(page) or field == "stack"


def test_the_door_stands_on_the_home_of_poker_clubs_for_those_who_enter_results(client, live):
    home = live.season.club.get_absolute_url()
    start = reverse("live:start", args=[live.season.club.slug])
    assert {start, live.of("open")} <= {*_links(client, home)}
    pool = live.season.pool
    live.season.club.games.update(is_shut=True)
    Game.objects.create(
        club=live.season.club, pool=pool, name="Riichi", kind=GameKind.MAHJONG_4, entry_form=EntryForm.SCORES
    )
    assert start not in _links(client, home)
    live.season.club.games.update(is_shut=False)
    client.logout()
    live.season.club.is_public = True
    live.season.club.save()
    assert start not in _links(client, home)


def _links(client, url):
    return [part.split('"')[0] for part in client.get(url).content.decode().split('href="')[1:]]


def link_of_helpers(client, live):
    (link,) = [
        each.link for each in client.get(live.of("helpers")).context["invitations"] if each.role == "helper"
    ]
    return link


def test_the_code_of_helpers_is_shown_again_until_there_is_a_new_one(client, live):
    link = link_of_helpers(client, live)
    assert link == link_of_helpers(client, live)
    assert "#" in link
    client.post(live.of("new-link"))
    assert link_of_helpers(client, live) not in {link, ""}


def test_one_phone_is_ended_or_all_of_helpers(client, live):
    for name in ("Till", "Finn"):
        live.phone(name, role="helper")
    token = Device.objects.get(name="Till").token
    for sent in ({"device": str(token)}, {"device": "nonsense"}, {}):
        assert client.post(live.of("end-devices"), sent).status_code == 302
    assert [
        each.revoked_at is None for each in Device.objects.filter(name__in=["Till", "Finn"]).order_by("name")
    ] == [
        True,
        False,
    ]


def test_finishing_names_who_owes_which_phone_is_silent_and_what_waits(client, live):
    """Property 11: taps lost with a phone are known by number and kind where the night is finished."""
    ada, _boris = live.enter("Ada", "Boris", cost=2000, paid=500)
    live.out(ada, minute=10)
    Device.objects.filter(name="desk").update(unsent=2, unsent_kind="out", unsent_at=timezone.now())
    till = live.phone("Till")
    revoke_device(till)
    live.record("note", phone="Till", text="late")
    for page in ("finish", "held", "helpers"):
        assert "(last: out)" in text_of(client.get(live.of(page))), page
    shown = text_of(client.get(live.of("finish")))
    assert "Ada 15" in shown
    assert "1 tap waits" in shown
    assert "Boris has won" in shown


def test_published_twice_from_the_same_page_it_is_one_event_and_says_where(client, live):
    ada, _boris = live.enter("Ada", "Boris")
    live.out(ada, minute=10)
    head = client.get(live.of("finish")).context["night"].head
    sent = {"publish": "1", "head": head, "season": live.season.slug}
    answers = [client.post(live.of("finish"), sent) for _twice in range(2)]
    assert {answer.url for answer in answers} == {Event.objects.get().get_absolute_url()}
    assert "This is published" in text_of(client.get(live.of("finish")))


@pytest.mark.parametrize("head", ["", "x", "99", "-1", "9" * 30])
def test_a_page_that_is_out_of_date_publishes_nothing(client, live, head):
    ada, _boris = live.enter("Ada", "Boris")
    live.out(ada, minute=10)
    page = client.post(live.of("finish"), {"publish": "1", "head": head, "over": "z"})
    assert "Something was recorded meanwhile" in text_of(page)
    assert Event.objects.count() == 0


def test_a_deal_is_computed_named_when_wrong_and_decided_once(client, live):
    ada, boris = live.enter("Ada", "Boris")
    typed = {f"stack-{ada}": "7,500", f"stack-{boris}": "2500", "prizes": "60 40"}
    page = client.post(live.of("deal"), typed)
    shares = {name: (line.by_icm, line.by_chips, line.even) for name, line in page.context["lines"]}
    # 40 each for sure; of 20 more three quarters by chips; ICM gives three quarters of first place.
    assert shares == {"Ada": (55, 55, 50), "Boris": (45, 45, 50)}
    for wrong, said in (({"prizes": "60"}, "2 prizes are needed"), ({f"stack-{ada}": "x"}, "Ada: “x” is not a number"),
                        ({f"stack-{ada}": "0"}, "must be more than 0")):  # fmt: skip
        assert said in text_of(client.post(live.of("deal"), typed | wrong))
    sent = typed | {"method": "icm", "places": "by-chips", "action": str(uuid.uuid4())}
    for _twice in range(2):
        assert client.post(live.of("deal"), sent).status_code == 302
    chop = live.night.actions.get(kind="chop")
    assert chop.body["money"] == {ada: 5500, boris: 4500}
    assert chop.body["groups"] == [[boris], [ada]]
    assert "Ada has won" in text_of(client.get(live.of("finish")))
    client.post(live.of("undo", chop.name))
    assert "2 are still in" in text_of(client.get(live.of("finish")))


def test_a_night_begun_by_mistake_is_called_off_and_opened_again(client, live):
    for page, stage in (("call-off", "called-off"), ("reopen", "open"), ("call-off", "called-off")):
        for _twice in range(2):
            assert client.post(live.of(page)).status_code == 302
        live.night.refresh_from_db()
        assert live.night.stage == stage
    assert "was called off" in text_of(client.get(live.of("finish")))


def test_a_question_of_the_log_is_answered_on_the_page(client, live):
    ada, boris, cleo, _dora = live.enter("Ada", "Boris", "Cleo", "Dora")
    live.out(ada, boris, minute=10)
    live.record("out", minute=10.5, phone="door", groups=[[boris], [ada]])
    page = client.get(live.of("finish"))
    (question, *_more), *_others = page.context["questions"]
    assert question.kind == "order"
    for choice in ("nonsense", "second"):
        client.post(live.of("settle"), {"settle": f"{question.id}={choice}"})
    assert client.get(live.of("finish")).context["questions"] == []
    assert cleo


def test_the_address_of_the_first_season_that_holds_the_day_is_chosen(client, live):
    live.season.is_closed = True
    live.season.save()
    other = SeasonFactory(club=live.season.club, name="Next", starts_on="2027-01-01")
    ada, _boris = live.enter("Ada", "Boris")
    live.out(ada, minute=10)
    shown = text_of(client.get(live.of("finish")))
    assert "No open season has this day" in shown
    assert other.name not in shown.split("<main")[1]


def test_the_rest_of_a_night_is_typed(client, live):
    ada, boris, cleo, _dora = live.enter("Ada", "Boris", "Cleo", "Dora")
    live.out(ada, minute=10)
    for wrong in ("", "Dora, Cleo", "Dora, Cleo, Boris, Ada", "Dora, Dora, Cleo, Boris"):
        page = client.post(live.of("rest"), {"order": wrong})
        assert "Type each of these once: Boris, Cleo, Dora." in text_of(page)
        assert not wrong or wrong in text_of(page)
    client.post(live.of("rest"), {"order": "dora,  Boris; CLEO"})
    rows = client.get(live.of("finish")).context["rows"]
    assert [(row.name, row.place) for row in rows] == [("Dora", 1), ("Boris", 2), ("Cleo", 3), ("Ada", 4)]
    client.post(live.of("rest"), {"order": "Dora"})  # nothing is left to say
    assert live.night.actions.filter(kind="out").count() == 2
    assert boris
    assert cleo


def test_a_result_that_was_deleted_is_published_again_and_both_can_be_there(client, live):
    ada, _boris = live.enter("Ada", "Boris")
    live.out(ada, minute=10)
    sent = {"publish": "1", "head": live.head(), "season": live.season.slug}
    client.post(live.of("finish"), sent)
    first = Event.objects.get()
    item = delete_event(first, version=first.version, actor=live.actor)
    client.post(live.of("finish"), sent)
    assert Event.objects.get().pk != first.pk
    restore(live.season.club, item.pk, actor=live.actor)
    assert Event.objects.count() == 2


def test_what_the_log_cannot_take_is_said_and_fails_no_page(client, live):
    names = [f"Player {i}" for i in range(101)]
    live.enter(*names)
    page = client.post(live.of("rest"), {"order": ",".join(names)}, follow=True)
    assert "This cannot be put into the log" in text_of(page)
    for url in (live.of("undo", "nonsense"), live.of("undo", "x") + "%00/"):
        assert client.post(url).status_code == 404
    live.record("setup", cost="abc")
    live.record("enter", name="Zoe", cost=2**53)
    assert client.get(live.of("finish")).status_code == 200
    assert client.get(live.of("held")).status_code == 200


def test_prizes_of_those_who_are_out_are_part_of_a_deal(client, live):
    ada, boris, cleo = live.enter("Ada", "Boris", "Cleo")
    live.out(cleo, minute=10)
    typed = {f"stack-{ada}": "5", f"stack-{boris}": "5", "prizes": "60 40", "paid": "20", "method": "even"}
    client.post(live.of("deal"), typed | {"places": "by-chips"})
    assert live.night.actions.get(kind="chop").body["money"] == {ada: 5000, boris: 5000, cleo: 2000}
