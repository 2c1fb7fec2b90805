"""Merges and evenings after them, taken back in any order that a club could choose."""

from functools import partial
from itertools import pairwise

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from league.models import Event, Player, PlayerAlias, PlayerMerge
from league.services.events import delete_event
from people.services.merges import events_of_both, merge_players, unmerge
from tests.factories import SeasonFactory, enter
from tests.people.merged_rows import computed, stored_rows
from tests.storm.rows import wrong_leagues

pytestmark = pytest.mark.django_db
PEOPLE = ("Ada", "Boris", "Cleo", "Dora", "Ezra", "Fay")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("merge"), st.permutations(PEOPLE)),
        st.tuples(st.just("unmerge"), st.integers(0, 5)),
        st.tuples(st.just("enter"), st.permutations(PEOPLE)),
    ),
    min_size=1,
    max_size=8,
)


class Undoing:
    """Steps of a club's life with the way back of each."""

    def __init__(self, season, actor):
        self.season, self.actor, self.back, self.day = season, actor, [], 10

    def do(self, kind, what):
        getattr(self, kind)(what)

    def merge(self, order):
        """Merge the first two who are still players and never met."""
        players = [Player.objects.select_related("club").filter(name=name).first() for name in order]
        present = [player for player in players if player]
        for one, other in pairwise(present):
            if not events_of_both(one, other):
                self._merge(one.pk, other.pk)
                self.back.append(partial(self._unmerge, other.pk))
                return

    def _merge(self, kept, gone):
        one, other = (Player.objects.select_related("club").get(pk=pk) for pk in (kept, gone))
        merge_players(one, other, actor=self.actor)

    def unmerge(self, which):
        merges = list(PlayerMerge.objects.order_by("pk"))
        if merges:
            merge = merges[which % len(merges)]
            # Only the last merge of a player is undone by merging the same two again.
            if not PlayerMerge.objects.filter(kept=merge.kept, pk__gt=merge.pk).exists():
                kept, gone = merge.kept_id, merge.merged_id
                self._unmerge(gone)
                self.back.append(lambda: self._merge(kept, gone))

    def _unmerge(self, gone):
        unmerge(self.season.club, PlayerMerge.objects.get(merged_id=gone).pk, actor=self.actor)

    def enter(self, order):
        """Enter an evening of three people under any of their names."""
        own = dict(PlayerAlias.objects.values_list("name", "player__name"))
        people = {own.get(name, name): name for name in order}
        event = enter(self.season, "\n".join(list(people.values())[:3]), day=self.day)
        self.day += 1
        self.back.append(lambda: self._delete(event.pk))

    def _delete(self, event_id):
        event = Event.objects.select_related("season").get(pk=event_id)
        delete_event(event, version=event.version, actor=self.actor)


@pytest.fixture
def league(db, people):
    season = SeasonFactory()
    for day, text in enumerate(("Ada\nBoris", "Cleo\nAda", "Dora\nEzra", "Fay\nCleo\nEzra", "Boris\nDora")):
        enter(season, text, day=day)
    return season, people["owner"]


@pytest.mark.rest
@settings(
    max_examples=8, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_merges_and_later_evenings_undone_in_reverse_leave_no_trace(league, steps):
    season, owner = league
    with transaction.atomic():
        before, rates = stored_rows(season.club), computed(season.club)
        life = Undoing(season, owner)
        for kind, what in steps:
            life.do(kind, what)
        computed(season.club)
        while life.back:
            life.back.pop()()
        assert stored_rows(season.club) == before
        assert computed(season.club) == rates
        assert wrong_leagues() == 0
        transaction.set_rollback(True)
