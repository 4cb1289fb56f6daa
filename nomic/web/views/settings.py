"""A person's own pages: their games and the tokens of their programs."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.engine.forms import Text
from nomic.games.bounds import TOKENS
from nomic.games.models import Player
from nomic.web.game_context import viewer
from nomic.web.models import Token
from nomic.web.tokens import LONGEST_NAME, make_token, revoke


class TokenForm(forms.Form):
    """The name of a new token."""

    name = Text(
        longest=LONGEST_NAME,
        label="What is it for?",
        help_text="A name by which you will know it, such as “my bot”.",
    )


@require_safe
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """The games in which the viewer has a seat."""
    seats = Player.objects.filter(user=viewer(request), game__scratch=False)
    context = {"seats": list(seats.select_related("game").order_by("game__title"))}
    return render(request, "web/settings/settings.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """The viewer's tokens; a new one is made by POST and its text shown this once."""
    form = TokenForm(request.POST or None)
    mine = Token.objects.filter(user=viewer(request), revoked_at=None)
    new_token, plain = None, ""
    if request.method == "POST" and form.is_valid():
        if mine.count() >= TOKENS.count:
            form.add_error("name", f"You have {TOKENS.count} tokens. Revoke one first.")
        else:
            new_token, plain = make_token(viewer(request), form.cleaned_data["name"])
            form = TokenForm()
    context = {"form": form, "tokens": list(mine), "made": new_token, "plain": plain}
    return render(request, "web/settings/tokens.html", context)


@require_POST
@login_required
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    """Let one of the viewer's tokens open nothing any more."""
    token = Token.objects.filter(user=viewer(request), pk=number).first()
    if token is None:
        raise Http404("You have no such token.")
    revoke(token)
    return redirect("tokens")
