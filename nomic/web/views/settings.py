"""A person's own pages: their games and the tokens of their programs."""

from datetime import datetime, timedelta

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.engine.forms import Text
from nomic.games.bounds import TOKENS
from nomic.games.clock import wall_now
from nomic.games.models import Player
from nomic.web.game_context import viewer
from nomic.web.models import Token
from nomic.web.tokens import LONGEST_NAME, Scope, make_token, revoke

_DAYS = {"30": "30 days", "90": "90 days", "365": "a year", "0": "until you revoke it"}


class TokenForm(forms.Form):
    """The name of a new token, what it is for, and for how long."""

    name = Text(
        longest=LONGEST_NAME,
        label="What is it for?",
        help_text="A name by which you will know it, such as “my bot”.",
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ, Scope.ACT],
        label="What may it do?",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose one thing at least: a token for nothing opens nothing."
        },
    )
    days = forms.ChoiceField(
        choices=list(_DAYS.items()), initial="90", label="How long is it good?"
    )

    @property
    def expires_at(self) -> datetime | None:
        """The wall moment of its end; None for none."""
        days = int(self.cleaned_data["days"])
        return wall_now() + timedelta(days=days) if days else None


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
            new_token, plain = make_token(
                viewer(request),
                form.cleaned_data["name"],
                form.cleaned_data["scopes"],
                form.expires_at,
            )
            form = TokenForm()
    words = {scope.value: scope.label for scope in Scope}
    rows = [
        (token, [words[name] for name in token.scopes], token.has_expired(wall_now()))
        for token in mine
    ]
    context = {"form": form, "tokens": rows, "made": new_token, "plain": plain}
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
