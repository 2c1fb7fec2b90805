from datetime import UTC, datetime

import pytest
import time_machine

NOW = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _clock():
    """Fix the time, because events in the future are refused."""
    with time_machine.travel(NOW, tick=True):
        yield
