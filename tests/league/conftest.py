from datetime import UTC, datetime

import pytest
import time_machine

NOW = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _clock():
    """What may be entered depends on the day it is."""
    with time_machine.travel(NOW, tick=True):
        yield
