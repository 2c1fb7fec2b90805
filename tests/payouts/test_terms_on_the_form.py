"""Terms of an event on the form of its result: saved with it, refused with it."""

import json

import pytest
from django.urls import reverse

from league.models import Change, Event
from payouts.models import EventTerms
from payouts.services.terms import set_event_terms
from tests.entry.event_forms import create_url, edit_url, filled, shows, stored
from tests.factories import RULES, SeasonFactory, enter
from tests.pages import markup_of

pytestmark = pytest.mark.django_db

DEFAULT = {"multiplier": "1", "is_final": "", "total": "", "buy_in": "1", "paid": "1"}


def terms(opened=None, **typed):
    """The fields of terms as the form sends them."""
    sent = {name: value for name, value in ({**DEFAULT, **typed}).items() if value}
    fields = {f"terms-{name}": value for name, value in sent.items()}
    return fields | {"terms-opened": json.dumps(opened or DEFAULT)}


def test_a_final_is_published_with_its_terms(season, organizer_client):
    data = filled("Ada\nBoris", **terms(multiplier="2", is_final="on", buy_in="40"))
    page = organizer_client.post(create_url(season), {**data, "preview": ""} | {"save": "", "find": "Cleo"})
    assert page.context["terms"][1:] == ["the final", "counts × 2", "buy-in 40"]
    for _press in range(2):
        assert organizer_client.post(create_url(season), data).status_code in {200, 302}
    stored_terms = EventTerms.objects.get()
    assert (stored_terms.multiplier, stored_terms.is_final, stored_terms.buy_in) == (2, True, 40)
    assert [change.kind for change in Change.objects.all()] == ["terms-changed", "result-entered"]


def test_wrong_terms_are_told_kept_and_nothing_is_saved(season, organizer_client):
    before = stored()
    page = organizer_client.post(create_url(season), filled("Ada\nBoris", **terms(multiplier="-2")))
    assert page.context["page"].next_step == ("Mend: Multiplier", "#id_terms-multiplier")
    assert 'value="-2"' in page.content.decode()
    assert stored() == before


def test_points_are_checked_and_shown_by_the_typed_terms(club, organizer_client):
    structure = {"name": "expression", "expression": "10/(buy_in-40)^2"}
    season = SeasonFactory(club=club, rules=RULES | {"structure": structure})
    bad = organizer_client.post(create_url(season), filled("Ada\nBoris", **terms(buy_in="40")))
    assert shows(bad, "no points for")
    assert stored()["Event"] == 0
    good = filled("Ada\nBoris", **terms(buy_in="42"))
    del good["save"]
    page = organizer_client.post(create_url(season), good)
    assert '<span class="vh">Points</span>2.5</span>' in markup_of(page)
    assert organizer_client.post(create_url(season), good | {"save": ""}).status_code == 302


def test_a_form_without_terms_leaves_them(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    EventTerms.objects.create(event=event, is_final=True)
    organizer_client.post(edit_url(event), filled("Boris\nAda", day="2026-01-06", version=1))
    assert Event.objects.get().version == 2
    assert EventTerms.objects.get().is_final


def test_terms_that_somebody_else_has_changed_stay_or_are_asked_about(season, organizer_client, people):
    event = enter(season, "Ada\nBoris")
    theirs = {"multiplier": 3, "is_final": False, "total": None, "buy_in": 20, "paid": 1}
    set_event_terms(event, terms=theirs, version=0, actor=people["organizer"])
    data = filled("Boris\nAda", day="2026-01-06", version=1, **terms(buy_in="40"))
    refused = organizer_client.post(edit_url(event), data)
    assert shows(refused, "Buy-in: somebody else has set “20” meanwhile, you typed “40”.")
    assert Event.objects.get().version == 1
    shown = refused.context["parts"][0].form
    again = data | {f"terms-{name}": shown[name].value() for name in ("opened", "multiplier", "buy_in")}
    assert organizer_client.post(edit_url(event), again).status_code == 302
    saved = EventTerms.objects.get()
    assert (saved.multiplier, saved.buy_in) == (3, 40)


def test_only_organizers_set_terms(season, client_of):
    event = enter(season, "Ada\nBoris")
    data = filled("Ada\nBoris", day="2026-01-06", version=1, **terms(multiplier="2"))
    for who in ("stranger", "member"):
        assert client_of(who).post(edit_url(event), data).status_code == 403
    helped = client_of("helper").post(edit_url(event), data)
    assert helped.status_code == 302
    assert not EventTerms.objects.exists()


@pytest.mark.parametrize(
    ("structure", "visible"),
    [
        ({"name": "vp_kid", "ties": "better"}, {"total"}),
        ({"name": "linear"}, set()),
        ({"name": "percentage_pool", "votes": ["60", "40"]}, {"total"}),
        ({"name": "pokerstars"}, {"buy_in"}),
        ({"name": "dr_neau"}, {"buy_in"}),
        ({"name": "expression", "expression": "buy_in*(n-k)"}, {"buy_in"}),
        ({"name": "expression", "expression": "10 if k <= paid else 0"}, {"paid"}),
        ({"name": "balance"}, set()),
    ],
)
def test_terms_that_the_points_have_no_use_for_are_not_shown(club, organizer_client, structure, visible):
    season = SeasonFactory(club=club, rules=RULES | {"structure": structure})
    form = organizer_client.get(create_url(season)).context["parts"][0].form
    assert {field.name for field in form.visible_fields()} == {"multiplier", "is_final"} | visible


def test_terms_that_were_set_are_shown_whether_they_have_an_effect_or_not(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    EventTerms.objects.create(event=event, buy_in=7, paid=3)
    form = organizer_client.get(edit_url(event)).context["parts"][0].form
    assert {"buy_in", "paid"} <= {field.name for field in form.visible_fields()}
    page = organizer_client.get(reverse("payouts:terms-edit", args=[event.season.club.slug, event.pk]))
    assert not page.context["form"]["paid"].is_hidden
