"""Name the queues of the workers, from the first to the last: a worker takes from one only if those before are empty.

Celery's own default queue has what people wait for: small recomputations, and the sweeps. What takes seconds waits
in LONG for a worker of its own, which the supervisor starts when there is any. LATER has what nobody waits for.
"""

SOON, LATER, LONG = "celery", "later", "long"
OF_WORKER = (SOON, LATER)
LONG_SECONDS = 2.0  # of processor time: what takes longer has a worker of its own
FIRST_GUESS = 1e-4  # seconds an entry, in a pool that has not been measured

# By the name of a task, where its queue does not depend on how much there is to do.
LATER_TASKS = frozenset(
    {
        "directory.tasks.sweep",
        "entry.tasks.sweep",
        "lab.tasks.compute_chunk",
        "lab.tasks.purge_games",
        "lab.tasks.purge_runs",
        "league.tasks.purge_expired",
        "noticeboard.tasks.purge",
        "noticeboard.tasks.sweep",
        "standings.tasks.purge",
        "webhooks.tasks.sweep",
    }
)
