"""A server that people sign in with: OpenID Connect, and what Google, Discord and LINE answer, over real connections."""

import base64
import hashlib
import json
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import jwt

PROVIDERS = ["google", "discord", "line", "sso/oidc"]
MAIL = "ada@example.com"
# How each says who somebody is.
PERSONS = {
    "google": {"iss": "https://accounts.google.com", "sub": "108", "email": MAIL, "email_verified": True},
    "discord": {"id": "80351110224678912", "username": "ada", "email": MAIL, "verified": True},
    "line": {"userId": "U4af4980629", "displayName": "Ada", "email": MAIL},
    "sso/oidc": {
        "sub": "ada-1",
        "email": MAIL,
        "email_verified": True,
        "given_name": "Ada",
        "picture": "p.png",
    },
}
FORM = {"username": "ada", "email": MAIL}
KEYS = {"client_id": "tierboard", "secret": "a secret of the operator that is long enough"}


class Elsewhere(ThreadingHTTPServer):
    """Knows one person, and says who that is to whoever brings a code, the secret and the proof of its own request."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.person = {}
        self.codes = {}
        self.audience = KEYS["client_id"]
        self.token = {"access_token": "good", "token_type": "Bearer", "expires_in": 3600}
        self.in_token = {}  # what a token of identity says differently
        self.is_broken = False

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    @staticmethod
    def keys_of(provider):
        """Return the variables with which an operator sets the keys that this server has given."""
        return {f"{provider}_CLIENT_ID": KEYS["client_id"], f"{provider}_CLIENT_SECRET": KEYS["secret"]}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        if address.path == "/authorize":
            self.send_back(dict(parse_qs(address.query, strict_parsing=True)))
        elif address.path == "/.well-known/openid-configuration":
            url = self.server.url
            self.answer(
                {
                    "issuer": url,
                    "authorization_endpoint": f"{url}/authorize",
                    "token_endpoint": f"{url}/token",
                    "userinfo_endpoint": f"{url}/person",
                    "jwks_uri": f"{url}/keys",
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                }
            )
        elif address.path == "/person" and self.headers["Authorization"] == "Bearer good":
            self.answer(self.server.person)
        else:
            self.answer({"message": "401: Unauthorized"}, status=401)

    def send_back(self, asked):
        """Send the browser back with a code, as after the consent of its owner, or with a refusal."""
        if not self.server.person:
            given = {"error": "access_denied"}
        else:
            given = {"code": token_urlsafe(16)}
            self.server.codes[given["code"]] = asked
        self.send_response(302)
        self.send_header(
            "Location", f"{asked['redirect_uri'][0]}?{urlencode(given | {'state': asked['state'][0]})}"
        )
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        asked = self.server.codes.pop(form["code"][0], None)
        proof = hashlib.sha256(form.get("code_verifier", [""])[0].encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).decode().rstrip("=")
        if (
            self.server.is_broken
            or asked is None
            or form["client_secret"] != [KEYS["secret"]]
            or form["redirect_uri"] != asked["redirect_uri"]
            or challenge != asked["code_challenge"][0]
        ):
            self.answer({"error": "invalid_grant"}, status=400)
            return
        token = dict(self.server.token)
        if "openid" in asked["scope"][0]:
            now = int(time.time())
            claims = {"iss": self.server.url, "aud": self.server.audience, "iat": now, "exp": now + 60}
            token["id_token"] = jwt.encode(
                claims | self.server.person | self.server.in_token, KEYS["secret"], algorithm="HS256"
            )
        self.answer(token)

    def answer(self, data, status=200):
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_told):
        pass


@contextmanager
def elsewhere():
    server = Elsewhere()
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class Stay(HTTPRedirectHandler):
    """Follows no redirect: the test's client does."""

    def redirect_request(self, *_args, **_kwargs):
        return None


def go_there(client, provider, *, process="login", **typed):
    """Tap on the button of a provider; return the address on the way to it."""
    query = urlencode({"process": process} | typed)
    page = client.post(f"/accounts/{provider}/?{query}")
    assert page.status_code == 200, page
    return page.headers["Refresh"].removeprefix("0; url=")


def come_back(client, there, **changed):
    """Do there what a browser does, and open the address that it is sent back to."""
    address, query = way_back(there)
    return client.get(f"{address}?{urlencode(query | changed)}")


def way_back(there):
    """Say there who somebody is; return the address that the browser is sent back to, and what it brings."""
    try:
        build_opener(Stay()).open(Request(there), timeout=10)
    except HTTPError as answer:
        back = urlsplit(answer.headers["Location"])
    return back.path, {key: value[0] for key, value in parse_qs(back.query).items()}


def sign_in(client, provider, **options):
    return come_back(client, go_there(client, provider, **options))
