"""Sending a file that is made while it is sent, such as that of a whole game that its operator has
published."""

from collections.abc import Iterable, Iterator

from django.http import Http404, HttpResponse, StreamingHttpResponse

from nomic.dice.master import master_of
from nomic.games.models import Game
from nomic.record.game_file import lines_of, published

_AT_ONCE = 64_000  # characters that are sent together


def sent(lines: Iterable[str], name: str, content_type: str) -> StreamingHttpResponse:
    """The answer that sends these lines as a file of that name."""
    answer = StreamingHttpResponse(_in_parts(lines), content_type=f"{content_type}; charset=utf-8")
    return as_file(answer, name)


def as_file[Answer: (HttpResponse, StreamingHttpResponse)](answer: Answer, name: str) -> Answer:
    """That answer, which a browser keeps as a file of that name."""
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _in_parts(lines: Iterable[str]) -> Iterator[str]:
    part, size = list[str](), 0
    for line in lines:
        part.append(line)
        size += len(line)
        if size >= _AT_ONCE:
            yield "".join(part)
            part, size = [], 0
    yield "".join(part)


def the_file(game: Game) -> StreamingHttpResponse:
    """The file, made as it is sent; raises Http404 where the game is not published.

    What it tells stands still, so that it takes no transaction, however slowly it is fetched.
    """
    entry = published(game)
    if entry is None:
        raise Http404(f"The operator has not published “{game.title}” as a file.")
    lines = lines_of(game, master_of(game), entry)
    return sent(lines, f"{game.slug}-{entry.seq}.export", "application/x-ndjson")
