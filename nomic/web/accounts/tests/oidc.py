"""A small OpenID Connect provider on this machine: discovery, codes with PKCE, signed ID tokens."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

CLIENT, SECRET = "nomic", "the provider's word"


class Provider:
    """The provider and what it says of the person who signs in there next.

    `person` are the claims of them, `userinfo` what it tells beside the token, `forged` whether it
    signs with a key that it does not publish; a provider that is not `up` answers 500.
    """

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.strange_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.person: dict[str, Any] = {"sub": "4711"}
        self.userinfo: dict[str, Any] = {}
        self.token: dict[str, Any] = {}
        self.forged, self.up = False, True
        self.codes: dict[str, dict[str, str]] = {}
        self.issuer = ""

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser is sent back to, as somebody who agreed."""
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        back = {"code": code, "state": asked["state"]}
        return f"{asked['redirect_uri']}?{urlencode(back)}"

    def tokens(self, sent: dict[str, str]) -> dict[str, Any] | None:
        """The tokens for a code that was given out, to who began it and holds the secret."""
        asked = self.codes.pop(sent.get("code", ""), None)
        verifier = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if asked is None or (sent.get("client_id"), sent.get("client_secret")) != (CLIENT, SECRET):
            return None
        if challenge != asked["code_challenge"] or sent["redirect_uri"] != asked["redirect_uri"]:
            return None
        now = int(time.time())  # of the libraries' own clock
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 60}
        key = self.strange_key if self.forged else self.key
        claims |= {**self.person, **self.token}
        signed = jwt.encode(claims, key, "RS256", headers={"kid": "1"})
        return {"access_token": "x", "token_type": "Bearer", "id_token": signed}

    def answer(self, path: str) -> Any:
        """The JSON at that path; None for none."""
        at = self.issuer
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": at,
                "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token",
                "userinfo_endpoint": f"{at}/userinfo",
                "jwks_uri": f"{at}/jwks",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            }
        if path == "/jwks":
            public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
            return {"keys": [{**public, "kid": "1", "alg": "RS256", "use": "sig"}]}
        if path == "/userinfo":
            return {**self.person, **self.userinfo}
        return None


@contextmanager
def serving() -> Iterator[Provider]:
    """The provider, while it answers on a port of this machine."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorize":
                asked = dict(parse_qsl(parts.query))
                self.send_response(302)
                self.send_header("Location", provider.authorize(asked))
                self.end_headers()
                return
            self._tell(provider.answer(parts.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            sent = {name: values[0] for name, values in parse_qs(body).items()}
            self._tell(provider.tokens(sent), refused=400)

        def _tell(self, content: Any, refused: int = 404) -> None:
            status = 500 if not provider.up else 200 if content is not None else refused
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, *told: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
