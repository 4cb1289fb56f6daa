"""Who visits the pages: browsers without a screen, each signed in as somebody of the cast."""

import json
import re
import secrets
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.cached_db import SessionStore
from django.middleware import csrf
from django.template import Context, Template
from django.test import Client
from django.test import utils as django_test
from django.test.signals import template_rendered
from django.utils.safestring import SafeString

from nomic.games.clock import wall_now
from nomic.games.models import Player
from nomic.web import etags
from nomic.web.tokens import make_token
from tests.kit.steps import around

Visitor = Callable[..., Client]

_CONSONANTS = "BCDFGHJKLMNPQRSTVWXZ"


def pytest_configure() -> None:
    """Let a page's template be noted, whose context tests look at, and not each of its parts: that
    takes a tenth of the time of a page of many."""
    django_test.instrumented_test_render = _noted_and_rendered  # type: ignore[attr-defined]


def _noted_and_rendered(self: Template, context: Context) -> SafeString:
    if context.template is self:
        template_rendered.send(sender=self, template=self, context=context)
    return self.nodelist.render(context)


@pytest.fixture(scope="session", autouse=True)
def _no_word_stands_in_a_token_by_chance() -> Iterator[None]:
    """The tokens and keys in forms are as long as ever and have neither vowels nor digits, so that
    no word and no figure that a test looks for in a page can be in one of them."""

    def of_consonants(octets: int = 32) -> str:
        return "".join(secrets.choice(_CONSONANTS) for _ in range(ceil(octets * 4 / 3)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csrf, "CSRF_ALLOWED_CHARS", _CONSONANTS)
        patch.setattr(secrets, "token_urlsafe", of_consonants)
        yield


def ask_as_program(
    player: Player, method: str, path: str, status: int = 200, /, **body: Any
) -> Any:
    """What the API answers a program of that player's, in their game."""
    assert player.user is not None
    headers = {"Authorization": f"Bearer {make_token(player.user, 'a program')[1]}"}
    address = f"/api/v1/games/{player.game.slug}/{path}"
    sent = json.dumps(body) if body else ""
    answer = Client().generic(method, address, sent, "application/json", headers=headers)
    assert answer.status_code == status, answer.content
    return json.loads(answer.content)


def figure(count: int) -> str:
    """A pattern of that number as a page or an answer may write it. In no hash and no moment: their
    digits have others, letters or a point beside them."""
    digits = f"{count:,}".replace(",", "[,. \u2009\u00a0]?")
    return rf"(?<![\w.])(?<!\w-){digits}(?![\w-])"


def sign_in_client(client: Client, user: User) -> None:
    """Let that user have signed in with the client: the session and the moment are kept as by
    `force_login`, in a third of its time."""
    user.last_login = wall_now()
    User.objects.filter(pk=user.pk).update(last_login=user.last_login)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)


def on_one_line(html: str) -> str:
    """The page with a space for all white space that stands together, and none where a tag ends."""
    return re.sub(r"(<[^<>]*) (/?>)", r"\1\2", " ".join(html.split()))


def tight(html: str) -> str:
    """The page on one line, and no spaces beside its tags: no browser draws them in a block."""
    return re.sub(r" ?(<[^<>]*>) ?", r"\1", on_one_line(html))


@pytest.fixture
def visit() -> Visitor:
    """A client that is signed in as a player or a user, or as nobody."""

    def visit(who: Player | User | None = None, **headers: str) -> Client:
        client = Client(headers=headers)
        user = who.user if isinstance(who, Player) else who
        if user is not None:
            sign_in_client(client, user)
        return client

    return visit


@pytest.fixture
def htmx(visit: Visitor) -> Visitor:
    """The same, asking as htmx does."""
    return lambda who=None: visit(who, HX_Request="true")


@pytest.fixture
@around
def tags_tell_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tags of answers differ by what is told alone, however long a test looks around."""
    wall = wall_now()
    monkeypatch.setattr(etags, "wall_now", lambda: wall)


def words_of_program(text: str) -> str:
    """What a program says in an entry's text that ends with that."""
    return text.rpartition(" says: “")[2].removesuffix("”")
