"""Doubting a published report, and the officer's answer: a denial or the entry that corrects it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import Q

from nomic.engine.actions import ANY_OFFICE, Action, Guide, Inputs, action
from nomic.engine.effects import Appoint, Cancel, Effects, Verdict
from nomic.engine.events import appointment
from nomic.engine.forms import LAST_NUMBER, ActionForm, Text, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.governance.breaches import breach, tells_of_breaches
from nomic.governance.deputies import OwedAction
from nomic.governance.desks import Duty
from nomic.governance.motions import MOTION, SUPPORT, AskedOfAll, doer, made_by_officers
from nomic.governance.powers import OFFICES_AND_CORRECTIONS, answer_time
from nomic.governance.reports import (
    UNDOUBTED,
    Report,
    find_report,
    overdue,
    publications,
    reports_of,
)
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.record.models import Entry

DOUBT, ANSWER, UNANSWERED = "reports.doubt", "reports.answer", "reports.unanswered"
_ANSWERING = (ANSWER, SUPPORT, MOTION)  # what ends in an answer, an officer's or the players'
_LISTED = 5  # of a report's doubts, among duties
_TOLD = 30  # of a report's doubts, beside it


def unanswered(game: Game, reports: Collection[str] | None = None) -> list[Entry]:
    """The doubts of all reports, or of those of these names, that no officer has answered yet,
    oldest first, each with its actor."""
    asked = Q(name=DOUBT) | Q(name__in=_ANSWERING, outcome__has_key="doubt")
    entries = game.entries.filter(asked).select_related("actor")
    waiting: dict[int, Entry] = {}
    for entry in entries.order_by("seq"):
        if entry.name != DOUBT:
            waiting.pop(entry.outcome["doubt"], None)
        elif reports is None or entry.outcome["report"] in reports:
            waiting[entry.seq] = entry
    return list(waiting.values())


@dataclass(frozen=True, slots=True)
class DoubtStanding:
    """A doubt of a report, when it is to be answered by, and the entry that answered it."""

    entry: Entry
    due: datetime | None
    answer: Entry | None


def doubts_of(game: Game, published: int) -> list[DoubtStanding]:
    """The newest doubts of the report that this entry published, newest first."""
    asked = game.entries.filter(name=DOUBT, outcome__entry=published).select_related("actor")
    newest = list(asked.order_by("-seq")[:_TOLD])
    numbers = [doubt.seq for doubt in newest]
    answering = game.entries.filter(name__in=_ANSWERING, outcome__doubt__in=numbers)
    answers = {answer.outcome["doubt"]: answer for answer in (answering if newest else ())}
    return [DoubtStanding(doubt, _due(doubt), answers.get(doubt.seq)) for doubt in newest]


def _unanswered_at(table: Table) -> list[Entry]:
    return unanswered(table.game)


def _unanswered_doubt(table: Table, inputs: Inputs) -> Entry | None:
    """The doubt that the inputs, or what is typed, name, if nobody has answered it yet."""
    number = str(inputs.get("doubt"))
    return next((doubt for doubt in table.once(_unanswered_at) if str(doubt.seq) == number), None)


def owed(
    game: Game, reports: Collection[Report], *, has_doubts: bool = True
) -> Iterator[tuple[Report, Duty]]:
    """The duties that are about these reports: to look at those that wait for that, and to answer
    doubts. `has_doubts` tells whether any report of the game was ever doubted."""
    yield from waiting(game, reports)
    if has_doubts:
        yield from duties(game, reports)


def duties(game: Game, reports: Iterable[Report]) -> Iterator[tuple[Report, Duty]]:
    """The duties to answer doubts of these reports: the oldest of each, and how many more."""
    by_name = {report.name: report for report in reports}
    counts: Counter[str] = Counter()
    for doubt in unanswered(game, by_name) if by_name else ():
        name = doubt.outcome["report"]
        counts[name] += 1
        if counts[name] <= _LISTED:
            yield by_name[name], duty_to_answer(doubt)
    for name, count in counts.items():
        if count > _LISTED:
            report = by_name[name]
            title = f"And {count - _LISTED} more doubts of {report.title}"
            yield report, Duty(title, action=ANSWER)


def waiting(game: Game, reports: Iterable[Report]) -> Iterator[tuple[Report, Duty]]:
    """The duties to look at those of these reports whose week has begun, which wait for that: each
    from its own moment on, the oldest first. One publication is for all that are missing."""
    for report in reports:
        yield from ((report, duty) for duty in islice(overdue(game, report), _LISTED))


def duty_to_answer(doubt: Entry) -> Duty:
    """The duty to answer that doubt, an entry with its actor."""
    title = f"{doubt.actor} doubts the report of entry {doubt.outcome['entry']}:"
    title, inputs = f"{title} {doubt.inputs['what']}", {"doubt": doubt.seq}
    return Duty(title, _due(doubt), action=ANSWER, inputs=inputs)


def _due(doubt: Entry) -> datetime | None:
    """The moment by which it is to be answered; None where no rule said one when it was made."""
    due = doubt.outcome.get("due")
    return datetime.fromisoformat(due) if due else None


class _AboutAReport(Action):
    def absence(self, table: Table) -> Refusal | None:
        return self.needs(reports_of(table.game))


@action
class Doubt(_AboutAReport):
    """Say what a published report has wrong. Its officer then owes an answer."""

    name = DOUBT
    title = "Doubt a report"
    sentence = "Doubt the report of entry {entry}: {what}"

    class Form(ActionForm):
        entry = WholeNumber(1, LAST_NUMBER, label="Entry")
        what = Text(longest=500, label="What is wrong")

    def judge(self, table: Table, player: Player, entry: int | None, what: str) -> Verdict:
        if entry is None:
            return None
        published = publications(table.game).filter(seq=entry)
        report = published.values_list("outcome__report", flat=True).first()
        if report is None:
            return Refusal(
                "no_report",
                f"Entry {entry} did not publish a report. Name the number of the entry that did.",
            )
        for doubt in unanswered(table.game, [report]):
            if doubt.actor == player:
                sentence = (
                    f"You doubt this report already, in entry {doubt.seq}. Doubt it again when that"
                    " is answered."
                )
                return Refusal("doubts_already", sentence)
        figures, term, number = {"report": report, "entry": entry}, answer_time(table), table.seq
        if term is not None:
            figures["due"] = iso(table.now + term)
        return Effects(
            *([Appoint(UNANSWERED, table.now + term, str(number))] if term is not None else ()),
            Cancel(UNDOUBTED, str(entry)),  # what is doubted does not become true
            say=f"{player} doubts the report of entry {entry}: {what}",
            figures=figures,
        )


@appointment(
    tells_of_breaches(UNANSWERED), title="The time to answer a doubt is over", of_entry=True
)
def a_doubt_is_not_answered(table: Table, subject: str) -> Outcome:
    """Tell that the officer let the time go by; `subject` is the number of the doubt's entry."""
    office = _office_of(table.game.entries.get(seq=int(subject)))
    breached = breach(table, office, f"the time for the doubt of entry {subject}", "answering it")
    if breached.text:
        return breached
    text = f"The doubt of entry {subject} is not answered, and nobody is the {office}."
    return Outcome(f"{text} All players are asked to answer it.")


@action
class AnswerDoubt(_AboutAReport, OwedAction, AskedOfAll):
    """Answer a doubt: deny it with a reason, or name the entry that corrects what was wrong. While
    the report's office is vacant, the players answer by support."""

    name = ANSWER
    title = "Answer a doubt"
    sentence = (
        "Answer the doubt of entry {doubt}: corrected by entry {correction}, or denied, because"
        " {reason}"
    )
    office = ANY_OFFICE

    class Form(ActionForm):
        doubt = WholeNumber(1, LAST_NUMBER, label="Doubt")
        correction = WholeNumber(
            1, LAST_NUMBER, required=False, label="Correcting entry (to agree)"
        )
        reason = Text(longest=500, required=False, label="Reason (to deny)")

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        if "doubt" not in inputs:
            return None
        doubt = table.game.entries.filter(name=DOUBT, seq=inputs["doubt"]).first()
        if doubt is None:
            return Refusal("no_doubt", f"Entry {inputs['doubt']} is not a doubt of a report.")
        answer = table.game.entries.filter(name__in=_ANSWERING, outcome__doubt=doubt.seq).first()
        if answer is not None:
            sentence = f"That doubt was answered already, in entry {answer.seq}."
            return Refusal("answered", sentence)
        correction, reason = inputs.get("correction"), inputs.get("reason")
        if not (correction or reason):
            if not {"correction", "reason"} <= inputs.keys():
                return None
            sentence = "Give a reason to deny the doubt, or the entry that corrects it."
            return Refusal("no_answer", sentence)
        about, deed = doubt.outcome["entry"], f"denies the doubt of entry {doubt.seq}: {reason}"
        if correction:
            corrections = made_by_officers(table.game, but=("reports.",)).filter(seq__gt=about)
            if not corrections.filter(seq=correction).exists():
                sentence = (
                    f"Entry {correction} is not an officer's correction after the report of entry"
                    f" {about}. Make the correction first, then name its entry."
                )
                return Refusal("no_correction", sentence)
            deed = f"agrees with the doubt of entry {doubt.seq}: entry {correction} corrects it."
            deed = f"{deed} {reason or ''}".rstrip()
        figures = {"doubt": doubt.seq, "report": doubt.outcome["report"], "correction": correction}
        over = [Cancel(UNANSWERED, str(doubt.seq))] if _due(doubt) else ()
        return Effects(*over, say=f"{doer(player)} {deed}", figures=figures)

    def debts(self, table: Table) -> Iterator[tuple[str, Duty]]:
        for doubt in table.once(_unanswered_at):  # which every page with forms asks
            yield _office_of(doubt), duty_to_answer(doubt)

    def owed_by(self, table: Table, inputs: Inputs) -> str:
        if not inputs.get("doubt"):
            return ""
        doubt = table.game.entries.filter(name=DOUBT, seq=inputs["doubt"]).first()
        return _office_of(doubt) if doubt else ""

    def does(self, table: Table, inputs: Inputs, duty: Duty) -> bool:
        return bool(inputs.get("doubt") == duty.inputs["doubt"])

    def bars(self, table: Table, player: Player, inputs: Inputs) -> Refusal | None:
        """Nobody answers their own doubt for the officer whom it is put to."""
        doubt = _unanswered_doubt(table, inputs)
        if doubt is None or doubt.actor_id != player.pk:
            return None
        sentence = "This doubt is yours: its officer answers it, or as deputy another player."
        return Refusal("own_doubt", sentence, OFFICES_AND_CORRECTIONS)

    def guide(self, table: Table, inputs: Inputs) -> Guide | None:
        doubt = _unanswered_doubt(table, inputs)
        if doubt is None:
            return None
        published, report = doubt.outcome["entry"], find_report(doubt.outcome["report"])
        return Guide(
            doubt.inputs["what"],
            f"{doubt.actor} says that of {report.title}, which entry {published} published.",
            entries=(("The report as it was published", published), ("The doubt", doubt.seq)),
        )

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        """Support, unless it is the answer of the report's own officer, or of their deputy."""
        if player is None or "doubt" not in inputs:
            return None
        is_held = table.directory.offices.get(self.owed_by(table, inputs))
        is_own = is_held == player.name or self.deputises(table, player, inputs)
        return None if is_own else BY_SUPPORT


def _office_of(doubt: Entry) -> str:
    """The name of the office whose report is doubted."""
    return find_report(doubt.outcome["report"]).office_in(doubt.game)
