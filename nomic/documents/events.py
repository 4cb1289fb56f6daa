"""What becomes of a published report that nobody doubts (the rule “Undoubted Reports”)."""

from datetime import timedelta

from nomic.documents.rules import UNDOUBTED_REPORTS
from nomic.documents.state import NO_DOUBT, state_of
from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.governance.reports import UNDOUBTED, Facts, Report, after_publication, find_report
from nomic.governance.undoubted import become_true


@after_publication
def it_waits_for_doubts(table: Table, report: Report) -> Facts:
    """Let the report that is being published become true when its days are over."""
    days = state_of(table).days_of(report)
    if days is None:
        return {}
    due = table.now + timedelta(days=days)
    table.appointments.make(UNDOUBTED, due, str(table.seq))
    return {"undoubted": iso(due)}


@appointment(NO_DOUBT, title="A document that nobody doubts is undoubted", rule=UNDOUBTED_REPORTS)
def an_undoubted_document(table: Table, subject: str) -> Outcome:
    """Its words are undisputed, and change nothing. `subject` is its number, and behind a slash the
    entry since which it waits."""
    number = int(subject.partition("/")[0])
    state = state_of(table)
    document = state.documents.filter(number=number).first()
    if document is None:
        return Outcome(f"There is no Document {number} any more.")
    if state.days_of_kind(document.kind) is None:  # a vote has taken its row away since
        return Outcome(f"{document} does not become undoubted: no rule says so any more.")
    document.undoubted_in = table.seq
    document.save(update_fields=["undoubted_in"])
    text = f"Nobody has doubted {document} ({document.kind}), “{document.title}”: it is undoubted."
    return Outcome(text, {"document": number})


# Not named after the documents, either.
@appointment(
    UNDOUBTED,
    title="A report that nobody doubts becomes true",
    rule=UNDOUBTED_REPORTS,
    of_entry=True,
)
def an_undoubted_report_becomes_true(table: Table, subject: str) -> Outcome:
    """Make true what it declares; `subject` is the number of the entry that published it."""
    entry = table.game.entries.get(seq=int(subject))
    report = find_report(entry.outcome["report"])
    title = report.title
    if state_of(table).days_of(report) is None:
        return Outcome(f"{title} of entry {entry.seq} does not become true: no rule says so now.")
    text, figures = become_true(table, entry)
    sentence = f"{title} of entry {entry.seq} is true now: nobody has doubted it.{text}"
    return Outcome(sentence, dict(figures))
