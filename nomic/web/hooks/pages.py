"""A person's webhooks for all entries of a game: where they lead, what became of the calls."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from nomic.games.models import Game
from nomic.notices.http_client import url_fault
from nomic.notices.payloads import secret
from nomic.notices.preferences import choices_of
from nomic.web.accounts.closing import seats_of
from nomic.web.game_context import game_known_to, viewer
from nomic.web.hooks import calls
from nomic.web.models import Hook


class HookForm(forms.Form):
    """Which game's entries are sent, and where to."""

    game = forms.CharField(
        max_length=60,
        help_text="Its name as in its address: “demo” of /g/demo/. Those in which you play are"
        " offered.",
        widget=forms.TextInput(attrs={"list": "own-games"}),
    )
    url = forms.URLField(
        max_length=500,
        assume_scheme="https",
        label="Address",
        help_text="It is called with JSON, signed with your key.",
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_game(self) -> Game:
        """The game of that slug, where the user sees it."""
        slug = self.cleaned_data["game"].strip().strip("/")
        game = Game.objects.seen_by(None).filter(slug=slug).first() or game_known_to(
            self.user, slug
        )
        if game is None:
            raise forms.ValidationError("There is no such game that you may see.")
        return game

    def clean_url(self) -> str:
        """An address that may be called; what it leads to is looked at each time."""
        url = str(self.cleaned_data["url"])
        if fault := url_fault(url):
            raise forms.ValidationError(fault)
        return url


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def own_hooks(request: HttpRequest) -> HttpResponse:
    """The viewer's webhooks with their newest calls; by POST another one."""
    user = viewer(request)
    form = HookForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            calls.add(user, form.cleaned_data["game"], form.cleaned_data["url"])
        except calls.TooMany as reason:
            form.add_error("url", str(reason))
        else:
            messages.success(request, "Each new entry is sent there from now on.")
            return redirect("hooks")
    context = {
        "form": form,
        "hooks": list(Hook.objects.filter(user=user).select_related("game")),
        "seats": seats_of(user).filter(active=True),
        "secret": secret(choices_of(user)),
    }
    return render(request, "web/settings/hooks.html", context)


@require_POST
@login_required
def change_hook(request: HttpRequest, number: int, change: str) -> HttpResponse:
    """Try, go on with, or remove one of the viewer's webhooks."""
    hook = Hook.objects.filter(user=viewer(request), pk=number).first()
    if hook is None or change not in ("try", "go-on", "remove"):
        raise Http404("You have no such webhook.")
    if change == "remove":
        hook.delete()
        messages.success(request, "Nothing is sent there any more.")
    elif change == "go-on":
        calls.go_on(hook)
        messages.success(request, "It is called again, from where it stopped.")
    else:
        Hook.objects.filter(pk=hook.pk).update(asks=True)
        messages.success(request, "A trial is on its way; what became of it stands here soon.")
    return redirect("hooks")
