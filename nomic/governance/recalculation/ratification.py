"""Ratifying a recalculation: what it found is made so, by one entry, with the players' support.

The old entries stay as they were. What is voted on is a text that says all that will be made, and
is named by its hash; so anybody can tell whether the report that they read is that one.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from django.db.models import QuerySet
from pydantic import Field, StrictInt, TypeAdapter, ValidationError, with_config

from nomic.engine.actions import Action, Inputs, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.events import title_of
from nomic.engine.forms import ActionForm, Text
from nomic.engine.models import CountedIn
from nomic.engine.plain_words import value_in_words
from nomic.engine.restoring import RowChange, described, kind_of, obstacles, restore
from nomic.engine.subgames import NoSuchSwitch, find_switch
from nomic.engine.table import Table
from nomic.games.bounds import REPORTS
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted, enumerated, first_of
from nomic.governance.corrections import corrected
from nomic.governance.models import Motion, RecordedReport
from nomic.governance.motions import AnnouncedAction
from nomic.governance.powers import OFFICES_AND_CORRECTIONS
from nomic.governance.recalculation.revision import sealed_parts
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.ledger.models import Asset, AssetKind, AssetVisibility, Balance, Holder
from nomic.record.canonical import canonical_json
from nomic.rulebook.charts import cut

RATIFY, RECORD_REPORT = "games.ratify", "games.record_report"
RECALCULATION = "recalculation"  # why a transfer was made
LONGEST_REPORT = 200_000  # characters
FORMAT: Literal["recalculation 1"] = "recalculation 1"
_MOST = 10**15
_OFFICE = "games.office"
_PLURALS = {"switch": "switches"}
_MOST_TOLD = 30  # balances, switches and rules that an announcement names
_LONGEST_VALUE = 80  # characters of each
Amount = Annotated[StrictInt, Field(ge=-_MOST, le=_MOST)]


class Fate(StrEnum):
    """What becomes of an appointment."""

    CANCELLED = "cancelled"
    MADE = "made"


class Makes(TypedDict):
    """The changes that are made: each with how it was as of the report, and how it is to be."""

    balances: list[tuple[str, str, Amount, Amount]]  # holder, asset, was, is to be
    switches: list[tuple[str, str, str, str]]  # switch, whose, was, is to be
    rules: list[tuple[str, str | None, str | None]]  # title, text as it was, as it is to be
    rows: list[RowChange]  # of what the subgames keep, of offices, wins and programs
    # kind, subject, game moment, by which hours it is counted, what becomes of it
    appointments: list[tuple[str, str, str, CountedIn, Fate]]


class Ratifiable(TypedDict):
    """A report as it is voted on. `against` names what would be otherwise beside and cannot be made
    so: where there is any, nothing of it is. `rest` is the hash of what it tells beside; `late` is
    there where a program was late in it, so that another machine may find other things. `left_out`
    are the parts whose private acts are not in it, if any: then nothing of it is made so."""

    format: Literal["recalculation 1"]
    game: str
    as_of: StrictInt
    head: str
    revision: dict[str, Any]
    makes: Makes
    against: list[str]
    rest: str
    late: NotRequired[Literal[True]]
    left_out: NotRequired[list[str]]


_REPORT: TypeAdapter[Ratifiable] = TypeAdapter(with_config(extra="forbid")(Ratifiable))


def written(report: Ratifiable) -> str:
    """The text of a report: canonical JSON (RFC 8785)."""
    return canonical_json(report).decode()


def hash_of(text: str) -> str:
    """By which a report of that text is named: SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def read(text: str) -> Ratifiable | None:
    """The report of that text; None where it is none."""
    try:
        return _REPORT.validate_json(text)
    except ValidationError:
        return None


def parsed(text: str) -> Ratifiable:
    """The report of a text that is one."""
    return _REPORT.validate_json(text)


def entry_revised(report: Ratifiable) -> int:
    """The number of the entry from which it recalculates; 0 where it names none."""
    revision = report["revision"]
    entry = revision.get("strike", revision.get("change", revision.get("after")))
    return entry if isinstance(entry, int) else 0


def revision_phrase(report: Ratifiable) -> str:
    """The change that a report makes to the past, as part of a sentence."""
    entry, act = entry_revised(report), report["revision"].get("insert")
    if isinstance(act, dict):
        return f"with {act.get('name')} by {act.get('actor') or 'the operator'} after entry {entry}"
    change = "with other inputs in" if "change" in report["revision"] else "without"
    return f"{change} entry {entry}"


def counts_phrase(makes: Makes) -> str:
    """How many things of each kind are changed, as part of a sentence; "" for none."""
    kinds = Counter(
        {
            "balance": len(makes["balances"]),
            "switch": len(makes["switches"]),
            "rule": len(makes["rules"]),
            **Counter(kind_of(change) for change in makes["rows"]),
            "appointment": len(makes["appointments"]),
        }
    )
    words = [
        counted(number, kind, _PLURALS.get(kind, "")) for kind, number in kinds.items() if number
    ]
    return enumerated(words)


def changes_phrase(table: Table, makes: Makes) -> str:
    """The first of the changes that are made, one by one, as part of a sentence."""
    return first_of(changes_in_words(table, makes), _MOST_TOLD)


def changes_in_words(table: Table, makes: Makes) -> list[str]:
    """Each of the changes that are made, as part of a sentence."""
    in_words = _amounts(table)
    named = [
        f"{holder} has {in_words(wanted, asset)} and not {before:,}"
        for holder, asset, before, wanted in makes["balances"]
    ]
    named += [
        f"{name} of {subject or 'the game'} is {cut(wanted, _LONGEST_VALUE)} and not"
        f" {cut(before, _LONGEST_VALUE)}"
        for name, subject, before, wanted in makes["switches"]
    ]
    for title, was_text, text in makes["rules"]:
        verb = "repealed" if text is None else "amended" if was_text is not None else "enacted"
        named.append(f"“{cut(title, _LONGEST_VALUE)}” is {verb}")
    named += [f"{cut(described(change), 2 * _LONGEST_VALUE)}" for change in makes["rows"]]
    named += [
        f"{title_of(kind)}{f' ({subject})' if subject else ''} at {value_in_words(due)} is {fate}"
        for kind, subject, due, _, fate in makes["appointments"]
    ]
    return named


def made_now(table: Table, makes: Makes) -> Makes:
    """The same with balances as they are by now: each goes up or down by as much as the report
    found, and never below nothing that nobody may owe."""
    held, owed = _held(table), _may_be_owed(table)
    balances: list[tuple[str, str, int, int]] = []
    for holder, asset, before, wanted in makes["balances"]:
        amount = held.get((holder, asset), 0)
        lowest = -_MOST if asset in owed else 0
        balances.append((holder, asset, amount, max(amount + wanted - before, lowest)))
    return {**makes, "balances": balances}


def only_balances(balances: list[tuple[str, str, int, int]]) -> Makes:
    """Changes of balances alone: holder, asset, how much it was, how much it is to be."""
    return {"balances": balances, "switches": [], "rules": [], "rows": [], "appointments": []}


def make_balances(table: Table, makes: Makes, why: str) -> None:
    """Let all have what they are to have, as things are now, and tell the subgames of it."""
    table.ledger.move_several(_moves(table, made_now(table, makes)), why)
    corrected(table)


def debts_as_sentence(table: Table, makes: Makes) -> str:
    """The sentence of who has spent since what they are not to have, which they owe; "" for none.
    Nobody collects it but by an act or a rule."""
    held, below_zero = _held(table), _may_be_owed(table)
    owed = [
        (holder, asset, before - wanted - held.get((holder, asset), 0))
        for holder, asset, before, wanted in makes["balances"]
        if asset not in below_zero
    ]
    in_words = _amounts(table)
    named = [f"{holder} {in_words(amount, asset)}" for holder, asset, amount in owed if amount > 0]
    return f" It was spent since, and is owed: {first_of(named, _MOST_TOLD)}." if named else ""


def misread(table: Table, text: str) -> Refusal | None:
    """Why that text is no report of this game's record; None if it is one.

    In a past that is played otherwise the record has other hashes.
    """
    report = read(text)
    if report is None or written(report) != text:
        return _refused("not_a_report", "This is not the text of a report as it was made.")
    if report["game"] != table.game.identity:
        return _refused("other_game", "This report is of another game.")
    head = table.game.entries.filter(seq=report["as_of"]).values_list("hash", flat=True).first()
    if head != report["head"] and not table.is_replayed:
        sentence = (
            f"This report was made from another record, whose entry {report['as_of']} is different."
        )
        return _refused("other_record", sentence)
    return None


def _invented(table: Table, text: str) -> Refusal | None:
    """The refusal of a report that nobody here has calculated. One that is on the record was looked
    at when it was put there; of a past that is played again nobody here has made any."""
    named, game = hash_of(text), table.game
    if table.is_replayed or game.recorded_reports.filter(hash=named).exists():
        return None
    if game.recalculations.filter(hash=named).exists():
        return None
    return _refused("not_made_here", "This site has made no such report of this game.")


def misfit(table: Table, text: str) -> Refusal | None:
    """Why what that report found cannot be made so as things are now; None if it can."""
    report = parsed(text)
    ratified = table.game.recorded_reports.filter(ratified_in__isnull=False)
    earlier = ratified.filter(hash=hash_of(text)).first()
    if earlier:
        sentence = f"This report is ratified already, in entry {earlier.ratified_in}."
        return Refusal("ratified", sentence, OFFICES_AND_CORRECTIONS)
    since = ratified.filter(revised=entry_revised(report), ratified_in__gt=report["as_of"])
    later = since.order_by("ratified_in").first()
    if later:
        sentence = (
            f"Another recalculation of entry {later.revised} was ratified in entry"
            f" {later.ratified_in}, after this report was made."
        )
        return _refused("does_not_fit", sentence)
    sentence = next(_obstacles(table, report), "")
    return _refused("does_not_fit", sentence) if sentence else None


def ratified_sentence(table: Table, report: Ratifiable) -> str:
    """What the entry that makes it so says."""
    makes = report["makes"]
    return (
        f"The recalculation {revision_phrase(report)} is ratified: {counts_phrase(makes)}:"
        f" {changes_phrase(table, made_now(table, makes))}.{debts_as_sentence(table, makes)}"
    )


def ratify(table: Table, text: str) -> Ratifiable:
    """Make so what that report found, in the entry that is being made, and note that it is.

    It fits. The subgames are to be told of corrected balances.
    """
    report = parsed(text)
    makes = report["makes"]
    table.ledger.move_several(_moves(table, made_now(table, makes)), RECALCULATION)
    for title, was_text, new_text in makes["rules"]:
        if new_text is None:
            table.rules.repeal(title)
        elif was_text is None:
            table.rules.enact(title, new_text)
        else:
            table.rules.amend(title, new_text)
    restore(table.game, makes["rows"], table.seq)
    table.drop_all()
    for change in makes["rows"]:
        if change["model"] == _OFFICE:
            table.office_changed(change["row"]["name"])
    for name, subject, _, setting in makes["switches"]:
        switch = find_switch(name, table)
        if switch.value(table, subject) != setting:  # most are of the rows
            switch.turn(table, subject, setting)
    for kind, subject, due, counted_in, fate in makes["appointments"]:
        moment = datetime.fromisoformat(due)
        if fate == Fate.CANCELLED:
            table.appointments.cancel_at(kind, subject, moment)
        else:
            table.appointments.make(kind, moment, subject, counted_in=counted_in)
    ended = {"ratified_in": table.seq}
    new = {"text": text, "revised": entry_revised(report), "entry": table.seq}
    table.game.recorded_reports.update_or_create(
        hash=hash_of(text), defaults=ended, create_defaults=new | ended
    )
    return report


@action
class RecordReport(Action):
    """Put the report of a recalculation on the record, so that a proposal can name it.

    Nothing follows from it but that.
    """

    name = RECORD_REPORT
    title = "Put a report on the record"
    sentence = "Put this report on the record: {report}"
    button = "Put it on the record"
    page = "recalculations"
    rule = OFFICES_AND_CORRECTIONS

    class Form(ActionForm):
        report = Text(lines=True, longest=LONGEST_REPORT)

    def judge(self, table: Table, player: Player | None, report: str | None) -> Verdict:
        if report is None:
            return REPORTS.refusal(table.game, 1, OFFICES_AND_CORRECTIONS)
        named = hash_of(report)
        recorded = table.game.recorded_reports.filter(hash=named).first()
        if recorded:
            sentence = (
                f"This report is on the record already, in entry {recorded.entry}: name it by"
                f" {named}."
            )
            return Refusal("recorded", sentence, OFFICES_AND_CORRECTIONS)
        refusal = misread(table, report) or _invented(table, report) or misfit(table, report)
        count = table.game.recorded_reports.count() + 1
        if refusal := refusal or REPORTS.refusal(table.game, count, OFFICES_AND_CORRECTIONS):
            return refusal
        ratifiable = parsed(report)
        makes = ratifiable["makes"]
        return Effects(
            Set(RecordedReport, hash=named, text=report, revised=entry_revised(ratifiable)),
            say=f"{player or 'The operator'} puts the report of the game"
            f" {revision_phrase(ratifiable)} on the record: {counts_phrase(makes)} would be"
            f" otherwise. {changes_phrase(table, makes)}."
            f" A proposal ratifies it that says: “{asking_for(named)}”",
            figures={"recalculated": ratifiable["revision"], "report": named},
        )


def asking_for(report: str) -> str:
    """The sentence by which a proposal asks for the report of that hash."""
    return f"Ratify recalculation {report}."


@action
class Ratify(AnnouncedAction):
    """Make so all that a recalculation says would be otherwise.

    It takes the support of more than half of the players, and nothing that the report found may
    have changed since but what players own: what they have spent by then, they owe.
    """

    name = RATIFY
    title = "Ratify a recalculation"
    sentence = "Make so what this report says: {report}"
    page = "recalculations"
    rule = OFFICES_AND_CORRECTIONS

    class Form(ActionForm):
        report = Text(lines=True, longest=LONGEST_REPORT)

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        return None if player is None else BY_SUPPORT

    def terms_of(self, table: Table, motion: Motion) -> MotionTerms:
        return BY_SUPPORT

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        return set()

    def concerned(self, inputs: Inputs) -> set[str]:
        """Whoever would have another balance, or a row of their own that is otherwise."""
        makes = parsed(inputs["report"])["makes"]
        cells = (cell for change in makes["rows"] for cell in change["row"].items())
        holders = {holder for holder, *_ in makes["balances"]}
        return holders | {str(name) for lookup, name in cells if lookup.endswith("player__name")}

    def intent(self, inputs: Inputs) -> str:
        report = read(inputs["report"])
        past = f" of the game {revision_phrase(report)}" if report else ""
        return f"Ratify the recalculation{past}, report {hash_of(inputs['report'])[:16]}"

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        """Also that nobody has calculated it, where it is announced: the site does not keep all."""
        report = inputs.get("report")
        refusal = None
        if report is not None and not self.is_due:
            # Before anything is looked for: who makes up a report would learn which rows there are.
            refusal = misread(table, report) or _invented(table, report)
        return refusal or super().verdict(table, player, inputs)

    def judge(self, table: Table, player: Player | None, report: str | None) -> Verdict:
        if report is None:
            return None
        if refusal := misread(table, report) or misfit(table, report):
            return refusal
        ratifiable = parsed(report)
        makes = ratifiable["makes"]

        def make(at: Table) -> None:
            ratify(at, report)
            if makes["balances"]:
                corrected(at)

        return Effects(
            Then(make),
            say=ratified_sentence(table, ratifiable),
            figures={
                "recalculated": ratifiable["revision"],
                "report": hash_of(report),
                "made": made_now(table, makes),
            },
        )

    def announced_too(self, table: Table, inputs: Inputs) -> str:
        """The sentence of all that it would make."""
        makes = parsed(inputs["report"])["makes"]
        return (
            f"It would make: {changes_phrase(table, made_now(table, makes))}."
            f"{debts_as_sentence(table, makes)}"
        )


def ratified(game: Game, entry: int) -> QuerySet[RecordedReport]:
    """The reports that were ratified and recalculated the game from that entry, oldest first."""
    done = game.recorded_reports.filter(ratified_in__isnull=False, revised=entry)
    return done.order_by("ratified_in")


def motions_to_ratify(game: Game, report: str) -> list[Motion]:
    """The motions to ratify the report of that hash, by which act ever, the oldest first."""
    motions = game.motions.filter(inputs__has_key="report").select_related("by")
    return [motion for motion in motions if hash_of(motion.inputs["report"]) == report]


def _refused(code: str, sentence: str) -> Refusal:
    advice = " Make the report anew." if code in ("does_not_fit", "other_record") else ""
    return Refusal(code, f"{sentence}{advice}", OFFICES_AND_CORRECTIONS)


def _held(table: Table) -> dict[tuple[str, str], int]:
    """How much of each asset each holder has, but for the Mint."""
    rows = Balance.objects.filter(holder__game=table.game, is_mint=False)
    columns = rows.values_list("holder__name", "asset__name", "amount")
    return {(holder, asset): amount for holder, asset, amount in columns}


def _amounts(table: Table) -> Callable[[Amount, str], str]:
    """A function that says an amount of an asset, by its name, in words that count."""
    by_name = {asset.name: asset for asset in table.game.assets.all()}

    def in_words(number: Amount, asset: str) -> str:
        written = f"{number:,}"
        named = by_name.get(asset)
        return named.amount(number, written) if named else f"{written} {asset}"

    return in_words


def _may_be_owed(table: Table) -> set[str]:
    """The assets of which holders may have less than nothing."""
    return set(table.game.assets.filter(may_owe=True).values_list("name", flat=True))


def _obstacles(table: Table, report: Ratifiable) -> Iterator[str]:
    """Why what the report would make cannot be made now, a sentence each."""
    makes = report["makes"]
    for part in report.get("left_out", ()):
        yield (
            f"What players do in private in “{part}” is not in this report, since it was sealed."
            " When all of it has been opened, ask for a report that has it."
        )
    if report["against"]:
        yield (
            f"It would have been otherwise, too, {enumerated(report['against'])}: that cannot be"
            " made so, and a ratification makes all of what it found or nothing."
        )
    if not any(makes.values()):
        yield "This report finds nothing that could be made so."
    # It was made before they could seal: whether it fits still could tell what was sealed since.
    for part in sorted(sealed_parts(table.game) & _parts_of(makes)):
        yield (
            f"What players do in private in “{part}” is sealed until it is opened, and whether this"
            " could be made so could tell it. When all of it has been opened it can be ratified."
        )
    public = Asset.objects.filter(game=table.game, visibility=AssetVisibility.PUBLIC)
    kinds = dict(public.values_list("name", "kind"))
    held, holders = _held(table), {*table.directory.holders}
    for holder, asset, amount_then, _ in makes["balances"]:
        if asset not in kinds or holder not in holders:
            yield f"{holder} or {asset} is not there any more."
        elif kinds[asset] == AssetKind.UNIQUE and held.get((holder, asset), 0) != amount_then:
            yield (
                f"What {holder} has of {asset} has changed since: it was {amount_then} in the"
                " report."
            )
    for name, subject, before, wanted in makes["switches"]:
        try:
            switch = find_switch(name, table)
        except NoSuchSwitch as none:
            yield str(none)
            continue
        if subject not in switch.subjects(table):
            yield f"{subject or 'The game'} has no {name} any more."
            continue
        if switch.value(table, subject) != before:
            whose = subject or "the game"
            yield f"The {name} of {whose} has changed since: it was {before} in the report."
        if refusal := switch.refusal(table, subject, wanted):
            yield refusal.sentence
    rules = {rule.title: rule for rule in table.rules.public}
    for title, was_text, text in makes["rules"]:
        rule = rules.get(title)
        if (rule.text if rule else None) != was_text:
            yield f"“{title}” reads otherwise than in the report."
        elif rule and rule.is_immutable:
            yield f"“{title}” is immutable."
        if text is not None and (excess := table.rules.too_much((text, rule))):
            yield excess
    yield from obstacles(table.game, makes["rows"])
    for kind, subject, due, _, fate in makes["appointments"]:
        moment = datetime.fromisoformat(due)
        waiting = table.game.appointments.waiting().filter(kind=kind, subject=subject, due=moment)
        if (fate == Fate.CANCELLED) != waiting.exists() or moment < table.now:
            yield f"{title_of(kind)} of {due} has changed since, or has happened."


def _parts_of(makes: Makes) -> set[str]:
    """The subgames, and whatever else has rows and appointments, of which something is made."""
    names = (change["model"] for change in makes["rows"])
    return {
        name.partition(".")[0] for name in (*names, *(made[0] for made in makes["appointments"]))
    }


def _moves(table: Table, makes: Makes) -> list[tuple[Holder | None, Holder | None, int, str]]:
    """The moves (from, to, amount, asset; None is the Mint) by which all have what they are to
    have: from those with too much to those with too little, and only what is left from or to it."""
    holders = {holder.name: holder for holder in table.game.holders.all()}
    moves: list[tuple[Holder | None, Holder | None, int, str]] = []
    over: dict[str, list[tuple[Holder, int]]] = {}
    for holder, asset, before, wanted in makes["balances"]:
        if wanted < before:
            over.setdefault(asset, []).append((holders[holder], before - wanted))
    for holder, asset, before, wanted in makes["balances"]:
        missing = wanted - before
        while missing > 0:
            giver, amount = over[asset].pop() if over.get(asset) else (None, missing)
            moved = min(amount, missing)
            moves.append((giver, holders[holder], moved, asset))
            missing -= moved
            if giver and amount > moved:
                over[asset].append((giver, amount - moved))
    leftovers = ((giver, None, amount, asset) for asset in over for giver, amount in over[asset])
    return [*moves, *leftovers]
