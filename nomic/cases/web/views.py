"""The docket and the archive of a game's cases, and each of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from nomic.cases.actions import (
    ASSIGN,
    ATTACH,
    CALL,
    FILE,
    JUDGE,
    RECUSE,
    Argue,
)
from nomic.cases.finding import saying
from nomic.cases.models import Case, CaseDraft, CaseText, Consequence
from nomic.cases.precedents import Precedent, read_in
from nomic.cases.remedies import MOVE, PLAY_AS, REMEDIES, SWITCH, comes_to_force
from nomic.cases.rules import JUDGE as ITS_JUDGE
from nomic.cases.shown_evidence import SeenExhibit, seen
from nomic.cases.state import is_on, state_of
from nomic.engine.actions import find_action, legality
from nomic.engine.fairness.slow_queries import Late, within
from nomic.engine.forms import LAST_NUMBER
from nomic.games.bounds import SEARCH_SECONDS
from nomic.games.models import Game
from nomic.games.wording import counted, enumerated
from nomic.governance.corrections import AMEND, CORRECT_THE_LEDGER
from nomic.governance.models import Motion
from nomic.governance.motions import action_of, open_with
from nomic.record.models import Entry
from nomic.rulebook.charts import cut, unless_broken
from nomic.rulebook.rendering.markdown import part_of, render, render_part
from nomic.web.game_context import GamePage, act_url, open_game, query_word, rule_url
from nomic.web.hosting.talk import beside
from nomic.web.paging import fitting, newest_before, number_asked

_SHOWN = 40
_TEXTS = 20
_FORMS = {CALL: "case_new", Argue.name: "case_argue", JUDGE: "case_judge"}
LATE = "Looking for these words takes longer than a page may. Rarer words are found sooner."


@dataclass(frozen=True)
class ShownText:
    """A text of a case as its page draws it, with the evidence that the viewer may see."""

    row: CaseText
    drawn: SafeString | str
    evidence: list[SeenExhibit]


@dataclass(frozen=True)
class MotionButton:
    """A motion that may open the judgement again, with who has asked for it; `url` is where the
    viewer does, "" where they may not."""

    name: str
    url: str
    note: str


@dataclass(frozen=True)
class BroughtAnnotation:
    """What somebody who brought a rule has told of a judgement on it; `date` may be empty."""

    title: str
    url: str
    text: str
    date: str


@require_safe
def cases(request: HttpRequest, slug: str) -> HttpResponse:
    """The docket of open cases, the oldest first, and the archive of judged ones, the newest first;
    or those that were asked for."""
    game_page = open_game(request, slug)
    no_cases(game_page)
    state = state_of(game_page.table)
    words = words_asked(request)
    late = ""
    shown, older, brought = list[Case](), None, list[BroughtAnnotation]()
    try:
        with within(SEARCH_SECONDS.most):
            rows = asked_for(state.cases.exclude(verdict=""), words)
            shown, older = newest_before(rows, "number", number_asked(request, "before"), _SHOWN)
            brought = _brought(game_page, words)
    except Late:
        late = LATE
    is_filtered = any(words.values())
    return game_page.draw(
        "cases/page.html",
        docket=[] if is_filtered else state.open[: 2 * _SHOWN],
        cases=shown,
        older=older,
        late=late,
        brought=brought,
        words=words,
        is_filtered=is_filtered,
        listed=_listed_at(game_page, words, "text"),
        sheet=_listed_at(game_page, words, "csv"),
        verdicts=[*unless_broken(lambda: state.charts.verdicts, {})],
        may_call=may_call(game_page),
        drafts=_draft_pages(game_page),
    )


@require_safe
def case(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A case: its statement, its judge, its texts, its judgement and what opens it again."""
    game_page = open_game(request, slug)
    table, row = game_page.table, case_or_404(game_page, number)
    after = number_asked(request, "after") or 0
    rows = row.texts.filter(number__gt=after).select_related("by").prefetch_related("exhibits")
    texts = fitting(rows.order_by("number")[:_TEXTS], lambda text: [text.text])
    last = texts[-1].number if texts else after
    judgement = state_of(table).judgement(row)
    inputs = {"case": row.number}
    judges = game_page.may(JUDGE, **inputs)
    verdicts = unless_broken(lambda: state_of(table).charts.verdicts, {})
    return game_page.draw(
        "cases/case.html",
        case=row,
        due=state_of(table).dues().get(str(row.number)) if not row.verdict else None,
        judgement=shown_text(game_page, judgement) if judgement and not after else None,
        meaning=verdicts.get(row.verdict),
        read=[
            (
                precedent,
                rule_url(game_page.game, precedent.title, precedent.rule),
                _playing_url(game_page, row, precedent),
            )
            for precedent in read_in(table, row)
        ],
        texts=[shown_text(game_page, text) for text in texts if text != judgement],
        further=last if row.texts.filter(number__gt=last).exists() else None,
        assignments=row.assignments.select_related("judge"),
        may_argue=game_page.may(Argue.name, **inputs),
        may_judge=judges,
        recuse_url=act_url(slug, RECUSE, **inputs, back=game_page.path) if judges else "",
        assign_url=game_page.way(ASSIGN, **inputs) if row.judge is None else "",
        motions=_motion_buttons(game_page, row),
        deeds=_deeds(row),
        remedies=_remedies(game_page, row) if row.verdict else (),
        announced=_open_motions(game_page, row),
        comes_to_force=comes_to_force(table, game_page.player, row)
        if judged_by_viewer(game_page, row)
        else "",
        **beside(game_page, f"case {row.number}"),
    )


@require_safe
def case_text(request: HttpRequest, slug: str, number: int, place: int) -> HttpResponse:
    """One text of a case by itself, in parts where it is long."""
    game_page = open_game(request, slug)
    row = case_or_404(game_page, number)
    text = row.texts.filter(number=min(place, LAST_NUMBER)).select_related("by").first()
    if text is None:
        raise Http404(f"{row} has no text {place}.")
    part = part_of(text.text, number_asked(request, "part") or 1)
    shown = ShownText(
        text,
        render_part(text.text, part) if text.text.strip() else "",
        seen(game_page.table, game_page.player, text.exhibits.all()),
    )
    return game_page.draw("cases/text.html", case=row, text=shown, part=part)


def shown_text(game_page: GamePage, text: CaseText) -> ShownText:
    """The text as a page draws it for its viewer."""
    drawn = render(text.text) if text.text.strip() else ""
    exhibits = seen(game_page.table, game_page.player, text.exhibits.all())
    return ShownText(text, drawn, exhibits)


def drafts_of(game_page: GamePage) -> QuerySet[CaseDraft]:
    """The viewer's own drafts, the newest first. Nobody else's are ever asked for."""
    return CaseDraft.objects.filter(player=game_page.player).select_related("case")


def may_call(game_page: GamePage) -> bool:
    """Whether the viewer may call a case; who has left the game may where the rule says so."""
    player, table = game_page.player, game_page.table
    return player is not None and legality(find_action(CALL), table, player, {}) is None


def no_cases(game_page: GamePage) -> None:
    """Raises Http404 where the game has no rule that lets cases be, and none."""
    if not is_on(game_page.table) and not game_page.game.cases.exists():
        raise Http404("No rule of this game lets cases be.")


def case_or_404(game_page: GamePage, number: int) -> Case:
    """The case of that number; raises Http404."""
    row = state_of(game_page.table).cases.filter(number=min(number, LAST_NUMBER)).first()
    if row is None:
        raise Http404(f"This game has no case {number}.")
    return row


def is_case(game: Game, number: int) -> bool:
    """Whether the game has a case of that number."""
    return game.cases.filter(number=number).exists()


def form_address(game_page: GamePage, act: str, case: Case | None) -> str:
    """The page with the form of that act, about that case if there is one yet."""
    return reverse(_FORMS[act], args=[game_page.game.slug, *([case.number] if case else [])])


def _listed_at(game_page: GamePage, words: Mapping[str, str], form: str) -> str:
    """The address of the cases that were asked for, in list form."""
    query = {name: word for name, word in words.items() if word} | {"format": form}
    return f"{reverse('cases_listed', args=[game_page.game.slug])}?{urlencode(query)}"


def _draft_pages(game_page: GamePage) -> list[tuple[CaseDraft, str]]:
    """The viewer's own drafts, each with its page."""
    return [
        (draft, f"{form_address(game_page, draft.act, draft.case)}?draft={draft.pk}")
        for draft in drafts_of(game_page)
    ]


def words_asked(request: HttpRequest) -> dict[str, str]:
    """By what cases are asked for: words, a rule that they read, a judge, a verdict; each "" for
    all."""
    return {name: query_word(request, name).strip() for name in ("q", "rule", "judge", "verdict")}


def asked_for(rows: QuerySet[Case], words: Mapping[str, str]) -> QuerySet[Case]:
    """Those of these cases that fit all of these."""
    if words["q"]:
        rows = saying(rows, words["q"])
    if words["rule"]:
        rows = rows.filter(texts__readings__rule__title__iexact=words["rule"]).distinct()
    if words["judge"]:
        rows = rows.filter(judge__name=words["judge"])
    return rows.filter(verdict__iexact=words["verdict"]) if words["verdict"] else rows


def _brought(game_page: GamePage, words: Mapping[str, str]) -> list[BroughtAnnotation]:
    """What was judged of the rules in force before they came into this game, in the order of the
    rules, as far as it has these words and is of that rule; one more than a page shows where there
    is more. None where a judge or a verdict is asked for, which nobody brings, nor beside earlier
    cases. One query."""
    if words["judge"] or words["verdict"] or "before" in game_page.request.GET:
        return []
    rules = game_page.game.rules.filter(
        visibility="public", repealed_in=None, told__annotations__0__isnull=False
    )
    if words["rule"]:
        rules = rules.filter(title__iexact=words["rule"])
    sought = words["q"].casefold().split()
    annotations = (
        BroughtAnnotation(
            title, rule_url(game_page.game, title, pk), note["text"], note.get("date", "")
        )
        for pk, title, notes in rules.values_list("pk", "title", "told__annotations")
        for note in notes
        if all(word in note["text"].casefold() for word in sought)
    )
    return list(islice(annotations, _SHOWN + 1))


def _motion_buttons(game_page: GamePage, row: Case) -> list[MotionButton]:
    """The motions that may open the case again now."""
    state = state_of(game_page.table)
    buttons = []
    for reopening in unless_broken(lambda: state.reopenings(row), []):
        motion = reopening.motion
        inputs = {"case": row.number, "motion": motion.name}
        note = "its judge alone files it" if motion.by == ITS_JUDGE else ""
        if reopening.asked_by:
            opening = "player opens" if reopening.missing == 1 else "players open"
            asked_by = enumerated(reopening.asked_by)
            note = f"asked for by {asked_by}; {reopening.missing} more {opening} the case again"
        elif motion.by != ITS_JUDGE and reopening.missing > 1:
            others = counted(reopening.missing - 1, "other player")
            note = f"needs the support of {others}"
        buttons.append(MotionButton(motion.name, game_page.way(FILE, **inputs), note))
    return buttons


def _deeds(row: Case) -> list[tuple[Entry, Consequence]]:
    """What followed from its judgements, each entry with who attached it."""
    attached = {it.deed: it for it in row.consequences.select_related("player")}
    entries = Entry.objects.filter(game=row.game_id, seq__in=attached).order_by("seq")
    return [(entry, attached[entry.seq]) for entry in entries]


def judged_by_viewer(game_page: GamePage, row: Case) -> bool:
    """Whether the viewer is who has judged the case."""
    player = game_page.player
    return bool(row.verdict) and player is not None and row.judge_id == player.pk


def _open_motions(game_page: GamePage, row: Case) -> list[tuple[Motion, str, str]]:
    """What was announced to follow from its judgement and waits still: each as a sentence, and with
    what it takes."""
    table = game_page.table
    return [
        (motion, action_of(motion).act_in_words(motion), action_of(motion).takes(table, motion))
        for motion in open_with(table, *REMEDIES, case=row.number)
    ]


def _playing_url(game_page: GamePage, row: Case, precedent: Precedent) -> str:
    """The page on which the viewer lets that sentence be played otherwise; "" where they may
    not."""
    inputs = {"case": row.number, "rule": precedent.title, "passage": precedent.passage}
    if precedent.ended_in is not None or not game_page.way(PLAY_AS, **inputs):
        return ""
    return reverse("case_play", args=[game_page.game.slug, row.number, precedent.place])


def _remedies(game_page: GamePage, row: Case) -> list[tuple[str, str]]:
    """By what the viewer may put right what was judged, with their pages: what its judge announces,
    an office's act whose reason names the case, another past, and attaching what was done."""
    slug = game_page.game.slug
    statement = cut(row.statement.rstrip("."), 300)
    is_judge = judged_by_viewer(game_page, row)
    acts: list[tuple[str, dict[str, int]]] = [
        (name, {"case": row.number}) for name in (MOVE, SWITCH) if is_judge
    ]
    acts += [(name, {}) for name in ((AMEND,) if is_judge else (CORRECT_THE_LEDGER, AMEND))]
    remedies = [
        (
            find_action(name).title,
            act_url(
                slug,
                name,
                **inputs,
                reason=statement if "case" in inputs else f"as judged in {row}",
                back=game_page.path,
            ),
        )
        for name, inputs in acts
        if game_page.may(name, **inputs)
    ]
    if remedies:
        past = reverse("recalculations", args=[slug])
        remedies.append(("Ask for another past", past))
    if attach := game_page.way(ATTACH, case=row.number):
        remedies.append(("Attach what followed", attach))
    return remedies
