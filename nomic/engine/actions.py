"""Acts of players and officers: one small class an action, registered by its name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, ClassVar

from nomic.engine.coverage import kept_by_hand
from nomic.engine.effects import Effects, Verdict, explain, price, unpaid
from nomic.engine.forms import ActionForm
from nomic.engine.outcomes import UnknownAction
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.quotas import holds
from nomic.quotas.models import UsageKind
from nomic.rulebook.tables import TableBroken

Inputs = dict[str, Any]
ANY_OFFICE = "*"
HOST = "host"  # of who runs a game: the host that it has, or the operator
OPERATOR = "operator"  # of the site: no office of a game, and nobody in it holds it
STUCK, PAUSED, CLOSED = "stuck", "paused", "closed"  # states of a game
STANDSTILL: tuple[str, ...] = (STUCK, PAUSED)


GAME_CLOSED = Refusal("closed", "The game is closed. Nobody acts in it; its record stays to read.")


@dataclass(frozen=True, slots=True)
class Guide:
    """Words beside an action's form: what is `quoted`, what there is to say about it, `steps` to
    other actions, each as (what for, the action's name, what its form begins with), and `entries`
    to be read, each as (what stands there, its number)."""

    quoted: str
    about: str
    steps: tuple[tuple[str, str, Inputs], ...] = ()
    entries: tuple[tuple[str, int], ...] = ()


class Action:
    """One thing that somebody can do.

    Whether it may be done is said in three layers: what may be offered (`admission`, with what an
    action says by `absence`), what the rule says (`judge`, within the `verdict` of its kind), and
    what the ledger says. What is otherwise than with most actions a base class says: HostAction,
    NewcomerAction, NeededAction, UrgentAction, TimeStopper, PrivateAction, TwoSidedAction.

    `sentence` shows it as a sentence whose blanks are the form's fields, `also_said` are other
    sentences by which players announce it; `button` is the first word of its `title` where it names
    none; `confirm` is asked once where it cannot be undone. `office` names the office whose holder
    may do it (`*`: any officer, `host`: who runs the game, `operator`: who runs the site).
    `possible_while` has the states of the game in which it is possible as well: when time stands
    still, or when the game is over for good; one `for_who_left` is possible for players who have
    left, too. Who is away is back by doing it, unless it `leaves_away`. `page` names the page of a
    game on which its form stands, where that is not every page. `State` is what `judge` reads, made
    of a table and read once at it; where there is none, it is given the table.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str] = ""
    also_said: ClassVar[tuple[str, ...]] = ()
    button: ClassVar[str] = ""
    confirm: ClassVar[str] = ""
    page: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    office: ClassVar[str] = ""
    possible_while: ClassVar[tuple[str, ...]] = ()
    for_who_left: ClassVar[bool] = False
    leaves_away: ClassVar[bool] = False

    Form: ClassVar[type[ActionForm]] = ActionForm
    State: ClassVar[type[Any] | None] = None
    _judged_by: ClassVar[tuple[str, ...] | None] = None  # the inputs that its `judge` names, or all

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "judge" in vars(cls):  # behind self, state and player it names the inputs that it needs
            names = [*signature(cls.judge).parameters.values()][3:]
            takes_all = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in names)
            cls._judged_by = None if takes_all else tuple(parameter.name for parameter in names)
        if not cls.button and "title" in vars(cls):
            cls.button = cls.title.partition(" ")[0]

    @property
    def as_done(self) -> Action:
        """The action as it is when it happens, where doing it does no more than announce it."""
        return self

    @property
    def about(self) -> str:
        """The first paragraph of its description, which says what it does: full sentences on one
        line."""
        return " ".join((self.__doc__ or "").partition("\n\n")[0].split())

    @property
    def offices(self) -> tuple[str, ...]:
        """The names by which games call its office; none where it is everybody's."""
        return (self.office,) if self.office else ()

    def is_of(self, offices: Collection[str], game: Game) -> bool:
        """Whether it is an act of one of these offices of that game."""
        if self.office == ANY_OFFICE:
            return makes_officer(offices)
        return any(name in offices for name in self.offices)

    def is_everybodys(self, table: Table) -> bool:
        """Whether all players are asked to do it now, though it is an office's.

        Which office's it is with these inputs is then for `judge` to say.
        """
        return False

    def is_for_who_left(self, table: Table) -> bool:
        """Whether who has left the game may do it still."""
        return False

    def is_hosts(self, game: Game) -> bool:
        """Whether the game's host may do it as such."""
        return self.office == HOST

    def officer(self, table: Table) -> str:
        """Who may do it, as that game calls its offices: “the Assessor”, “an officer”."""
        return "an officer" if self.office == ANY_OFFICE else f"the {self.office_in(table)}"

    def not_the_officer(self, table: Table) -> Refusal:
        """The refusal of somebody who does not hold its office, whatever the inputs."""
        return Refusal("not_the_officer", f"Only {self.officer(table)} can do this.", self.rule)

    def office_in(self, table: Table) -> str:
        """Its office as that game calls it."""
        return next((name for name in self.offices if name in table.directory.offices), self.office)

    def absence(self, table: Table) -> Refusal | None:
        """The refusal where the game does not have the machinery of this action at all."""
        return None

    def unsaid(self, table: Table, inputs: Inputs) -> Refusal | None:
        """What who sends it has still to say of these inputs, which could be done as they are; None
        where that is nothing."""
        return None

    def needs(self, is_so: object) -> Refusal | None:
        """The refusal where that is not so: the rule that would allow it is not in force."""
        sentence = f"“{self.title}” is not possible: the rule that would allow it is not in force."
        return None if is_so else Refusal("not_in_force", sentence, self.rule)

    def is_an_offices(self, inputs: Inputs) -> bool:
        """Whether it is done in an office with these inputs: what is hidden of it stays with it."""
        return bool(self.office)

    def judge(self, /, *args: Any, **inputs: Any) -> Verdict:
        """Its effects for that player, or the refusal: `judge(self, state, player, FIELD, …)`.

        It changes nothing. Of the form's fields it is given those that it names, None for what has
        not been chosen yet, or as `**inputs` all that have been: then it refuses only where no
        choice would do, and answers by what is known, or None. What is to be paid need not be
        looked at. Raises TableBroken where a rule's table cannot be read: that refuses it.
        """
        raise NotImplementedError

    def verdict(self, table: Table, player: Any, inputs: Inputs) -> Refusal | Effects:
        """The answer of `judge` with the inputs chosen so far; no effects where that is None.

        What acts of one kind have in common their base class says around it: who may not, a row in
        the place of what names it, a turn that is used up.
        """
        state = table.once(self.State) if self.State else table
        named = inputs if self._judged_by is None else self._judged_by
        return self.judge(state, player, **{name: inputs.get(name) for name in named}) or Effects()

    def guide(self, table: Table, inputs: Inputs) -> Guide | None:
        """The words beside the form on its page, with the inputs that it begins with, if any."""
        return None

    def question(self, table: Table, player: Any, inputs: Inputs) -> str:
        """The question before it is done with these inputs, by default `confirm`; "" for none."""
        return self.confirm

    def price(self, table: Table, player: Any, inputs: Inputs) -> str:
        """The price on its button; "" where that depends on what is chosen yet, or is none."""
        verdict = self._foreseen(table, player, inputs)
        return price(table, verdict, player) if isinstance(verdict, Effects) else ""

    def outlook(self, table: Table, player: Any, inputs: Inputs) -> str:
        """Its gains and costs with the inputs chosen so far, in sentences beside its form; why not,
        where that is refused; its description, where neither is known."""
        verdict = self._foreseen(table, player, inputs)
        if isinstance(verdict, Refusal):
            return verdict.sentence if inputs else self.about
        return explain(table, verdict, player) or self.about

    def _foreseen(self, table: Table, player: Any, inputs: Inputs) -> Refusal | Effects:
        try:
            return self.verdict(table, player, inputs) if player else Effects()
        except TableBroken as broken:
            return table_broken(broken, self)


class HostAction(Action):
    """An act of a game's host, also while time stands still: none of it is what is played."""

    office = HOST
    possible_while = STANDSTILL


class NewcomerAction(Action):
    """For people who have no seat in the game yet."""


class NeededAction(Action):
    """No program refuses it: without it, rules could not be changed."""


class UrgentAction(Action):
    """Possible whatever else the game does, be it stuck or set aside, before what is due in it."""


class TimeStopper(UrgentAction):
    """Time stands still in the game from then on."""


class PrivateAction(Action):
    """It goes to the sealed book, perhaps with some inputs only."""

    def is_private(self, table: Table, inputs: Inputs) -> bool:
        """Whether it goes to the sealed book with these inputs."""
        return True

    def book(self, table: Table, inputs: Inputs) -> str:
        """The sealed book where it is not its subgame's own: “isle/visit 3”."""
        return ""


class TwoSidedAction(Action):
    """A public one with a private side: its outcome has a private sentence, or an input or who did
    it is hidden. What is hidden goes to the sealed book then, and the rest to the record."""

    def sealed_inputs(self, table: Table, inputs: Inputs) -> Collection[str]:
        """The names of those inputs that only the sealed book keeps. Asked before it is done."""
        return ()

    def hides_actor(self, table: Table, inputs: Inputs) -> bool:
        """Whether only the sealed book keeps who did it. Asked before it is done."""
        return False


_ACTIONS: dict[str, Action] = {}
_DIGNITIES: set[str] = set()


def dignity(office: str) -> str:
    """Let that office be one that keeps nothing: what any officer may do is not for its holder."""
    _DIGNITIES.add(office)
    return office


def is_dignity(office: str) -> bool:
    """Whether the office has powers and no duties: while it is vacant, nobody acts for it."""
    return office in _DIGNITIES


def makes_officer(offices: Iterable[str]) -> bool:
    """Whether who holds these offices is an officer, which a dignity alone makes nobody."""
    return not _DIGNITIES.issuperset(offices)


def action(cls: type[Action]) -> type[Action]:
    """Register the action under its name, which must be new."""
    if cls.name in _ACTIONS:
        raise ValueError(f"There are two actions named {cls.name}.")
    _ACTIONS[cls.name] = cls()
    return cls


type _Reader = Callable[[Mapping[str, Any]], object]
_READ_AHEAD: dict[str, _Reader] = {}


def read_ahead(*actions: str) -> Callable[[_Reader], _Reader]:
    """Let the function read what is long of the inputs of these actions, as they are sent, before
    the game is locked: it keeps what it has read, and raises nothing."""

    def add(reads: _Reader) -> _Reader:
        _READ_AHEAD.update(dict.fromkeys(actions, reads))
        return reads

    return add


def read_inputs(action: str, inputs: Mapping[str, Any]) -> None:
    """Read what is long of the inputs of an act, if anything is."""
    if action in _READ_AHEAD:
        _READ_AHEAD[action](inputs)


type Source = Callable[[Table], Iterable[Action]]
_SOURCES: dict[str, Source] = {}


def further_actions(first_word: str) -> Callable[[Source], Source]:
    """Let there be what the function finds at a table, beside the actions that every game has. The
    names of all that it finds begin with that word and a dot."""

    def add(source: Source) -> Source:
        _SOURCES[first_word] = source
        return source

    return add


def is_of_a_game(name: str) -> bool:
    """Whether an action of that name is there in some games alone, and only a table tells where."""
    return name.partition(".")[0] in _SOURCES


def find_action(name: str, table: Table | None = None) -> Action:
    """The action of that name, perhaps one that there is at that table only; raises
    UnknownAction."""
    registered = _ACTIONS.get(name)
    if registered is None and table is not None:
        registered = next((act for act in _further(table) if act.name == name), None)
    if registered is None:
        raise UnknownAction(f"There is no action “{name[:80]}”.")
    return registered


def all_actions(table: Table | None = None) -> list[Action]:
    """Every action, in the order in which the subgames registered them, and at a table also what
    there is at that one only."""
    return [*_ACTIONS.values(), *(_further(table) if table is not None else ())]


def _further(table: Table) -> Iterator[Action]:
    return (act for source in _SOURCES.values() for act in source(table))


@dataclass(frozen=True, slots=True)
class OfferedAction:
    """An action as a page or a program may offer it now: with its form, or with the reason."""

    action: Action
    form: ActionForm
    refusal: Refusal | None

    @property
    def allowed(self) -> bool:
        return self.refusal is None


def offers(
    table: Table, player: Player | None, *, operator: bool = False, host: bool = False
) -> Iterator[OfferedAction]:
    """Every action that concerns this player (or None: somebody without a seat), who may run the
    site or be the game's host.

    Acts of offices that the player does not hold are left out, unless all players are asked.
    """
    held = table.directory.held_by(player) if player else ()
    for act in all_actions(table):
        operates = operator or (host and act.is_hosts(table.game))
        if act.office and not (operates or act.is_of(held, table.game) or act.is_everybodys(table)):
            continue
        if act.absence(table):
            continue
        yield OfferedAction(
            act,
            act.Form(table, player, prefix=None),
            legality(act, table, player, {}, operator=operates),
        )


def legality(
    act: Action, table: Table, player: Player | None, inputs: Inputs, *, operator: bool = False
) -> Refusal | None:
    """Why this may not be done now, as pages and the API tell it: the same two questions that
    `perform` asks."""
    if refusal := admission(act, table, player, operator=operator):
        return refusal
    verdict = judged(act, table, player, inputs, to_actor=True)
    return verdict if isinstance(verdict, Refusal) else None


def admission(
    act: Action, table: Table, player: Player | None, *, operator: bool = False
) -> Refusal | None:
    """Why this person may not do such a thing at all now, whatever the inputs."""
    if refusal := _standing_still(act, table.game):
        return refusal
    seated = player is not None and player.active
    for_newcomers = isinstance(act, NewcomerAction)
    if for_newcomers and seated:
        return Refusal("seated", f"You play here already, as {player}.")
    has_left = player is not None and act.for_who_left
    if not (for_newcomers or seated or has_left or (act.office and operator)):
        if player is None:
            return Refusal("not_a_player", "Only players act in this game. Join it first.")
        if player.removed or not act.is_for_who_left(table):
            return Refusal("left", "You have left this game. Join it again to act in it.")
    if act.office and not operator:
        held = table.directory.held_by(player) if player else ()
        if not act.is_of(held, table.game) and not act.is_everybodys(table):
            return act.not_the_officer(table)
    return obstacle(act, table) or next(filter(None, (bars(act, table) for bars in _BARS)), None)


def obstacle(act: Action, table: Table) -> Refusal | None:
    """Why nobody can do such a thing at that table, whoever they are."""
    return kept_by_hand(table, act.name) or act.absence(table)


type Bar = Callable[[Action, Table], Refusal | None]
_BARS: list[Bar] = []


def bar(bars: Bar) -> Bar:
    """Ask this why such a thing is not done as it stands, but in another way."""
    _BARS.append(bars)
    return bars


def judged(
    act: Action, table: Table, player: Player | None, inputs: Inputs, *, to_actor: bool = False
) -> Refusal | Effects:
    """The effects of the action with these inputs, or the refusal: its own, or the ledger's, which
    calls the actor “you” where it is said `to_actor`, and nobody else reads it."""
    table.ledger.rule = act.rule
    try:
        verdict = act.verdict(table, player, inputs)
        if isinstance(verdict, Refusal):
            return verdict
        return unpaid(table, verdict, player, to_actor=to_actor) or verdict
    except TableBroken as broken:
        return table_broken(broken, act)


def table_broken(broken: TableBroken, act: Action) -> Refusal:
    """The refusal of an action that needs a table which an amendment made unreadable, in the name
    of the rule that has the table where that is known."""
    if broken.rule:
        return broken.refusal
    return Refusal("table_broken", f"A table of the rules cannot be read: {broken}", act.rule)


def _standing_still(act: Action, game: Game) -> Refusal | None:
    urgent = isinstance(act, UrgentAction)
    if game.is_closed and CLOSED not in act.possible_while:
        return GAME_CLOSED
    if not urgent and (sentence := holds.locked_out(UsageKind.GAME, game.pk)):
        return Refusal("locked_out", sentence)
    if game.restored:
        return Refusal("restored", game.set_aside)
    if game.set_aside and not urgent:
        return Refusal("set_aside", game.set_aside)
    if game.state == STUCK and not (STUCK in act.possible_while or urgent):
        return Refusal(
            "stuck",
            "The game is stuck at an event that could not happen. It goes on when an officer has"
            " mended or skipped it.",
        )
    if game.paused_at and PAUSED not in act.possible_while:
        return Refusal(
            "paused",
            "The game is paused. It goes on when an officer resumes it, or more than half of the"
            " players support that.",
        )
    return None
