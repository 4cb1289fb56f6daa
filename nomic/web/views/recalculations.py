"""A past that can be put right: reports of what would be otherwise, and asking for one."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast, get_args

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from nomic.engine.actions import Action, all_actions, find_action
from nomic.engine.events import title_of
from nomic.engine.forms import ActionForm, IntegerChoice, TextChoice
from nomic.engine.outcomes import Malformed, UnknownAction
from nomic.engine.plain_words import place_in_words, value_in_words
from nomic.engine.subgames import in_play
from nomic.games.models import Player
from nomic.games.names import LONGEST_NAME
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.ratification import (
    RATIFY,
    RECORD_REPORT,
    asking_for,
    changes_in_words,
    counts_phrase,
    motions_to_ratify,
    parsed,
)
from nomic.governance.recalculation.revision import (
    BETWEEN_KEYS,
    CannotRecalculate,
    Revision,
    Verb,
    ask,
    checked,
    progress,
)
from nomic.record.chain import as_stored
from nomic.record.models import Entry, EntryKind
from nomic.web.game_context import GamePage, open_game

_MOST_SHOWN = 300  # steps and differences, each


class EntryForm(forms.Form):
    """Which entry goes otherwise; and which act happens after it, where one is put in."""

    entry = forms.IntegerField(
        label="Entry",
        min_value=1,
        help_text="Its number in the record; what follows is judged anew.",
    )
    action = forms.CharField(required=False, max_length=80)


class RevisionForm(forms.Form):
    """The change of the past that a recalculation plays, but for the inputs of an act."""

    entry = forms.IntegerField(min_value=1)
    verb = forms.ChoiceField(choices=[(verb, verb) for verb in get_args(Verb)])
    action = forms.CharField(required=False, max_length=80)
    actor = forms.CharField(required=False, max_length=LONGEST_NAME)


@dataclass
class AskForms:
    """The ways in which an entry may go otherwise, each a form; what was sent wrong says so."""

    game_page: GamePage
    entry: Entry | None
    action: str = ""  # of the act that is put in
    actor: str = ""
    error: str = ""
    sent: ActionForm | None = None  # with its faults

    @cached_property
    def changed(self) -> ActionForm | None:
        """The act's own form with the inputs that it had; None where it had none."""
        if self.sent is not None and not self.action:
            return self.sent
        entry = self.entry
        if entry is None or entry.kind not in (EntryKind.ACTION, EntryKind.OFFICER):
            return None
        form = act_form(self.game_page, entry.name, entry.actor, entry.inputs)
        return form if form and form.fields else None

    @cached_property
    def put_in(self) -> ActionForm | None:
        """The form of the act that is put in; None while none is chosen."""
        if not self.action:
            return None
        return self.sent or act_form(self.game_page, self.action, self.game_page.player)

    @cached_property
    def hindrance(self) -> str:
        """Why the game is not played without the entry, nor with other inputs in it; "" if it
        can be."""
        try:
            number = self.entry.seq if self.entry else 0
            checked(self.game_page.game, Revision("strike", number, {}))
        except CannotRecalculate as error:
            return str(error)
        return ""

    @property
    def actions(self) -> list[Action]:
        """The acts that there are in this game, by their titles."""
        table = self.game_page.table
        here = (action for action in all_actions(table) if action.absence(table) is None)
        return sorted(here, key=lambda action: action.title)


def act_form(
    game_page: GamePage,
    name: str,
    player: Player | None,
    inputs: Mapping[str, Any] | None = None,
    sent: Mapping[str, Any] | None = None,
) -> ActionForm | None:
    """The form of an act of the past, with the inputs that it had or with what was sent; None
    where there is no such action. What its lists have is of now: the copy judges it as of then."""
    try:
        action = find_action(name, game_page.table)
    except UnknownAction:
        return None
    form = action.Form(game_page.table, player, sent, initial=dict(inputs or {}), prefix="act")
    for field_name, field in form.fields.items():
        if isinstance(field, TextChoice | IntegerChoice):
            field.takes_any = True
            had = (inputs or {}).get(field_name)
            if isinstance(field.widget, forms.Select) and had not in (None, ""):
                field.choices = list(dict.fromkeys([(had, str(had)), *cast(Any, field.choices)]))
    return form


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def recalculations(request: HttpRequest, slug: str) -> HttpResponse:
    """The reports that there are, and forms for another; `entry` and `action` fill them in."""
    game_page = open_game(request, slug)
    if request.method == "POST":
        return _ask(request, game_page)
    chosen = EntryForm(request.GET) if "entry" in request.GET else EntryForm()
    if not chosen.is_valid():
        return _list_page(game_page, chosen, AskForms(game_page, None))
    number, action = chosen.cleaned_data["entry"], chosen.cleaned_data["action"]
    asked = AskForms(game_page, game_page.game.entries.filter(seq=number).first(), action)
    if asked.entry is None:
        chosen.add_error("entry", f"The record has no entry {number}.")
    return _list_page(game_page, chosen, asked)


@login_required
def _ask(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    if game_page.player is None or not game_page.seated:
        messages.error(request, "Only players of the game ask for a recalculation. Join it first.")
        return redirect("recalculations", game_page.game.slug)
    form = RevisionForm(request.POST)
    if not form.is_valid():
        chosen = EntryForm(request.POST)  # which tells of the number itself
        faults = (fault for name in form.errors if name != "entry" for fault in form.errors[name])
        return _list_page(
            game_page, chosen, AskForms(game_page, None, error=" ".join(map(str, faults))), 422
        )
    number, verb = form.cleaned_data["entry"], form.cleaned_data["verb"]
    entry = game_page.game.entries.select_related("actor").filter(seq=number).first()
    is_put_in = verb == "insert"
    name = form.cleaned_data["action"] if is_put_in else entry.name if entry else ""
    actor = form.cleaned_data["actor"] if is_put_in else ""
    asked = AskForms(game_page, entry, name if is_put_in else "", actor)
    try:
        inputs: dict[str, Any] = {}
        if verb != "strike":
            player = entry.actor if entry and not is_put_in else game_page.player
            had = entry.inputs if entry and not is_put_in else None
            asked.sent = act_form(game_page, name, player, had, request.POST)
            if asked.sent is None:
                raise CannotRecalculate("Choose an action that this game has.")
            inputs = as_stored(asked.sent.inputs())
            if had is not None and inputs == had:
                raise CannotRecalculate(f"Entry {number} has these inputs: change one of them.")
        revision = Revision(verb, number, inputs, name if is_put_in else "", actor or None)
        row = ask(game_page.game, game_page.player, revision)
    except CannotRecalculate as error:
        asked.error = str(error)
    except Malformed:
        pass  # the form says what is wrong
    else:
        # With a fragment of its own: else the browser keeps that of the form.
        return redirect(f"{reverse('recalculation', args=[game_page.game.slug, row.pk])}#report")
    return _list_page(game_page, EntryForm({"entry": number}), asked, 422)


def _list_page(
    game_page: GamePage, chosen: EntryForm, asked: AskForms, status: int = 200
) -> HttpResponse:
    rows = game_page.game.recalculations.select_related("by").defer("report")
    recorded = game_page.game.recorded_reports.filter(ratified_in__isnull=False)
    ratified_in = dict(recorded.values_list("hash", "ratified_in"))
    return game_page.draw(
        "web/recalculations/recalculations.html",
        status=status,
        chosen=chosen,
        asked=asked,
        rows=[(row, _description(row), ratified_in.get(row.hash)) for row in rows],
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
    changes = changes_in_words(game_page.table, ratifiable["makes"]) if ratifiable else []
    motions = motions_to_ratify(game_page.game, asked.hash) if asked.hash else []
    return game_page.draw(
        "web/recalculations/recalculation.html",
        asked=asked,
        about=_description(asked),
        progress=progress(asked),
        report=report,
        steps=[
            {**step, "title": _title_of(game_page, step["name"])}
            for step in report.get("steps", [])[:_MOST_SHOWN]
        ],
        differences=[
            _difference_in_words(difference)
            for difference in report.get("differences", [])[:_MOST_SHOWN]
        ],
        makes=counts_phrase(ratifiable["makes"]) if ratifiable else "",
        changes=changes[:_MOST_SHOWN],
        more_changes=max(len(changes) - _MOST_SHOWN, 0),
        against=ratifiable["against"] if ratifiable else [],
        is_old=bool(report) and report["as_of"] < game_page.game.last_entry,
        motions=motions,
        is_proposed=any(not motion.end for motion in motions),
        ratify=RATIFY,
        record_report=RECORD_REPORT,
        ratifying=_ratifying(game_page) if ratifiable else (),
        recorded=game_page.game.recorded_reports.filter(hash=asked.hash).first(),
        asking=asking_for(asked.hash),
    )


def _ratifying(game_page: GamePage) -> list[tuple[str, str, dict[str, Any]]]:
    """The ways in which the viewer may ratify it beside what everybody may propose."""
    table, player = game_page.table, game_page.player
    if player is None or not game_page.seated:
        return []
    ways = (way for part in in_play(table.game) for way in part.ratifying(table, player))
    return [way for way in ways if game_page.may(way[1], **way[2])]


def _title_of(game_page: GamePage, name: str) -> str:
    """What people call the act or the event of that name."""
    try:
        return find_action(name, game_page.table).title
    except UnknownAction:
        return title_of(name)


def _difference_in_words(difference: Mapping[str, Any]) -> dict[str, Any]:
    """A difference as its report has it, its place and its two sides in words."""
    path = difference["path"].split(BETWEEN_KEYS) if difference["path"] else []
    sides = {side: _side_in_words(difference[side]) for side in ("was", "now")}
    return {**difference, **sides, "name": place_in_words(difference["part"], path)}


def _side_in_words(side: Any) -> str | None:
    """How it is on one side; None where it is not there. Lists and mappings are JSON in a report,
    which may be cut off, and stays then as it is."""
    if isinstance(side, str) and side[:1] in ("{", "["):
        with suppress(ValueError):
            side = json.loads(side)
    return None if side is None else value_in_words(side)


def _description(row: Recalculation) -> str:
    return f"The game {Revision.of(row.revision)}"
