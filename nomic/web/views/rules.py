"""The rulebook: what is in force, who carries it out, every version, the difference between any
two, and what led to it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from nomic.engine.actions import find_action
from nomic.engine.coverage import rule_marks, unfitted
from nomic.engine.programs.descriptions import added, switched_off
from nomic.engine.programs.views import drawings
from nomic.engine.subgames import (
    PassageNote,
    Trace,
    is_classed_elsewhere,
    passage_notes,
    rulemaker_of,
    rulemakers,
)
from nomic.games.bounds import LIST_LINES
from nomic.games.models import Game
from nomic.governance.powers import is_about, unread_rules
from nomic.governance.rulebook_keeping import ALL, CHANGES_NOTHING, WAYS, listed_parts, part_title
from nomic.rulebook.coverage.marks import End, Mark, MarkedPassage, PassageMarks, as_of
from nomic.rulebook.formats.values import OF_SITE, Brought
from nomic.rulebook.limits import CLASS_RULE
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.passages import PassageKind, fingerprint, passages_of
from nomic.rulebook.rendering.diff import Differences
from nomic.rulebook.rendering.markdown import ShownPart, part_of, render, render_part
from nomic.rulebook.rendering.wiki import as_markdown
from nomic.rulebook.spots import SpotKind, played_by
from nomic.web.action_forms import by_programs
from nomic.web.game_context import GamePage, act_url, open_game, rule_url
from nomic.web.paging import number_asked, number_of, page_asked
from nomic.web.views.downloads import categories_of, is_brought, rulebook_of

_DEEPEST_SHOWN = 4
_MOST = 20  # changed rules of one entry that are shown with their difference
_MOST_ENACTED = 200
_MOST_TRACES = 3
_REPEALED = "repealed"
_MOST_NOTED = 500  # passages that each have a note; in a longer text, one where the mark changes
_MOST_SPOTS = 400  # links by which a rule is changed
_WORD = re.compile(r"\w")
_PLAIN = re.compile(r"[\w .,;:%()+–—/’'-]+")  # what Markdown makes nothing of
_MARKUP = "*_`~|"  # behind which a sign would be in the way of Markdown
_SHUTS, _FOLLOWS, _TELLS, _OPENS = range(4)  # in which order notes stand at one place

type _Note = tuple[int, int, str]  # its place, its kind, and our own HTML
_CLASSES = {
    Mark.PEOPLE: "who is-people",
    Mark.CLAIMED: "who is-claimed",
    Mark.UNREAD: "who unfitted",
    Mark.UNFITTED: "who unfitted",
}
LEGEND = (
    (Mark.BUILT_IN, "the program does it, and was made for this very sentence"),
    (Mark.CLAUSE, "the program does it with the numbers or words that stand here"),
    (Mark.TABLE, "the program plays by what stands in these cells"),
    (Mark.PROGRAM, "a program in this rule does it"),
    (Mark.CLAIMED, "the rule’s program says that it carries this out, which nobody has checked"),
    (Mark.PEOPLE, "players and officers carry it out"),
    (Mark.UNREAD, "the rule cannot be read: the program plays by what it said before"),
    (Mark.UNFITTED, "it is new or was changed, and nothing carries it out by itself"),
)


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """A rule in the table of contents. `level` is how many rules it stands under, `unfitted` how
    many of its sentences are not carried out as they read; `is_unread` tells that it is not played
    by its newest text."""

    rule: Rule
    url: str
    level: int = 0
    under: str = ""
    unfitted: int = 0
    is_unread: bool = False

    @property
    def category(self) -> str:
        """Where it came from with other rules, what its keeper had it under."""
        return str(self.rule.told.get("category", ""))

    @property
    def shown_level(self) -> int:
        """How far it is indented; what stands deeper still is not moved further."""
        return min(self.level, _DEEPEST_SHOWN)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """All rules in force, subrules under their parents, and behind them those that were repealed:
    a page of them."""
    game_page = open_game(request, slug)
    public = list(game_page.game.rules.filter(visibility="public").defer("text"))
    lines = [
        *_contents(game_page, [rule for rule in public if rule.repealed_in is None]),
        *(ContentsLine(rule, _url(game_page, rule)) for rule in public if rule.repealed_in),
    ]
    page = Paginator(lines, LIST_LINES.count).get_page(page_asked(request))
    return game_page.draw(
        "web/rules/rules.html",
        in_force=[line for line in page if line.rule.repealed_in is None],
        repealed=[line for line in page if line.rule.repealed_in],
        page=page,
    )


@require_safe
def rulebook(request: HttpRequest, slug: str) -> HttpResponse:
    """All rules in force on one page as they are written, to be read and printed: the short one;
    with `full=1`, their annotations and histories too."""
    game_page = open_game(request, slug)
    full = "full" in request.GET
    brought = rulebook_of(game_page.game) if full else Brought()
    in_force = list(game_page.game.rules.filter(visibility="public", repealed_in=None))
    notes = {category.name: category.note for category in categories_of(game_page.game)}
    is_wiki = _is_wiki(game_page.game)
    shown = []
    for rule, brought_rule in zip_longest(in_force, brought.rules):
        heading, category = OF_SITE, ""
        if rule.by_people:
            category = str(rule.told.get("category", ""))
            heading = category or "Kept by people"
        # As the rule's own page shows it; "" for what people keep, which stands here as they have
        # written it, unless that was on a wiki.
        text = ""
        if not rule.by_people or is_wiki:
            text = _render(rule.text, part_of(rule.text, 1), is_wiki=rule.by_people)
        note = notes.get(category, "") if category else ""
        shown.append((rule, _url(game_page, rule), text, heading, note, brought_rule))
    return game_page.draw(
        "web/rules/rulebook.html",
        whole=True,
        full=full,
        about=notes.get("", ""),
        rules=shown,
    )


def _is_wiki(game: Game) -> bool:
    """Whether the rulebook that people brought was one of a wiki, as a whole."""
    return bool(game.rules.filter(told__markup="wiki").exists())


def _render(text: str, part: ShownPart, *, is_wiki: bool) -> SafeString:
    """The part of a rule's text on a page; one of a wiki as a wiki shows it."""
    if is_wiki and part.of == 1:
        return render(as_markdown(text))
    return render_part(text, part)


@require_safe
def rule(request: HttpRequest, slug: str, page: str) -> HttpResponse:
    """One rule: its text, or an older version, or the difference between two (`from`, `to`); of a
    long text a `part`, and of many versions those `before` a number."""
    game_page = open_game(request, slug)
    rule = _public_rule(game_page, page)
    before = number_asked(request, "before")
    versions = list(versions_of(rule, before)[: LIST_LINES.count])
    newest = rule.versions.order_by("-number")[0]
    shown = _version(rule, request.GET.get("version", "")) or newest
    old, new = (_version(rule, request.GET.get(side, "")) for side in ("from", "to"))
    part = part_of(shown.text, number_asked(request, "part") or 1)
    # Those that are in force with it, or were repealed with it.
    under = rule.subrules.filter(visibility="public", repealed_in=rule.repealed_in)
    subrules = [ContentsLine(subrule, _url(game_page, subrule)) for subrule in under.defer("text")]
    parent = rule.parent if rule.parent and rule.parent.visibility == "public" else None
    notes = passage_notes(game_page.table, [rule.pk])
    return game_page.draw(
        "web/rules/rule.html",
        rule=rule,
        url=_url(game_page, rule),
        parent=ContentsLine(parent, _url(game_page, parent)) if parent else None,
        subrules=subrules[: LIST_LINES.count],
        more_subrules=max(len(subrules) - LIST_LINES.count, 0),
        versions=versions,
        history=history(game_page, rule, versions, whole=before is None),
        older=versions[-1].number if versions and versions[-1].number > 1 else None,
        shown=shown,
        newest=newest,
        part=part,
        text=_render(shown.text, part, is_wiki=rule.by_people and _is_wiki(game_page.game)),
        **_as_played(game_page, rule, part, notes, is_newest=shown == newest and old is None),
        ended_notes=[note for note in notes if note.has_ended],
        ends=_ways_to_settle(game_page, rule),
        told=rule.told or {},
        is_brought=is_brought(rule),
        amends=_amending_url(game_page, rule),
        class_law=_class_law(game_page, rule),
        old=old,
        new=new,
        changes=_difference(old, new),
    )


def _as_played(
    game_page: GamePage,
    rule: Rule,
    part: ShownPart,
    passage_notes: Sequence[PassageNote],
    *,
    is_newest: bool,
) -> dict[str, Any]:
    """How a rule in force is played: what its program adds and what went wrong with it, what of it
    cannot be read and as of which version it is played meanwhile, and the marks of its newest
    text, with what is to be known of its passages."""
    if rule.repealed_in is not None:
        return {}
    table, rules = game_page.table, game_page.table.rules
    marks = rule_marks(table, rules.find(rule.pk)) if is_newest else None
    is_peoples = rule.by_people and marks is not None and not marks.carried_out
    unread = [
        unread_rule for unread_rule in unread_rules(table) if is_about(table, unread_rule, rule.pk)
    ]
    if marks and unread:
        marks = as_of(marks, unread[0].text)
    spots = _spot_notes(game_page, rule, marks) if is_newest else []
    beside = _beside_passages(rule.text, passage_notes) if is_newest else []
    placed = [*beside, *spots]
    return {
        "added": added(table, rule.pk),
        "switched_off": switched_off(table, rule.pk),
        "drawings": drawings(table, rule.pk),
        "choices": by_programs(game_page, rule.title),
        "marked": _marked(rule.text, marks, part, placed) if marks and not is_peoples else None,
        "tapped": render_part(rule.text, part, _placed(placed)) if placed and is_peoples else "",
        "has_notes": bool(beside),
        "has_spots": bool(spots),
        "unread": [str(unread_rule) for unread_rule in unread],
    }


def _spot_notes(game_page: GamePage, rule: Rule, marks: PassageMarks | None) -> list[_Note]:
    """The links by which a player changes single spots of the rule; none where nobody can."""
    text = game_page.table.rules.find(rule.pk)
    rulemaker = rulemaker_of(game_page.game)
    if rulemaker is None or text.is_immutable or not game_page.seated:
        return []
    notes: list[_Note] = []
    for spot in played_by(rule.text, marks)[:_MOST_SPOTS]:
        url = rulemaker.tapping(game_page.table, text, spot)
        if not url:
            return []
        if spot.kind is not SpotKind.SENTENCE and _PLAIN.fullmatch(spot.words):
            link = format_html('<a class="spot" href="{}" title="Change it">', url)
            notes += [(spot.start, _OPENS, link), (spot.end, _SHUTS, "</a>")]
        elif rule.text[spot.end - 1 : spot.end] not in _MARKUP:
            pencil = format_html(
                '<a class="spot pencil" href="{}" title="Change this {}">'
                '<span class="visually-hidden">Change this {}</span>✎</a>',
                *(url, spot.kind, spot.kind),
            )
            notes.append((spot.end, _FOLLOWS, pencil))
    return notes


def _beside_passages(text: str, notes: Iterable[PassageNote]) -> list[_Note]:
    """Links to what is to be known of passages of the text, each where its passage begins."""
    by_key: dict[str, list[PassageNote]] = {}
    for note in notes:
        if not note.has_ended:
            by_key.setdefault(note.key, []).append(note)
    links: list[_Note] = []
    for passage in passages_of(text) if by_key else ():
        first_word = _WORD.search(passage.text)
        for note in by_key.get(fingerprint(passage.text), ()) if first_word else ():
            assert first_word is not None
            link = format_html(
                '<a class="who is-read" href="{}" title="{}">{}</a>',
                *(note.url, note.text, note.label),
            )
            links.append((passage.start + first_word.start(), _TELLS, link))
    return links[:_MOST_NOTED]


def _placed(notes: Iterable[_Note]) -> list[tuple[int, str]]:
    """The notes in the order in which they stand."""
    return [(at, note) for at, _, note in sorted(notes, key=lambda note: note[:2])]


def _amending_url(game_page: GamePage, rule: Rule) -> str:
    """Where a player begins to amend the rule, or to transmute it, "" where nobody can."""
    text = game_page.table.rules.find(rule.pk) if rule.repealed_in is None else None
    if text is None or not game_page.seated:
        return ""
    rulemaker = rulemaker_of(game_page.game)
    return rulemaker.amending(game_page.table, text) if rulemaker else ""


def _class_law(game_page: GamePage, rule: Rule) -> ContentsLine | None:
    """The rule by which that one is immutable, where it is."""
    rules = game_page.table.rules
    text = rules.find(rule.pk) if rule.repealed_in is None else None
    if text is None or not text.is_immutable or is_classed_elsewhere(text):
        return None
    if not rules.in_force(CLASS_RULE):
        return None
    law = game_page.game.rules.get(pk=rules.find(CLASS_RULE).pk)
    return ContentsLine(law, _url(game_page, law))


def _ways_to_settle(game_page: GamePage, rule: Rule) -> list[tuple[str, str]]:
    """How a player may end it that the rule is not carried out as it reads, where all are asked."""
    table = game_page.table
    if game_page.player is None or not find_action(CHANGES_NOTHING).is_everybodys(table):
        return []
    slug = game_page.game.slug
    return [
        (title, act_url(slug, name, rule=rule.title, passage=ALL)) for name, title in WAYS.items()
    ]


def _contents(game_page: GamePage, rules: list[Rule]) -> list[ContentsLine]:
    """The rules in the rulebook's order, each with its subrules right after it."""
    titles = {rule.pk: rule.title for rule in rules}
    under: dict[int, list[Rule]] = {}
    for rule in rules:
        parent = rule.parent_id if rule.parent_id in titles else None
        under.setdefault(parent or 0, []).append(rule)
    unfitted_count = Counter(sentence.rule.pk for sentence in unfitted(game_page.table))
    unread = {unread_rule.rule for unread_rule in unread_rules(game_page.table)}
    lines: list[ContentsLine] = []
    waiting = [(rule, 0) for rule in reversed(under.get(0, []))]
    while waiting:
        rule, level = waiting.pop()
        above = titles[rule.parent_id or 0] if level else ""
        is_unread = not unread.isdisjoint((rule.title, rule.known_as))
        lines.append(
            ContentsLine(
                rule, _url(game_page, rule), level, above, unfitted_count[rule.pk], is_unread
            )
        )
        waiting += [(subrule, level + 1) for subrule in reversed(under.get(rule.pk, []))]
    return lines


def _difference(old: RuleVersion | None, new: RuleVersion | None) -> str:
    """The difference of the texts as HTML; empty where two versions are not asked for."""
    if old is None or new is None:
        return ""
    if old.text == new.text:
        return format_html("<p>{}</p>", "The text is the same in both.")
    return Differences().show(old.text, new.text)


def _url(game_page: GamePage, rule: Rule) -> str:
    return rule_url(game_page.game, rule.title, rule.pk)


def _public_rule(game_page: GamePage, page: str) -> Rule:
    number = page.rpartition("-")[2]
    rules = game_page.game.rules.filter(visibility="public").select_related("parent")
    # 18 digits always fit into the column's 64 bits: a longer number is an error of PostgreSQL's.
    rule = rules.filter(pk=int(number[:18])).first() if number.isdecimal() else None
    if rule is None:
        raise Http404("This rulebook has no such rule. The rulebook lists those that it has.")
    return rule


def _version(rule: Rule, digits: str) -> RuleVersion | None:
    number = number_of(digits)
    return None if number is None else rule.versions.filter(number=number).first()


def _marked(
    text: str, marks: PassageMarks, part: ShownPart, spots: Sequence[_Note]
) -> dict[str, Any]:
    """A rule as its page shows it: that part of its text with marks and what can be tapped, what
    the marks mean, and how it was settled what nothing carries out. `gone` is what the program does
    and no sentence says."""
    used = {marked.mark for marked in marks.passages if _is_marked(marked)}
    settled = []
    for marked in (*marks.passages, *marks.gone):
        if marked.settled is None:
            continue
        if marked.passage is None:
            quoted = f"What no sentence says any more ({listed_parts(marked.parts)})"
        else:
            quoted = f"“{marked.passage.said}”"
        settlement = marked.settled
        settled.append((quoted, str(settlement.end), settlement.entry, settlement.reason))
    return {
        "text": render_part(text, part, _placed([*_notes(marks, part), *spots])),
        "legend": [
            (str(mark), about, _CLASSES.get(mark, "who is-program"))
            for mark, about in LEGEND
            if mark in used
        ],
        "marks": marks,
        "gone": [listed_parts(marked.parts) for marked in marks.gone if marked.is_unfitted],
        "settled": settled,
    }


def _is_marked(marked: MarkedPassage) -> bool:
    """A heading that is known says nothing that anybody would carry out."""
    passage = marked.passage
    is_known = marked.mark is Mark.PEOPLE and marked.settled is None
    return passage is not None and not (passage.kind is PassageKind.HEADING and is_known)


def _notes(marks: PassageMarks, part: ShownPart) -> list[_Note]:
    """The marks of that part as HTML, each where its passage begins; of a table, its
    head and where another mark begins. At most so many: each takes more than a line of text."""
    notes: list[_Note] = []
    before: MarkedPassage | None = None
    for marked in marks.passages:
        passage = marked.passage
        assert passage is not None
        is_head = "\n" in passage.text or passage.text.startswith("!")
        is_next_row = before is not None and before.mark is marked.mark and not is_head
        if len(marks.passages) <= _MOST_NOTED and passage.kind is not PassageKind.ROW:
            before = None
        else:
            before = marked
        if not _is_marked(marked) or is_next_row or not part.start <= passage.start < part.end:
            continue
        skip = passage.text.find("\n") + 1 if passage.kind is PassageKind.PROGRAM else 0
        first_word = _WORD.search(passage.text, skip)
        if first_word is None:
            continue
        is_by_hand = marked.settled is not None and marked.settled.end == End.BY_HAND
        note = format_html(
            '<span class="{}" title="{}"><span class="visually-hidden">(who: </span>{}'
            '<span class="visually-hidden">) </span></span>',
            _CLASSES.get(marked.mark, "who is-program"),
            ", ".join(map(part_title, marked.parts)),
            End.BY_HAND if is_by_hand else marked.mark,
        )
        notes.append((passage.start + first_word.start(), _TELLS, note))
    return notes[:_MOST_NOTED]


@dataclass(frozen=True, slots=True)
class Happened:
    """A change of a rule, and the proposals that made it.

    `version` is None where the text stayed: at its repeal, and where a hidden one became public.
    """

    verb: str
    version: RuleVersion | None
    entry: int
    at: datetime | None
    by: list[Trace]


def history(
    game_page: GamePage, rule: Rule, versions: list[RuleVersion], *, whole: bool
) -> list[Happened]:
    """The rule's repeal, and then these of its versions, the newest first, and its disclosure; not
    `whole`, the versions alone.

    The same few queries however many there are.
    """
    first = "brought in" if is_brought(rule) else "enacted"
    changes: list[tuple[str, int, RuleVersion | None]] = [
        *(_repeal_and_disclosure(rule) if whole else ()),
        *(
            (first if version.number == 1 else _verb(version), version.enacted_in, version)
            for version in versions
        ),
    ]
    changes.sort(key=lambda change: (change[0] != _REPEALED, -change[1]))
    entries = {entry for _, entry, _ in changes}
    moments = dict(game_page.game.entries.filter(seq__in=entries).values_list("seq", "at"))
    # Of a rulemaker that the game plays no more as well: what led to a change stays.
    traces = [
        trace for rulemaker in rulemakers() for trace in rulemaker.traces(game_page.game, entries)
    ]
    titles = {rule.title.casefold(), *(version.title.casefold() for version in versions)}
    happened = []
    for verb, entry, version in changes:
        # What led to it are the traces that name the rule; all that could be meant if none does.
        at_entry = [trace for trace in traces if trace.entry == entry]
        named = [trace for trace in at_entry if trace.rules & titles]
        by = (named or [trace for trace in at_entry if not trace.rules])[:_MOST_TRACES]
        happened.append(Happened(verb, version, entry, moments.get(entry), by))
    return happened


def versions_of(rule: Rule, before: int | None = None) -> QuerySet[RuleVersion]:
    """The rule's versions `before` a number, the newest first, without their texts, as `history`
    takes them."""
    newest_first = rule.versions.order_by("-number").defer("text")
    older = newest_first if before is None else newest_first.filter(number__lt=before)
    return _with_class_before(older)


def _with_class_before(versions: QuerySet[RuleVersion]) -> QuerySet[RuleVersion]:
    """These versions, each with the class before it and whether only that has changed."""
    before = RuleVersion.objects.filter(rule=OuterRef("rule"), number=OuterRef("number") - 1)
    alike = before.filter(text=OuterRef("text"), title=OuterRef("title"))
    return versions.annotate(
        class_before=Subquery(before.values("rule_class")), is_alike=Exists(alike)
    )


def _verb(version: Any) -> str:
    """What has become of a rule by that version of it."""
    if version.class_before in (None, version.rule_class):
        return "amended"
    transmuted = f"made {version.rule_class}"
    return transmuted if version.is_alike else f"amended and {transmuted}"


def _repeal_and_disclosure(rule: Rule) -> Iterator[tuple[str, int, None]]:
    """The repeal and the disclosure of the rule, as verb and entry, the repeal first."""
    if rule.repealed_in:
        yield _REPEALED, rule.repealed_in, None
    if rule.disclosed_in:
        yield "made public", rule.disclosed_in, None


@dataclass(frozen=True, slots=True)
class Changed:
    """A rule that an entry enacted, amended, made public or repealed."""

    title: str
    url: str
    verb: str
    differences: str = ""


def changed_in(game_page: GamePage, seq: int) -> tuple[list[Changed], bool]:
    """The public rules that an entry changed, and whether there are more than these."""
    public = game_page.game.rules.filter(visibility="public")
    versions = RuleVersion.objects.filter(rule__in=public, enacted_in=seq).select_related("rule")
    new = list(versions.filter(number=1).defer("text", "rule__text")[: _MOST_ENACTED + 1])
    later = list(versions.filter(number__gt=1).defer("rule__text")[: _MOST + 1])
    wanted = {version.rule_id: version.number - 1 for version in later[:_MOST]}
    older = RuleVersion.objects.filter(rule__in=wanted.keys(), number__in=set(wanted.values()))
    before = {
        version.rule_id: version for version in older if version.number == wanted[version.rule_id]
    }
    whole = public.filter(Q(repealed_in=seq) | Q(disclosed_in=seq))
    ended = list(whole.defer("text")[: _MOST_ENACTED + 1])
    page = Differences()
    changes = [
        *(
            _changed(game_page, version.rule, "enacted", version.title)
            for version in new[:_MOST_ENACTED]
        ),
        *(
            _amended(game_page, version, before.get(version.rule_id), page)
            for version in later[:_MOST]
        ),
    ]
    for rule in ended[:_MOST_ENACTED]:
        verb = next(verb for verb, entry, _ in _repeal_and_disclosure(rule) if entry == seq)
        changes.append(_changed(game_page, rule, verb, rule.title))
    return changes, len(changes) < len(new) + len(later) + len(ended)


def _changed(game_page: GamePage, rule: Rule, verb: str, title: str) -> Changed:
    return Changed(title, rule_url(game_page.game, rule.title, rule.pk), verb)


def _amended(
    game_page: GamePage, version: RuleVersion, before: RuleVersion | None, page: Differences
) -> Changed:
    rule = version.rule
    address = rule_url(game_page.game, rule.title, rule.pk)
    if before is None:
        return Changed(version.title, address, "amended")
    verbs = [
        *(["amended"] if before.text != version.text else ()),
        *(["retitled"] if before.title != version.title and before.text == version.text else ()),
        *([f"made {version.rule_class}"] if before.rule_class != version.rule_class else ()),
    ]
    shown = page.show(before.text, version.text) if before.text != version.text else ""
    title = version.title
    if before.title != version.title:
        title = f"{version.title}, until then “{before.title}”"
    url = f"{address}?from={before.number}&to={version.number}"
    return Changed(title, url, " and ".join(verbs or ["retitled"]), shown)
