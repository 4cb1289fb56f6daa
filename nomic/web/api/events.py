"""The address of a game's stream of events. A process of its own answers it
(`nomic.web.api.stream`); where no proxy leads there, the web server sends whoever asks to its
port."""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode
from ninja.errors import HttpError
from ninja.params.functions import Query

from nomic.web.api.messages import LAST_EVENT
from nomic.web.api.rooms import GAME, reading, room, the_game
from nomic.web.api.tickets import AN_EVENT, TICKET, last_event, ticket_for
from nomic.web.problems import keep_private

router = room("events")
_PORT = re.compile(r":[0-9]+$")
_NONE_HERE = "This site streams nothing here: its operator has started no process for it."
_EVENTS = {
    "parameters": [
        {
            "in": "header",
            "name": LAST_EVENT,
            "required": False,
            "schema": {"type": "string", "pattern": AN_EVENT},
            "description": "The id of the last event that the program has; those after it follow",
        }
    ],
    "responses": {
        200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
        307: {"description": "The stream is at the address of the header Location"},
        409: {"description": "The record ends before what the program has seen of it"},
    },
}


@router.get(f"{GAME}/events", response=reading(str), openapi_extra=_EVENTS)
def events(
    request: HttpRequest,
    slug: str,
    after: str = Query(
        "",
        pattern=f"^$|{AN_EVENT}",
        description="Instead of the header, where a program cannot send it",
    ),
) -> HttpResponse:
    """What happens in the game, as it happens, as `text/event-stream`: server-sent events, for
    which browsers have `EventSource`.

    `event: begin` comes first and tells the newest entry there is: its number as `last`, and the
    signed `head`. `event: entry` is an entry of the public record, in the shape `Entry`. `event:
    notice` is what concerns the caller in this game: its `id`, `kind`, `text`, `url` and `at`; who
    shows no token gets none.

    Each event has an `id`. Whoever asks again with the last one in `Last-Event-ID` is told
    everything after it, once; without it the stream begins now. A line that begins with a colon
    only says that the stream is there, every 15 seconds.

    Where no proxy leads to the process that streams it is 307 to its port, with a ticket in the
    place of the token, and good for a minute: follow it, and ask here again whenever a stream has
    ended. 409 where the record is shorter than what the program has seen, since it was restored:
    read it anew. 503 where all places are taken.
    """
    the_game(request, slug)
    last_event(request)  # what is wrong with it is told before anybody is sent on
    if not settings.STREAM_PORT:
        raise HttpError(503, _NONE_HERE)
    host = _PORT.sub("", request.get_host())
    query = {TICKET: ticket_for(request, slug)}
    if after:
        query["after"] = after
    answer = HttpResponse(status=307)
    answer.headers["Location"] = (
        f"{request.scheme}://{host}:{settings.STREAM_PORT}{request.path}?{urlencode(query)}"
    )
    return keep_private(answer)
