"""Officers' reports: composed from the state, published as entries of the record."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from itertools import accumulate
from types import MappingProxyType
from typing import Any, ClassVar, Self

from django.db.models import Max, QuerySet
from django.db.models.fields.json import KT
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from nomic.engine.actions import Action, Inputs, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.events import appointment
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.rule_switches import rule_switches
from nomic.engine.subgames import OfOffice, of_those_in_play, rulebook_keeper
from nomic.engine.table import Follower, Table, follow, glance
from nomic.games.bounds import REPORT_KILOBYTES
from nomic.games.calendars import WEEK
from nomic.games.clock import iso
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.governance.breaches import breach, breaches, tells_of_breaches, week_of
from nomic.governance.deputies import OwedAction
from nomic.governance.desks import OFFICER, Duty, KeeperField, keeping_refusal
from nomic.governance.switches import keeper_of_switch, switches_set
from nomic.record.models import Entry
from nomic.rulebook.rendering.markdown import render

Facts = dict[str, Any]
Cells = Sequence[Any]
type Row = Mapping[str, Any]
type Column = str | Callable[[Row], Any]
type Columns = Mapping[str, Column]
NONE = "-"
HOLD = "reports.hold"
WEEKLY, PUBLISH = "reports.weekly", "reports.publish"
PUBLISH_DOCUMENT = "reports.publish_document"
PUBLISHING = (WEEKLY, PUBLISH, PUBLISH_DOCUMENT)
UNDOUBTED = "reports.undoubted"
LONGEST_WORDS = 20_000  # characters
LINE = 78  # characters
_MOST_MISSING = 60  # more than a year of weeks
_DAYS_TOLD = 6  # of those for which a report is published, in words
_MARKUP = 30  # bytes around a cell of a table


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report as a table, or what is said where there is nothing to list."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Cells]
    empty: str

    @classmethod
    def of(cls, title: str, columns: Columns, rows: Iterable[Row], empty: str) -> Self:
        """The part with a row of cells for each of these: of each column, by its heading, the name
        of a fact, or what the function gives. A dash is where there is nothing."""

        def cell(row: Row, column: Column) -> Any:
            fact = row.get(column) if isinstance(column, str) else column(row)
            if fact is None or fact is False or fact in ("", []):
                return NONE
            if isinstance(fact, list):
                return ", ".join(fact)
            return "yes" if fact is True else fact

        cells = [[cell(row, column) for column in columns.values()] for row in rows]
        return cls(title, tuple(columns), cells, empty)

    left_out: int = 0  # rows that are not among them

    @property
    def cells(self) -> list[list[tuple[Any, bool]]]:
        """The rows, and of each cell whether it is a number."""
        return [[(cell, isinstance(cell, int)) for cell in row] for row in self.rows]


class Report(OfOffice):
    """A weekly report of an office: a heading, a few sentences and tables.

    Its facts are plain values, and all its forms are made from them. A document that is published
    as this report declares the `balances` of players by a table with a column “Player” and columns
    of these names, each of an asset.
    """

    name: str
    title: str
    rule: str = ""
    balances: ClassVar[Mapping[str, str]] = {}

    def facts(self, table: Table) -> Facts:
        """The facts to tell now beside the game and the moment, as values that JSON can hold."""
        raise NotImplementedError

    def all_facts(self, table: Table) -> Facts:
        """The facts to tell now, with the game's title and the moment; and what its office let go
        by since the report before it, where there is anything."""
        facts = {"game": table.game.title, "at": iso(table.now), **self.facts(table)}
        before = publications(table.game, self.name).values_list("seq", flat=True).first()
        if omissions := breaches(table.game, self.office_in(table.game), after=before or 0):
            facts["breaches"] = omissions
        if switches := self.switches(table):
            facts["switches"] = switches
        return facts

    def switches(self, table: Table) -> list[Facts]:
        """Where the switches that its office keeps are set otherwise than they begin."""
        return switches_set(table, [self.office_in(table.game)])

    def is_due(self, table: Table) -> bool:
        """Whether the game has it as its rules read at that table."""
        return self.is_on(table.game)

    def heading(self, facts: Facts) -> str:
        """The heading above the report."""
        return self.title

    def about(self, facts: Facts) -> list[str]:
        """Of which game and moment it is, a line each."""
        return [f"{facts['game']}, as of {minute(facts['at'])} UTC"]

    def summary(self, facts: Facts) -> list[str]:
        """How things stand, a sentence a line."""
        return []

    def parts(self, facts: Facts) -> Iterable[Section]:
        """The tables of the report."""
        raise NotImplementedError

    def in_sheet(self, facts: Facts) -> Iterable[Section]:
        """The tables of which the sheet has the rows."""
        return self.parts(facts)

    def _omissions(self, facts: Facts) -> list[Section]:
        """What its office let go by, as a table; none where it did all that it had to."""
        columns: Columns = {"Entry": "entry", "Moment (UTC)": to_the_minute("at"), "What": "says"}
        rows = facts.get("breaches")
        return [Section.of("Let go by since the report before", columns, rows, "")] if rows else []

    def _beside(self, facts: Facts) -> list[Section]:
        """The tables that each report has where there is something to tell."""
        columns: Columns = {"Switch": "switch", "Of": "of", "Value": "value"}
        rows = facts.get("switches")
        switches = [Section.of("Switches that were set", columns, rows, "")] if rows else []
        return [*switches, *self._omissions(facts)]

    def text(self, facts: Facts) -> str:
        """The report as plain text in columns, the form of the mailing lists."""
        summary = self.summary(facts)
        lines = [self.heading(facts).upper().replace("’", "'"), *self.about(facts), ""]
        lines += [*summary, ""] if summary else []
        lines += [facts["words"].strip(), ""] if facts.get("words") else []
        for part in (*self.parts(facts), *self._beside(facts)):
            lines += [part.title.upper(), *aligned(part), ""]
        return "\n".join(lines).rstrip() + "\n"

    def html(self, facts: Facts) -> SafeString:
        """The report as HTML: its parts with as many of their rows as a page has room for, each
        with the same share."""
        sentences, parts = [*self.about(facts), *self.summary(facts)], []
        every = [*self.parts(facts), *self._beside(facts)]
        room = REPORT_KILOBYTES.count * 1000 // max(len(every), 1)
        for part in every:
            sizes = accumulate(
                sum(len(escape(str(cell))) + _MARKUP for cell in row) for row in part.rows
            )
            fit = max(sum(size <= room for size in sizes), 1)
            parts.append(replace(part, rows=part.rows[:fit], left_out=max(len(part.rows) - fit, 0)))
        words = render(facts["words"]) if facts.get("words") else ""
        heading = self.heading(facts)
        context = {"heading": heading, "said": sentences, "words": words, "parts": parts}
        return render_to_string("governance/report.html", context)

    def rows(self, facts: Facts) -> Iterator[Cells]:
        """The report as rows of a sheet, headings first; by default one fact a row: part, name,
        what, value."""
        yield ["part", "name", "what", "value"]
        for part in (*self.in_sheet(facts), *self._beside(facts)):
            for name, *values in part.rows:
                for column, cell in zip(part.columns[1:], values, strict=True):
                    yield [part.title, name, column, cell]

    def csv(self, facts: Facts) -> str:
        """The report as CSV."""
        return in_csv(self.rows(facts))


def by_name(facts: Mapping[str, Row]) -> list[Row]:
    """The facts by name as rows, in the names' order."""
    return [{"name": name, **row} for name, row in sorted(facts.items())]


def minute(moment: str) -> str:
    """A moment of the facts to the minute: “2022-08-01 12:00”; "" stays so."""
    return moment[:16].replace("T", " ")


def to_the_minute(name: str) -> Column:
    """A column of the moment that is the fact of that name."""
    return lambda row: minute(row[name])


def aligned(part: Section) -> list[str]:
    """The part in columns: numbers to the right, words to the left, the last column as it is."""
    if not part.rows:
        return [part.empty]
    table = [part.columns, *([str(cell) for cell in row] for row in part.rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(part.columns))]
    numbers = [isinstance(cell, int) for cell in part.rows[0]]
    lines = [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numbers, strict=True)
        ).rstrip()
        for row in table
    ]
    return [lines[0], "-" * min(LINE, max(map(len, lines))), *lines[1:]]


def in_csv(rows: Iterable[Cells]) -> str:
    """The rows of a sheet as CSV."""
    sheet = io.StringIO()
    csv.writer(sheet).writerows([inert(cell) for cell in row] for row in rows)
    return sheet.getvalue()


def inert(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    is_text = isinstance(cell, str) and cell != NONE
    is_formula = is_text and cell[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{cell}" if is_formula else cell


_REPORTS: dict[str, Report] = {}
_AFTER_PUBLICATION: list[Callable[[Table, Report], Facts]] = []


def after_publication(follow_up: Callable[[Table, Report], Facts]) -> Callable[..., Facts]:
    """Let that be done in each entry that publishes a report; it returns figures of the entry."""
    _AFTER_PUBLICATION.append(follow_up)
    return follow_up


def report(cls: type[Report]) -> type[Report]:
    """Register a report under its name."""
    _REPORTS[cls.name] = cls()
    return cls


def find_report(name: str) -> Report:
    """The report of that name; KeyError if there is none."""
    return _REPORTS[name]


def reports_of(game: Game) -> list[Report]:
    """The reports that this game has. Only a change of the rulebook changes which they are."""
    of_all_games = [it for it in _REPORTS.values() if not it.subgame and it.is_on(game)]
    return [*of_those_in_play(game, _REPORTS.values()), *of_all_games]


def report_entries(game: Game) -> QuerySet[Entry]:
    """The entries that published a report, or said that one waits, newest first."""
    return game.entries.filter(name__in=PUBLISHING).order_by("-seq")


def publications(game: Game, name: str = "") -> QuerySet[Entry]:
    """The entries that published a report, or the one of that name, newest first."""
    entries = report_entries(game).exclude(outcome__facts=None)
    return entries.filter(outcome__report=name) if name else entries


def newest_publications(game: Game) -> dict[str, int]:
    """The number of the entry that published the newest of each report that ever was."""
    by_report = publications(game).order_by().values_list(KT("outcome__report"))
    return dict(by_report.annotate(Max("seq")))


def published(game: Game, name: str) -> Entry | None:
    """The entry that published the newest report of that name, if one has."""
    return publications(game, name).first()


class _Reports(Follower):
    def rules_changed(self, table: Table) -> None:
        """See to it that each report that the game has is due weekly, and no other."""
        due = table.appointments.subjects(WEEKLY)
        for report in _REPORTS.values():
            is_on = report.is_due(table)
            if is_on and report.name not in due:
                table.appointments.begin(WEEKLY, report.name)
            elif not is_on and report.name in due:
                table.appointments.cancel(WEEKLY, report.name)

    def office_changed(self, table: Table, office: str) -> None:
        """Publish the reports that waited for the holder of an office that is vacant now."""
        if table.directory.offices[office]:
            return
        held = held_reports(table.game)
        for report in reports_of(table.game) if held else ():
            if report.name in held and report.office_in(table.game) == office:
                _publish_if_it_waits(table, report)


follow(_Reports())


@report
class SwitchesReport(Report):
    """How switches stand whose offices make no other report."""

    name = "switches"
    title = "The weekly report on switches"
    subgame = ""
    office = ""

    def office_in(self, game: Game) -> str:
        return rulebook_keeper(game)

    def is_on(self, game: Game) -> bool:
        return self.is_due(glance(game))

    def is_due(self, table: Table) -> bool:
        return bool(rule_switches(table).by_key)

    def switches(self, table: Table) -> list[Facts]:
        of_subgames = of_those_in_play(table.game, _REPORTS.values())
        reporting = {report.office_in(table.game) for report in of_subgames}
        switches = rule_switches(table).by_key.values()
        keepers = {keeper_of_switch(table, switch) for switch in switches}
        return switches_set(table, keepers - reporting)

    def facts(self, table: Table) -> Facts:
        return {"declared": [switch.about for switch in rule_switches(table).by_key.values()]}

    def summary(self, facts: Facts) -> list[str]:
        return list(facts["declared"])

    def parts(self, facts: Facts) -> Iterable[Section]:
        return ()


@appointment(
    tells_of_breaches(WEEKLY),
    title="A weekly report is made",
    every="week",
    priority=200,
    routine=True,
)
def a_weekly_report(table: Table, subject: str) -> Outcome:
    """Start of a week: publish the report, or remind the officer who wants to look first. One that
    was due a week ago and is missing still, they have let go by."""
    due = find_report(subject)
    if not _is_held(table, due):
        return publish_now(table, due, "")
    office, breached = due.office_in(table.game), Outcome("")
    last_week = table.now - WEEK
    if last_week in missing(table.game, due.name):
        breached = breach(table, office, week_of(last_week), "publishing the report due then")
    text = f"{due.title} is due and waits for the {office}'s look. {breached.text}".rstrip()
    return Outcome(text, {"report": due.name, "facts": None, **breached.figures})


def _is_held(table: Table, due: Report) -> bool:
    """Whether it waits for its officer: where the game says so, and there is one."""
    if due.name not in held_reports(table.game):
        return False
    return bool(table.directory.offices.get(due.office_in(table.game)))


def held_reports(game: Game) -> set[str]:
    """The names of the reports that wait for their officer: those of the setting, or all."""
    held = game.setting(HOLD, False)
    return {report.name for report in _REPORTS.values()} if held is True else set(held or ())


def missing(game: Game, name: str) -> list[datetime]:
    """The moments at which reports of that name were due that wait for their officer's look still,
    oldest first; of very many the newest."""
    newest = published(game, name)
    waiting = report_entries(game).filter(outcome__report=name, outcome__facts=None)
    moments = waiting.filter(seq__gt=newest.seq if newest else 0).values_list("at", flat=True)
    return [*moments[:_MOST_MISSING]][::-1]


def overdue(game: Game, report: Report) -> Iterator[Duty]:
    """The duties to publish that report, one for each that is missing, the oldest first."""
    held = report.name in held_reports(game)
    for due in missing(game, report.name) if held else ():
        yield duty_to_publish(report, due)


def duty_to_publish(report: Report, due: datetime) -> Duty:
    """The duty to publish that report, which was due at that moment and waits for its officer."""
    inputs, title = {"report": report.name}, f"{report.title} waits to be published"
    return Duty(title, due, rule=report.rule, action=PUBLISH, inputs=inputs)


def _publish_if_it_waits(table: Table, report: Report) -> None:
    if missing(table.game, report.name):
        table.appointments.make(PUBLISH, table.now, f"{report.name}/{table.seq}")


@appointment(PUBLISH, title="A report that waited is published", at_once=True, routine=True)
def a_report_that_waited(table: Table, subject: str) -> Outcome:
    """Publish a report whose office fell vacant, or left it to the system; `subject` is its name,
    and behind a slash the entry in which that happened."""
    return publish_now(table, find_report(subject.partition("/")[0]), "")


class ReportField(TextChoice):
    """A report of the game by name."""

    noun = "report"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [report.name for report in reports_of(table.game)]

    def offer(self, table: Table, player: Player | None) -> None:
        super().offer(table, player)
        self.choices = [(name, find_report(name).title) for name in self.words]


class OwedReport(OwedAction):
    """An act by which a report is published that its office owes."""

    office = "*"

    def debts(self, table: Table) -> Iterator[tuple[str, Duty]]:
        game = table.game
        for report in reports_of(game) if held_reports(game) else ():
            yield from ((report.office_in(game), duty) for duty in overdue(game, report))

    def owed_by(self, table: Table, inputs: Inputs) -> str:
        report = inputs.get("report")
        return find_report(report).office_in(table.game) if report else ""

    def does(self, table: Table, inputs: Inputs, duty: Duty) -> bool:
        return bool(inputs.get("report") == duty.inputs["report"])


@action
class PublishReport(OwedReport):
    """Publish a report as it is now, perhaps with words of its officer."""

    name = PUBLISH
    title = "Publish a report"
    sentence = "Publish the report {report}, with these words: {words}"

    class Form(ActionForm):
        report = ReportField()
        words = Text(
            lines=True, longest=LONGEST_WORDS, required=False, label="Words of the officer, if any"
        )

        def clean(self) -> dict[str, Any]:
            """What is filled in: a report without words names none."""
            return {name: filled for name, filled in self.cleaned_data.items() if filled}

    def judge(
        self, table: Table, player: Player | None, report: str | None, words: str | None
    ) -> Verdict:
        if report is None:
            return None
        chosen, by = find_report(report), f", by {player}" if player else ""
        officers_facts = {"words": words.replace("\r\n", "\n")} if words else {}
        return Effects(Then(lambda at: publish_now(at, chosen, by, officers_facts)))


@action
class KeepReportByHand(Action):
    """Say whether a weekly report waits for its officer's look, or is published by itself."""

    name = "reports.keep_by_hand"
    title = "Keep a report by hand, or leave it to the system"
    sentence = "From now on {keeper} publishes the report {report}"
    button = "Decide"
    office = "*"

    class Form(ActionForm):
        keeper = KeeperField()
        report = ReportField()

    def judge(
        self, table: Table, player: Player | None, keeper: str | None, report: str | None
    ) -> Verdict:
        if report is None:
            return None
        game, chosen, is_officers = table.game, find_report(report), keeper == OFFICER
        held = held_reports(game) - {chosen.name} | ({chosen.name} if is_officers else set())
        decider, title = player.name if player else "The operator", chosen.title
        report_title = f"the{title[3:]}" if title.startswith("The ") else title
        office, by_hand = chosen.office_in(game), _is_held(table, chosen)
        refusal = not_theirs(table, player, chosen, "say that of this report")
        refusal = refusal or keeping_refusal(table, office, keeper, "", by_hand=by_hand)
        return refusal or Effects(
            Then(lambda at: None if is_officers else _publish_if_it_waits(at, chosen)),
            Set(game, settings={**game.settings, HOLD: sorted(held)}),
            say=f"{decider} decides that {keeper} publishes {report_title}.",
        )


def not_theirs(table: Table, player: Player | None, report: Report, deed: str) -> Refusal | None:
    """The refusal of an act on a report that is another office's."""
    office = report.office_in(table.game)
    if player is None or player.offices.filter(name=office).exists():
        return None
    return Refusal("not_the_officer", f"Only the {office} can {deed}.")


def publish_now(
    table: Table, report: Report, by: str, officers_facts: Mapping[str, Any] = MappingProxyType({})
) -> Outcome:
    """Publish it as things stand, with what its officer said, for itself and for all of its name
    that are missing. What follows every publication adds its figures."""
    facts = {**report.all_facts(table), **officers_facts}
    figures: Facts = {"report": report.name, "facts": facts, "text": report.text(facts)}
    for follow_up in _AFTER_PUBLICATION:
        figures |= follow_up(table, report)
    text = f"{report.title} is published{by}"
    if late := [due for due in missing(table.game, report.name) if due < table.now]:
        days = [f"{due.day} {due:%B %Y}" for due in late]
        figures["due"] = [iso(due) for due in late]
        if more := len(days) - _DAYS_TOLD:
            days[_DAYS_TOLD:] = [f"{more} more days"] if more > 0 else []
        text = f"{text}, for what was due on {enumerated(days)}"
    return Outcome(f"{text}.", figures)
