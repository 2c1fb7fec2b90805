"""A program that takes messages of a webhook: `python -m tests.storm.receiver PORT FILE`.

It writes each message to a file before it answers, and answers some of them with an error although it has taken them, each
once at most: after the fourth failure the site waits for ten minutes.
"""

import json
import os
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

REFUSED = 0.15  # of the messages


def main() -> None:
    port, file = int(sys.argv[1]), Path(sys.argv[2])
    rng, lock = random.Random(), Lock()
    seen = (
        {json.loads(line)[0]["webhook-id"] for line in file.read_text().splitlines()}
        if file.exists()
        else set()
    )

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = self.rfile.read(length).decode()
            if len(body.encode()) < length:
                self.close_connection = True  # the sender was killed in the middle
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            with lock, file.open("a") as taken:
                is_new = headers["webhook-id"] not in seen
                seen.add(headers["webhook-id"])
                taken.write(json.dumps([headers, body]) + "\n")
                taken.flush()
                os.fsync(taken.fileno())
            self.send_response(503 if is_new and rng.random() < REFUSED else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_told: object) -> None:
            pass

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
