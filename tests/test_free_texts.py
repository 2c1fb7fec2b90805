"""Every free text that somebody types passes one check: no control characters, no marks that turn the text around."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.forms.forms import BaseForm
from django.urls import reverse
from django.utils.module_loading import import_string

from api.models import ApiKey
from league import urls  # noqa: F401  loads all forms
from league.models import Change, Club, Event, Game, Meet, PlannedEvent, Player, PlayerAlias, Pool, Season
from payouts.engine.structures.expression import MAX_LENGTH
from payouts.models import ClubMoney
from tests.addresses import APPS

POLICIES = (Path(__file__).parents[1] / "docs/security/policies.md").read_text(encoding="utf-8")
BAD = ("a\x0bb", "a\u202eb", "a\x00b", "a\u2066b")
# Fields whose text is read as something else, of which only that is kept: a number, a formula, an order, a parameter of an
# address, the text of a list with a check of each name.
READ_AS_SOMETHING = {
    "AdoptForm.parameters", "AuthenticateForm.code", "AwardChangeForm.player", "AwardForm.player", "BroughtForwardForm.text", "BroughtRatingsForm.text",
    "DealForm.chips", "DealForm.prizes", "DealForm.round_to", "DeleteAccountForm.name", "EventForm.order",
    "EventMoneyForm.noted", "EventMoneyForm.payouts", "FindForm.place", "FindForm.q", "MemberForm.person",
    "NewOwnerForm.person", "NewSeasonForm.filled_from", "ReauthenticateForm.code", "RosterForm.names", "RosterForm.seen", "TermsPartForm.opened",
    "TypedNameForm.name", "UnsealForm.name", "VpipForm.ranges", "ClubSettingsForm.embed_hosts",
    *(f"{form}.{name}" for form in ("SetupForm", "StartForm")
      for name in ("bounty_envelopes", "bounty_on", "fixed", "own_stacks", "payouts")),
    *(f"RulesForm.{name}" for name in
      ("start", "back", "uma", "chip_value", "chombo", "house_per_table", "house_per_player")),
    *(f"{form}.{name}" for form in ("RulesAsTyped", "RulesForm", "NewSeasonForm", "SeasonForm")
      for name in ("alpha", "votes", "tail", "per_entry", "per_balance", "expression")),
}  # fmt: skip


def subclasses(of):
    for each in of.__subclasses__():
        yield each
        yield from subclasses(each)


def text_fields():
    """Yield each field of our forms that takes a text, with its form."""
    for path in settings.MFA_FORMS.values():
        import_string(path)  # loaded when first needed, so nothing else promises that it is there
    for form in set(subclasses(BaseForm)):
        if form.__module__.partition(".")[0] in APPS:
            for name, field in form.base_fields.items():
                if isinstance(field, forms.CharField):
                    yield form, name, field


def keeps(form, name, field, text):
    """Tell whether anything invisible of a text is left by a field's validators and the form's clean_NAME."""
    try:
        kept = field.clean(text)
        if clean := getattr(form, f"clean_{name}", None):
            kept = clean(SimpleNamespace(cleaned_data={name: kept}, instance=None))
    except ValidationError:
        return False
    return not str(kept).isprintable()


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("user name", [User._meta.get_field("username")]),
        ("mail address", [User._meta.get_field("email")]),
        ("name of a player", [Player._meta.get_field("name"), PlayerAlias._meta.get_field("name")]),
        ("name of a club, season, event or night, identifier of an event in a file",
         [*(model._meta.get_field("name") for model in (Club, Season, Event, Meet)), Event._meta.get_field("key")]),
        ("name of a game or pool, label of an API key",
         [Game._meta.get_field("name"), Pool._meta.get_field("name"), ApiKey._meta.get_field("label")]),
        ("reason of a change", [Change._meta.get_field("reason")]),
        ("note of a planned event", [PlannedEvent._meta.get_field("note")]),
        ("address of a club", [Club._meta.get_field("slug")]),
        ("address of a season", [Season._meta.get_field("slug")]),
    ],
)  # fmt: skip
def test_the_document_gives_the_lengths_of_the_tables(text, fields):
    (longest,) = re.findall(rf"^\| {re.escape(text)} \| (\d+) \|", POLICIES, re.MULTILINE)
    assert {field.max_length for field in fields} == {int(longest)}


def test_the_document_gives_the_length_of_a_formula():
    (longest,) = re.findall(r"^\| formula of points \| ([\d,]+) \|", POLICIES, re.MULTILINE)
    assert int(longest.replace(",", "")) == MAX_LENGTH


def test_every_text_that_is_kept_is_checked():
    fields = sorted(text_fields(), key=lambda each: (each[0].__name__, each[1]))
    assert len(fields) > 60
    unchecked = {
        f"{form.__name__}.{name}"
        for form, name, field in fields
        if f"{form.__name__}.{name}" not in READ_AS_SOMETHING
        and any(keeps(form, name, field, bad) for bad in BAD)
    }
    assert unchecked == set()
    assert {f"{form.__name__}.{name}" for form, name, _field in fields} >= READ_AS_SOMETHING


@pytest.mark.django_db
@pytest.mark.parametrize("bad", BAD)
def test_labels_of_keys_and_currencies_are_refused_by_name(client_of, club, bad):
    owner = client_of("owner")
    keys = owner.post(reverse("api:keys"), {"label": bad, "scope": "read", "lifetime": ""})
    assert keys.context["form"].errors.keys() == {"label"}
    money = owner.post(
        reverse("payouts:club-money", args=[club.slug]), {"currency": bad, "decimals": "2", "shows_net": ""}
    )
    assert money.context["form"].errors.keys() == {"currency"}
    assert not ApiKey.objects.exists()
    assert not ClubMoney.objects.exclude(currency="").exists()
