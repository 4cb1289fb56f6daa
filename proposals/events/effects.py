"""Effects of a passed proposal's list of changes on the game, one change after the other, and who
carries out each of its sentences: the program, an officer by hand, or nobody.

A change that cannot be made changes nothing and says why; the others are made all the same.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from nomic.engine.dry_run import BalanceShift, Impossible, attempt
from nomic.engine.programs.descriptions import ProgramFault
from nomic.engine.subgames import NoSuchSwitch, Switch, all_subgames, find_switch, keeps_switch
from nomic.engine.table import Table
from nomic.games.bounds import EDITED
from nomic.governance.recalculation.ratification import (
    made_now,
    misfit,
    parsed,
    ratified_sentence,
    ratify,
)
from nomic.ledger.books import Indestructible
from nomic.rulebook.called import CURRENCY, KINDS, OFFICE, SWITCH, called
from nomic.rulebook.changes import kinds as kinds
from nomic.rulebook.changes.applying import REASONS, carry, is_of_rules, touched_by
from nomic.rulebook.changes.kinds import LONGEST_QUOTE, LONGEST_SAID, ByHand, Reading
from nomic.rulebook.charts import cut
from nomic.rulebook.limits import RuleIsImmutable, TooMuch
from nomic.rulebook.tables import TableBroken
from proposals.events import asset_effects
from proposals.events.asset_effects import MOST_SHOWN, CannotBe, Moved, NotUnderstood
from proposals.shapes import ExecutorShape, PartShape
from proposals.state.classes import bound_by_votes, immutable_since
from proposals.state.power import bound_by_power

PROPOSALS = "Proposals"
_LONGEST_TOLD = 5_000  # characters of what changed in a text that a stored effect keeps
_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
# A value of a few words that make no sentence of their own.
_PLAIN_VALUE = re.compile(
    r"(?:(?!(?:and|or|no|not|nor|nobody|none|nothing|never|n?either|but|so|as|if|that|which|who\w*"
    r"|what|because|is|are|was|were|be|has|have|had|do|does|did|will|would|shall|should|may|must"
    r"|can|cannot|void|proposals?|rules?|texts?|sentences?|instructions?|changes?)\b)"
    r"[\w'’+.-]+(?: |$)){1,8}",
    re.IGNORECASE,
)
_MOVES: dict[type[kinds.Change], Callable[..., Moved]] = {
    kinds.Give: asset_effects.give,
    kinds.Take: asset_effects.take,
    kinds.Destroy: asset_effects.take,
    kinds.TransferCurrency: asset_effects.transfer,
    kinds.HandOver: asset_effects.hand_over,
    kinds.SetSwitch: asset_effects.set_to,
    kinds.ChangeBy: asset_effects.change_by,
}
_REASONS = (CannotBe, NoSuchSwitch, *REASONS)


@dataclass(frozen=True, slots=True)
class Effect:
    """The result of one change, made or not.

    `sentence` tells it, or why it cannot be done (`refused`: nor by hand; `strays`: since it names
    what this game does not have; `fault`: for what a program decides). It is `idle` where nothing
    is left to change: the rule already has this wording. `rule` is the touched rule's title after
    it and `version` its version; `before` and `after` are its whole texts, empty where it was not
    or is not any more, or the values of a switch. `shifts` are moved balances, `touched` the keys
    of the rules that the change is about.
    """

    change: kinds.Change
    done: bool
    sentence: str
    rule: str = ""
    version: int = 0
    before: str = ""
    after: str = ""
    shifts: tuple[BalanceShift, ...] = ()
    refused: bool = False
    strays: bool = False
    fault: ProgramFault | None = None
    idle: bool = False
    touched: tuple[int, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        """What is done, or else what was to be done, in words."""
        if self.done:
            return self.sentence
        words = self.words_changed[0]
        about = f", “{cut(words, LONGEST_SAID)}”" if words else ""
        return f"{self.change.verb}: {self.change.target}{about}"

    @property
    def words_changed(self) -> tuple[str, str]:
        """The words that the change is to replace, and those that it is to bring; "" for none."""
        change = self.change
        old = getattr(change, "old", "") or getattr(getattr(change, "part", None), "passage", "")
        names = ("new", "text", "rows", "row")
        return str(old), next((str(getattr(change, n)) for n in names if hasattr(change, n)), "")

    def facts(self) -> dict[str, Any]:
        """The effect as JSON can hold it; of the texts only the lines that changed, cut short."""
        before, after = _changed_lines(self.before, self.after)
        return {
            "verb": self.change.verb,
            "target": self.change.target,
            "sentence": self.sentence,
            "done": self.done,
            "rule": self.rule,
            "version": self.version,
            "before": before,
            "after": after,
            "shifts": [asdict(shift) for shift in self.shifts],
        }

    @classmethod
    def of(cls, change: kinds.Change, facts: Mapping[str, Any]) -> Self:
        """The effect of that change as its facts were stored."""
        columns = {
            column.name: facts[column.name] for column in fields(cls) if column.name in facts
        }
        shifts = tuple(BalanceShift(**shift) for shift in facts.get("shifts", ()))
        return cls(change, **{**columns, "shifts": shifts})


def apply(
    table: Table, reading: kinds.Reading, *, enough: Callable[[int], bool] | None = None
) -> list[Effect]:
    """Make the changes at a locked table, in their order; an Effect for each.

    What players can write raises nothing. Where balances or switches follow new rules, the
    subgames are told of the rules first. `enough` ends a dry run: it gets how many were made.
    """
    rule_before = table.ledger.rule
    asset_effects.drop_names(table)
    effects: list[Effect] = []
    begun = table.rules.gone_through
    for place, change in enumerate(reading.changes):
        if enough and enough(place):
            break
        gone_through = table.rules.gone_through - begun
        effects.append(_effect(table, change, gone_through, reading))
    if any(effect.shifts for effect in effects):
        for subgame in all_subgames():
            if subgame.is_on(table.game):
                subgame.corrected(table)
    table.ledger.rule = rule_before
    return effects


def names_an_asset(table: Table, change: kinds.Change) -> bool:
    """Whether the game has by now what a change gives or takes, if it is such a change."""
    asset_effects.drop_names(table)
    named = getattr(change, "currency", "") or getattr(change, "thing", "")
    return bool(named) and asset_effects.is_currency(table, named)


def _effect(table: Table, change: kinds.Change, gone_through: int, reading: Reading) -> Effect:
    touched: tuple[int, ...] = ()
    try:
        if is_of_rules(change):
            beyond = EDITED.refusal(table.game, gone_through)
            touched = touched_by(table.rules, change, reads=beyond is None)
            if beyond:
                return Effect(change, False, beyond.sentence, touched=touched)
            as_made, beyond_power = bound_by_power(table, change, reading.power, touched)
            beyond_votes, need = bound_by_votes(table, change, reading.votes)
            if beyond_bounds := beyond_power or beyond_votes:
                return Effect(change, False, f"Left undone: {beyond_bounds}", refused=True)
            edit = carry(table.rules, as_made)
            asset_effects.drop_names(table)
            sentence = f"{edit.sentence} {need}".strip()
            facts = (sentence, edit.rule, edit.version, edit.before, edit.after)
            touched += edit.touched
            return Effect(change, True, *facts, touched=touched, idle=edit.is_idle)
        return _beside_the_rules(table, change)
    except TooMuch as reason:  # nor could it be done by hand
        return Effect(change, False, f"This is left undone: {reason}", refused=True)
    except RuleIsImmutable as reason:
        since = immutable_since(reason.rule, reading.votes)
        return Effect(change, False, f"Left undone: {reason}{since}", refused=True)
    except _REASONS as reason:
        if not isinstance(reason, NotUnderstood | NoSuchSwitch):
            return Effect(change, False, str(reason), touched=touched)
        by_people = _kept_by_people(table, change)
        return Effect(change, False, by_people or str(reason), strays=not by_people)


def _kept_by_people(table: Table, change: kinds.Change) -> str:
    """Why the officer carries out a change of what no program keeps, and a rule calls a switch, an
    office or a currency, so that it says nothing else; "" for any other change."""
    match change:
        case kinds.SetSwitch() | kinds.ChangeBy():
            name, kind = change.switch, SWITCH
            if keeps_switch(name, table):
                return ""
        case kinds.Become():
            name, kind = change.office, OFFICE
        case kinds.Give() | kinds.Take() | kinds.Destroy() | kinds.TransferCurrency():
            name, kind = change.currency, CURRENCY
        case _:
            return ""
    is_plain = not isinstance(change, kinds.SetSwitch) or _PLAIN_VALUE.fullmatch(change.value)
    rule = called(table.rules.public, name, kind) if is_plain else None
    if rule is None:
        return ""
    return f"The rule “{rule.title}” calls “{name[:60]}” {KINDS[kind]}, and people keep it by hand."


# Balances and switches


def _beside_the_rules(table: Table, change: kinds.Change) -> Effect:
    if isinstance(change, kinds.ByHand):
        return Effect(change, False, change.why)
    table.follow_the_rules()
    table.ledger.rule = PROPOSALS
    if isinstance(change, kinds.Ratify):
        return _ratify(table, change)
    if isinstance(change, kinds.Become):
        # Never done here. A name that the game does not have is a stray: the text may mean another
        # thing than it was read as, and all of it is the officer's.
        names = {name.casefold(): name for name in table.directory.players}
        offices = {title.casefold(): title for title in table.directory.offices}
        office = offices.get(change.office.casefold())
        player = names.get(change.who.casefold())
        if office is None or player is None:
            raise NotUnderstood(f"This game has no player “{change.who[:60]}”, or no such office.")
        raise CannotBe(
            f"Whether {player} becomes {office} is settled by hand, as offices are filled here."
        )
    if isinstance(change, kinds.SetSwitch | kinds.ChangeBy):
        try:
            switch = find_switch(change.switch, table)
        except NoSuchSwitch:
            if not asset_effects.is_currency(table, change.switch):  # whose balance is meant
                raise
        else:
            return _switch_turned(table, change, switch)
    sentence, shifts = _MOVES[type(change)](table, *change.facts.values())
    return Effect(change, True, sentence, shifts=shifts)


def _switch_turned(
    table: Table, change: kinds.SetSwitch | kinds.ChangeBy, switch: Switch
) -> Effect:
    if switch.of == "player" and asset_effects.is_everybody(change.of):
        return _switches_turned(table, change, switch)
    try:
        subject = _subject(table, switch, change.of)
        before = switch.value(table, subject)
        if isinstance(change, kinds.SetSwitch):
            value = change.value
        elif _WHOLE.fullmatch(before):
            value = str(int(before) + change.by)
        else:
            obstacle = "which is no number: set it to a value."
            raise CannotBe(f"{switch.name} is “{before[:60]}”, {obstacle}")
        refusal = switch.refusal(table, subject, value)
        if refusal is not None:
            raise _misfit_of(value)(refusal.sentence)
        asset_effects.drop_names(table)
        with attempt():
            after, _ = switch.turn(table, subject, value)
    except TableBroken as broken:
        raise CannotBe(f"A table of the rules cannot be read: {broken}") from broken
    except Impossible as impossible:
        raise _misfit_of(value)(f"{switch.name} cannot be “{value[:60]}”.") from impossible
    whose = f"{subject}'s {switch.name}" if subject else f"{switch.name}"
    return Effect(
        change, True, f"{whose} is set from {before} to {after}.", before=before, after=after
    )


def _switches_turned(
    table: Table, change: kinds.SetSwitch | kinds.ChangeBy, switch: Switch
) -> Effect:
    """That switch of every player, or of none where one cannot be turned so."""
    players = switch.subjects(table)
    if len(players) > MOST_SHOWN:
        raise CannotBe(f"There are {len(players):,} players: say whose, {MOST_SHOWN} at most.")
    with table.tentatively():
        turned = [_switch_turned(table, replace(change, of=player), switch) for player in players]
    if not turned:
        raise CannotBe(f"Nothing in this game has a switch “{switch.name}” now.")
    return Effect(change, True, " ".join(effect.sentence for effect in turned))


def _misfit_of(value: str) -> type[CannotBe]:
    """A number can be out of bounds; other words that are no value may be no value at all."""
    return CannotBe if _WHOLE.fullmatch(value) else NotUnderstood


def _ratify(table: Table, change: kinds.Ratify) -> Effect:
    recorded = table.game.recorded_reports.filter(hash=change.report).first()
    if recorded is None:
        raise CannotBe(
            f"The record of this game holds no report {change.report[:16]}…: put it there first, on"
            " the page of that recalculation."
        )
    refusal = misfit(table, recorded.text)
    if refusal is not None:
        raise CannotBe(refusal.sentence)
    report = parsed(recorded.text)
    shifts = tuple(BalanceShift(*row) for row in made_now(table, report["makes"])["balances"])
    sentence = ratified_sentence(table, report)
    asset_effects.drop_names(table)
    try:
        with table.tentatively(), attempt():
            ratify(table, recorded.text)
    except (Impossible, Indestructible) as impossible:
        raise CannotBe("What it found cannot be made so as things are now.") from impossible
    return Effect(change, True, sentence, shifts=shifts)


def _subject(table: Table, switch: Switch, named: str) -> str:
    """The one whose switch is meant, as the game spells it."""
    subjects = switch.subjects(table)
    if not subjects:
        raise CannotBe(f"Nothing in this game has a switch “{switch.name}” now.")
    key = " ".join(named.casefold().split())
    subject = next((subject for subject in subjects if subject.casefold() == key), None)
    if subject is not None:
        return subject
    known = f" Known: {', '.join(subjects[:20])}." if switch.of and key else ""
    raise CannotBe(f"{switch.no_subject(named.strip())}{known}")


def _changed_lines(before: str, after: str) -> tuple[str, str]:
    """The rest of both texts without the lines that they share at their beginning and end."""
    if before == after:
        return "", ""
    # Whole lines of what both begin with are set aside first: slices compare faster than lines.
    alike, longest = 0, min(len(before), len(after))
    while alike < longest:
        middle = (alike + longest + 1) // 2
        if before[alike:middle] == after[alike:middle]:
            alike = middle
        else:
            longest = middle - 1
    shared = before.rfind("\n", 0, alike) + 1
    old, new = before[shared:].splitlines(), after[shared:].splitlines()
    start, fewest = 0, min(len(old), len(new))
    while start < fewest and old[start] == new[start]:
        start += 1
    end = 0
    while end < fewest - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return _short(old[start : len(old) - end]), _short(new[start : len(new) - end])


def _short(lines: list[str]) -> str:
    text = "\n".join(lines)
    return text if len(text) <= _LONGEST_TOLD else text[:_LONGEST_TOLD] + "…"


def shared(effects: Collection[Effect]) -> set[int]:
    """Where those sentences begin of which a part is done and another is not."""
    done = {effect.change.start for effect in effects if effect.done}
    return done & {effect.change.start for effect in effects if not effect.done}


PROGRAM, OFFICER, REMARK, NOBODY = "program", "officer", "remark", "nobody"
_LONGEST_WHY = 500  # characters
_MOST_PARTS = 20


def executors(reading: Reading, effects: Iterable[Effect]) -> list[ExecutorShape]:
    """Each sentence of a body with who carries it out, in the order in which they stand.

    `effects` are what came of its changes, or would. Of an instruction that asks for several the
    officer has all, if they have one of them, otherwise nobody, if one is left undone; where others
    have some of it, its parts say who.
    """
    by_place = {}
    parts: dict[int, list[PartShape]] = {}
    for unread in reading.unread:
        by_place[unread.start] = ExecutorShape(sentence=unread.sentence, by=OFFICER)
    for effect in effects:
        change, reason = effect.change, effect.sentence
        by_program = effect.done and not isinstance(change, ByHand)
        by = NOBODY if effect.refused else PROGRAM if by_program else OFFICER
        part = PartShape(part=cut(str(effect), _LONGEST_WHY), by=by)
        if by != PROGRAM and reason:
            part["why"] = cut(reason, _LONGEST_WHY)
        parts.setdefault(change.start, []).append(part)
        executor = by_place.setdefault(change.start, ExecutorShape(sentence=change.sentence, by=by))
        if by == OFFICER or (by == NOBODY and executor["by"] != OFFICER):
            executor["by"] = by
            if reason:
                executor.setdefault("why", cut(reason, _LONGEST_WHY))
    for remark in reading.remarks:
        if remark.kind != "place":
            by_place.setdefault(remark.start, ExecutorShape(sentence=remark.sentence, by=REMARK))
    for place, executor in by_place.items():
        executor["sentence"] = cut(executor["sentence"], LONGEST_QUOTE)
        if len({part["by"] for part in parts.get(place, ())}) > 1:
            executor["parts"] = parts[place][:_MOST_PARTS]
    return [by_place[start] for start in sorted(by_place)]
