"""What the networks of docker-compose.yml let through, tried in network namespaces of Linux: no Docker is needed.

Each service gets a namespace, each network a bridge, and one that is not internal a way out, to a mail server that stands
for all of the internet.
"""

import shutil
import subprocess
import sys
from itertools import count

import pytest

from tests.production.compose import COMPOSE, SERVICES

MAIL_SERVER, PORT = "192.0.2.25", 2525  # RFC 5737
SERVED = {"db": 5432, "redis": 6379, "web": 8000}
LISTEN = """
import socket, sys
servers = [socket.create_server(("0.0.0.0", int(port))) for port in sys.argv[1:]]
print("up", flush=True)
import time
time.sleep(600)
"""
REACH = """
import socket, sys
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=2).close()
except OSError:
    sys.exit(1)
"""


def may_make_namespaces():
    programs = [shutil.which(program) for program in ("ip", "unshare")]
    return (
        all(programs)
        and subprocess.run(["unshare", "-n", "true"], check=False, capture_output=True).returncode == 0
    )


pytestmark = [
    pytest.mark.rest,
    pytest.mark.skipif(
        not may_make_namespaces(), reason="needs Linux, iproute2 and the right to make namespaces"
    ),
]


class Net:
    """Namespaces and bridges, all named after this test."""

    def __init__(self):
        self.spaces, self.processes, self.links = [], [], count()
        self.addresses = {}

    def ip(self, *arguments, of=None):
        inside = ["ip", "netns", "exec", self.name(of)] if of else []
        subprocess.run([*inside, "ip", *arguments], check=True)

    def name(self, space):
        return f"tierboard-{space}"

    def space(self, space):
        self.ip("netns", "add", self.name(space))
        self.spaces.append(space)
        self.ip("link", "set", "lo", "up", of=space)

    def bridge(self, network, number):
        """Make a bridge in a namespace of its own, so that the machine's own networks are left alone."""
        self.space(network)
        self.ip("link", "add", "bridge", "type", "bridge", of=network)
        self.ip("address", "add", f"10.99.{number}.1/24", "dev", "bridge", of=network)
        self.ip("link", "set", "bridge", "up", of=network)

    def connect(self, space, network, address):
        """Plug a namespace into the bridge of a network."""
        own, other = f"tb{next(self.links)}", f"tb{next(self.links)}"
        self.ip(
            "link",
            "add",
            own,
            "netns",
            self.name(space),
            "type",
            "veth",
            "peer",
            other,
            "netns",
            self.name(network),
        )
        self.ip("link", "set", other, "master", "bridge", of=network)
        self.ip("link", "set", other, "up", of=network)
        self.ip("address", "add", f"{address}/24", "dev", own, of=space)
        self.ip("link", "set", own, "up", of=space)

    def serve(self, space, *ports):
        command = ["ip", "netns", "exec", self.name(space), sys.executable, "-c", LISTEN, *map(str, ports)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.processes.append(process)
        assert process.stdout.readline() == b"up\n"

    def reaches(self, space, address, port):
        command = ["ip", "netns", "exec", self.name(space), sys.executable, "-c", REACH, address, str(port)]
        return subprocess.run(command, check=False).returncode == 0

    def close(self):
        for process in self.processes:
            process.kill()
            process.communicate()
        for space in self.spaces:
            subprocess.run(["ip", "netns", "delete", self.name(space)], check=False)


@pytest.fixture
def net():
    net = Net()
    try:
        for number, (network, options) in enumerate(COMPOSE["networks"].items()):
            net.bridge(network, number)
            for host, (name, service) in enumerate(SERVICES.items(), start=10):
                if name not in net.spaces:
                    net.space(name)
                if network in service["networks"]:
                    address = f"10.99.{number}.{host}"
                    net.connect(name, network, address)
                    net.addresses[name, network] = address
                    if not (options or {}).get("internal"):
                        net.ip("route", "add", "default", "via", f"10.99.{number}.1", of=name)
            if not (options or {}).get("internal"):
                net.ip("address", "add", f"{MAIL_SERVER}/32", "dev", "lo", of=network)
                net.serve(network, PORT)
        for name, port in SERVED.items():
            net.serve(name, port)
        yield net
    finally:
        net.close()


def test_mails_leave_from_web_and_worker_and_nothing_else_reaches_the_internet(net):
    reached = {name for name in SERVICES if net.reaches(name, MAIL_SERVER, PORT)}
    assert reached == {"web", "worker"}


def test_every_service_reaches_the_servers_that_it_needs(net):
    for name in ("migrate", "web", "worker", "beat", "backup", "restore"):
        assert net.reaches(name, net.addresses["db", "inside"], SERVED["db"]), name
    for name in ("web", "worker", "beat"):
        assert net.reaches(name, net.addresses["redis", "inside"], SERVED["redis"]), name
