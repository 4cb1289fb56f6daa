"""Questions of a call to the game, all about public things, and whether its result may be done.

What calls cause is counted, alike wherever the act is played, so that a replay meets the same bound
at the same place; seconds are a guard beside that. In the past of a game that had no such bounds
nothing is counted.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Left

from nomic.dice.roller import Choose
from nomic.engine.actions import admission, find_action, judged
from nomic.engine.effects import Effects
from nomic.engine.outcomes import Malformed, UnknownAction
from nomic.engine.programs import prelude
from nomic.engine.programs.in_force import Deed, Move, Power
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.programs.shelf import Listed, Paper, shelf_of_documents
from nomic.engine.rule_switches import RuleSwitch, rule_switches
from nomic.engine.subgames import switch_key
from nomic.engine.table import Table
from nomic.games import bounds
from nomic.games.bounds import GameBound
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.games.refusal import Refusal
from nomic.ledger.models import Asset, AssetKind, Holder, HolderKind
from nomic.record.canonical import no_number
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.limits import NoSuchRule
from nomic.rulebook.tables import TableBroken

_MOST_HELD = 10**15
_MOST_AHEAD = 20  # assets
_GIVEN_FREELY = 10**9  # in a call
_LONGEST_NAME = 300  # of a rule or a column
_LONGEST_TEXT = 2000  # of an entry, in characters
_A_ROLL = 250  # bytes of an entry, with its hash, its period and its label
_A_MOVE = 60  # beside the names of who has it and of what it is
_A_CALL = 200  # its name in the entry
_DEPARTMENTS = (HolderKind.GAME, HolderKind.LOST_AND_FOUND)

type Turned = tuple[str, str, str]
type Intent = tuple[str, dict[str, Any]]  # the name of an act, and what it takes


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a call. `states` are what rules keep in mind from then on, as JSON: by their
    key, its own rule's by none. `turns` are switches that it sets: the key of each, whose and to
    what.
    `rolls` are how many dice it threw; `drawn` is what a view shows, or what is decided."""

    moves: list[Move]
    sentences: list[str]
    states: dict[str, str]
    drawn: Any = None
    refused: str = ""
    rolls: int = 0
    turns: Sequence[Turned] = ()
    papers: Sequence[Paper] = ()
    intents: Sequence[Intent] = ()
    deeds: Sequence[Deed] = ()

    @property
    def only_looks(self) -> bool:
        """Whether it says, moves, sets, publishes, announces and does nothing, and refuses
        nothing."""
        changes = (self.moves, self.turns, self.papers, self.intents, self.deeds)
        return not any((*changes, self.sentences, self.refused))

    @property
    def moves_something(self) -> bool:
        """Whether what is judged after it may be otherwise than before."""
        return bool(self.moves or self.turns or self.papers or self.intents or self.deeds)


def read_result(returned: Any) -> Done:
    """The result that a call told as JSON. Raises ProgramWrong where a part of it is of another
    type or too large: a program may meddle there."""
    try:
        moves, sentences, states, draws, turns, papers, intents, deeds = json.loads(
            returned, parse_constant=no_number
        )
        for source, target, amount, asset in moves:
            assert {type(source), type(target)} <= {str, type(None)}
            assert type(asset) is str
            assert type(amount) is int
            assert 0 < amount <= prelude.MOST_AMOUNT
        assert len(moves) <= prelude.MOST_MOVES
        for turn in turns:
            assert [*map(type, turn)] == [str, str, str]
        assert len(turns) <= prelude.MOST_MOVES
        for paper in papers:
            assert [*map(type, paper)] == [str, str, str]
            assert max(map(len, paper[:2])) <= prelude.LONGEST_TITLE
            assert len(paper[2]) <= prelude.LONGEST_PAPER
        assert len(papers) <= prelude.MOST_PUBLISHED
        for act, inputs in intents:
            assert {type(act), *map(type, inputs)} == {str}
            assert {*map(type, inputs.values())} <= {str, int, bool}
            assert len(json.dumps([act, inputs])) <= prelude.LONGEST_ANNOUNCED
        assert len(intents) <= prelude.MOST_ANNOUNCED
        for player, act, inputs in deeds:
            assert {type(player), type(act), *map(type, inputs)} == {str}
            assert {*map(type, inputs.values())} <= {str, int, bool}
            assert len(json.dumps([player, act, inputs])) <= prelude.LONGEST_ANNOUNCED
        assert len(deeds) <= prelude.MOST_DEEDS
        assert len(sentences) <= prelude.MOST_SAID
        for state in states.values():
            state_read = json.loads(state, parse_constant=no_number)
            assert len(json.dumps(state_read)) <= prelude.MOST_STATE
        moves = [tuple(move) for move in moves]
        lines = [line_of(sentence) for sentence in sentences]
        return Done(
            *(moves, lines, states, draws),
            turns=[*map(tuple, turns)],
            papers=[*map(tuple, papers)],
            intents=[*map(tuple, intents)],
            deeds=[*map(tuple, deeds)],
        )
    except (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise ProgramWrong(Problem("It tells what cannot be read")) from None


def line_of(words: Any) -> str:
    """The thing as one line of text that can be shown; “Nothing is said.” where that is empty."""
    plain = "".join(sign if sign.isprintable() else " " for sign in str(words))
    return " ".join(plain[: prelude.LONGEST_SAID].split()) or "Nothing is said."


def _in_short(named: Any) -> str:
    """The name by which a program calls something, cut; what is no text can be endless, and is not
    written out but told by its type."""
    if type(named) is int:
        return str(named)
    return named[:_LONGEST_NAME] if isinstance(named, str) else type(named).__name__


def owners(table: Table) -> QuerySet[Holder]:
    """Those whose public assets a program may move: active players and the departments."""
    movable = Q(player__active=True) | Q(kind__in=_DEPARTMENTS)
    return table.game.holders.filter(movable)


class Questions:
    """The questions of the `number`th call at this table. Answers are such as JSON can hold.

    A ValueError is the program's own fault, and the program's to deal with. `refused` is the
    sentence by which it refused, if it did; `rolled` are the sides of each die it threw, by label,
    `asked` is how many questions it has asked. `must_allow` raises where these are too many.
    """

    def __init__(
        self,
        table: Table,
        number: int,
        read_owners: Callable[[], dict[str, Holder]],
        read_state: Callable[[str], tuple[str, str]],
        must_allow: Callable[[GameBound, int], None],
        *,
        looks: bool,
        power: Power | None = None,
    ) -> None:
        self._looks = looks
        self._power = power
        self._table = table
        self._number = number
        self.rolled: dict[str, int] = {}
        self.refused = ""
        self._dice: ExitStack = ExitStack()
        self._choose: Choose | None = None
        self._held: dict[str, dict[str, int]] = {}
        self._read_owners = read_owners
        self._read_state = read_state
        self._must_allow = must_allow
        self.asked = 0
        self._public: dict[str, Asset] | None = None
        self._whose: dict[str, frozenset[str]] = {}

    def answer(self, question: str, *details: Any) -> Any:
        """The answer to one question. Raises ProgramWrong where it is one too many."""
        self.asked += 1
        self._must_allow(bounds.QUESTIONS, self.asked)
        return _ANSWERS[question](self, *details)

    @contextmanager
    def rolling(self) -> Iterator[None]:
        """Record at the block's end what was rolled in it, and nothing where it raises."""
        with self._dice:
            yield

    def ahead(self, source: str) -> dict[str, Any]:
        """The answers that a program of that source gets beforehand, where it cannot wait for
        them."""
        named = [asset.name for asset in self._table.ledger.public_assets() if asset.name in source]
        balances = {name: self._read_balances(name) for name in named[:_MOST_AHEAD]}
        return {"balances": balances, "owners": self._owners(), "players": self._players()}

    def must_allow(self, moves: list[Move]) -> None:
        """Raise ProgramWrong where one of these moves is none that can be made. What everybody has
        is read where something is taken from somebody, or very much is given."""
        holders = self._read_owners() if moves else {}
        looked_at = {move[3] for move in moves if move[0] is not None}
        totals: Counter[str] = Counter()
        for *_, amount, asset in moves:
            totals[asset] += amount
        for source, target, amount, asset in moves:
            for owner in filter(None, (source, target)):
                if owner not in holders:
                    raise ProgramWrong(Problem(f"Nobody in this game is called {owner[:60]}"))
            try:
                moved = self._asset(asset)
                move = source, target, amount, asset
                if misfit := self._power and self._power.misfit_of_move(self._table, move):
                    raise ProgramWrong(Problem(misfit))
                is_unique = moved.kind == AssetKind.UNIQUE
                if asset not in looked_at and not is_unique and totals[asset] <= _GIVEN_FREELY:
                    continue
                held = self._balances(asset)
            except ValueError as wrong:
                raise ProgramWrong(Problem(str(wrong))) from None
            if source is not None:
                held[source] = held.get(source, 0) - amount
            if target is not None:
                held[target] = held.get(target, 0) + amount
            may_owe = moved.may_owe and self._power is None
            if source is not None and held[source] < (-_MOST_HELD if may_owe else 0):
                raise ProgramWrong(Problem(f"{source} does not have so many {moved.plural}"))
            if target is not None and held[target] > _MOST_HELD:
                raise ProgramWrong(Problem(f"Nobody has more than {_MOST_HELD:,} {moved.plural}"))
            if target is None and moved.indestructible:
                raise ProgramWrong(Problem(f"{moved.name} is indestructible"))
            if is_unique and sum(held.values()) > 1:
                raise ProgramWrong(Problem(f"There is one {moved.name} only"))

    def must_turn(self, turns: Sequence[Turned]) -> None:
        """Raise ProgramWrong where one of these is none that can be made."""
        switches = rule_switches(self._table).by_key
        for key, of, value in turns:
            switch = switches.get(key)
            if switch is None or of not in self._subjects(switch):
                raise ProgramWrong(Problem("It sets a switch that there is not"))
            if refusal := switch.refusal(self._table, of, value):
                raise ProgramWrong(Problem(refusal.sentence.rstrip(".")))

    def must_publish(self, papers: Sequence[Paper], rule: str, number: str) -> None:
        """Raise ProgramWrong where one of these is none that the rule's program may publish."""
        for paper in papers:
            if misfit := shelf_of_documents().misfit(self._table, rule, number, paper):
                raise ProgramWrong(Problem(misfit))

    def must_be_in_power(self, done: Done) -> None:
        """Raise ProgramWrong where a call did what is not within the program's power."""
        if self._power is None:
            if done.deeds:
                raise ProgramWrong(Problem("The program of a rule acts for nobody"))
            return
        if done.turns or done.papers or done.intents:
            limits = "sets no switches, publishes nothing and announces nothing"
            raise ProgramWrong(Problem(f"A contract's program {limits}"))
        for deed in done.deeds:
            if misfit := self._power.misfit_of_deed(self._table, deed):
                raise ProgramWrong(Problem(misfit))

    def _parties(self) -> list[str]:
        if self._power is None:
            raise ValueError("A contract has parties, and a rule has none")
        return [*self._power.parties]

    def _account(self) -> str:
        if self._power is None:
            raise ValueError("A contract has an account, and a rule has none")
        return self._power.account

    def _documents(self, kind: Any) -> list[Listed]:
        if type(kind) is not str:
            raise ValueError("A kind of document is a text")
        return shelf_of_documents().listed(self._table, kind, prelude.MOST_DOCUMENTS)

    def _document(self, number: Any) -> str:
        if type(number) is not int:
            raise ValueError("A document is asked for by its number")
        text = shelf_of_documents().text(self._table, number)
        if text is None:
            raise ValueError(f"This game has no Document {number}")
        return text

    def must_announce(self, intents: Sequence[Intent], *, by_action: bool) -> None:
        """Raise ProgramWrong where one of these is nothing that whoever acts can announce now."""
        if intents and not by_action:
            raise ProgramWrong(Problem("An action announces acts for whoever does it"))
        for intent in intents:
            announcement(self._table, intent)

    def _rule_switch(self, name: Any) -> RuleSwitch:
        switches = rule_switches(self._table).by_key
        switch = switches.get(switch_key(name)) if isinstance(name, str) else None
        if switch is None:
            names = ", ".join(switch.name for switch in switches.values()) or "none"
            raise ValueError(
                f"The rules declare no switch {_in_short(name)}. Those that they do: {names[:300]}"
            )
        return switch

    def _switch(self, name: Any, of: Any) -> list[Any]:
        """The key of that switch, and how it stands with whom it is asked about."""
        switch = self._rule_switch(name)
        if of not in self._subjects(switch):
            whose = f"{_in_short(of)} has" if of else "The game itself has"
            raise ValueError(f"{whose} no switch {switch.name}")
        return [switch.key, _of_its_kind(switch, switch.value(self._table, of))]

    def _subjects(self, switch: RuleSwitch) -> frozenset[str]:
        if switch.key not in self._whose:
            self._whose[switch.key] = frozenset(switch.subjects(self._table))
        return self._whose[switch.key]

    def _reads(self, name: Any, value: Any) -> int | str:
        switch = self._rule_switch(name)
        refusal = switch.refusal(self._table, "", str(value))
        if refusal is not None:
            raise ValueError(refusal.sentence.rstrip("."))
        return _of_its_kind(switch, switch.declared.reads(str(value)) or "")

    def _asset(self, name: Any) -> Asset:
        if self._public is None:
            self._public = {asset.name: asset for asset in self._table.ledger.public_assets()}
        if not isinstance(name, str) or name not in self._public:
            names, called = ", ".join(self._public) or "none", _in_short(name)
            raise ValueError(f"This game has no asset {called}. Its assets: {names[:300]}")
        return self._public[name]

    def _balances(self, asset: Any) -> dict[str, int]:
        """Who has how much of it, those who have left as well; what was moved meanwhile, too."""
        name = self._asset(asset).name
        if name not in self._held:
            self._held[name] = self._table.ledger.balances(name)
        return self._held[name]

    def _read_balances(self, asset: Any) -> dict[str, int]:
        return dict(self._balances(asset))

    def _owners(self) -> dict[str, bool]:
        """Their names, to be looked up: a list would be gone through for each move."""
        return dict.fromkeys(self._read_owners(), True)

    def _players(self) -> list[str]:
        return self._table.directory.players

    def _refuse(self, sentence: Any) -> None:
        self.refused = self.refused or line_of(sentence)

    def _roll(self, sides: int) -> int:
        if self._looks:
            raise ValueError("A view throws no dice")
        self._must_allow(bounds.ROLLS, len(self.rolled) + 1)
        if self._choose is None:
            self._choose = self._dice.enter_context(self._table.dice.several())
        label = f"program {self._number}.{len(self.rolled) + 1}"
        self.rolled[label] = sides
        shown: int = self._choose(label, range(1, sides + 1))
        return shown

    def _rule(self, title: Any) -> RuleText:
        try:
            return self._table.rules.find_rule(_in_short(title))
        except NoSuchRule as wrong:
            raise ValueError(str(wrong)) from None

    def _rule_table(self, title: Any, *columns: Any) -> list[dict[str, str]]:
        try:
            chart = self._table.rules.table(self._rule(title).title, *map(_in_short, columns))
        except (NoSuchRule, TableBroken) as wrong:
            raise ValueError(str(wrong)) from None
        return [dict(row) for row in chart.rows] if chart else []

    def _record(self, limit: int) -> list[list[Any]]:
        newest = self._table.game.entries.order_by("-seq")[:limit]
        text = Left("text", _LONGEST_TEXT)
        rows = newest.values_list("seq", "at", "name", "actor__name", text)
        return [[seq, iso(at), name, actor or "", text] for seq, at, name, actor, text in rows]


def announcement(table: Table, intent: Intent) -> Effects:
    """The effects of that act's announcement by who acts at the table. Raises ProgramWrong where no
    rule lets them announce it, or they cannot now."""
    name, raw_inputs = intent
    player = table.actor
    try:
        act = find_action(f"announce.{name}", table)
        refusal = admission(act, table, player)
        inputs = act.Form(table, player, raw_inputs).inputs()
        verdict = refusal or judged(act, table, player, inputs)
    except UnknownAction:
        raise ProgramWrong(Problem(f"No rule lets {_in_short(name)} be announced")) from None
    except Malformed as malformed:
        raise ProgramWrong(Problem(str(malformed).rstrip("."))) from None
    if isinstance(verdict, Refusal):
        raise ProgramWrong(Problem(verdict.sentence.rstrip(".")))
    return verdict


def _of_its_kind(switch: RuleSwitch, value: str) -> int | str:
    """The value as a program has it: a number, where the switch has these."""
    return value if switch.declared.values else int(value)


_ANSWERS: dict[str, Callable[..., Any]] = {
    "balances": Questions._read_balances,
    "owners": Questions._owners,
    "players": Questions._players,
    "parties": Questions._parties,
    "account": Questions._account,
    "offices": lambda asked: {
        office: name for office, name in asked._table.directory.offices.items() if name
    },
    "amount": lambda asked, amount, asset: asked._asset(asset).amount(amount),
    "may_owe": lambda asked, asset: asked._asset(asset).may_owe,
    "refuse": Questions._refuse,
    "roll": Questions._roll,
    "rules": lambda asked: [[rule.number, rule.title] for rule in asked._table.rules.public],
    "text": lambda asked, title: asked._rule(title).text,
    # The key and what is kept in mind of another rule that has a program; of the own rule none.
    "state": lambda asked, title: asked._read_state(asked._rule(title).title),
    "table": Questions._rule_table,
    "record": Questions._record,
    "documents": Questions._documents,
    "document": Questions._document,
    "switch": Questions._switch,
    "reads": Questions._reads,
}


# What is caused at one act or event, against the bounds that the game has


class Caused:
    """All that the calls at one table have done, as far as it counts."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._calls: Counter[bool] = Counter()
        self._asked: Counter[bool] = Counter()
        self._had: Counter[GameBound] = Counter()
        self._states: dict[str, int] = {}

    def call(self, looks: bool) -> None:
        """Count one more; those that only look by themselves. Raises ProgramWrong."""
        self._calls[looks] = min(self._calls[looks], bounds.CALLS.of(self._game)) + 1
        self.must_allow(bounds.CALLS, self._calls[looks])

    def ask(self, bound: GameBound, count: int, looks: bool) -> None:
        """Raise ProgramWrong where a call has asked or rolled too much, those before it counted."""
        self.must_allow(bound, count + (self._asked[looks] if bound is bounds.QUESTIONS else 0))

    def asked(self, questions: int, looks: bool) -> None:
        """Count the questions of a call that came to its end, or failed where it always does."""
        self._asked[looks] += questions

    def allow(self, done: Done, states: Mapping[str, str]) -> Done:
        """The result of a call, its movements of one asset between the same two summed up as one.
        `states` are those that it has changed. Raises ProgramWrong where that is too much."""
        sums: Counter[tuple[str | None, str | None, str]] = Counter()
        for source, target, amount, asset in done.moves:
            sums[source, target, asset] += amount
        moves = [
            (source, target, amount, asset) for (source, target, asset), amount in sums.items()
        ]
        done = replace(done, moves=moves)
        self.must_allow(bounds.MOVES, self._had[bounds.MOVES] + _moved(done))
        self.must_allow(bounds.SENTENCES, self._had[bounds.SENTENCES] + len(done.sentences))
        sizes = self._states | _sizes(states)
        size = self._had[bounds.PROGRAM_BYTES] + _size(done) + sum(sizes.values())
        self.must_allow(bounds.PROGRAM_BYTES, size)
        return done

    def keep(self, done: Done, states: Mapping[str, str]) -> None:
        """Count what a call came to, which is part of the game now."""
        self._had[bounds.MOVES] += _moved(done)
        self._had[bounds.SENTENCES] += len(done.sentences)
        self._had[bounds.PROGRAM_BYTES] += _size(done)
        self._states |= _sizes(states)

    def must_allow(self, bound: GameBound, count: int) -> None:
        """Raise ProgramWrong where so many are more than the game lets be."""
        refusal = bound.refusal(self._game, count)
        if refusal is not None:
            raise ProgramWrong(Problem(refusal.sentence))


def _sizes(states: Mapping[str, str]) -> dict[str, int]:
    return {key: len(state.encode()) for key, state in states.items()}


def size_of(done: Done) -> int:
    """The bytes that a call adds to its entry and to what rules keep in mind."""
    return _size(done) + sum(_sizes(done.states).values())


def _moved(done: Done) -> int:
    return len(done.moves) + len(done.turns)


def _size(done: Done) -> int:
    """The bytes that a call adds to its entry."""
    turned = sum(_A_MOVE + sum(len(part.encode()) for part in turn) for turn in done.turns)
    names = sum(
        _A_MOVE
        + len((source or "").encode())
        + len((target or "").encode())
        + 2 * len(asset.encode())
        for source, target, _, asset in done.moves
    )
    published = sum(_A_MOVE + 2 * len("".join(paper).encode()) for paper in done.papers)
    announced = sum(len(json.dumps(it).encode()) for it in (*done.intents, *done.deeds))
    return (
        announced
        + _A_CALL
        + published
        + done.rolls * _A_ROLL
        + names
        + turned
        + sum(len(sentence.encode()) for sentence in done.sentences)
    )
