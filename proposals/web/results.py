"""The results of a vote as the officer reported them: as a page, as text, as CSV and as JSON."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from nomic.games.clock import read_moment
from nomic.standard.reports import in_csv
from nomic.web.game_page import open_game
from proposals.office import results_text
from proposals.rules import EDITIONS
from proposals.state.results import errands_of, results_of, struck_since


@require_safe
def results(request: HttpRequest, slug: str, seq: int) -> HttpResponse:
    """The results that entry `seq` decided; with `format` text, csv or json, only those. Http404
    where it decided no vote."""
    game_page = open_game(request, slug)
    player = game_page.player
    found = results_of(game_page.game, seq) if game_page.game.edition and seq < 2**31 else None
    if found is None:
        raise Http404(f"Entry {seq} decided no vote.")
    match request.GET.get("format"):
        case "text":
            text = results_text.text_of(found)
            return HttpResponse(text, content_type="text/plain; charset=utf-8")
        case "csv":
            named = {"Content-Disposition": f'attachment; filename="results-{seq}.csv"'}
            sheet = in_csv(results_text.sheet(found))
            return HttpResponse(sheet, content_type="text/csv; charset=utf-8", headers=named)
        case "json":
            since = struck_since(game_page.game, seq)
            return JsonResponse({**found.facts(), "struck_since": since})
    edition, errands = EDITIONS[found.edition], errands_of(game_page.game, found.entry)
    words = [word for word in edition.words if word in results_text.LETTERS]
    period = edition.period
    return game_page.draw(
        "proposals/results.html",
        results=found,
        title=results_text.headline(found),
        resolver=results_text.resolver(found),
        at=read_moment(found.at),
        period=period,
        keeps=player is not None and found.officer in game_page.table.directory.held_by(player),
        since=struck_since(game_page.game, seq),
        # Each proposal with its voters by word, and with what was left to be done by hand.
        sections=[
            (each, [(word, each.voters(word)) for word in words], errands.get(each.number, []))
            for each in found.proposals
        ],
        formats=("csv", "json", "text"),
        standings=results_text.standings(found) if period == "nweek" else None,
        ballot=results_text.ballot(found) if period == "nweek" else None,
    )
