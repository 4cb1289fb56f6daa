"""Whether the program could play by a text before it is proposed or written as a regulation, and
what of it nothing would carry out."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from aceofspades.rules.charts import Charts, charts_from
from aceofspades.rules.marks import has_block, problem_in
from aceofspades.rules.tables import DECIDES, TABLES, decided_in
from aceofspades.state.reading import ORIGIN, State, state_of
from nomic.engine.coverage import Unfitted, rule_marks
from nomic.engine.subgames import rulebook_keeper
from nomic.engine.table import Table
from nomic.games.refusal import Refusal
from nomic.governance.rulebook_keeping import (
    claim_sentences,
    new_passages,
    sentences_of,
    unplayed_sentences,
)
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.models import Visibility
from nomic.rulebook.text_cache import committed_rules

R106, R119 = "Regulation 106", "Regulation 119"
PROGRAM_BROKEN = "program_broken"


def tidy(text: str) -> str:
    """The text as it is kept: browsers send other ends of lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def cannot_be_hidden(table: Table, number: int, text: str, visibility: str) -> Refusal | None:
    """Why that text cannot be the hidden Regulation `number`: a table of it decides what everybody
    is told. What it gives hands for their worths, nobody is."""
    part = decided_in(tidy(text)) if visibility != Visibility.PUBLIC else ""
    if not part:
        return None
    sentence = (
        f"Regulation {number} would decide {DECIDES[part]}, and what everybody is told follows from"
        f" that: a {visibility} one decides worths alone, so propose it as public, or without the"
        f" table “{' | '.join(TABLES[part])}”."
    )
    return Refusal("decides_in_public", sentence, R106)


def cannot_be_played(table: Table, number: int, text: str) -> Refusal | None:
    """Why that text cannot be Regulation `number`: its program or a table of its own is malformed.

    Without a program it marks nothing, as one may that replaces another to be rid of it. It is read
    beside the public regulations alone, so that the answer tells of no hidden one.
    """
    state, text = state_of(table), tidy(text)
    marks = state.charts.is_marking(number) and has_block(text)
    problem = problem_in(text) if marks else None
    if problem:
        return Refusal(PROGRAM_BROKEN, problem, R119)
    own = f"Regulation {number}"
    faults = _public_charts(state, {number: text}).faults
    fault = next((each for each in faults if each.rule == own), None)
    if fault is None:
        return None
    sentence = f"{fault.sentence} Mend it, so that the contest can be played by it."
    return Refusal("table_broken", sentence, own)


def _public_charts(state: State, drafted: Mapping[int, str]) -> Charts:
    """The charts of the public regulations alone, with such texts in their places or beside."""
    book = {each.number: each.text for each in state.regulations if each.is_public}
    immutable = [each.number for each in state.regulations if each.is_immutable]
    return charts_from({**book, **drafted}.items(), immutable=immutable)


def drops_sentence(table: Table, number: int, text: str, visibility: str) -> str:
    """A sentence on the parts of the contest that no regulation would decide any more if that text
    became Regulation `number`; "" where it drops nothing. It is read beside the public regulations
    alone."""
    state = state_of(table)
    known = state.regulation(number)
    if known is None or not known.is_public:
        return ""
    then_public = tidy(text) if visibility == Visibility.PUBLIC else ""
    now, then = _public_charts(state, {}), _public_charts(state, {number: then_public})
    dropped = [
        decides
        for part, decides in DECIDES.items()
        if unless_broken(partial(now.where, part), "") == known.title
        and not unless_broken(partial(then.where, part), known.title)
    ]
    if not dropped:
        return ""
    off = "that is off then"
    if known.is_immutable:
        off = f"the contest is played as of the version of {known.title} that is in force now"
    return f"With it no regulation says any more {', nor '.join(dropped)}: {off}."


def warnings(table: Table, number: int, text: str, visibility: str) -> tuple[str, ...]:
    """Sentences on that text as Regulation `number`: the parts that none would decide any more,
    what of it nothing would carry out, and what its program claims to. A hidden one is nobody's to
    keep."""
    drops = drops_sentence(table, number, text, visibility)
    told = [drops] if drops else []
    if visibility == Visibility.PUBLIC:
        came = _came(table, number, text)
        waiting = [each for each in came if each.marked.is_unfitted]
        claimed = [each for each in came if not each.marked.is_unfitted]
        told += unplayed_sentences(waiting, rulebook_keeper(table.game)) + claim_sentences(claimed)
    return tuple(told)


def unplayed(table: Table, number: int, text: str) -> list[str]:
    """The sentences of that text, if it became the public Regulation `number`, that would not be
    carried out as they read, and those that would be gone and carried out still."""
    came = _came(table, number, text)
    waiting = (passage for passage in came if passage.marked.is_unfitted)
    return sentences_of(waiting, committed_rules(table.game))


def _came(table: Table, number: int, text: str) -> list[Unfitted]:
    text, known = tidy(text), state_of(table).regulation(number)
    if known is not None and known.is_immutable:  # it is amended, others are replaced
        rule = table.rules.find(known.pk)
        return new_passages(_marked(table, rule), _marked(table, replace(rule, text=text)))
    title = f"Regulation {number}"
    drafted = RuleText(0, title, text, 1, 1, number=str(number), origin=ORIGIN, began_as="")
    return _marked(table, drafted)


def _marked(table: Table, rule: RuleText) -> list[Unfitted]:
    marks = rule_marks(table, rule)
    return [Unfitted(rule, each) for each in (*marks.unfitted, *marks.claimed)]
