"""An operator gives a club to another owner, and keeps its members by the services."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.core import mail

from league.models import AccessChange, Club, Notice, Role
from tests.factories import UserFactory
from tests.people.admin.pages import ONLY_READ, address, listed

Kind = AccessChange.Kind


@pytest.fixture
def give(club):
    return f"/admin/league/club/{club.pk}/give/"


def roles(club):
    return dict(club.memberships.values_list("user__username", "role"))


def lines(club, since):
    rows = AccessChange.objects.filter(club=club, pk__gt=since).order_by("pk")
    return [(row.kind, row.person, row.actor.username) for row in rows]


@pytest.mark.django_db(transaction=True)
def test_a_club_is_given_to_somebody_who_was_no_member(operator, club, people, give):
    stranger = people["stranger"]
    EmailAddress.objects.create(user=stranger, email="stranger@example.com", verified=True)
    before = AccessChange.objects.latest("pk").pk
    owners = set(club.memberships.filter(role=Role.OWNER).values_list("user__username", flat=True))
    for _twice in range(2):
        answer = operator.post(give, {"person": "Stranger@example.com"})
        assert (answer.status_code, answer.url) == (302, address(club))
    after = roles(club)
    assert [name for name, role in after.items() if role == Role.OWNER] == ["stranger"]
    assert {after[name] for name in owners} == {Role.ORGANIZER}
    written = lines(club, before)
    assert written[0] == (Kind.HANDED_OVER, "stranger", "root")
    assert sorted(written[1:]) == sorted((Kind.ROLE_CHANGED, name, "root") for name in owners)
    assert set(Notice.objects.values_list("user__username", flat=True)) == {"stranger", *owners}
    (message,) = mail.outbox
    assert message.to == ["stranger@example.com"]
    assert "Stranger is the owner now." in operator.get(address(club), follow=True).content.decode()


def test_a_member_becomes_the_owner(operator, club, people, give):
    assert operator.post(give, {"person": "member"}).status_code == 302
    assert roles(club)["member"] == Role.OWNER
    change = AccessChange.objects.get(club=club, kind=Kind.HANDED_OVER)
    assert (change.before, change.after) == ({"role": Role.MEMBER}, {"role": Role.OWNER})


@pytest.mark.parametrize("typed", ["", "nobody", "unconfirmed@example.com"])
def test_a_name_that_nobody_has_is_kept_and_explained(operator, club, people, give, typed):
    EmailAddress.objects.create(user=people["stranger"], email="unconfirmed@example.com")
    before = roles(club)
    page = operator.post(give, {"person": typed}).content.decode()
    assert 'class="errorlist"' in page
    assert f'value="{typed}"' in page or not typed
    assert roles(club) == before


def test_a_club_that_requires_two_factor_requires_it_of_operators_too(operator, club, people, give, root):
    Club.objects.update(requires_two_factor=True)
    before = roles(club)
    assert "requires two-factor sign-in" in operator.post(give, {"person": "member"}).content.decode()
    row = club.memberships.get(user=people["member"])
    fields = {"id": row.pk, "club": club.pk, "user": row.user_id, "role": Role.ORGANIZER}
    sent = {f"memberships-0-{name}": value for name, value in fields.items()}
    sent |= {"memberships-TOTAL_FORMS": 1, "memberships-INITIAL_FORMS": 1} | ONLY_READ
    answer = operator.post(address(club), sent, follow=True)
    assert "requires two-factor sign-in" in answer.content.decode()
    assert roles(club) == before
    Authenticator.objects.create(user=root, type="totp", data={})
    assert operator.post(give, {"person": "member"}).status_code == 302


@pytest.mark.parametrize(
    ("is_staff", "permission", "status"),
    [(False, None, 302), (True, None, 403), (True, "view_club", 403), (True, "change_club", 302)],
)
def test_only_staff_who_may_change_clubs_give_one(client, club, people, give, is_staff, permission, status):
    person = UserFactory(is_staff=is_staff)
    if permission:
        person.user_permissions.add(Permission.objects.get(codename=permission))
    client.force_login(person)
    assert client.get(give).status_code == (200 if permission == "change_club" else status)
    answer = client.post(give, {"person": "member"})
    assert answer.status_code == status
    assert (roles(club)["member"] == Role.OWNER) == (permission == "change_club")


def test_a_club_is_found_by_its_people_and_shows_them(operator, club, people, season):
    for typed in (club.slug, "organizer@example.com"):
        assert club.name in operator.get(listed(Club), {"q": typed}).content.decode()
    assert "0 clubs" in operator.get(listed(Club), {"q": "nothing like it"}).content.decode()
    page = operator.get(address(club)).content.decode()
    assert "organizer@example.com" in page or "organizer" in page
    assert f"/admin/league/club/{club.pk}/give/" in page


def test_no_club_is_deleted_or_edited_here(operator, club):
    assert operator.post(address(club, "delete"), {"post": "yes"}).status_code == 403
    sent = ONLY_READ | {
        "memberships-TOTAL_FORMS": 0,
        "memberships-INITIAL_FORMS": 0,
        "requires_two_factor": "on",
        "name": "Another",
    }
    operator.post(address(club), sent)
    after = Club.objects.get(pk=club.pk)
    assert (after.name, after.requires_two_factor) == (club.name, False)
