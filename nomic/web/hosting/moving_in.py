"""Bring your rules: a rulebook that lived elsewhere is read and shown before a game is made."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.games.bounds import LIST_LINES
from nomic.rulebook.formats.folders import LARGEST
from nomic.web.game_context import viewer
from nomic.web.hosting import bringing
from nomic.web.hosting.bringing import TYPED, Understood
from nomic.web.models import Bringing
from nomic.web.paging import number_of, page_asked

_LONGEST_PASTED = 1_500_000  # characters


class BringForm(forms.Form):
    """A rulebook from elsewhere: a file, or the rules' text."""

    file = forms.FileField(
        required=False,
        label="A file",
        help_text="A zip archive of YAML files as Agora’s Rulekeepor keeps them, or one file: a"
        " wiki page, Markdown, plain text with a heading a rule, or JSON.",
    )
    words = forms.CharField(
        required=False,
        strip=False,
        max_length=_LONGEST_PASTED,
        widget=forms.Textarea,
        label="Or the rules themselves",
        help_text="Typed or pasted, each under its title: “# Title”, “== Title ==” or “Rule 101:"
        " Title”.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (
            bool(cleaned.get("file")) == bool((cleaned.get("words") or "").strip())
            and not self.errors
        ):
            raise forms.ValidationError("Choose a file, or type or paste the rules: one of both.")
        if (file := cleaned.get("file")) and file.size > LARGEST:
            self.add_error("file", f"It has {file.size:,} bytes; {LARGEST:,} are the most.")
        return cleaned

    def sent(self) -> tuple[str, bytes]:
        """The file's name, and its bytes."""
        file = self.cleaned_data["file"]
        return (file.name, file.read()) if file else (TYPED, self.cleaned_data["words"].encode())


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def bring_rules(request: HttpRequest) -> HttpResponse:
    """The form, and what was understood of what was sent last, or that it is being read. A page of
    its rules, or one of them by its place (`rule`)."""
    user = viewer(request)
    if "forget" in request.POST:
        bringing.forget(user)
        return redirect("bring_rules")
    newest = Bringing.objects.newest_of(user)
    if request.method == "POST":
        try:
            bringing.check_turn(user)
        except bringing.NotNow as not_now:
            return _page(request, BringForm(), newest, status=429, refused=str(not_now))
        form = BringForm(request.POST, request.FILES)
        if not form.is_valid():
            return _page(request, form, newest, status=422)
        bringing.send(user, *form.sent())
        return redirect(reverse("bring_rules") + "#understood")
    if newest and newest.read_at is None:
        bringing.ask_again(newest)
    place = number_of(request.GET.get("rule"))
    if place is None:
        return _page(request, BringForm(), newest)
    lines = Understood.of(newest.summary).lines if newest and newest.digest else ()
    if newest is None or not 1 <= place <= len(lines):
        raise Http404("There is no such rule in what you brought.")
    context = {
        "rule": bringing.rule_of(newest, place),
        "place": place,
        "offers": lines[place - 1].offers,
        "name": newest.name,
    }
    return render(request, "web/hosting/brought_rule.html", context)


def _page(
    request: HttpRequest,
    form: BringForm,
    newest: Bringing | None,
    *,
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    is_read = newest is not None and newest.read_at is not None
    understood = Understood.of(newest.summary) if newest and is_read else Understood()
    page = Paginator(understood.lines, LIST_LINES.count).get_page(page_asked(request))
    context = {
        "form": form,
        "newest": newest,
        "is_read": is_read,
        "refused": refused,
        "draft": Bringing.objects.draft_of(viewer(request)),
        "understood": understood,
        "lines": list(enumerate(page, page.start_index())),
        "page": page,
    }
    return render(request, "web/hosting/bring.html", context, status=status)
