"""The file of a whole game that its operator has published, for whoever may see the game."""

from collections.abc import Iterator

from django.http import Http404, StreamingHttpResponse

from nomic.dice.models import Master
from nomic.games.models import Game
from nomic.record.game_file import lines_of, published
from nomic.record.models import Entry

_AT_ONCE = 64_000  # characters that are sent together


def the_file(game: Game) -> StreamingHttpResponse:
    """The file, made as it is sent; raises Http404 where the game is not published.

    What it tells stands still, so that it takes no transaction, however slowly it is fetched.
    """
    entry = published(game)
    if entry is None:
        raise Http404(f"The operator has not published “{game.title}” as a file.")
    answer = StreamingHttpResponse(
        _in_parts(game, entry), content_type="application/x-ndjson; charset=utf-8"
    )
    answer["Content-Disposition"] = f'attachment; filename="{game.slug}-{entry.seq}.export"'
    return answer


def _in_parts(game: Game, entry: Entry) -> Iterator[str]:
    part, size = [], 0
    for line in lines_of(game, bytes(Master.objects.get(game=game).key), entry):
        part.append(line)
        size += len(line)
        if size >= _AT_ONCE:
            yield "".join(part)
            part, size = [], 0
    yield "".join(part)
