"""What happens in a game's cases, as an Atom feed."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from nomic.cases.web.views import no_cases
from nomic.web.game_context import open_game

_SHOWN = 40
_TITLE = 120  # characters


@require_safe
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest entries about cases, each with the page of its case."""
    game_page = open_game(request, slug)
    no_cases(game_page)
    game = game_page.game
    atom = Atom1Feed(
        title=f"{game.title}: cases",
        link=request.build_absolute_uri(reverse("cases", args=[slug])),
        description="",
        subtitle="Cases that are called, assigned, judged and opened again.",
        feed_url=request.build_absolute_uri(),
        language="en",
    )
    entries = game.entries.filter(name__startswith="cases.").order_by("-seq")
    for entry in entries.defer("inputs").select_related("actor")[:_SHOWN]:
        number = entry.outcome.get("case")
        page = reverse("case", args=[slug, number]) if number else reverse("cases", args=[slug])
        entry_url = request.build_absolute_uri(reverse("entry", args=[slug, entry.seq]))
        atom.add_item(
            title=entry.text[:_TITLE],
            link=request.build_absolute_uri(page),
            description=entry.text,
            unique_id=entry_url,
            pubdate=entry.recorded_at,
            updateddate=entry.recorded_at,
            author_name=entry.actor_name or game.title,
        )
    return HttpResponse(atom.writeString("utf-8"), content_type=atom.content_type)
