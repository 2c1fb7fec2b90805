"""Two people change members, claims and players of a club at the same moment: it ends as if one came after the other."""

from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import AccessChange, Claim, Invitation, Membership, Player, PlayerMerge, Role
from league.services.deletions import delete_player
from league.services.errors import Refused
from people.services.claims import approve_claim, ask_for_player, claim_player, decline_claim
from people.services.invitations import accept, invite
from people.services.members import hand_over, remove_member, set_member
from people.services.merges import merge_players
from tests.factories import UserFactory, enter
from tests.league.racing import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture
def both(tmp_path, client_of):
    """Send a form as the organizer and one as the owner at the same moment; return both statuses and what `then` reads."""

    def both(first, second, then):
        def sending(who, url, data):
            client = client_of(who)
            return lambda: client.post(url, data).status_code

        return at_once([sending("organizer", *first), sending("owner", *second)], then, tmp_path)

    return both


def url(name, club, *rows):
    return reverse(name, args=[club.slug, *(row.pk for row in rows)])


def test_of_two_claims_answered_at_once_one_is_approved(club, people, both):
    player = Player.objects.create(club=club, name="Ann", key="ann")
    claims = [ask_for_player(player, user=people[who]) for who in ("member", "helper")]
    answers = [(url("people:claim-answer", club, claim), {"yes": ""}) for claim in claims]
    read = lambda: (list(Player.objects.values_list("user__username", flat=True)), Claim.objects.count())  # noqa: E731
    statuses, (users, n_claims) = both(*answers, read)
    assert statuses == [302, 302]
    assert users in (["member"], ["helper"])
    assert n_claims == 0


def test_two_players_are_merged_into_each_other_once(season, both):
    enter(season, "Keane\nIris")
    enter(season, "Keene (new)\nIris", day=1)
    keane, keene = (Player.objects.get(name=name) for name in ("Keane", "Keene"))
    forms = [
        (url("standings:merge", season.club, kept), {"other": merged.name, "keep": kept.pk, "save": ""})
        for kept, merged in ((keane, keene), (keene, keane))
    ]
    statuses, left = both(*forms, lambda: (Player.objects.count(), PlayerMerge.objects.count()))
    assert all(status < 500 for status in statuses), statuses
    assert left == (2, 1)  # Iris, and who stays


@pytest.mark.parametrize("page", ["people:player-hide", "people:player-forget", "people:player-unclaim"])
def test_a_player_is_merged_away_while_somebody_else_changes_it(season, people, page, both):
    enter(season, "Keane\nIris")
    enter(season, "Keene (new)\nIris", day=1)
    keane, keene = (Player.objects.get(name=name) for name in ("Keane", "Keene"))
    claim_player(keene, user=people["member"], actor=people["owner"])
    merging = (url("standings:merge", season.club, keane), {"other": "Keene", "keep": keane.pk, "save": ""})
    statuses, n_players = both(merging, (url(page, season.club, keene), {}), Player.objects.count)
    assert all(status < 500 for status in statuses), statuses
    # Nobody has the typed name any more if it was hidden first: then the form says so, and nothing is merged.
    is_hidden_first = statuses[0] == 200 and page != "people:player-unclaim"
    assert n_players == (3 if is_hidden_first else 2)


def test_a_player_comes_back_from_the_bin_once(club, people, both):
    item = delete_player(Player.objects.create(club=club, name="Ann", key="ann"), actor=people["owner"])
    restore = (url("standings:bin-restore", club, item), {})
    statuses, n_players = both(restore, restore, Player.objects.count)
    assert all(status < 500 for status in statuses), statuses
    assert n_players == 1


def test_an_invitation_for_one_is_accepted_by_one(tmp_path, club, people, client_of):
    invitation = invite(
        club,
        role=Role.HELPER,
        lasts=timedelta(days=7),
        most_uses=1,
        actor=people["owner"],
        actor_role=Role.OWNER,
    )
    clients = [client_of("stranger"), client_of("foreign")]
    address = invitation.get_absolute_url()
    helpers = Membership.objects.filter(club=club, role=Role.HELPER)
    statuses, (n_helpers, invited) = at_once(
        [lambda client=client: client.post(address).status_code for client in clients],
        lambda: (helpers.count(), Invitation.objects.get()),
        tmp_path,
    )
    assert sorted(statuses) == [200, 302]
    assert n_helpers == 2  # with the one of `people`
    assert invited.n_uses == 1


def test_the_club_is_handed_over_once(club, people, tmp_path):
    def handing(who):
        def hand():
            try:
                hand_over(club, user=people[who], actor=people["owner"])
            except Refused:
                return "refused"
            return "done"

        return hand

    def read():
        owners = Membership.objects.filter(club=club, role=Role.OWNER)
        return owners.count(), AccessChange.objects.filter(kind=AccessChange.Kind.HANDED_OVER).count()

    answers, counts = at_once([handing("member"), handing("organizer")], read, tmp_path)
    assert sorted(answers) == ["done", "refused"]
    assert counts == (2, 1)  # the founder is an owner, too


def test_who_was_removed_hands_nothing_over_and_is_no_organizer(club, people):
    other = UserFactory()
    set_member(club, user=other, role=Role.OWNER, actor=None)
    remove_member(club, user=people["owner"], actor=other)
    with pytest.raises(Refused, match="not an owner"):
        hand_over(club, user=people["member"], actor=people["owner"])
    assert not Membership.objects.filter(user=people["owner"]).exists()


def test_a_claim_that_was_answered_and_a_player_who_is_gone_change_nothing(season, people):
    enter(season, "Keane\nIris")
    enter(season, "Keene (new)\nIris", day=1)
    keane, keene = (Player.objects.select_related("club").get(name=name) for name in ("Keane", "Keene"))
    claim = ask_for_player(keane, user=people["member"])
    decline_claim(claim)
    approve_claim(claim, actor=people["organizer"])
    assert not Player.objects.exclude(user=None).exists()
    invitation = invite(
        season.club,
        role=Role.MEMBER,
        lasts=timedelta(days=7),
        most_uses=1,
        player=keene,
        actor=people["owner"],
        actor_role=Role.OWNER,
    )
    merge_players(keane, keene, actor=people["owner"])
    with pytest.raises(Refused, match="no player of this club any more"):
        ask_for_player(keene, user=people["member"])
    accept(invitation, user=people["stranger"])  # the player of the invitation is the one who stays
    assert Player.objects.get(pk=keane.pk).user == people["stranger"]
