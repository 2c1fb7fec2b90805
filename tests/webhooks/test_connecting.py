"""Where hooks may lead: to the internet, and nowhere into a network that the site is in."""

import socket
import ssl
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from webhooks.services import connecting
from webhooks.services.connecting import AddressRefusedError, place_of, post

INSIDE = [
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    "2001:0:4136:e378:8000:63bf:80ff:fffe", "2001:db8::1", "fec0::1", "::10.0.0.1", "::ffff:0:10.0.0.1", "64:ff9b:1::a00:1",
    "5f00::1", "3fff::1", "100::1", "4000::1", "192.88.99.1", "::ffff:224.0.0.1", "2002:e000:1::", "64:ff9b::e000:1",
]  # fmt: skip
OUTSIDE = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"]


@pytest.fixture
def names(monkeypatch):
    """Let a name have these addresses."""

    def lead(*addresses):
        found = [(None, None, None, "", (address, 443)) for address in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_options: found)

    return lead


@pytest.mark.parametrize("address", INSIDE)
def test_no_name_leads_inside(names, address):
    names(address)
    with pytest.raises(AddressRefusedError):
        place_of("https://hook.example/in")


@pytest.mark.parametrize("address", OUTSIDE)
def test_names_lead_to_the_internet(names, address):
    names(address)
    assert place_of("https://hook.example/in?a=1").address == address


def test_one_address_inside_is_one_too_many(names):
    names("93.184.216.34", "10.0.0.1")
    with pytest.raises(AddressRefusedError):
        place_of("https://hook.example/")


@pytest.mark.parametrize(
    "url",
    [
        "http://hook.example/", "ftp://hook.example/", "https://", "https:///in", "https://a b.example/", "hook.example",
        "https://hook.example:8443/", "https://hook.example:99999/", "https://user:secret@hook.example/", "https://[::1",
        "javascript:alert(1)", "file:///etc/passwd", "https://\u0000/", "",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(names, url):
    names("93.184.216.34")
    with pytest.raises(AddressRefusedError):
        place_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://localhost/",
    ],
)
def test_other_ways_to_write_this_machine_are_refused(url):
    with pytest.raises(AddressRefusedError):
        place_of(url)


def test_a_host_that_the_operator_allows_may_be_anywhere(names):
    names("10.0.0.1")
    place = place_of("http://chat.example:8065/hooks/x", allowed={"chat.example"})
    assert (place.address, place.port, place.path) == ("10.0.0.1", 8065, "/hooks/x")


def test_the_connection_goes_to_the_address_that_was_checked(names, monkeypatch, settings):
    names("93.184.216.34")
    connected = []

    def connect(address, *_given, **_options):
        connected.append(address)
        raise OSError("not in a test")

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    answer = post("https://hook.example/in", b"{}", {})
    assert (answer.status, connected) == (None, [("93.184.216.34", 443)])


DRIPS = {
    "a header": b"HTTP/1.1 200 OK\r\nX-A: ",
    "more to come": b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n",
}


@pytest.fixture
def dripping():
    """Serve receivers that send a byte now and then, and never end."""
    servers = []

    def serve(beginning):
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def drip():
            with suppress(OSError):
                connection, _address = server.accept()
                with connection:
                    connection.sendall(beginning)
                    while True:
                        time.sleep(0.1)
                        connection.sendall(b"a")

        threading.Thread(target=drip, daemon=True).start()
        return f"http://localhost:{server.getsockname()[1]}/"

    yield serve
    for server in servers:
        server.close()


@pytest.mark.parametrize("beginning", DRIPS)
def test_a_receiver_that_sends_a_byte_now_and_then_is_cut_off(dripping, settings, monkeypatch, beginning):
    settings.WEBHOOK_HOSTS = ["localhost"]
    monkeypatch.setattr(connecting, "DEADLINE", 0.5)
    began = time.monotonic()
    answer = post(dripping(DRIPS[beginning]), b"{}", {})
    assert time.monotonic() - began < 8
    assert answer.status is None or len(answer.text) < 900


def test_what_went_wrong_does_not_name_the_address(settings):
    settings.WEBHOOK_HOSTS = ["localhost"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    answer = post(f"http://localhost:{port}/bot123:SECRET/sendMessage", b"{}", {})
    assert (answer.status, "SECRET" in answer.text) == (None, False)


@pytest.fixture
def self_signed(tmp_path):
    """Write the certificate and key of a server that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    built = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    built = (
        built.serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
    built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    file = tmp_path / "server.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + built.sign(key, SHA256()).public_bytes(Encoding.PEM))
    return file


def test_a_server_that_nobody_vouches_for_is_told_nothing(self_signed, settings):
    settings.WEBHOOK_HOSTS = ["localhost"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed)
    taken = []

    def serve(server):
        with suppress(OSError):
            connection, _address = server.accept()
            with context.wrap_socket(connection, server_side=True) as encrypted:
                taken.append(encrypted.recv(1000))

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=[server])
        thread.start()
        answer = post(f"https://localhost:{server.getsockname()[1]}/in", b"{}", {})
        thread.join(10)
    assert (answer.status, answer.text, taken) == (None, "SSLCertVerificationError", [])
