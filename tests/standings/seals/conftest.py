import pytest

from league.models import Meet, Player
from league.services.seasons import close_season
from standings.models import Award
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests.standings.seals.seasons import COMPUTED


@pytest.fixture
def owner(people):
    return people["owner"]


@pytest.fixture
def played(season, enter_event):
    """Three events with a tie, re-entries and times, all kinds of awards."""
    enter_event("Ada = Boris\nCleo x2 @21:40\nDana @21:10")
    enter_event("髙橋\nAda\nBoris", day=7)
    enter_event("Boris\nAda\nCleo", day=14)
    meet = Meet.objects.create(season=season, day="2026-01-06", name="First meet")
    season.events.filter(starts_at__lt="2026-01-07T00:00Z").update(meet=meet)
    for position, kind in enumerate(COMPUTED):
        Award.objects.create(season=season, position=position, kind=kind)
    person = Player.objects.get(name="Dana")
    Award.objects.create(season=season, position=9, kind="chosen", title="Best dealer", player=person)
    return season


@pytest.fixture
def sealed(played, owner):
    close_season(played, actor=owner)
    recompute(played.pool_id)
    seal_season(played, actor=owner)
    recompute(played.pool_id)
    played.refresh_from_db()
    return played
