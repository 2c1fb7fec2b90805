"""Worker and beat under the site's own supervisor, on the faulty wire. --no-sweep: no beat and no watchdog."""

import sys

from processes.serve import rescue
from processes.supervisor import Child, Supervisor, children
from processes.watchdog import is_stuck
from tests.storm.wire import LIFE, note


class Watched(Child):
    """A child that notes its process id as soon as it starts."""

    def start(self) -> None:
        super().start()
        note(LIFE, "starts", self.process.pid)


def main() -> None:
    sweeps = "--no-sweep" not in sys.argv
    supervised = children(["worker", "beat"] if sweeps else ["worker"], host="", port=0)
    for child in supervised:
        child.command = ["tests.storm.celery_app" if part == "league" else part for part in child.command]
    supervised[0] = Watched("worker", supervised[0].command)
    Supervisor(supervised, is_stuck=is_stuck if sweeps else lambda: False, rescue=rescue()).run()


if __name__ == "__main__":
    main()
