import pytest

from processes.doctor.findings import State


@pytest.fixture
def states():
    """Read findings as pairs of state and text, remedies included."""

    def states(findings):
        rows = list(findings)
        assert all(row.found for row in rows)
        assert all(bool(row.remedy) == (row.state != State.OK) for row in rows), "a fault without a remedy"
        return [(row.state, f"{row.found} {row.remedy}".strip()) for row in rows]

    return states
