"""Calling a case, arguing in one and judging it: forms on pages of their own, with what is found to
be named in them."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from django.contrib import messages
from django.db.models import QuerySet
from django.forms import BoundField, Select, Textarea, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from nomic.cases.actions import Argue, CallCase, JudgeCase
from nomic.cases.evidence import ENTRY
from nomic.cases.fields import MOST_CHOSEN, PASSAGE, RULE, Choice, ChosenField, choices_in, label_of
from nomic.cases.models import LONGEST_STATEMENT, LONGEST_TEXT, Case, CaseDraft
from nomic.cases.rules import VerdictKind
from nomic.cases.state import state_of
from nomic.cases.web.views import case_or_404, drafts_of, form_address, may_call
from nomic.engine.actions import find_action, legality
from nomic.engine.fairness.slow_queries import Late, in_turn, within
from nomic.games.bounds import SEARCH_SECONDS, SEARCHES
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.games.search import matching
from nomic.record.models import Entry
from nomic.rulebook.charts import cut, unless_broken
from nomic.rulebook.passages import PassageKind, passages_of, words_of
from nomic.web.game_context import GamePage
from nomic.web.paging import number_of
from nomic.web.writing import DraftSheet, drawn_text, for_writers, key_of

_ASKED = ("GET", "HEAD", "POST")
_MOST_FOUND = 12
_OF_A_KIND = 4
_for_writers = for_writers("case_new", may_write=lambda page: page.seated or may_call(page))


@dataclass(frozen=True)
class FoundChoice:
    """Something that may be named: what is sent for it, what it is called, whether it is chosen."""

    choice: Choice
    label: str
    is_chosen: bool = False

    @property
    def sent(self) -> str:
        """The choice as JSON, as a browser sends it."""
        return json.dumps(self.choice)


@dataclass
class CaseSheet(DraftSheet):
    """The form of an action about a case. `words` are looked for, `choices` are what is chosen and
    what has these words."""

    about = "case"
    noun = "cases"
    case: Case | None = None
    draft: CaseDraft | None = None
    words: str = ""
    choices: list[FoundChoice] = field(default_factory=list)

    @property
    def fields(self) -> list[BoundField]:
        """Its fields, as a page draws them, without that in which things are named."""
        return [field for field in super().fields if field.name != self.chooses]

    @property
    def chooses(self) -> str:
        """The field in which things are named that were found."""
        fields = self.form.fields.items()
        return next(name for name, field in fields if isinstance(field, ChosenField))

    @property
    def verdicts(self) -> list[VerdictKind]:
        """The verdicts with what each means, where one is to be given."""
        if "verdict" not in self.form.fields:
            return []
        charts = state_of(self.game_page.table).charts
        return [*unless_broken(lambda: charts.verdicts, dict[str, VerdictKind]()).values()]

    @property
    def drafts(self) -> QuerySet[CaseDraft]:
        """The viewer's own drafts. Nobody else's are ever asked for."""
        return drafts_of(self.game_page)

    def new_draft(self) -> CaseDraft:
        """A draft of this act about this case."""
        return CaseDraft(player=self.game_page.player, act=self.action.name, case=self.case)

    def fill_draft(self) -> None:
        """Let the draft say what is written, and name what is chosen."""
        assert self.draft is not None
        self.draft.fields = {field.name: field.value() or "" for field in self.fields}
        self.draft.chosen = [row.choice for row in self.choices if row.is_chosen]

    @property
    def address(self) -> str:
        """Where it is sent, and its draft is found again."""
        return form_address(self.game_page, self.action.name, self.case)

    @property
    def previewed_at(self) -> str:
        """Where what is written is sent to be previewed."""
        return reverse("case_preview", args=[self.game_page.game.slug])

    @property
    def picked(self) -> BoundField:
        """The blank of that field, as the page draws it."""
        return self.form[self.chooses]


@require_http_methods(_ASKED)
@_for_writers
def case_new(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The form by which a case is called."""
    return _page(request, _sheet(request, game_page, CallCase.name))


@require_http_methods(_ASKED)
@_for_writers
def case_argue(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """The form by which somebody argues in that case."""
    return _page(request, _sheet(request, game_page, Argue.name, case_or_404(game_page, number)))


@require_http_methods(_ASKED)
@_for_writers
def case_judge(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """The form by which its judge judges that case."""
    case = case_or_404(game_page, number)
    return _page(request, _sheet(request, game_page, JudgeCase.name, case))


@require_POST
@_for_writers
def case_preview(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The arguments or reasons that are written, as the page of the case will show them."""
    text = request.POST.get("arguments") or request.POST.get("reasons", "")
    return HttpResponse(drawn_text(text, LONGEST_TEXT))


@require_POST
@_for_writers
def case_find(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """What says the words that are looked for, below what is chosen already."""
    name = JudgeCase.name if request.POST.get("chooses") == "passages" else CallCase.name
    sheet = _sheet(request, game_page, name)
    return render(request, "cases/_found.html", {"sheet": sheet})


def _sheet(
    request: HttpRequest, game_page: GamePage, name: str, case: Case | None = None
) -> CaseSheet:
    """The form as it was sent, or as it begins."""
    action = find_action(name)
    of_case = {"case": case.number} if case else {}
    # Where somebody doubts something, an address begins the case with its statement.
    statement = request.GET.get("statement", "")[:LONGEST_STATEMENT]
    begun = {"statement": statement} if statement else {}
    sent = {**begun, **request.POST.dict(), **of_case}
    draft = saved_at = None
    if game_page.player is not None:
        number = request.POST.get("draft") or request.GET.get("draft")
        drafts = drafts_of(game_page).filter(act=name, case=case)
        draft = drafts.filter(pk=number_of(number) or 0).first()
    if request.method == "POST":
        saved_at = request.POST.get("saved_at", "")[:40]
    elif draft is not None:
        sent, saved_at = {**draft.fields, **of_case}, iso(draft.saved_at)
    is_sent = request.method == "POST" and request.POST.get("do") in ("send", "save")
    form = action.Form(
        game_page.table, game_page.player, **{"data" if is_sent else "initial": sent}
    )
    for blank in form.fields.values():
        if isinstance(blank.widget, Textarea):
            blank.widget.attrs["rows"] = 12
        elif isinstance(blank.widget, Select):  # nothing that somebody has not chosen is sent
            first = "choose one…" if blank.required else "nobody"
            blank.widget.choices = [("", first), *blank.widget.choices]
    if "statement" in form.fields:
        form.fields["statement"].widget.attrs.setdefault(
            "placeholder", "Something true or false, as: the owner of Fargo is to be paid 20"
        )
    words = request.POST.get("words", "")[:200]
    sheet = CaseSheet(
        *(game_page, action, form, key_of(request)),
        case=case,
        draft=draft,
        saved_at=saved_at or "",
        words=words,
    )
    sheet.choices = _choices(sheet, request)
    return sheet


def _choices(sheet: CaseSheet, request: HttpRequest) -> list[FoundChoice]:
    """What was chosen, and what says the words that are looked for."""
    field = sheet.form.fields[sheet.chooses]
    sent = field.widget.value_from_datadict(request.POST.dict(), {}, sheet.chooses)
    chosen: list[Choice] = []
    with suppress(ValidationError):  # which the form tells, where it is sent
        chosen = choices_in(sent or [])
    if request.method != "POST" and sheet.draft is not None:
        chosen = sheet.draft.chosen
    entry_number = request.GET.get("entry", "")
    choices = [FoundChoice(choice, label_of(choice), is_chosen=True) for choice in chosen]
    if request.method != "POST" and sheet.action.name == CallCase.name and entry_number.isdecimal():
        # Where somebody disputes what an entry tells, an address begins the case with it.
        numbered = _numbered_entry(sheet.game_page, entry_number)
        choices += [FoundChoice(choice, label, is_chosen=True) for choice, label in numbered]
    only_passages = isinstance(field, ChosenField) and field.only_passages
    for choice, label in _matches(sheet.game_page, sheet.words, only_passages=only_passages):
        if choice not in chosen and len(choices) < MOST_CHOSEN + _MOST_FOUND:
            choices.append(FoundChoice(choice, label))
    return choices


def _matches(
    game_page: GamePage, words: str, *, only_passages: bool
) -> Iterator[tuple[Choice, str]]:
    if not words.strip():
        return
    yield from _passages(game_page, words.casefold().split(), 12 if only_passages else 4)
    if only_passages:
        return
    with in_turn("search", SEARCHES.count) as has_turn, suppress(Late):
        if has_turn:
            with within(SEARCH_SECONDS.most):
                yield from [*_of_subgames(game_page, words), *_entries(game_page, words)]


def _passages(game_page: GamePage, words: list[str], most: int) -> Iterator[tuple[Choice, str]]:
    """The sentences of public rules in which, or in whose titles, all these words stand."""
    read_kinds = (PassageKind.SENTENCE, PassageKind.ITEM, PassageKind.ROW)
    count = 0
    for rule in game_page.table.rules.public:
        heading = f"{rule.title} {rule.number}".casefold()
        if not all(word in heading or word in rule.text.casefold() for word in words):
            continue
        for passage in passages_of(rule.text):
            text = passage.text.casefold()
            if passage.kind in read_kinds and all(
                word in heading or word in text for word in words
            ):
                choice = {RULE: rule.title, PASSAGE: passage.text}
                yield choice, f"{rule.title}: “{words_of(passage.text)}”"
                count += 1
                if count == most:
                    return


def _of_subgames(game_page: GamePage, words: str) -> Iterator[tuple[Choice, str]]:
    """What subgames have that says the words: proposals, documents, other cases."""
    game = game_page.game
    games = Game.objects.filter(pk=game.pk).order_by()
    for subgame in game_page.subgames:
        if words.strip().isdecimal():
            trace = subgame.named(game_page.table, None, words.strip())
            if trace is not None:
                yield {subgame.name: words.strip()}, f"{trace.text}: {trace.title}"
        start = f"/g/{game.slug}/{subgame.name}/"
        for hit in subgame.finds(games, words, _OF_A_KIND):
            if hit.url.startswith(start):
                name = hit.url.removeprefix(start).partition("/")[0]
                yield {subgame.name: name}, hit.title


def _entries(game_page: GamePage, words: str) -> Iterator[tuple[Choice, str]]:
    """Entries of the record that say the words, or have them as their number."""
    entries = Entry.objects.filter(game=game_page.game).defer("inputs", "outcome")
    yield from _numbered_entry(game_page, words)
    for entry in matching(entries, ("text",), words, _OF_A_KIND):
        yield {ENTRY: str(entry.seq)}, f"Entry {entry.seq}: {cut(entry.text, 200)}"


def _numbered_entry(game_page: GamePage, number: str) -> Iterator[tuple[Choice, str]]:
    """The entry that has these words as its number."""
    if number.strip().isdecimal() and len(number.strip()) < 10:
        entries = Entry.objects.filter(game=game_page.game, seq=int(number))
        for entry in entries.defer("inputs", "outcome"):
            yield {ENTRY: str(entry.seq)}, f"Entry {entry.seq}: {cut(entry.text, 200)}"


def _page(request: HttpRequest, sheet: CaseSheet) -> HttpResponse:
    """Do what the pressed button says, and show the form."""
    page, button = sheet.game_page, request.POST.get("do")
    if request.method == "POST" and button == "delete" and sheet.draft is not None:
        sheet.draft.delete()
        messages.success(request, "The draft is deleted.")
        return redirect("cases", page.game.slug)
    if request.method == "POST" and button == "save":
        if status := sheet.keep(request):
            return _draw(sheet, status=status)
        assert sheet.draft is not None
        return redirect(f"{sheet.address}?draft={sheet.draft.pk}")
    if request.method != "POST" or button != "send":
        begun = {"case": sheet.case.number} if sheet.case else {}
        sheet.refusal = legality(sheet.action, page.table, page.player, begun)
        return _draw(sheet)
    entry = sheet.send(request)
    if isinstance(entry, int):
        return _draw(sheet, status=entry)
    sheet.delete_draft()
    return redirect("case", page.game.slug, entry.outcome["case"])


def _draw(sheet: CaseSheet, *, status: int = 200) -> HttpResponse:
    return sheet.game_page.draw("cases/sheet.html", status=status, sheet=sheet)
