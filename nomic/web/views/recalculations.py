"""A past that can be put right: reports of what would be otherwise, and asking for one."""

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms.fields import InvalidJSONInput
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from nomic.governance.models import Motion, Recalculation
from nomic.governance.recalculation.ratification import (
    RATIFY,
    RECORD_REPORT,
    asking_for,
    counts_phrase,
    hash_of,
    parsed,
)
from nomic.governance.recalculation.revision import CannotRecalculate, Revision, ask, progress
from nomic.web.game_context import GamePage, open_game

_MOST_SHOWN = 300  # steps and differences, each


class _Inputs(forms.JSONField):
    """A JSON field that may be empty, and takes nesting too deep for an error of its own."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except RecursionError as error:
            raise forms.ValidationError("This is nested too deeply.") from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return super().bound_data(data, initial)
        except RecursionError:
            return InvalidJSONInput(data)

    def prepare_value(self, value: Any) -> Any:
        return "" if value is None else super().prepare_value(value)


class RevisionForm(forms.Form):
    """The change of the past that a recalculation plays."""

    entry = forms.IntegerField(
        label="Entry",
        min_value=1,
        help_text="Its number in the record; what follows is judged anew.",
    )
    verb = forms.ChoiceField(
        label="What is to be otherwise",
        choices=[
            ("strike", "It never happened"),
            ("change", "It happened with other inputs"),
            ("insert", "Right after it, something else happened too"),
        ],
    )
    inputs = _Inputs(
        label="Inputs",
        required=False,
        help_text="Of an act with other inputs, or of one that happened too: as the API takes them,"
        ' for example {"horse": "Fargo", "dollaries": 2}.',
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    name = forms.CharField(
        label="Action", required=False, max_length=80, help_text="Of what happened too: horses.bet."
    )
    actor = forms.CharField(label="Player", required=False, max_length=60)

    def clean(self) -> dict[str, Any]:
        """With the inputs where they are needed."""
        cleaned = super().clean() or {}
        inputs = cleaned.get("inputs")
        if cleaned.get("verb") != "strike" and not isinstance(inputs or {}, dict):
            self.add_error("inputs", 'Inputs are a JSON object: {"name": value}.')
        if cleaned.get("verb") == "insert" and not cleaned.get("name"):
            self.add_error("name", "Say which action happened too.")
        return cleaned

    def revision(self) -> Revision:
        """The revision that was asked for."""
        cleaned = self.cleaned_data
        inputs, actor = cleaned["inputs"] or {}, cleaned["actor"] or None
        return Revision(cleaned["verb"], cleaned["entry"], inputs, cleaned["name"], actor)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def recalculations(request: HttpRequest, slug: str) -> HttpResponse:
    """The reports that there are, and a form for another; `entry` fills it in."""
    game_page = open_game(request, slug)
    if request.method == "POST":
        return _ask(request, game_page)
    first = {name: request.GET[name] for name in ("entry", "verb") if name in request.GET}
    return _list_page(game_page, RevisionForm(initial=first))


@login_required
def _ask(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    if game_page.player is None or not game_page.seated:
        messages.error(request, "Only players of the game ask for a recalculation. Join it first.")
        return redirect("recalculations", game_page.game.slug)
    form = RevisionForm(request.POST)
    if form.is_valid():
        try:
            asked = ask(game_page.game, game_page.player, form.revision())
        except CannotRecalculate as error:
            form.add_error(None, str(error))
        else:
            # With a fragment of its own: else the browser keeps that of the form.
            return redirect(
                f"{reverse('recalculation', args=[game_page.game.slug, asked.pk])}#report"
            )
    return _list_page(game_page, form, 422)


def _list_page(game_page: GamePage, form: RevisionForm, status: int = 200) -> HttpResponse:
    rows = game_page.game.recalculations.select_related("by").defer("report")
    return game_page.draw(
        "web/recalculations/recalculations.html",
        status=status,
        form=form,
        rows=[(row, _description(row)) for row in rows],
    )


@require_safe
@never_cache
def recalculation(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One report, or how far it is; as `format=json` all of it, as `text` what is voted on."""
    game_page = open_game(request, slug)
    asked = game_page.game.recalculations.select_related("by").filter(pk=number).first()
    if asked is None:
        raise Http404("There is no such recalculation of this game.")
    report = asked.report or {}
    if report and request.GET.get("format") == "json":
        return HttpResponse(json.dumps(report, ensure_ascii=False), content_type="application/json")
    if report and request.GET.get("format") == "text":
        return HttpResponse(report["ratifiable"], content_type="application/json")
    ratifiable = parsed(report["ratifiable"]) if report else None
    motions: list[Motion] = []  # to ratify this report
    if asked.hash:
        moved = game_page.game.motions.filter(action=RATIFY).select_related("by")
        motions = [motion for motion in moved if hash_of(motion.inputs["report"]) == asked.hash]
    return game_page.draw(
        "web/recalculations/recalculation.html",
        asked=asked,
        about=_description(asked),
        progress=progress(asked),
        report=report,
        steps=report.get("steps", [])[:_MOST_SHOWN],
        differences=[
            {**difference, "name": (difference["path"] or difference["part"]).replace("_", " ")}
            for difference in report.get("differences", [])[:_MOST_SHOWN]
        ],
        makes=counts_phrase(ratifiable["makes"]) if ratifiable else "",
        against=ratifiable["against"] if ratifiable else [],
        is_old=bool(report) and report["as_of"] < game_page.game.last_entry,
        motions=motions,
        is_proposed=any(not motion.end for motion in motions),
        ratify=RATIFY,
        record_report=RECORD_REPORT,
        recorded=game_page.game.recorded_reports.filter(hash=asked.hash).first(),
        asking=asking_for(asked.hash),
    )


def _description(row: Recalculation) -> str:
    return f"The game {Revision.of(row.revision)}"
