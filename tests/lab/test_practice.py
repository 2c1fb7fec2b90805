"""The practice table: deal, decide, the answer, the record; twice, by others, with bad input."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lab.engine.push_fold.dealing import Deal
from lab.engine.push_fold.hands import KINDS
from lab.engine.push_fold.spots import judge
from lab.holdem.practice import HANDS, Round, decide, new_round, next_hand, round_again
from lab.holdem.practice_pages import grid, payouts_for, range_text
from lab.models import PracticeDecision
from lab.tasks import purge_runs
from league.models import Role, Season
from payouts.models import SeasonRules
from people.services.members import set_member
from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter

pytestmark = pytest.mark.django_db
SITE = "/lab/practice/"
# Small blind with 9 big blinds; T8s is a push for chips and a fold for points (look at judge() for the values).
EDGE = {
    "stacks": [21.0, 16.0, 9.0, 14.0],
    "styles": ["loose"] * 4,
    "seat": 2,
    "pusher": None,
    "cards": [35, 27],  # Ts 8s
}
ACES = EDGE | {"cards": [48, 49]}


def begin(client, url=SITE, cards=None):
    """Deal a round, with a known hand on the table if `cards` is given."""
    answer = client.post(url, {"deal": "1", "seats": "4", "against": "mixture"})
    assert answer.status_code == 200
    if cards:
        session = client.session
        key = next(key for key, _value in session.items() if key.startswith("practice-"))
        session[key] = session[key] | {"deal": cards}
        session.save()
    return answer.content.decode()


def choose(client, choice, number=1, url=SITE):
    return client.post(url, {"choice": choice, "number": number})


@pytest.fixture
def member(client):
    user = UserFactory()
    client.force_login(user)
    return user


def test_a_round_of_twenty_hands(client):
    assert "Twenty hands" in client.get(SITE).content.decode()
    begin(client)
    for number in range(1, HANDS + 1):
        answer = choose(client, "play", number)
        assert answer.context["answer"]["name"]
        assert len(answer.context["table"].answers) == number
        client.post(SITE, {"next": "1", "number": number + 1})
    page = client.get(SITE).content.decode()
    assert f"of {HANDS} right" in page
    assert "Next hand" not in page


@pytest.mark.parametrize(("cards", "choice", "heading"), [
    (ACES, "play", "Right: push AA"),
    (ACES, "fold", "You folded. Push is better."),
    (ACES | {"cards": [0, 21]}, "fold", "Right: fold 72o"),
    (ACES | {"cards": [0, 21]}, "play", "You pushed. Fold is better."),
    (ACES | {"pusher": 1}, "play", "Right: call with AA"),
    (ACES | {"pusher": 1}, "fold", "You folded. Call is better."),
])  # fmt: skip
def test_the_answer_names_the_better_decision(client, cards, choice, heading):
    begin(client, cards=cards)
    assert heading in choose(client, choice).content.decode()


def test_nothing_is_said_of_the_answer_before_the_decision(client):
    page = begin(client)
    for word in ("range13", "Right:", "is better", "Difference"):
        assert word not in page
    assert "range13" in choose(client, "fold").content.decode()


def test_the_same_decision_sent_twice_counts_once(client, member):
    begin(client, cards=ACES)
    first = choose(client, "fold").content.decode()
    again = choose(client, "play").content.decode()
    assert "You folded. Push is better." in first
    assert "You folded. Push is better." in again
    assert PracticeDecision.objects.filter(user=member).count() == 1
    client.post(SITE, {"next": "1", "number": 2})
    dealt = client.get(SITE).context["hand"]
    client.post(SITE, {"next": "1", "number": 2})
    assert client.get(SITE).context["hand"] == dealt


def test_a_member_s_record(client, member):
    begin(client, cards=EDGE)
    values = judge(Deal(**EDGE).spot, payouts_for(4, None).values)
    page = choose(client, "play").content.decode()
    decision = PracticeDecision.objects.get(user=member)
    kind = KINDS["T8s"]
    assert (decision.hand, decision.position, decision.stack, decision.is_call) == ("T8s", "SB", 9.0, False)
    assert decision.is_right == bool(values.points.range[kind])
    assert decision.lost_points == pytest.approx(max(values.points.fold - values.points.play[kind], 0.0))
    assert decision.lost_chips == pytest.approx(max(values.chips.fold - values.chips.play[kind], 0.0))
    assert "Your mistakes so far" in page


def test_nothing_is_stored_without_an_account(client):
    begin(client)
    choose(client, "fold")
    assert not PracticeDecision.objects.exists()


def test_records_go_with_the_account_and_after_a_year(client, member):
    begin(client, cards=ACES)
    choose(client, "play")
    client.post(SITE, {"next": "1", "number": 2})
    choose(client, "play", 2)
    first = PracticeDecision.objects.order_by("number").first()
    PracticeDecision.objects.filter(pk=first.pk).update(made_at=timezone.now() - timedelta(days=366))
    purge_runs()
    assert list(PracticeDecision.objects.values_list("number", flat=True)) == [2]
    User.objects.get(pk=member.pk).delete()
    assert not PracticeDecision.objects.exists()


BAD = [
    ({"deal": "1", "seats": "11", "against": "mixture"}, "less than or equal to 10"),
    ({"deal": "1", "seats": "nan", "against": "mixture"}, "Enter a whole number"),
    ({"deal": "1", "seats": "4", "against": "wild"}, "Select a valid choice"),
    ({"choice": "raise", "number": "1"}, "Select a valid choice"),
    ({"choice": "fold", "number": "-3"}, "greater than or equal to 1"),
    ({"choice": "fold"}, "This field is required"),
    ({"number": "1"}, "Choose fold, push or call."),
]


@pytest.mark.parametrize(("sent", "message"), BAD)
def test_bad_input_gets_a_message_and_changes_nothing(client, sent, message):
    begin(client)
    before = dict(client.session.items())
    page = client.post(SITE, sent).content.decode()
    assert message in page
    assert dict(client.session.items()) == before
    if "deal" in sent:
        assert f'value="{sent["seats"]}"' in page


def test_a_decision_without_a_hand_or_on_another_one_changes_nothing(client):
    assert "Twenty hands" in choose(client, "fold").content.decode()
    begin(client)
    choose(client, "fold", number=7)
    assert client.get(SITE).context["table"].answers == []


def test_the_wrong_ones_again(client):
    table = new_round(4, "loose")
    payouts = payouts_for(4, None).values
    for number in (1, 2):
        table.deal = ACES
        decide(table, number=number, is_played=False, payouts=payouts)
        next_hand(table, number + 1)
    again = round_again(table)
    assert (again.total, again.deal, again.again) == (2, ACES, [ACES])
    decide(again, number=1, is_played=True, payouts=payouts)
    assert (again.streak, again.answers) == (1, [True])
    next_hand(again, 2)
    assert (again.deal, again.again) == (ACES, [])
    decide(again, number=2, is_played=True, payouts=payouts)
    next_hand(again, 3)
    assert (again.is_over, again.number) == (True, 2)


def test_another_table_can_be_chosen_in_the_middle_of_a_round(client):
    begin(client)
    page = client.get(f"{SITE}?new=1").content.decode()
    assert f'action="{SITE}"' in page
    assert client.get(SITE).context["table"].number == 1


def test_again_in_the_browser(client):
    begin(client, cards=ACES)
    choose(client, "fold")
    table = client.post(SITE, {"again": "1"}).context["table"]
    assert (table.total, table.number, table.deal) == (1, 1, ACES)


def of_a_club(role=Role.MEMBER):
    season = SeasonFactory(club=ClubFactory(is_public=False))
    enter(season, "\n".join(f"Player{chr(65 + i) * 3}" for i in range(14)))
    user = UserFactory()
    set_member(season.club, user=user, role=role, actor=None)
    return season, user


def test_a_club_s_own_points_are_the_payouts(client):
    """vp_kid for a field of 14: 5, 3, 2, 1 (votes 100, 60, 40, 25, 20, ... by the highest quotient)."""
    season, user = of_a_club()
    client.force_login(user)
    url = f"/c/{season.club.slug}/practice/"
    begin(client, url, cards=EDGE)
    answer = choose(client, "play", url=url)
    payouts = answer.context["payouts"]
    assert payouts.field == 14
    assert payouts.values == [float(value) for value in season.rules.points_structure.points(14)[:4]]
    assert PracticeDecision.objects.get().club == season.club
    assert "those of this club for a field of 14" in answer.content.decode()


def test_a_structure_without_points_for_the_field_is_replaced_by_prizes():
    season = SeasonFactory()
    # Only fields that the form does not try can have no points.
    SeasonRules.objects.filter(season=season).update(
        structure={"name": "expression", "expression": "1 / (n - 4)"}
    )
    season = Season.objects.get(pk=season.pk)
    assert payouts_for(4, season).values == [50.0, 30.0, 20.0]
    assert payouts_for(2, None).values == [100.0]


def test_queries_do_not_grow_with_the_record(client):
    season, user = of_a_club()
    client.force_login(user)
    url = f"/c/{season.club.slug}/practice/"
    counts = []
    begin(client, url, cards=ACES)
    for number in range(1, 5):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            choose(client, "fold", number, url)
        counts.append(len(queries))
        client.post(url, {"next": "1", "number": number + 1})
    assert counts[0] == counts[-1] <= 20, counts


def test_the_page_in_japanese(client):
    begin(client, cards=ACES)
    page = client.post(
        SITE, {"choice": "fold", "number": 1}, headers={"accept-language": "ja"}
    ).content.decode()
    assert 'lang="ja"' in page
    assert "Fold" not in page


def test_a_range_in_the_usual_short_form():
    judgement = judge(Deal(**EDGE).spot, [6.0, 3.0, 2.0, 1.0])
    text = range_text(judgement.points)
    assert text.startswith("22+, A2s+, A2o+, K")
    kinds = {cell.name: cell.kind for row in grid(judgement, KINDS["AA"]) for cell in row}
    assert (kinds["AA"], kinds["T8s"], kinds["72o"]) == ("play", "chip", "fold")


def test_a_stored_round_is_read_back():
    table = new_round(3, "tight")
    assert Round(**vars(table)) == table
