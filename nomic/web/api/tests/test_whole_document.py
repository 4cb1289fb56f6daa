"""Whatever its document lets be sent to the API, its answer is one that the document tells: each
address with games in play, asked by Schemathesis as a player and as nobody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from nomic.engine.catch_up import catch_up
from nomic.engine.take import take
from nomic.operations.setup import new_game
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, seat

EXAMPLES = 8  # of each address
_KNOWN = {"slug": ["all", "table", "nothing"], "item": ["p1", "nothing"]}


class Site(WSGIHandler):
    """The site as the web server runs it, which knows who asks."""

    def __call__(self, environ: Any, start_response: Any) -> Any:
        answer = super().__call__({"REMOTE_ADDR": "192.0.2.1", **environ}, start_response)
        with closing(answer):  # a file holds its place until it is sent
            return [b"".join(answer)]


@pytest.fixture
def in_play(db: None) -> str:
    """Two games, one with everything played; the token of a player of it."""
    new_game("table", "agora", pace="manual", start=WEDNESDAY)
    game, _ = new_game("all", "demo", pace="manual", start=WEDNESDAY)
    murphy, madrid = (seat(game, name) for name in ("Murphy", "Madrid"))
    catch_up(game.pk)
    for each in (murphy, madrid):
        take("all", each, "settlers.join")
        take("all", each, "aceofspades.join")
    take("all", murphy, "proposals.submit", {"title": "Forks", "body": "Give Murphy 5 points."})
    return make_token(murphy.user, "tests")[1]


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Requests leave the test's connection to the database open, as those of Django's client do."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.thorough
def test_every_answer_is_one_that_the_document_tells(
    in_play: str, one_connection: None, settings: Any
) -> None:
    settings.STREAM_PORT, settings.API_REQUESTS_A_MINUTE = "8001", 0
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", Site())
    failed = []
    for found in schema.get_all_operations():
        operation = found.ok()

        @hypothesis_settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=st.one_of(*map(operation.as_strategy, GenerationMode)), data=st.data())
        def ask(case: Any, data: Any) -> None:
            for name, known in _KNOWN.items():
                if name in case.path_parameters:
                    case.path_parameters[name] = data.draw(st.sampled_from(known))
            shown = data.draw(st.sampled_from([{"Authorization": f"Bearer {in_play}"}, {}]))
            case.headers = {**(case.headers or {}), **shown, "Accept-Encoding": "identity"}
            # What a text or a name has to be besides its shape, 422 tells, as each address says;
            # and the token is none that Schemathesis knows.
            case.call_and_validate(excluded_checks=[positive_data_acceptance, ignored_auth])

        try:
            ask()
        except (Exception, BaseExceptionGroup) as error:
            failed.append(f"{operation.label}: {error}")
    assert not failed, "\n\n".join(failed)
