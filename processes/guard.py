"""End the supervisor's children when the supervisor itself has been killed, so that none keeps the port."""

import subprocess
from contextlib import suppress

# Reads "NAME PID" lines and remembers the last process of each name, which has letters alone. When the pipe closes
# without "done" before, the writer was killed: the process groups get SIGTERM, and five seconds later SIGKILL. A shell
# takes a megabyte.
SCRIPT = """
trap '' INT TERM HUP
while read -r name pid; do
  [ "$name" = done ] && exit
  eval "pid_$name=$pid"
  case " $names " in *" $name "*) ;; *) names="$names $name" ;; esac
done
for signal in TERM KILL; do
  for name in $names; do
    eval "pid=\\$pid_$name"
    [ -z "$pid" ] || kill -s "$signal" -- "-$pid" 2>/dev/null
  done
  [ "$signal" = KILL ] || sleep 5
done
"""


class Guard:
    """A process that outlives this one only to stop the process groups it was told of."""

    def __init__(self) -> None:
        # The children inherit no end of the pipe: it closes with this process.
        self._process = subprocess.Popen(  # noqa: S603  our own script
            ["/bin/sh", "-c", SCRIPT], stdin=subprocess.PIPE, text=True, start_new_session=True
        )

    def watch(self, name: str, pid: int) -> None:
        self._write(f"{name} {pid}\n")

    def forget(self, name: str) -> None:
        """Forget a process that has ended: its number may become that of a stranger."""
        self._write(f"{name}\n")

    def dismiss(self) -> None:
        """Let the guard end without stopping anything."""
        self._write("done\n")
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()

    def _write(self, line: str) -> None:
        with suppress(BrokenPipeError):  # somebody killed the guard
            if self._process.stdin:
                self._process.stdin.write(line)
                self._process.stdin.flush()
