"""Taking an action: the one door by which people change a game."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import Error, IntegrityError, transaction

from nomic.engine import requests, watch
from nomic.engine.absence import come_back
from nomic.engine.actions import (
    OPERATOR,
    Action,
    PrivateAction,
    TwoSidedAction,
    admission,
    find_action,
    judged,
    obstacle,
    read_inputs,
    table_broken,
)
from nomic.engine.catch_up import catch_up
from nomic.engine.effects import Effects, apply
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import (
    Busy,
    Malformed,
    Outcome,
    Receipt,
    Refused,
    UnknownAction,
    UnknownGame,
)
from nomic.engine.programs.hooks import ProgramsAround
from nomic.engine.programs.running import RefusedByProgram
from nomic.engine.requests import Actor
from nomic.engine.restored import Lacking, hold, lacks, mark_of
from nomic.engine.table import Table
from nomic.games.bounds import ACT_BYTES, EVENT_BYTES
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.record.chain import book_of, nonce_of
from nomic.record.heads import Head
from nomic.record.keys import recorded_head
from nomic.record.models import PART, Entry, EntryKind
from nomic.rulebook.tables import TableBroken

log = logging.getLogger(__name__)

_ROUNDS = 5  # each keeps what is due; another is for what has come due meanwhile
_A_TURN = 0.2  # seconds that who has waited already waits for the lock at least
_AWAY = Refusal(
    "away",
    "You are away, and by what you do in private everybody would learn that you are back. Say that"
    " you are back first.",
)
_DUE_BEFORE = (
    "What comes before this one makes something due, which happens first. None of them is done:"
    " send this one by itself, after those before it."
)
_MOST_AT_ONCE = 20  # of what an act makes due, while its actor waits for the receipt


@requests.measured()
def take(
    slug: str,
    actor: Actor,
    name: str,
    inputs: Mapping[str, Any] | None = None,
    key: str = "",
    *,
    typed: bool = False,
    saw: Head | None = None,
    asks: bool = False,
) -> Receipt:
    """Take the action in the game of that slug, after everything that was due before it. What is
    urgent is done before that.

    What it makes due at this moment happens at once; what asks to be prepared, and what comes
    after many other events, is left to the next sweep.

    `actor` is the user or the player who acts; None is the program's operator. The same `key`
    from the same actor gives the first receipt again, for the same act with the same inputs, and
    refuses any other. `typed` insists on JSON's types. `saw` is the newest head that the actor had
    seen, which the entry keeps. One that `asks`, as pages and the API do, refuses an act of which
    something is still to be said (`Action.unsaid`).

    Raises Refused, Malformed, Busy, UnknownGame, UnknownAction; then nothing has changed but what
    was due anyway. Busy also where something that has to be prepared is due before it, and Behind
    where more is due than a request works off; neither for the first receipt of a key.
    """
    return _take(slug, actor, [(name, inputs or {})], key, typed=typed, saw=saw, asks=asks)[0]


@requests.measured()
def take_all(
    slug: str,
    actor: Actor,
    acts: Sequence[tuple[str, Mapping[str, Any]]],
    key: str = "",
    *,
    typed: bool = False,
    saw: Head | None = None,
    asks: bool = False,
) -> list[Receipt]:
    """Take these actions, each a name and its inputs, one after the other at one moment: all of
    them, or none. The receipts are in their order.

    It is as `take` is for one. The `key` is that of all together. What they make due at this moment
    happens after the last of them; an act before which something would be due is refused.

    Raises what `take` raises; the `place` of what is raised tells for which act.
    """
    return _take(slug, actor, acts, key, typed=typed, saw=saw, asks=asks)


def _take(
    slug: str,
    actor: Actor,
    acts: Sequence[tuple[str, Mapping[str, Any]]],
    key: str,
    *,
    typed: bool,
    saw: Head | None,
    asks: bool,
) -> list[Receipt]:
    if not slug.isprintable():  # PostgreSQL takes no NUL
        raise UnknownGame("There is no game of that name.")
    keys = [requests.owned_key(actor, act_key) for act_key in requests.keys_of_all(key, len(acts))]
    sent = [
        _Sent(name, dict(inputs), act_key)
        for (name, inputs), act_key in zip(acts, keys, strict=True)
    ]
    for place, act in enumerate(sent):
        with of_act(place):
            read_inputs(act.name, act.inputs)
    urgent = all(requests.is_urgent(act.name) for act in sent)
    deadline, wait = wall_now() + requests.patience(), requests.wait_for_lock()
    for _ in range(_ROUNDS):
        try:
            # Scratch copies are for replays and recalculations, not for players.
            with locked_game(slug=slug, scratch=False, urgent=urgent, wait=wait) as game:
                if game is None:
                    raise UnknownGame(f"There is no game “{slug[:60]}”.")
                table, receipts = _table(game, actor, sent[0].name, urgent), []
                for place, act in enumerate(sent):
                    with of_act(place):
                        table = _next_table(table) if place else table
                        receipts.append(_receipt(table, actor, act, saw, typed=typed, asks=asks))
        except Lacking as lacking:
            hold(lacking.game_id, saw)
            sentence = Game.objects.values_list("set_aside", flat=True).get(pk=lacking.game_id)
            raise Refused(Refusal("restored", sentence)) from None
        # A repeated act may fail as it cannot be done twice: its answer is the first one's. Where
        # two are sent at the same time, the key's constraint refuses the second. A receipt that
        # was given already is owed no wait for the backlog, either.
        except (IntegrityError, Refused, Malformed, UnknownAction, Busy) as error:
            if first_receipts := _first_receipts(slug, actor, sent, typed=typed):
                return first_receipts
            if not isinstance(error, _Overdue):
                raise
            catch_up(error.game_id, prepare=False, deadline=deadline)
            # The patience is one for both: what the backlog took is not waited for the lock again.
            wait = max((deadline - wall_now()).total_seconds(), _A_TURN)
        else:
            if table.overdue and table.appointments.calls_at_once:
                _keep_what_came_due(table.game.pk, deadline)
            return receipts
    raise Busy


@dataclass(frozen=True, slots=True)
class _Sent:
    """An act as it was sent: its action's name, its inputs, and its key as the record keeps it."""

    name: str
    inputs: dict[str, Any]
    key: str | None


@contextmanager
def of_act(place: int) -> Iterator[None]:
    """Let what is raised in the block tell the act's place among several."""
    try:
        yield
    except (Refused, Malformed, UnknownAction) as error:
        error.place = place
        raise


def _receipt(
    table: Table, actor: Actor, act: _Sent, saw: Head | None, *, typed: bool, asks: bool
) -> Receipt:
    """Do the act at the locked table. Raises Lacking, and as `perform` does."""
    action = find_action(act.name, table)
    player, operator = requests.who_acts(table, actor, action)
    if saw and lacks(table.game, saw):
        raise Lacking(table.game.pk)
    table.saw = recorded_head(table.game, saw) if saw else None
    if saw and table.saw and len(table.saw) > 2 and mark_of(table.game, saw.number):
        table.saw = None  # it was lost, as the record tells already
    receipt = perform(
        table,
        player,
        action,
        act.inputs,
        act.key,
        typed=typed,
        operator=operator,
        to_actor=True,
        asks=asks,
    )
    _tell_on_commit(table, receipt)
    return receipt


def _next_table(table: Table) -> Table:
    """The same game at the same moment after an act of several. Raises Refused where something is
    due now."""
    after = Table(table.game, table.game.now(table.wall), table.wall, locked=True)
    if after.overdue:
        raise due_before()
    return after


def due_before() -> Refused:
    """The refusal of an act of several that would make it wait for what is due."""
    return Refused(Refusal("due_before", _DUE_BEFORE))


def _first_receipts(
    slug: str, actor: Actor, sent: Sequence[_Sent], *, typed: bool
) -> list[Receipt] | None:
    """The receipts that these keys got before; None where they are new. Raises Refused where one of
    them served another act, and Malformed."""
    first_receipts: list[Receipt] = []
    for place, act in enumerate(sent):
        with of_act(place):
            first = requests.first_receipt(slug, actor, act.name, act.inputs, act.key, typed=typed)
            if first is None and place:
                raise requests.key_used(first_receipts[0].entry)
        if first is None:
            return None
        first_receipts.append(first)
    if len(sent) == 1 and sent[0].key and requests.served_several(slug, actor, sent[0].key):
        raise requests.key_used(first_receipts[0].entry)
    return first_receipts


class _Overdue(Busy):
    """Something is due in that game before anything may be judged."""

    def __init__(self, game_id: int) -> None:
        super().__init__()
        self.game_id = game_id


def _table(game: Game, actor: Actor, name: str, urgent: bool) -> Table:
    """The locked game at this instant, at which all that is due has happened. Raises _Overdue,
    Behind, and Refused or Busy where the game is held back."""
    if actor is not None and not urgent:
        requests.refuse_held(game)
    wall = wall_now()
    table = Table(game, game.now(wall), wall, locked=True)
    if urgent:
        return requests.settled(table, name)
    if table.overdue:
        requests.leave_to_a_worker(game, wall)
        raise _Overdue(game.pk)
    return table


def perform(
    table: Table,
    player: Player | None,
    action: Action,
    raw_inputs: Mapping[str, Any],
    key: str | None = None,
    *,
    typed: bool = False,
    operator: bool = False,
    to_actor: bool = False,
    asks: bool = False,
) -> Receipt:
    """Judge and do one action at a locked table, and write it down; raises Refused or Malformed,
    also where the record would have more of it than the game lets one act have. What the ledger
    refuses calls the actor “you” where it is said `to_actor`.

    A replay calls this as well, so that what was legal is judged again.
    """
    if refusal := admission(action, table, player, operator=operator):
        raise Refused(refusal)
    table.actor, table.making = player, action.name
    returns = player is not None and player.is_away and not action.leaves_away
    if player is not None and returns:
        come_back(table, player)
    if key:  # a replay brings the record's nonce with it, and the key only if that is kept
        table.nonce = nonce_of(requests.chosen_key(key)) or table.nonce
    inputs = action.Form(table, player, raw_inputs).inputs(typed=typed)
    act = _Act(table, player, action, inputs, key, to_actor)
    effects = act.effects()
    private = isinstance(action, PrivateAction) and action.is_private(table, inputs)
    if private:
        table.go_private()
    sealed = None  # the names of inputs, where it has a private side
    if isinstance(action, TwoSidedAction):
        sealed = frozenset(action.sealed_inputs(table, inputs))
        table.anonymous = action.hides_actor(table, inputs)
    if returns and (private or table.anonymous):
        raise Refused(_AWAY)
    programs = ProgramsAround(table, action.name, act=action, actor=player, inputs=inputs)
    try:
        with table.tentatively() if programs.may_roll else nullcontext():
            outcome = act.change(effects, programs)
    except Refused as refused:
        # The refusal may tell what the dice showed: without an entry, an act could be tried
        # again until they fall well.
        if not programs.rolled:
            raise
        receipt = act.write_in_vain(refused, programs)
    else:
        if returns:
            outcome = replace(outcome, text=f"{outcome.text} {player} is back.".lstrip())
        if private:
            receipt = act.seal(outcome, programs)
        elif sealed is not None:
            receipt = act.write_in_both_books(outcome, sealed, programs)
        else:
            receipt = act.write(programs.after(outcome))
    _must_fit(table, action)
    # Asked last, so that what cannot be is told first.
    if asks and (unsaid := action.unsaid(table, inputs)):
        raise Refused(unsaid)
    return receipt


def do_meanwhile(
    table: Table,
    player: Player,
    action: Action,
    raw_inputs: Mapping[str, Any],
    *,
    as_holding: Collection[str] = (),
) -> Outcome:
    """Do an action of that player's as a part of the entry that is being made at a locked table,
    which says who may; raises Refused or Malformed.

    It is judged as theirs, as if they held those offices, and programs stand around it as around
    any act: they see who holds them.
    """
    if refusal := obstacle(action, table):
        raise Refused(refusal)
    actor, table.actor = table.actor, player
    try:
        with table.as_if_holding(player, as_holding):
            inputs = action.Form(table, player, raw_inputs).inputs()
            act = _Act(table, player, action, inputs, None)
            effects = act.effects()
        programs = ProgramsAround(table, action.name, act=action, actor=player, inputs=inputs)
        has_moved = programs.before()
        with table.as_if_holding(player, as_holding):
            effects = act.effects() if has_moved else effects
            try:
                outcome = apply(table, effects)
            except TableBroken as broken:
                raise Refused(table_broken(broken, action)) from broken
        programs.done_meanwhile(outcome)
        return outcome
    finally:
        table.actor = actor


@dataclass(frozen=True, slots=True)
class _Act:
    """An action that is done at a locked table: by whom, with which inputs, and the key that came
    with them."""

    table: Table
    player: Player | None
    action: Action
    inputs: dict[str, Any]
    key: str | None
    to_actor: bool = False

    def effects(self) -> Effects:
        """What it does with these inputs. Raises Refused."""
        verdict = judged(self.action, self.table, self.player, self.inputs, to_actor=self.to_actor)
        if isinstance(verdict, Effects):
            return verdict
        raise Refused(verdict)

    def change(self, effects: Effects, programs: ProgramsAround) -> Outcome:
        """Do it, after the programs that stand before it: judged anew where one moved something."""
        if programs.before():
            effects = self.effects()
        try:
            return apply(self.table, effects, with_entry=programs.are_none)
        except TableBroken as broken:
            raise Refused(table_broken(broken, self.action)) from broken

    def write(self, outcome: Outcome) -> Receipt:
        """Write the public entry."""
        kind, name, rule = self._kind, self.action.name, self.action.rule
        entry = self.table.write(
            kind, name, self.player, self.inputs, outcome, rule=rule, key=self.key
        )
        return Receipt(entry)

    @property
    def _kind(self) -> EntryKind:
        return EntryKind.OFFICER if self.action.office else EntryKind.ACTION

    def seal(self, outcome: Outcome, programs: ProgramsAround) -> Receipt:
        """Write a private act into the sealed book; its private sentence ends its text."""
        text = " ".join(filter(None, (outcome.text, outcome.sealed)))
        figures = {**outcome.figures, **programs.sealed()}
        private_outcome = replace(outcome, text=text, figures=figures, sealed="")
        assert isinstance(self.action, PrivateAction)
        name, rule, inputs = self.action.name, self.action.rule, self.inputs
        book = self.action.book(self.table, inputs)
        return Receipt(
            self.table.seal(
                name, self.player, inputs, private_outcome, rule=rule, key=self.key, book=book
            )
        )

    def write_in_both_books(
        self, outcome: Outcome, sealed: frozenset[str], programs: ProgramsAround
    ) -> Receipt:
        """Write the part that the sealed book keeps, and the public entry, which names its hash.

        There is a part whatever is hidden, so that it tells nothing. The key goes with it, since
        it names the actor.
        """
        table, action, actor = self.table, self.action, outcome.actor or self.player
        hidden_inputs = {name: sent for name, sent in self.inputs.items() if name in sealed}
        public_inputs = {name: sent for name, sent in self.inputs.items() if name not in sealed}
        private_outcome = Outcome(outcome.sealed, {"of": action.name, **programs.sealed()})
        # Not `table.seal`, which ends the entry: what the act moved is told by the public one.
        part = table.record.seal(
            table, PART, actor, hidden_inputs, private_outcome, action.rule, self.key,
            book=book_of(action.name), saw=table.saw, nonce=table.nonce,
        )  # fmt: skip
        table.saw, table.nonce = None, ""  # of an actor who may be hidden these are theirs alone
        public_outcome = Outcome(outcome.text, {**outcome.figures, "part": part.content_hash})
        named_actor = None if table.anonymous else actor
        entry = table.write(
            self._kind, action.name, named_actor, public_inputs, public_outcome, rule=action.rule
        )
        return Receipt(entry, private_sentence=outcome.sealed)

    def write_in_vain(self, refused: Refused, programs: ProgramsAround) -> Receipt:
        """Write the entry of an act that was refused after dice had been thrown. A refusal that is
        no program's is the actor's alone to know."""
        inputs = {"action": self.action.name, "given": self.inputs}
        outcome, rule = programs.in_vain(self.action, refused), self.action.rule
        entry = self.table.write(
            EntryKind.ACTION, requests.CAME_TO_NOTHING, self.player, inputs, outcome, rule=rule,
            key=self.key,
        )  # fmt: skip
        is_public = isinstance(refused, RefusedByProgram)
        return Receipt(entry, private_sentence="" if is_public else refused.refusal.sentence)


def _must_fit(table: Table, action: Action) -> None:
    """Raise Refused where the record would have more of the act than the game lets one have."""
    bound = EVENT_BYTES if action.office else ACT_BYTES
    refusal = bound.refusal(table.game, table.record.bytes, action.rule)
    if refusal is not None and not action.office:  # a player does not choose how large a Deck is
        refusal = bound.refusal(table.game, table.record.bytes_but_options(), action.rule)
    if refusal is not None and action.office != OPERATOR:  # who may set the bound another
        raise Refused(refusal)


def _tell_on_commit(table: Table, receipt: Receipt) -> None:
    """Tell the pages on commit, since one that is told before would read the game as it was."""
    if isinstance(entry := receipt.entry, Entry):
        transaction.on_commit(lambda: watch.bump(entry.game_id, entry.seq))
    else:  # the pages of those whom a private act concerns
        concerned = table.concerned | ({table.actor.pk} if table.actor else set())
        transaction.on_commit(lambda: watch.end_seat_marks(concerned))


def _keep_what_came_due(game_id: int, deadline: datetime) -> None:
    """Keep what an act has made due for at once. The act is done, whatever becomes of that."""
    try:
        with suppress(Busy):
            catch_up(game_id, limit=_MOST_AT_ONCE, prepare=False, deadline=deadline)
    except Error:
        log.exception("What an act made due in the game %s is left to the next sweep", game_id)
