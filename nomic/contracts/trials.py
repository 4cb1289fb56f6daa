"""What a contract's text would let be done (the rule “Contracts”), told before somebody makes it or
consents to it, with its program tried on a copy of the game."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from nomic.contracts.actions import MAKE
from nomic.contracts.deeds import judge_deed, text_refusal
from nomic.contracts.models import Contract
from nomic.contracts.powers import empowered, in_words
from nomic.contracts.rules import Deed, provisions_of
from nomic.contracts.state import state_of
from nomic.engine.actions import find_action, judged
from nomic.engine.dry_run import Covered, TookTooLong, imagined, scratch_dice
from nomic.engine.effects import Effects, Verdict, apply
from nomic.engine.outcomes import Busy, Refused
from nomic.engine.programs.checking import check
from nomic.engine.programs.declarations import DeclaredEvent
from nomic.engine.programs.descriptions import Added, added_beside
from nomic.engine.programs.in_force import Program
from nomic.engine.programs.running import Programs, quoted, undone
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal

_LOCK_SECONDS = 0.5
_CHECK_SECONDS = 0.25


@dataclass(frozen=True)
class Foreseen:
    """What a contract's text lets be done, in sentences; what its program adds, and the `faults` in
    it, a sentence each; or why it cannot be a contract's text at all."""

    powers: list[str] = field(default_factory=list)
    added: Added | None = None
    faults: list[str] = field(default_factory=list)
    refusal: Refusal | None = None


def foreseen(table: Table, player: Player, text: str, changes: Contract | None = None) -> Foreseen:
    """What that text would let be done if the player made a contract of it, or changed the contract
    `changes` to it."""
    if not text.strip():
        return Foreseen()
    maker = changes.document.author if changes else player
    if refusal := text_refusal(table, text, maker, changes.number if changes else None):
        return Foreseen(refusal=refusal)
    provisions = provisions_of(text)
    if not provisions.program:
        return Foreseen(in_words(provisions))
    added: Added | None = None
    try:
        with imagined(table.game, seconds=_LOCK_SECONDS) as copy:
            program = _put_in(copy, player, text, changes)
            added = added_beside(copy, [program])[0]
            faults = list(_failures(copy, program))
    except (Busy, Covered, TookTooLong, Refused) as error:
        faults = [f"Its program could not be tried now: {error}"]
    checked = check([provisions.program], _CHECK_SECONDS, private=True)
    if added:
        faults = [fault.sentence for fault in added.wrong(checked)] + faults
    return Foreseen(in_words(provisions), added, faults)


def _put_in(table: Table, player: Player, text: str, changes: Contract | None) -> Program:
    """The program of the contract with that text, which is there at the imagined table from now
    on. Raises Refused."""
    author = table.seat_with(pk=player.pk)
    verdict: Verdict = None
    if changes is None:
        make = {"title": "A trial", "text": text}
        verdict = judged(find_action(MAKE), table, author, make)
    elif text != changes.document.text:
        inputs = {"title": changes.document.title, "text": text}
        contract = state_of(table).contract(changes.number)
        assert contract is not None
        verdict = judge_deed(table, contract, Deed.CHANGE, author, inputs)
    if isinstance(verdict, Refusal):
        raise Refused(verdict)
    # No entry is written: what the program does is done in the one that is being made.
    figures = apply(table, verdict or Effects()).figures
    number = changes.number if changes else figures["contract"]
    table.drop_all()
    row = next(row for row in empowered(table) if row.contract.number == number)
    assert row.program is not None
    return row.program


def _failures(table: Table, program: Program) -> Iterator[str]:
    """What of it fails that goes by itself, or is shown."""
    trials: list[tuple[str, Callable[[], object]]] = [
        (event.name, partial(_happens, table, program, event)) for event in program.declared.events
    ]
    for view in program.declared.views:
        call = partial(Programs(table, (program,)).call, program, view.function, "trial", {})
        trials.append((view.function, partial(call, looks=True)))
    for function, run in trials:
        problem: Problem | None = None
        with suppress(Covered):
            problem = undone(table, run)
        if problem is not None:
            yield f"Tried now, {function} fails: {problem}"


def _happens(table: Table, program: Program, event: DeclaredEvent) -> None:
    programs = Programs(table, (program,))
    with scratch_dice(table):
        result = programs.call(program, event.name, "trial", {})
        if result.refused:
            reason = quoted(result.refused)
            raise ProgramWrong(Problem(f"What happens by itself cannot be refused: {reason}"))
        programs.keep(program, "trial", result)
