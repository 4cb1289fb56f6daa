"""A person's page of programs: those that they have let act for them, and those that they have made
for others."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from oauth2_provider.models import Application

from nomic.engine.forms import Text
from nomic.games.clock import wall_now
from nomic.web.game_context import viewer
from nomic.web.programs import programs_of, redirect_fault, register, withdraw
from nomic.web.tokens import LONGEST_NAME


class ProgramForm(forms.Form):
    """A new program of the viewer's."""

    name = Text(longest=LONGEST_NAME, label="What is it called?", help_text="Its users read this.")
    addresses = forms.CharField(
        max_length=2000,
        label="Where are its users sent back to?",
        help_text="Its addresses, one a line, such as https://bot.example/back.",
        widget=forms.Textarea({"rows": 2}),
    )

    def clean_addresses(self) -> list[str]:
        """The addresses, one by one."""
        addresses = str(self.cleaned_data["addresses"]).split()
        if fault := redirect_fault(addresses):
            raise forms.ValidationError(fault)
        return addresses


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def programs(request: HttpRequest) -> HttpResponse:
    """Who acts for the viewer, and the viewer's own programs; by POST another one."""
    user = viewer(request)
    form = ProgramForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            register(user, form.cleaned_data["name"], form.cleaned_data["addresses"])
        except ValueError as reason:
            form.add_error("name", str(reason))
        else:
            messages.success(request, "The program is registered.")
            return redirect("programs")
    own_programs = Application.objects.filter(user=user).order_by("name", "pk")
    context = {"form": form, "let_in": programs_of(user, wall_now()), "own": list(own_programs)}
    return render(request, "web/programs/programs.html", context)


@require_POST
@login_required
def withdraw_program(request: HttpRequest, number: int) -> HttpResponse:
    """Let a program act for the viewer no more."""
    withdraw(viewer(request), number)
    messages.success(request, "It does nothing for you any more.")
    return redirect("programs")


@require_POST
@login_required
def remove_program(request: HttpRequest, number: int) -> HttpResponse:
    """Remove one of the viewer's own programs: it acts for nobody any more."""
    get_object_or_404(Application, pk=number, user=viewer(request)).delete()
    messages.success(request, "The program is removed, and acts for nobody any more.")
    return redirect("programs")
