"""The embedded broker: kombu's filesystem transport, safe when a process is killed during a write.

kombu writes messages and its routing tables in place, so a worker can read an empty or incomplete file, and then
it crashes. Here a message file is either complete or not there. A file that is no message is set aside under a hidden
name, and a damaged table is deleted: the sweep publishes the lost messages again.
"""

import logging
import math
import threading
import time
import uuid
from functools import cached_property
from pathlib import Path
from queue import Empty
from typing import Any

from celery.signals import worker_shutting_down
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

from league.site.queues import LATER, SOON

log = logging.getLogger(__name__)

TABLE_COLUMNS = 3  # routing key, pattern, queue


# A queue and the one whose messages come before its own, as with Redis (`queue_order_strategy` in the settings). If
# they took turns, each sweep would wait behind one long task of the lower queue, and expire there.
AFTER = {LATER: SOON}


class Channel(filesystem.Channel):
    @cached_property
    def data_folder_in(self) -> str:
        folder: str = self.transport_options["data_folder_in"]
        Path(folder).mkdir(parents=True, exist_ok=True)
        return folder

    def _put(self, queue: str, payload: dict[str, Any], **_kwargs: Any) -> None:  # type: ignore[override]  # the stubs disagree with one another
        name = f"{time.monotonic_ns():020d}_{uuid.uuid4()}.{queue}.msg"  # sorted by age
        draft = Path(self.data_folder_out) / f".{name}.part"
        try:
            draft.write_bytes(str_to_bytes(dumps(payload)))
            draft.replace(draft.with_name(name))
        except OSError:  # the disk is full
            draft.unlink(missing_ok=True)
            raise

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002  kombu's signature
        """Take the oldest message: the process that renames its file first gets it."""
        if queue in AFTER and self.waiting(AFTER[queue]):
            raise Empty
        for file in self.waiting(queue):
            taken = file.with_name(f".{file.name}.{uuid.uuid4()}")
            try:
                file.rename(taken)
            except FileNotFoundError:
                continue
            payload = self._payload(taken)
            if payload is None:
                log.warning("set aside what is no message: %s", taken)
                continue
            taken.unlink()
            return payload
        raise Empty

    def waiting(self, queue: str) -> list[Path]:
        """List the files of the messages that wait, the oldest first."""
        return sorted(Path(self.data_folder_in).glob(f"[!.]*.{queue}.msg"))

    def _payload(self, file: Path) -> dict[str, Any] | None:
        """Read a message; None if the file holds none that kombu can deliver."""
        try:
            payload = loads(bytes_to_str(file.read_bytes()))
        except ValueError:
            return None
        if not isinstance(payload, dict) or not isinstance(properties := payload.get("properties"), dict):
            return None
        has_address = isinstance(properties.get("delivery_info"), dict) and "delivery_tag" in properties
        has_text = isinstance(payload.get("body"), str) and isinstance(payload.get("headers"), dict)
        is_readable = properties.get("body_encoding") in [None, *self.codecs]
        return payload if has_address and has_text and is_readable else None

    def get_table(self, exchange: str) -> Any:
        self._delete_damaged_table(exchange)
        return super().get_table(exchange)

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        self._delete_damaged_table(exchange)
        super()._queue_bind(exchange, routing_key, pattern, queue)

    def _delete_damaged_table(self, exchange: str) -> None:
        """Delete a routing table that a kill left unreadable; the next binding of a queue writes it again."""
        file: Path = self._exchange_file(exchange)  # type: ignore[attr-defined]  # missing in the stubs
        try:
            table = loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return
        except ValueError:
            table = None
        is_table = isinstance(table, list) and all(
            isinstance(row, list) and len(row) == TABLE_COLUMNS for row in table
        )
        if not is_table:
            file.unlink(missing_ok=True)


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(  # type: ignore[override]  # the stubs leave the timeout out
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Wait for a message, but no longer once the worker has been told to stop, or Ctrl-C would take seconds."""
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            try:
                return super().drain_events(connection, timeout=0)
            except TimeoutError:
                if _is_stopping.is_set() or time.monotonic() >= deadline:
                    raise
                time.sleep(self.polling_interval or 0)


_is_stopping = threading.Event()


@worker_shutting_down.connect
def _note_stop(**_kwargs: Any) -> None:
    _is_stopping.set()


TRANSPORT_ALIASES["embedded"] = "league.site.broker:Transport"
