from tests.league.conftest import client_of, refused_to

__all__ = ["client_of", "refused_to"]
