"""A player's page: seat, offices, proposals and how they fared, wins, what they did lately; and for
the viewer's own seat leaving, a face, offices, and what an office's holder may do."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from nomic.engine.rule_switches import rule_switches
from nomic.engine.subgames import rulemaker_of
from nomic.games.models import Player
from nomic.games.seating import seat_called
from nomic.governance.hosting.talk import choose_face
from nomic.governance.motion_voting import standings
from nomic.governance.motions import about
from nomic.governance.on_behalf import mandates_in_words
from nomic.ledger.models import AssetVisibility
from nomic.rulebook.declared import PLAYER
from nomic.web.action_forms import office_choices, seat_choices
from nomic.web.game_context import games_seen, open_game, query_word
from nomic.web.newcomers.faces import face_of, is_face, offered_faces
from nomic.web.powers import powers

_SHOWN = 20


@require_safe
def player(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The page of that player in this game, for everybody; 404 where nobody has the name."""
    game_page = open_game(request, slug)
    member = seat_called(game_page.game, name)
    if member is None:
        raise Http404(f"There is no player “{name[:60]}” in this game.")
    if member.name != name:
        return redirect("player", slug, member.name)
    entries = game_page.game.entries.filter(actor=member).select_related("actor")
    public = member.holder.balances.filter(asset__visibility=AssetVisibility.PUBLIC)
    rulemaker = rulemaker_of(game_page.game)
    contributions = rulemaker.contributions(member, _SHOWN) if rulemaker else ()
    elsewhere = Player.objects.none()  # a practice player plays in no other game
    if member.user_id is not None:
        visible_games = games_seen(request)
        seats = Player.objects.filter(user=member.user_id, game__in=visible_games, active=True)
        other_seats = seats.exclude(pk=member.pk).select_related("game")
        elsewhere = other_seats.order_by("game__title")[:_SHOWN]
    return game_page.draw(
        "web/player.html",
        motions=standings(game_page.table, game_page.player, about(game_page.table, member.name)),
        shown=member,
        elsewhere=elsewhere,
        is_host=member.user_id is not None and member.user_id == game_page.game.host_id,
        offices=[
            office
            for office, holder in game_page.table.directory.offices.items()
            if holder == member.name
        ],
        wins=member.wins.order_by("-entry"),
        switches=[
            (switch, switch.value(game_page.table, member.name))
            for switch in rule_switches(game_page.table).by_key.values()
            if member.active and switch.of == PLAYER
        ],
        held=public.exclude(amount=0).select_related("asset").order_by("asset__name"),
        contributions=contributions,
        mandates=mandates_in_words(game_page.table, member.name),
        entries=entries.defer("inputs", "outcome").order_by("-seq")[:_SHOWN],
    )


@require_safe
def seat(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's acts about their seat or, with `office`, in an office that they hold."""
    game_page = open_game(request, slug)
    if game_page.player is None or not game_page.seated:
        return redirect("join", slug)
    held = set(game_page.player.offices.values_list("name", flat=True))
    office = query_word(request, "office")
    shown = office_choices(game_page, office) if office in held else seat_choices(game_page)
    name = game_page.player.name
    return game_page.draw(
        "web/seat.html",
        held=sorted(held),
        office=office,
        choices=[shown],
        powers=powers(game_page),
        faces_offered=offered_faces(name) if office not in held else (),
        own_face=game_page.faces.get(name) or face_of(name),
    )


@require_POST
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose the face of one's seat; 404 for what is none."""
    game_page = open_game(request, slug)
    face = request.POST.get("face", "")
    if game_page.player is None or not game_page.seated:
        return redirect("join", slug)
    if not is_face(face):
        raise Http404("There is no such face. Choose one of those on the page of your seat.")
    choose_face(game_page.player, "" if face == face_of(game_page.player.name) else face)
    messages.success(request, "That is your face here from now on.")
    return redirect("seat", slug)
