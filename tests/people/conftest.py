from tests.league.conftest import _clock  # noqa: F401  the same moment for each test
