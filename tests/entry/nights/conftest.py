from datetime import UTC, datetime

import pytest

from tests.entry.nights.tables import make_game


@pytest.fixture(autouse=True)
def _now(time_machine):
    time_machine.move_to(datetime(2026, 1, 20, 22, tzinfo=UTC), tick=False)


@pytest.fixture
def game(club):
    return make_game(club)
