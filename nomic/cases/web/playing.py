"""Letting a sentence that a judgement reads be played otherwise: its form, on a page of its own."""

from dataclasses import dataclass

from django.forms import BoundField, Select, Textarea
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from nomic.cases.models import Case, Reading
from nomic.cases.remedies import PLAY_AS, comes_to_force, conditions_of, decisions_of, is_row
from nomic.cases.state import state_of
from nomic.cases.web.views import case_or_404
from nomic.engine.actions import find_action, legality
from nomic.engine.programs.hooks import Decision
from nomic.rulebook.passages import words_of
from nomic.web.game_context import GamePage
from nomic.web.writing import ActionSheet, for_writers, key_of

_OF_A_ROW = ("words",)
_OF_A_SENTENCE = ("decision", "value", "where", "words", "in_place_of_all")


@dataclass
class PlaySheet(ActionSheet):
    """The form by which that sentence is played otherwise, as the judgement of the case has it."""

    case: Case | None = None
    reading: Reading | None = None

    @property
    def quoted(self) -> str:
        """The sentence as the page quotes it."""
        return words_of(self.reading.passage) if self.reading else ""

    @property
    def is_row(self) -> bool:
        """Whether the sentence is a table's row."""
        return self.reading is not None and is_row(self.reading.passage)

    @property
    def fields(self) -> list[BoundField]:
        """The blanks that such a sentence has, as the page draws them."""
        return [self.form[name] for name in (_OF_A_ROW if self.is_row else _OF_A_SENTENCE)]

    @property
    def decisions(self) -> list[tuple[Decision, list[str]]]:
        """What may be decided, where it is no row, each with what its value may depend on."""
        decisions = [] if self.is_row else decisions_of(self.game_page.table)
        return [(decision, conditions_of(decision)) for decision in decisions]

    @property
    def comes_to_force(self) -> str:
        """When it comes to force, as the end of a sentence."""
        assert self.case is not None
        return comes_to_force(self.game_page.table, self.game_page.player, self.case)


@require_http_methods(("GET", "HEAD", "POST"))
@for_writers("cases")
def case_play(request: HttpRequest, game_page: GamePage, number: int, place: int) -> HttpResponse:
    """The form by which the sentence at that place of the case's judgement is played otherwise."""
    case = case_or_404(game_page, number)
    readings = state_of(game_page.table).standing_readings().filter(judgement__case=case)
    reading = readings.filter(place=place).first()
    if reading is None:
        raise Http404(f"The judgement of {case} reads no sentence {place} that stands.")
    fixed_inputs = {"case": number, "rule": reading.rule.title, "passage": reading.passage}
    is_sent = request.method == "POST"
    is_played = reading.since is not None and reading.until is None
    words = reading.played_as if is_played else reading.passage if is_row(reading.passage) else ""
    sent = {"words": words, **request.POST.dict(), **fixed_inputs}
    action = find_action(PLAY_AS)
    form = action.Form(
        game_page.table, game_page.player, **{"data" if is_sent else "initial": sent}
    )
    for blank in form.fields.values():
        if isinstance(blank.widget, Textarea):
            blank.widget.attrs["rows"] = 3 if is_row(reading.passage) else 8
        elif isinstance(blank.widget, Select):
            blank.widget.choices = [("", "nothing"), *blank.widget.choices]
    sheet = PlaySheet(game_page, action, form, key_of(request), case=case, reading=reading)
    status = 200
    if is_sent:
        entry = sheet.send(request)
        if not isinstance(entry, int):
            return redirect("case", game_page.game.slug, number)
        status = entry
    else:
        sheet.refusal = legality(action, game_page.table, game_page.player, fixed_inputs)
    return game_page.draw("cases/play.html", status=status, sheet=sheet)
