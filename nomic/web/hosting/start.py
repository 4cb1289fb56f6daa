"""Starting a game in a browser: who makes it is its host."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import count

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Invitation, SeenBy
from nomic.rulebook.outside.values import Brought
from nomic.standard.bots import add_bots
from nomic.standard.motions import JOIN
from nomic.web.game_page import viewer
from nomic.web.hosting.bringing import draft_of, forget_draft
from nomic.web.hosting.forms import NOMIC, StartForm, presets, what_a_quorum_means
from nomic.web.hosting.starting import BadSetup, start
from nomic.web.newcomers.guests import not_at_the_door
from nomic.web.welcome import SLUG

_LONGEST = 28
_FIRST_LINK = 20  # people


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def start_game(request: HttpRequest) -> HttpResponse:
    """The form, and the game by POST; whoever cannot start one is told why. Of the form as it is
    being filled in, what its quorum means."""
    user = viewer(request)
    if "HX-Request" in request.headers:
        typed = {name: request.GET.get(name, "") for name in ("preset", "players", "quorum")}
        said = {"quorum_means": what_a_quorum_means(**typed)}
        return render(request, "web/hosting/start.html#quorum", said)
    begin = {"name": user.get_username(), "preset": request.GET.get("preset", "agora")}
    draft = draft_of(user)
    if draft:
        begin |= {"preset": NOMIC, "rules": draft.digest}
    form = StartForm(request.POST or None, initial=begin)
    if request.method == "POST" and form.is_valid():
        game = _start(form, user)
        if game is not None:
            if form.cleaned_data["rules"]:
                forget_draft(user)
            _seat(request, game, form)
            return redirect("host", game.slug)
    context = {
        "form": form,
        "presets": [
            (preset, _pictures(preset.rulebooks))
            for preset in presets()
            if draft is None or preset.name == NOMIC
        ],
        "chosen": form["preset"].value(),
        "quorum_means": what_a_quorum_means(
            *(str(form[name].value() or "") for name in ("preset", "players", "quorum"))
        ),
        "hosted": Game.objects.hosted_by(user).count(),
        "most": settings.HOSTED_GAMES,
        "draft": draft,
    }
    return render(request, "web/hosting/start.html", context, status=422 if form.errors else 200)


def _start(form: StartForm, user: User) -> Game | None:
    """The new game, with a first invitation; None where the form says now why there is none."""
    try:
        asked = {**form.asked(wall_now()), "brought": _brought(form, user)}
        for slug in _slugs(asked["title"], guessable=asked["seen_by"] != SeenBy.LINK):
            game, is_new = start(
                slug,
                form.cleaned_data["preset"],
                host=user,
                most_hosted=settings.HOSTED_GAMES,
                **asked,
            )
            if is_new:
                break
    except BadSetup as wrong:
        form.add_error(None, str(wrong))
        return None
    except ValidationError as wrong:
        form.add_error(None, wrong)
        return None
    Invitation.objects.create(
        game=game, made_by=user, name="Friends", most=_FIRST_LINK, made_at=wall_now()
    )
    return game


def _brought(form: StartForm, user: User) -> Brought | None:
    """The rules with which the game is to begin; raises BadSetup where they are not kept."""
    digest = form.cleaned_data["rules"]
    if not digest:
        return None
    draft = draft_of(user)
    if draft is None or draft.digest != digest:
        raise BadSetup("The rules that you brought are not kept here any more: bring them again.")
    return draft.brought


def _slugs(title: str, *, guessable: bool) -> Iterator[str]:
    """Addresses for a game of that name, the best first; nobody guesses those that are not to be
    guessed."""
    base = slugify(title)[:_LONGEST].strip("-_").replace("_", "-") or "game"
    if not guessable:
        while True:
            yield f"{base}-{secrets.token_hex(5)}"
    if base != SLUG:
        yield base
    for number in count(2):
        yield f"{base}-{number}"


def _seat(request: HttpRequest, game: Game, form: StartForm) -> None:
    """Let the host take a seat, and practice players, where they are wanted."""
    user = viewer(request)
    name, bots = form.cleaned_data["name"], form.cleaned_data["bots"]
    try:
        if name and (refusal := not_at_the_door(user, game.slug)):
            raise Refused(refusal)
        if name:
            take(game.slug, user, JOIN, {"name": name})
        if bots:
            add_bots(game, bots, by=user)
    except (Refused, Malformed, Busy) as error:
        messages.warning(request, f"The game has begun, but not everybody has a seat: {error}")


@cache
def _pictures(rulebooks: tuple[str, ...]) -> tuple[str, ...]:
    """The templates that draw what is played by these rules."""
    found = []
    for app in dict.fromkeys(name.partition("/")[0] for name in rulebooks):
        template = f"web/pictures/{app}.html"
        with suppress(TemplateDoesNotExist):
            get_template(template)
            found.append(template)
    return tuple(found)
