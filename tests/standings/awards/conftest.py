import pytest


@pytest.fixture
def events(season, enter_event):
    """Ada wins twice and stays away once; Cleo and Boris play all three. Nobody counts knock-outs."""
    enter_event("Ada\nBoris\nCleo\nDana")
    enter_event("Ada\nCleo\nBoris", day=7)
    enter_event("Boris\nCleo", day=14)
