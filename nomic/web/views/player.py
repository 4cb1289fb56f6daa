"""A player's page: seat, offices, proposals and how they fared, wins, what they did lately."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.engine.subgames import Contribution, voting_on_rules
from nomic.games.models import Player
from nomic.ledger.models import Visibility
from nomic.web.game_page import games_seen, open_game

_SHOWN = 20


@require_safe
def player(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The page of that player in this game, for everybody; 404 where nobody has the name."""
    game_page = open_game(request, slug)
    seats = game_page.game.players.select_related("holder")
    shown = seats.filter(name=name).first() if name.isprintable() else None
    if shown is None:
        raise Http404(f"There is no player “{name[:60]}” in this game.")
    entries = game_page.game.entries.filter(actor=shown).select_related("actor")
    held = shown.holder.balances.filter(asset__visibility=Visibility.PUBLIC, amount__gt=0)
    contributions: list[Contribution] = [
        found
        for each in voting_on_rules(game_page.subgames)
        for found in each.contributions(shown, _SHOWN)
    ]
    elsewhere = Player.objects.none()  # a practice player plays in no other game
    if shown.user_id is not None:
        seen = games_seen(request)
        seats = Player.objects.filter(user=shown.user_id, game__in=seen, active=True)
        others = seats.exclude(pk=shown.pk).select_related("game")
        elsewhere = others.order_by("game__title")[:_SHOWN]
    return game_page.draw(
        "web/player.html",
        shown=shown,
        elsewhere=elsewhere,
        is_host=shown.user_id is not None and shown.user_id == game_page.game.host_id,
        offices=[
            office
            for office, holder in game_page.table.directory.offices.items()
            if holder == shown.name
        ],
        wins=shown.wins.order_by("-entry"),
        held=held.select_related("asset").order_by("asset__name"),
        contributions=contributions,
        entries=entries.defer("inputs", "outcome").order_by("-seq")[:_SHOWN],
    )
