"""The pages of one's own account: its name, a copy of all that the site holds of one, its end."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.engine.forms import Text
from nomic.games.models import Game
from nomic.governance.renaming import RENAME
from nomic.web.accounts.closing import (
    NotClosed,
    close_account,
    refuse_closing,
    seats_given_up,
    seats_of,
)
from nomic.web.accounts.copies import KEPT, AskedLately, ask_again, ask_for_copy
from nomic.web.accounts.names import rename_account
from nomic.web.accounts.signing_in import AccountAdapter
from nomic.web.game_context import viewer
from nomic.web.models import OwnCopy
from nomic.web.proof.streaming import as_file
from nomic.web.seat_names import name_complaints, rename_seats

LONGEST_USERNAME = 150


class NameForm(forms.Form):
    """Another name for an account."""

    name = Text(
        longest=LONGEST_USERNAME,
        label="Name",
        help_text="You sign in by it, and hosts see it when you ask for a seat.",
    )
    seats = forms.BooleanField(required=False, label="Go by it in my games as well")

    def __init__(self, user: User, sent: Any = None) -> None:
        super().__init__(sent, initial={"name": user.username})
        self.user = user

    def clean_name(self) -> str:
        adapter = AccountAdapter()
        adapter.renamed = self.user
        return adapter.clean_username(self.cleaned_data["name"])

    def clean(self) -> None:
        """Also that no game refuses it, where seats are to have it."""
        if self.cleaned_data.get("seats") and "name" in self.cleaned_data:
            for complaint in name_complaints(self.user, self.cleaned_data["name"]):
                self.add_error("name", complaint)


class ClosingForm(forms.Form):
    """The word by which an account is closed: its own name."""

    name = forms.CharField(
        label="Your account’s name, so that it is closed by nobody’s slip",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    renames = forms.BooleanField(
        required=False,
        label="Let my seats be called “Former player” with a number from now on",
        help_text="On pages, in searches and for programs. Entries keep the names that they have.",
    )

    def __init__(self, user: User, sent: Any = None) -> None:
        super().__init__(sent)
        self.user = user

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name != self.user.username:
            raise ValidationError(f"Your account is called {self.user.username}. Type that.")
        return name


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def own_account(request: HttpRequest) -> HttpResponse:
    """The account's name, its copy and the way to its end; POST gives it another name."""
    user = viewer(request)
    form = NameForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        rename_account(user, form.cleaned_data["name"])
        messages.success(request, f"Your account is called {form.cleaned_data['name']} now.")
        if form.cleaned_data["seats"]:
            for complaint in rename_seats(user, form.cleaned_data["name"]):
                messages.warning(request, complaint)
        return redirect("own_account")
    copy = OwnCopy.objects.filter(user=user).defer("packed").first()
    if copy and not copy.made_at:
        ask_again(copy)
    context = {"form": form, "copy": copy, "kept": KEPT.days}
    status = 422 if form.is_bound else 200
    return render(request, "web/settings/account.html", context, status=status)


@require_POST
@login_required
def make_copy(request: HttpRequest) -> HttpResponse:
    """Have a worker make a copy of all that the site holds of the viewer."""
    try:
        ask_for_copy(viewer(request))
    except AskedLately as error:
        messages.warning(request, str(error))
    return redirect("own_account")


@require_safe
@login_required
@never_cache
@reauthentication_required  # type: ignore[untyped-decorator]
def own_copy(request: HttpRequest) -> HttpResponse:
    """The viewer's copy, as a ZIP; 404 where there is none yet."""
    copy = OwnCopy.objects.filter(user=viewer(request)).exclude(made_at=None).first()
    if copy is None:
        raise Http404("There is no copy yet. Ask for one on the page of your account.")
    answer = HttpResponse(bytes(copy.packed), content_type="application/zip")
    return as_file(answer, "my-account.zip")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@reauthentication_required  # type: ignore[untyped-decorator]
def close(request: HttpRequest) -> HttpResponse:
    """What closing the account gives up, and what stays; POST closes it, for good."""
    user = viewer(request)
    refusal = refuse_closing(user)
    form = ClosingForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            close_account(user, renames=form.cleaned_data["renames"])
        except NotClosed as not_closed:
            refusal = str(not_closed)
        else:
            logout(request)
            answer = render(request, "web/settings/closed.html")
            # Also what this browser has kept of what they wrote.
            answer.headers["Clear-Site-Data"] = '"cookies", "storage"'
            return answer
    context = {
        "form": form,
        "refusal": refusal,
        "seats": seats_given_up(user),
        "names": seats_of(user),
        "rename": RENAME,
        "hosted": list(Game.objects.hosted_by(user)),
    }
    status = 422 if form.is_bound else 200
    return render(request, "web/settings/close.html", context, status=status)
