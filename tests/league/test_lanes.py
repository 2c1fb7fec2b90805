"""What is dear to read waits in a lane of its own, and one network gets a part of a processor."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league import asgi
from league.site.lanes import MOST_NETWORKS, REFILL, SECONDS, Budgets, Refusals, is_dear
from tests.league.test_asgi import Crowd, until
from tests.test_access import PATTERNS

NETWORK = "203.0.113.7"


def test_a_leaderboard_never_waits_behind_files(monkeypatch):
    """However many files are asked for, one is drawn at a time, and other threads are free."""
    crowd = Crowd(monkeypatch)

    async def run():
        files = [asyncio.create_task(crowd.ask(f"/c/club/{n}.csv")) for n in range(10)]
        await until(lambda: crowd.site.dear_lane.n_waiting == 9)
        assert not crowd.site.lane.turns.locked()
        pages = [asyncio.create_task(crowd.ask(f"/c/club/s/{n}/")) for n in range(asgi.N_THREADS - 1)]
        await until(crowd.site.lane.turns.locked)
        assert crowd.site.lane.n_waiting == 0
        crowd.free.set()
        return [answer[0] for answer in await asyncio.gather(*files, *pages)]

    assert asyncio.run(run()) == [200] * (10 + asgi.N_THREADS - 1)


def test_more_files_than_wait_are_refused_and_pages_are_not(monkeypatch):
    monkeypatch.setattr(asgi, "MOST_DEAR", 2)
    crowd = Crowd(monkeypatch)

    async def run():
        files = [asyncio.create_task(crowd.ask("/c/club/changes.csv")) for _n in range(3)]
        await until(lambda: crowd.site.dear_lane.n_waiting == 2)
        late = await crowd.ask("/c/club/changes.csv")
        page = asyncio.create_task(crowd.ask("/c/club/"))
        crowd.free.set()
        return late[0], (await page)[0], len(await asyncio.gather(*files))

    assert asyncio.run(run()) == (503, 200, 3)


def test_what_is_refused_is_logged_once_a_minute_for_each_network(caplog):
    refused = Refusals()
    for second in range(120):
        refused.note("busy", NETWORK, float(second))
        refused.note("budget-used", "2001:db8::", float(second))
    lines = [record.getMessage() for record in caplog.records]
    assert (
        lines
        == [
            f'request-refused from="{NETWORK}" reason="busy"',
            'request-refused from="2001:db8::" reason="budget-used"',
        ]
        * 2
    )
    for n in range(2 * MOST_NETWORKS):
        refused.note("busy", f"network-{n}", 200.0)
    assert len(refused.at) == MOST_NETWORKS


def test_every_file_of_the_site_is_dear_and_polls_of_a_night_are_not():
    paths = {
        name: "/" + str(pattern.pattern).replace("<slug:club_slug>", "club")
        for name, pattern in PATTERNS.items()
    }
    files = {
        name
        for name, path in paths.items()
        if path.endswith((".csv", ".xlsx", ".zip", ".png", ".json", ".atom"))
    }
    assert len(files) > 10
    assert [name for name in files if not is_dear(paths[name])] == []
    quick = [
        "live:face",
        "live:log",
        "live:room",
        "standings:leaderboard",
        "standings:club",
        "directory:home",
    ]
    assert [name for name in quick if is_dear(paths[name])] == []


def used_up(budgets, now=0.0):
    budgets.spend(NETWORK, SECONDS + 10, now)


def test_a_network_that_has_used_up_its_time_waits_and_others_do_not():
    budgets = Budgets()
    used_up(budgets)
    assert budgets.wait_of(NETWORK, 0.0) == 10 / REFILL
    assert budgets.wait_of(NETWORK, 10 / REFILL) == 0
    assert budgets.wait_of("203.0.113.8", 0.0) == 0


@pytest.mark.parametrize("network", ["127.0.0.1", "127.8.0.1", "::1"])
def test_the_machine_itself_has_no_limit(network):
    budgets = Budgets()
    budgets.spend(network, 1e6, 0.0)
    assert budgets.wait_of(network, 0.0) == 0


def test_a_club_behind_one_network_feels_nothing():
    """Two hundred phones that poll a night every two seconds, and sixty members who read five pages of 70 ms each."""
    budgets, now = Budgets(), 0.0
    for second in range(3_600):
        now = float(second)
        budgets.spend(NETWORK, 100 * 0.004, now)
    for _page in range(60 * 5):
        budgets.spend(NETWORK, 0.07, now)
    assert budgets.wait_of(NETWORK, now) == 0


def test_as_many_networks_are_remembered_as_may():
    budgets = Budgets()
    used_up(budgets)
    for n in range(MOST_NETWORKS + 5):
        budgets.spend(f"10.{n // 65_536}.{n // 256 % 256}.{n % 256}", 0.1, 0.0)
    assert len(budgets.used) == MOST_NETWORKS


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 20)), max_size=60))
def test_in_any_time_a_network_gets_its_share_and_what_it_may_use_at_once(requests):
    """The last request may begin just before the budget is used up, so that its own time comes on top."""
    budgets, now, used = Budgets(), 0.0, 0.0
    for pause, seconds in requests:
        now += pause
        if budgets.wait_of(NETWORK, now) == 0:
            budgets.spend(NETWORK, seconds, now)
            used += seconds
    assert used <= SECONDS + REFILL * now + 20 + 1e-6


def test_who_has_used_up_the_time_is_told_when_to_come_back(monkeypatch):
    crowd = Crowd(monkeypatch)
    crowd.free.set()
    monkeypatch.setattr(asgi, "_network_of", lambda _scope: NETWORK)

    async def run():
        used_up(crowd.site.budgets, asgi.time.monotonic())
        return await crowd.ask("/c/club/")

    status, headers = asyncio.run(run())
    assert status == 429
    assert 0 < int(headers[b"Retry-After"]) <= 10 / REFILL
    assert crowd.answered == []


def test_what_a_request_takes_is_noted(monkeypatch):
    crowd = Crowd(monkeypatch)
    crowd.free.set()
    monkeypatch.setattr(asgi, "_network_of", lambda _scope: NETWORK)
    asyncio.run(crowd.ask("/c/club/"))
    assert NETWORK in crowd.site.budgets.used


def test_a_burst_of_one_network_ends_with_its_budget(monkeypatch):
    """Asking for the time on arrival alone, ninety requests at once were all answered."""
    crowd = Crowd(monkeypatch)
    monkeypatch.setattr(asgi, "_network_of", lambda _scope: NETWORK)
    monkeypatch.setattr(crowd.site, "_measured", lambda scope, body: (crowd._answer(scope, body), 10.0))

    async def run():
        burst = [asyncio.create_task(crowd.ask(f"/c/{n}/")) for n in range(40)]
        await until(lambda: crowd.site.lane.n_waiting == 40 - asgi.N_THREADS)
        crowd.free.set()
        return [answer[0] for answer in await asyncio.gather(*burst)]

    answers = asyncio.run(run())
    assert answers.count(200) <= SECONDS / 10 + asgi.N_THREADS
    assert answers.count(200) + answers.count(429) == 40


def test_one_network_has_at_most_half_of_those_that_wait(monkeypatch):
    crowd = Crowd(monkeypatch)
    networks = iter([NETWORK] * (asgi.N_THREADS + asgi.MOST_WAITING // asgi.SHARE + 1) + ["203.0.113.8"])
    monkeypatch.setattr(asgi, "_network_of", lambda _scope: next(networks))

    async def run():
        busy = await crowd.taking_all_threads()
        n_waiting = asgi.MOST_WAITING // asgi.SHARE
        waiting = [asyncio.create_task(crowd.ask("/waits")) for _n in range(n_waiting)]
        await until(lambda: crowd.site.lane.n_waiting == n_waiting)
        late = await crowd.ask("/one too many")
        other = asyncio.create_task(crowd.ask("/of another network"))
        await until(lambda: crowd.site.lane.n_waiting == n_waiting + 1)
        crowd.free.set()
        await asyncio.gather(*busy, *waiting)
        return late[0], (await other)[0]

    assert asyncio.run(run()) == (503, 200)
    assert crowd.site.lane.n_of_network == {}
