import pytest


@pytest.fixture
def evenings(season, enter_evening):
    """Ada wins twice and stays away once; Cleo and Boris play all three."""
    enter_evening("Ada\nBoris\nCleo\nDana")
    enter_evening("Ada\nCleo\nBoris", day=7)
    enter_evening("Boris\nCleo", day=14)
