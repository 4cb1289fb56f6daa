"""The file of a whole game that its operator has published, for whoever may see the game."""

from django.http import Http404, StreamingHttpResponse

from nomic.dice.master import master_of
from nomic.games.models import Game
from nomic.record.game_file import lines_of, published
from nomic.web.proof.sending import sent


def the_file(game: Game) -> StreamingHttpResponse:
    """The file, made as it is sent; raises Http404 where the game is not published.

    What it tells stands still, so that it takes no transaction, however slowly it is fetched.
    """
    entry = published(game)
    if entry is None:
        raise Http404(f"The operator has not published “{game.title}” as a file.")
    lines = lines_of(game, master_of(game), entry)
    return sent(lines, f"{game.slug}-{entry.seq}.export", "application/x-ndjson")
