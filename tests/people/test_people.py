"""Members and their roles. A club never loses its last owner."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from league.models import Membership, Role
from league.services.errors import Refused
from people.services.members import remove_member, set_member
from tests.factories import ClubFactory, UserFactory
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db


def url(club, page="people", row=None):
    return reverse(f"people:{page}", args=[club.slug, *([row.pk] if row else [])])


def role_of(club, user):
    return Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()


def messages_of(answer):
    return [str(message) for message in answer.context["messages"]]


@pytest.mark.parametrize("person", ["newcomer", "newcomer@example.com", " NEWCOMER@Example.com "])
def test_an_owner_adds_a_member_by_name_or_e_mail(club, client_of, person):
    user = UserFactory(username="newcomer")
    EmailAddress.objects.create(user=user, email=user.email, verified=True)
    client = client_of("owner")
    assert client.get(url(club)).status_code == 200
    assert client.post(url(club, "member-add"), {"person": person, "role": Role.ORGANIZER}).url == url(club)
    assert role_of(club, user) == Role.ORGANIZER


def test_no_two_fields_of_the_page_have_one_id(club, client_of):
    page = client_of("owner").get(url(club)).content.decode()
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_an_unconfirmed_e_mail_gives_nobody_a_role(club, client_of):
    user = UserFactory(username="squatter")
    EmailAddress.objects.create(user=user, email=user.email, verified=False)
    answer = client_of("owner").post(url(club, "member-add"), {"person": user.email, "role": Role.OWNER})
    assert "confirmed email" in answer.content.decode()
    assert role_of(club, user) is None


def test_adding_twice_is_one_membership_with_the_newer_role(club, client_of):
    user = UserFactory(username="newcomer")
    client = client_of("owner")
    for role in (Role.MEMBER, Role.MEMBER, Role.ORGANIZER):
        client.post(url(club, "member-add"), {"person": "newcomer", "role": role})
    assert Membership.objects.filter(club=club, user=user).count() == 1
    assert role_of(club, user) == Role.ORGANIZER


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"person": "nobody", "role": 10}, "person"),
        ({"person": "nobody@example.com", "role": 10}, "person"),
        ({"person": "", "role": 10}, "person"),
        ({"person": "a" * 255, "role": 10}, "person"),
        ({"person": "twin@example.com", "role": 10}, "person"),
        ({"person": "gone", "role": 10}, "person"),
        ({"person": "stranger", "role": 0}, "role"),
        ({"person": "stranger", "role": 11}, "role"),
        ({"person": "stranger", "role": "x"}, "role"),
        ({"person": "stranger"}, "role"),
    ],
)
def test_a_bad_member_is_reported_beside_the_field_and_not_added(club, client_of, data, field):
    client = client_of("owner")
    UserFactory(username="gone", is_active=False)
    for name in ("one", "two"):
        UserFactory(username=name, email="twin@example.com")
    before = Membership.objects.count()
    answer = client.post(url(club, "member-add"), data)
    assert answer.status_code == 200
    assert list(answer.context["member_form"].errors) == [field]
    assert answer.context["member_form"]["person"].value() == data["person"]
    assert Membership.objects.count() == before


def test_only_owners_see_and_choose_members(club, people, refused_to):
    membership = Membership.objects.get(user=people["member"])
    before = sorted(Membership.objects.values_list("user_id", "role"))
    refused_to(url(club, "member-add"), {"person": "stranger", "role": 40}, below="owner", is_page=False)
    refused_to(url(club, "member-role", membership), {"role": 40}, below="owner", is_page=False)
    refused_to(url(club, "member-remove", membership), below="owner")
    own = [row for row in sorted(Membership.objects.values_list("user_id", "role")) if row in before]
    assert own == before


def test_a_role_is_changed_and_changed_again(club, people, client_of):
    membership = Membership.objects.get(user=people["member"])
    client = client_of("owner")
    for role in (Role.ORGANIZER, Role.ORGANIZER, Role.OWNER, Role.MEMBER):
        assert client.post(url(club, "member-role", membership), {"role": role}).url == url(club)
        assert role_of(club, people["member"]) == role


@pytest.mark.parametrize("data", [{}, {"role": 0}, {"role": "x"}, {"role": 99}])
def test_a_role_there_is_not_is_reported_and_changes_nothing(club, people, client_of, data):
    membership = Membership.objects.get(user=people["member"])
    answer = client_of("owner").post(url(club, "member-role", membership), data, follow=True)
    assert messages_of(answer) == ["Role: choose one from the list."]
    assert role_of(club, people["member"]) == Role.MEMBER


def test_a_member_is_removed_and_removing_again_does_no_harm(club, people, client_of):
    membership = Membership.objects.get(user=people["member"])
    client = client_of("owner")
    for _press in range(2):
        answer = client.post(url(club, "member-remove", membership), follow=True)
        assert messages_of(answer) == []
    assert role_of(club, people["member"]) is None
    assert client.post(url(club, "member-role", membership), {"role": 10}).status_code == 404


def test_members_of_another_club_are_out_of_reach(club, client_of):
    other = ClubFactory()
    membership = Membership.objects.get(club=other)
    client = client_of("owner")
    client.post(url(club, "member-remove", membership))
    assert client.post(url(club, "member-role", membership), {"role": 10}).status_code == 404
    assert Membership.objects.get(club=other).role == Role.OWNER


def test_the_last_owner_can_neither_leave_nor_step_down(client):
    club = ClubFactory()
    membership = Membership.objects.get(club=club)
    client.force_login(membership.user)
    message = "A club needs an owner: make somebody else an owner first."
    for page, data in (("member-remove", {}), ("member-role", {"role": Role.MEMBER})):
        assert messages_of(client.post(url(club, page, membership), data, follow=True)) == [message]
    added = client.post(url(club, "member-add"), {"person": membership.user.username, "role": Role.MEMBER})
    assert added.context["member_form"].errors["role"] == [message]
    assert role_of(club, membership.user) == Role.OWNER
    set_member(club, user=UserFactory(username="second"), role=Role.OWNER, actor=None)
    client.post(url(club, "member-remove", membership))
    assert role_of(club, membership.user) is None


@pytest.mark.django_db(transaction=True)
def test_two_owners_leaving_at_once_leave_one_behind(tmp_path):
    from django.contrib.auth.models import User

    from league.models import Club

    club, second = ClubFactory(), UserFactory()
    set_member(club, user=second, role=Role.OWNER, actor=None)
    owners = list(Membership.objects.values_list("user_id", flat=True))

    def leaving(user_id):
        def leave():
            try:
                remove_member(Club.objects.get(pk=club.pk), user=User.objects.get(pk=user_id), actor=None)
            except Refused:
                return "refused"
            return "left"

        return leave

    answers, n_owners = at_once([leaving(user_id) for user_id in owners], Membership.objects.count, tmp_path)
    assert sorted(answers) == ["left", "refused"]
    assert n_owners == 1


@pytest.mark.parametrize("number", ["9" * 5_000, "9" * 25, "٣", "²", "0"])
def test_a_number_in_the_address_that_no_row_can_have_is_none(club, client_of, number):
    client = client_of("owner")
    for query in ("player", "removed"):
        assert client.get(url(club), {query: number}).status_code == 200
    assert client.get(reverse("standings:changes", args=[club.slug]), {"event": number}).status_code == 200
    assert client.post(reverse("people:notices-seen"), {"notice": number}).status_code == 302
