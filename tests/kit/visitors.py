"""Who visits the pages: browsers without a screen, each signed in as somebody of the cast."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.cached_db import SessionStore
from django.template import Context, Template
from django.test import Client
from django.test import utils as django_test
from django.test.signals import template_rendered
from django.utils.safestring import SafeString

from nomic import etags
from nomic.games.clock import wall_now
from nomic.games.models import Player
from tests.kit.steps import around

Visitor = Callable[..., Client]


def pytest_configure() -> None:
    """Let a page's template be noted, whose context tests look at, and not each of its parts: that
    takes a tenth of the time of a page of many."""
    django_test.instrumented_test_render = _noted_and_rendered  # type: ignore[attr-defined]


def _noted_and_rendered(self: Template, context: Context) -> SafeString:
    if context.template is self:
        template_rendered.send(sender=self, template=self, context=context)
    return self.nodelist.render(context)


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


def tight(html: str) -> str:
    """The page without the white space beside its tags, which no browser draws in a block."""
    return re.sub(r"\s*(<[^<>]*?)\s*(/?>)\s*", r"\1\2", html)


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
