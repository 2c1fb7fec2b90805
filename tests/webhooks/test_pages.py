"""An owner makes hooks, looks at what waits, and sends again."""

import pytest

from league.models import AccessChange
from tests.factories import enter
from webhooks.models import Delivery, Hook, State
from webhooks.services import connecting
from webhooks.services.sending import send_due
from webhooks.services.telling import make_messages

pytestmark = pytest.mark.django_db
DISCORD = "https://discord.com/api/webhooks/1/abc"


@pytest.fixture
def owner(client_of):
    return client_of("owner")


@pytest.fixture(autouse=True)
def _names(monkeypatch):
    monkeypatch.setattr(connecting, "_addresses", lambda host, port: ["93.184.216.34"])


def fields(**changes):
    return {"target": "discord", "name": "Our chat", "url": DISCORD, "kinds": ["result.published"]} | changes


def test_a_hook_is_made_changed_switched_and_deleted(owner, season):
    base = f"/c/{season.club.slug}/webhooks/"
    assert owner.post(f"{base}new/", fields()).status_code == 302
    hook = Hook.objects.get()
    page = owner.get(f"{base}{hook.pk}/").content.decode()
    assert "Nothing has been sent yet." in page
    owner.post(f"{base}{hook.pk}/edit/", fields(name="Chat", version=1))
    owner.post(f"{base}{hook.pk}/switch/")
    hook.refresh_from_db()
    assert (hook.name, hook.version, hook.is_on) == ("Chat", 3, False)
    owner.post(f"{base}{hook.pk}/delete/")
    assert not Hook.objects.exists()
    kinds = AccessChange.objects.filter(kind__startswith="hook").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["hook-made", "hook-changed", "hook-changed", "hook-removed"]
    assert "abc" not in str(AccessChange.objects.values_list("before", "after"))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"url": "https://discord.com/other"}, "An address of Discord begins with"),
        ({"url": f"{DISCORD} b"}, "This is no address of the internet."),
        ({"url": "https://elsewhere.example/api/webhooks/1"}, "An address of Discord begins with"),
        (
            {"target": "telegram", "url": "https://api.telegram.org/bot1/sendMessage"},
            "Telegram needs the chat",
        ),
        ({"target": "program", "url": "http://hook.example/"}, "has to begin with https://"),
        ({"kinds": []}, "This field is required"),
    ],
)
def test_what_is_wrong_is_named(owner, season, change, text):
    answer = owner.post(f"/c/{season.club.slug}/webhooks/new/", fields(**change))
    assert text in answer.content.decode()
    assert not Hook.objects.exists()


def test_a_message_waits_for_the_owner_who_asked_to_see_it(owner, season, monkeypatch):
    base = f"/c/{season.club.slug}/webhooks/"
    owner.post(f"{base}new/", fields(asks_first="on"))
    enter(season, "Ada\nBoris")
    make_messages()
    assert send_due() == 0
    assert "To look at before they are sent" in owner.get(base).content.decode()
    delivery = Delivery.objects.get()
    sent = []
    monkeypatch.setattr(
        "webhooks.services.sending.post",
        lambda url, body, headers: sent.append((url, body)) or connecting.Answer(204, ""),
    )
    owner.post(f"{base}deliveries/{delivery.pk}/", {"decision": "send", "back": "1"})
    assert send_due() == 1
    [(url, body)] = sent
    assert (url, b"Ada" in body, b"picture.png" in body) == (DISCORD, True, True)
    owner.post(f"{base}deliveries/{delivery.pk}/", {"decision": "again"})
    assert Delivery.objects.get().state == State.WAITING
