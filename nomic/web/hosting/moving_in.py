"""Bring your rules: a rulebook that lived elsewhere is read and shown before a game is made."""

import json
import zlib
from dataclasses import dataclass
from functools import cache as cache_once
from hashlib import sha256
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.engine.subgames import shipped_in
from nomic.games.bounds import LIST_LINES
from nomic.games.presets import PRESETS
from nomic.rulebook.formats.reading import LARGEST, read
from nomic.rulebook.formats.values import Brought, BroughtRule
from nomic.rulebook.passages import fingerprint, passages_of
from nomic.web.game_context import viewer
from nomic.web.paging import number_of, page_asked

_KEPT = 6 * 3600  # seconds
_LONGEST_PASTED = 1_500_000  # characters
_LEAST_WORDS = 6  # of a passage that is no coincidence


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
        return cleaned

    def read(self) -> tuple[str, Brought]:
        """The file's name, and what is understood of it."""
        file = self.cleaned_data["file"]
        if not file:
            return "what you typed", read(self.cleaned_data["words"].encode())
        if file.size > LARGEST:
            fault = f"{file.name} has {file.size:,} bytes; {LARGEST:,} are the most."
            return file.name, Brought(faults=(fault,))
        return file.name, read(file.read(), file.name)


@dataclass(frozen=True, slots=True)
class BroughtRulebook:
    """A rulebook that was brought and has begun no game yet. `digest` tells it from others."""

    name: str
    brought: Brought
    digest: str


def draft_of(user: User) -> BroughtRulebook | None:
    """The rulebook that the user has brought within the last hours; None where there is none."""
    packed = cache.get(_key(user))
    if not packed:
        return None
    draft = json.loads(zlib.decompress(packed))
    rules, repealed = (tuple(map(BroughtRule.of, draft[name])) for name in ("rules", "repealed"))
    brought = Brought(rules, repealed, notes=tuple(draft["notes"]))
    return BroughtRulebook(draft["name"], brought, sha256(packed).hexdigest()[:16])


def forget_draft(user: User) -> None:
    """Keep nothing more of what the user has brought."""
    cache.delete(_key(user))


def _key(user: User) -> str:
    return f"brought:{user.pk}"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def bring_rules(request: HttpRequest) -> HttpResponse:
    """The form, and what was understood of what was sent: 422 where something was not, and then
    nothing is kept. A page of its rules, or one of them by its place (`rule`)."""
    user = viewer(request)
    if "forget" in request.POST:
        forget_draft(user)
        return redirect("bring_rules")
    form = BringForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        name, brought = form.read()
        if not brought.faults:
            draft_facts = {**brought.facts(), "notes": brought.notes, "name": name}
            cache.set(_key(user), zlib.compress(json.dumps(draft_facts).encode()), _KEPT)
            return redirect(reverse("bring_rules") + "#understood")
        return _page(request, form, name, brought, status=422)
    if request.method == "POST":
        return _page(request, form, status=422)
    draft = draft_of(user)
    if draft is None:
        return _page(request, form)
    place = number_of(request.GET.get("rule"))
    if place is not None:
        if not 1 <= place <= len(draft.brought.rules):
            raise Http404("There is no such rule in what you brought.")
        rule = draft.brought.rules[place - 1]
        context = {"rule": rule, "place": place, "offers": offers(rule), "name": draft.name}
        return render(request, "web/hosting/brought_rule.html", context)
    return _page(request, form, draft.name, draft.brought)


def _page(
    request: HttpRequest,
    form: BringForm,
    name: str = "",
    brought: Brought | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    rules = brought.rules if brought else ()
    page = Paginator(rules, LIST_LINES.count).get_page(page_asked(request))
    lines = enumerate(page, page.start_index())
    context = {
        "form": form,
        "name": name,
        "brought": brought,
        "lines": [(place, rule, offers(rule)) for place, rule in lines],
        "page": page,
        "changes": sum(len(rule.history) for rule in rules),
        "annotations": sum(len(rule.annotations) for rule in rules),
    }
    return render(request, "web/hosting/bring.html", context, status=status)


@dataclass(frozen=True, slots=True)
class CoverageOffer:
    """A passage that the program could carry out: where it knows the words from."""

    passage: str
    rule: str
    preset: str


def offers(rule: BroughtRule) -> list[CoverageOffer]:
    """The passages that stand word by word in a rule that a kind of game begins with. They are
    offered and not taken: a vote may enact that rule, and the program plays it then."""
    shipped = _shipped_passages()
    matches = (shipped.get(fingerprint(passage.text)) for passage in passages_of(rule.text))
    return [offer for offer in matches if offer]


@cache_once
def _shipped_passages() -> dict[str, CoverageOffer]:
    return {
        fingerprint(passage.said): CoverageOffer(passage.said, rule.title, preset.title)
        for preset in PRESETS.values()
        for rule in shipped_in(preset.rulebooks)
        for passage in passages_of(rule.text)
        if len(passage.said.split()) >= _LEAST_WORDS
    }
