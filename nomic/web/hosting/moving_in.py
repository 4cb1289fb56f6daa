"""Bring your rules: a rulebook that lived elsewhere is read and shown before a game is made."""

from collections.abc import Sequence
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
from nomic.rulebook.formats.values import FIELDS, HEADING_KINDS, FileChoices
from nomic.web.game_context import viewer
from nomic.web.hosting import bringing
from nomic.web.hosting.bringing import TYPED, Understood
from nomic.web.models import Bringing
from nomic.web.paging import number_of, page_asked

_LONGEST_PASTED = 1_500_000  # characters
_FIELD_LABELS = {
    "number": "Its number",
    "title": "Its title",
    "text": "Its text",
    "power": "Its power",
    "rule_class": "Its class (immutable or mutable)",
    "category": "Its category",
    "parent": "The rule under which it stands",
}
_KIND_LABELS = {
    "title": "the title of all",
    "history": "the history of the rule above",
    "annotations": "what was judged of the rule above",
    "rule": "a rule",
    "category": "a category of the rules below",
    "text": "text of the rule above",
}
_GONE = "What you sent is kept here no more: send it again."
_NO_FIELD = "The file has no such field: choose one that it has."


class BringForm(forms.Form):
    """A rulebook from elsewhere: a file, or the rules' text."""

    file = forms.FileField(
        required=False,
        label="A file",
        help_text="One file with all rules: a wiki page, Markdown, reStructuredText, plain text"
        " with a heading a rule, or JSON; or a zip archive of a folder with a file a rule.",
    )
    words = forms.CharField(
        required=False,
        strip=False,
        max_length=_LONGEST_PASTED,
        widget=forms.Textarea,
        label="Or the rules themselves",
        help_text="Typed or pasted, each under its title or number: “# Title”, “## 101”, “== Title"
        " ==”, “Rule 101: Title” or “**101.**”.",
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


class FieldsForm(forms.Form):
    """Which field of a file's rules is which of ours."""

    def __init__(self, names: Sequence[str], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [("", "as the file calls it"), *((name, name) for name in names)]
        for name in FIELDS:
            self.fields[name] = forms.ChoiceField(
                choices=choices, required=False, label=_FIELD_LABELS[name]
            )

    def choices(self) -> FileChoices:
        """The fields that were said."""
        return FileChoices(fields={ours: name for ours, name in self.cleaned_data.items() if name})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def bring_rules(request: HttpRequest) -> HttpResponse:
    """The form, and what was understood of what was sent last, or that it is being read. A page of
    its rules, or one of them by its place (`rule`), or a page of its headings (`headings`); by
    POST also what its fields or headings are, with which it is read again."""
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
        if "say" in request.POST:
            return _say(request, newest)
        form = BringForm(request.POST, request.FILES)
        if not form.is_valid():
            return _page(request, form, newest, status=422)
        bringing.send(user, *form.sent())
        return redirect(reverse("bring_rules") + "#understood")
    if newest and newest.read_at is None:
        bringing.ask_again(newest)
    if newest and newest.read_at and "headings" in request.GET:
        return _headings(request, newest)
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


def _say(request: HttpRequest, newest: Bringing | None) -> HttpResponse:
    """Have what was sent read again with what is said of its fields or its headings."""
    if newest is None:
        return _page(request, BringForm(), None, status=409, refused=_GONE)
    understood = Understood.of(newest.summary)
    if request.POST["say"] == "fields":
        form = FieldsForm(understood.fields, request.POST)
        if not form.is_valid():
            return _page(request, BringForm(), newest, status=422, refused=_NO_FIELD)
        choices = form.choices()
    else:
        taken_as = {heading.place: heading.taken for heading in understood.headings}
        options = (option.partition(" ") for option in request.POST.getlist("heading"))
        choices = FileChoices(
            headings={
                place: kind
                for kind, _, place in options
                if kind in HEADING_KINDS and taken_as.get(place, kind) != kind
            }
        )
    bringing.send_again(newest, choices)
    return redirect(reverse("bring_rules") + "#understood")


def _headings(request: HttpRequest, newest: Bringing) -> HttpResponse:
    """A page of the headings of what was sent, each with what it was taken as, to be said."""
    headings = Understood.of(newest.summary).headings
    page = Paginator(headings, LIST_LINES.count).get_page(page_asked(request))
    lines = [
        {
            "place": heading.place,
            "file": heading.place.rpartition(":")[0],
            "line": heading.place.rpartition(":")[2],
            "words": heading.words,
            "taken": heading.taken,
            "kinds": {
                kind: label
                for kind, label in _KIND_LABELS.items()
                if kind in HEADING_KINDS or kind == heading.taken
            },
        }
        for heading in page
    ]
    context = {"lines": lines, "page": page, "name": newest.name}
    return render(request, "web/hosting/brought_headings.html", context)


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
        "fields_form": FieldsForm(
            understood.fields,
            initial=bringing.choices_of(newest).fields if newest else {},
        )
        if understood.fields
        else None,
        "lines": list(enumerate(page, page.start_index())),
        "page": page,
    }
    return render(request, "web/hosting/bring.html", context, status=status)
