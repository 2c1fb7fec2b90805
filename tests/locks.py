import threading
from contextlib import contextmanager

from django.db import connection

from standings.recomputation.locks import pool_lock


@contextmanager
def held_elsewhere(pool_id):
    """Hold the pool's lock in another thread, which has a connection of its own."""
    is_held, may_go = threading.Event(), threading.Event()

    def hold():
        with pool_lock(pool_id, wait_seconds=1) as held:
            assert held
            is_held.set()
            may_go.wait(120)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert is_held.wait(120)
    yield
    may_go.set()
    thread.join()
