"""Taking an action: the one door by which people change a game."""

import logging
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import Error, IntegrityError, transaction

from nomic.dice.seeds import nonce_of
from nomic.engine import requests, watch
from nomic.engine.actions import (
    OPERATOR,
    Action,
    admission,
    find_action,
    judged,
    read_inputs,
    table_broken,
)
from nomic.engine.catch_up import catch_up
from nomic.engine.effects import Effects, apply
from nomic.engine.fairness.locks import locked_game
from nomic.engine.fairness.suspended import refuse_held
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
from nomic.engine.table import Table, glance
from nomic.games.bounds import ACT_BYTES, EVENT_BYTES
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.record.chain import book_of, told_hash
from nomic.record.heads import Head, is_of
from nomic.record.keys import has_signed
from nomic.record.models import PART, Entry, EntryKind
from nomic.rulebook.tables import TableBroken

log = logging.getLogger(__name__)

_ROUNDS = 5  # each keeps what is due; another is for what has come due meanwhile
_A_TURN = 0.2  # seconds that who has waited already waits for the lock at least
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
) -> Receipt:
    """Take the action in the game of that slug, after everything that was due before it. What is
    urgent is done before that.

    What it makes due at this moment happens at once; what asks to be prepared, and what comes
    after many other events, is left to the next sweep.

    `actor` is the user or the player who acts; None is the program's operator. The same `key`
    from the same actor gives the first receipt again, for the same act with the same inputs, and
    refuses any other. `typed` insists on JSON's types. `saw` is the newest head that the actor had
    seen, which the entry keeps.

    Raises Refused, Malformed, Busy, UnknownGame, UnknownAction; then nothing has changed but what
    was due anyway. Busy also where something that has to be prepared is due before it, and Behind
    where more is due than a request works off; neither for the first receipt of a key.
    """
    if not slug.isprintable():
        raise UnknownGame("There is no game of that name.")
    raw_inputs, recorded_key = dict(inputs or {}), requests.owned_key(actor, key)
    read_inputs(name, raw_inputs)
    deadline = wall_now() + requests.patience()
    wait = requests.wait_for_lock()
    for _ in range(_ROUNDS):
        try:
            attempted = _attempt(slug, actor, name, raw_inputs, recorded_key, typed, saw, wait)
        # A repeated act may fail as it cannot be done twice: its answer is the first one's. Where
        # two are sent at the same time, the key's constraint refuses the second.
        except (IntegrityError, Refused, Malformed, UnknownAction, Busy):
            first_receipt = _first_receipt(slug, actor, name, raw_inputs, recorded_key, typed=typed)
            if first_receipt is None:
                raise
            return first_receipt
        receipt, overdue = attempted
        if receipt is None:
            # Before the backlog: a receipt that was given already is owed no further wait.
            if first_receipt := _first_receipt(
                slug, actor, name, raw_inputs, recorded_key, typed=typed
            ):
                return first_receipt
            catch_up(overdue, prepare=False, deadline=deadline)
            wait = max((deadline - wall_now()).total_seconds(), _A_TURN)
            continue
        if overdue:
            _keep_what_came_due(overdue, deadline)
        return receipt
    raise Busy


def _keep_what_came_due(game_id: int, deadline: datetime) -> None:
    """Keep what an act has made due for at once. The act is done, whatever becomes of that."""
    try:
        with suppress(Busy):
            catch_up(game_id, limit=_MOST_AT_ONCE, prepare=False, deadline=deadline)
    except Error:
        log.exception("What an act made due in the game %s is left to the next sweep", game_id)


def _attempt(
    slug: str,
    actor: Actor,
    name: str,
    raw_inputs: dict[str, Any],
    key: str | None,
    typed: bool,
    saw: Head | None,
    wait: float | None,
) -> tuple[Receipt | None, int]:
    """Judge and perform under the lock, for which it waits for so many seconds.

    Returns the receipt, or None where something is due before it; and the id of the game where
    it has made due what is to happen at once, else 0.
    """
    urgent = requests.is_urgent(name)
    with locked_game(slug=slug, scratch=False, urgent=urgent, wait=wait) as game:
        if game is None:
            raise UnknownGame(f"There is no game “{slug[:60]}”.")
        if actor is not None and not urgent:
            refuse_held(game)
        wall = wall_now()
        table = Table(game, game.now(wall), wall, locked=True)
        if urgent:
            table = requests.settled(table, name)
        elif table.overdue:
            requests.leave_to_a_worker(game, wall)
            return None, game.pk
        action = find_action(name, table)
        player, operator = who_acts(table, actor, action)
        table.saw = _recorded_head(saw, game)
        receipt = perform(table, player, action, raw_inputs, key, typed=typed, operator=operator)
        # On commit, since a page that is told before would read the game as it was.
        if isinstance(entry := receipt.entry, Entry):
            transaction.on_commit(lambda: watch.bump(entry.game_id, entry.seq))
        else:  # the pages of those whom a private act concerns
            concerned = table.concerned | ({player.pk} if player else set())
            transaction.on_commit(lambda: watch.end_seat_marks(concerned))
        calls_at_once = table.overdue and table.appointments.calls_at_once
        return receipt, game.pk if calls_at_once else 0


def _recorded_head(saw: Head | None, game: Game) -> list[Any] | None:
    """The form in which an entry keeps a head that its actor had seen: its number and hash; of one
    of another history that this site has signed, also the key and the signature, so that it proves
    that there was one. None of a head that anybody could have made up."""
    if saw is None:
        return None
    if is_of(game, saw):
        return [saw.number, saw.hash]
    return [saw.number, saw.hash, saw.key, saw.signature] if has_signed(game, saw) else None


def perform(
    table: Table,
    player: Player | None,
    action: Action,
    raw_inputs: Mapping[str, Any],
    key: str | None = None,
    *,
    typed: bool = False,
    operator: bool = False,
) -> Receipt:
    """Judge and do one action at a locked table; raises Refused or Malformed, also where the record
    would have more of it than the game lets one act have.

    A replay calls this as well, so that what was legal is judged again.
    """
    not_admitted = admission(action, table, player, operator=operator)
    if not_admitted is not None:
        raise Refused(not_admitted)
    table.actor, table.making = player, action.name
    if key:  # what the record tells of the key that a program chose
        table.nonce = nonce_of(key.partition("/")[2]) or table.nonce
    inputs = action.Form(table, player, raw_inputs).inputs(typed=typed)
    receipt = _Act(table, player, action, inputs, key).perform()
    bound = EVENT_BYTES if action.office else ACT_BYTES
    refusal = bound.refusal(table.game, table.record.bytes, action.rule)
    if refusal is not None and not action.office:  # a player does not choose how large a Deck is
        refusal = bound.refusal(table.game, table.record.bytes_but_options(), action.rule)
    if refusal is not None and action.office != OPERATOR:  # who may set the bound another
        raise Refused(refusal)
    return receipt


@dataclass(frozen=True, slots=True)
class _Act:
    """An action that is done at a locked table: by whom, with which inputs, and the key that came
    with them."""

    table: Table
    player: Player | None
    action: Action
    inputs: dict[str, Any]
    key: str | None

    def perform(self) -> Receipt:
        """Judge and do it, with what programs do around it, and write it down. Raises Refused."""
        table, action, inputs = self.table, self.action, self.inputs
        effects = self._effects()
        private = action.is_private(table, inputs)
        if private:
            table.go_private()
        sealed = frozenset(action.sealed_inputs(table, inputs))
        anonymous = table.anonymous = action.hides_actor(table, inputs)
        around = ProgramsAround(table, action.name, act=action, actor=self.player, inputs=inputs)
        try:
            with table.tentatively() if around.may_roll else nullcontext():
                outcome = self._apply(around, effects)
        except Refused as refused:
            # The refusal may tell what the dice showed: without an entry, an act could be tried
            # again until they fall well.
            if not around.rolled:
                raise
            attempted_inputs = {"action": action.name, "given": inputs}
            failure = around.in_vain(action, refused)
            entry = self._write(
                EntryKind.ACTION, requests.CAME_TO_NOTHING, attempted_inputs, failure
            )
            private_sentence = (
                "" if isinstance(refused, RefusedByProgram) else refused.refusal.sentence
            )
            return Receipt(entry, private_sentence=private_sentence)
        if private:
            outcome = replace(outcome, figures={**outcome.figures, **around.sealed()})
            return self._seal(outcome)
        if action.private_side:
            part_figures = {"of": action.name, **around.sealed()}
            return self._write_in_both_books(outcome, sealed, anonymous, part_figures)
        outcome = around.after(outcome)
        return Receipt(self._write(self._kind, action.name, inputs, outcome))

    @property
    def _kind(self) -> EntryKind:
        return EntryKind.OFFICER if self.action.office else EntryKind.ACTION

    def _effects(self) -> Effects:
        """What it does with these inputs. Raises Refused."""
        answer = judged(self.action, self.table, self.player, self.inputs)
        if isinstance(answer, Effects):
            return answer
        raise Refused(answer)

    def _apply(self, around: ProgramsAround, effects: Effects) -> Outcome:
        """Do it, after the programs that stand before it: judged anew where one moved something."""
        if around.before():
            effects = self._effects()
        try:
            return apply(self.table, effects, with_entry=around.are_none)
        except TableBroken as broken:
            raise Refused(table_broken(broken, self.action)) from broken

    def _write(self, kind: EntryKind, name: str, inputs: dict[str, Any], outcome: Outcome) -> Entry:
        rule, key = self.action.rule, self.key
        return self.table.write(kind, name, self.player, inputs, outcome, rule=rule, key=key)

    def _seal(self, outcome: Outcome) -> Receipt:
        """Write a private act into the sealed book; its private sentence ends its text."""
        text = " ".join(filter(None, (outcome.text, outcome.sealed)))
        private_outcome, inputs = replace(outcome, text=text, sealed=""), self.inputs
        name, rule, book = self.action.name, self.action.rule, self.action.book(self.table, inputs)
        return Receipt(
            self.table.seal(
                name, self.player, inputs, private_outcome, rule=rule, key=self.key, book=book
            )
        )

    def _write_in_both_books(
        self,
        outcome: Outcome,
        sealed: frozenset[str],
        anonymous: bool,
        part_figures: dict[str, Any],
    ) -> Receipt:
        """Write the part that the sealed book keeps, and the public entry, which names its hash.

        There is a part whatever is hidden, so that it tells nothing. The key goes with it, since
        it names the actor.
        """
        table, action, actor = self.table, self.action, outcome.actor or self.player
        hidden_inputs = {name: sent for name, sent in self.inputs.items() if name in sealed}
        public_inputs = {name: sent for name, sent in self.inputs.items() if name not in sealed}
        private_outcome, book = Outcome(outcome.sealed, part_figures), book_of(action.name)
        part = table.record.seal(
            table, PART, actor, hidden_inputs, private_outcome, action.rule, self.key,
            book=book, saw=table.saw, nonce=table.nonce,
        )  # fmt: skip
        table.saw, table.nonce = None, ""  # of an actor who may be hidden these are theirs alone
        public_outcome = Outcome(outcome.text, {**outcome.figures, "part": told_hash(part)})
        named_actor = None if anonymous else actor
        entry = table.write(
            self._kind, action.name, named_actor, public_inputs, public_outcome, rule=action.rule
        )
        return Receipt(entry, private_sentence=outcome.sealed)


def seat_of(table: Table, actor: Actor) -> Player | None:
    """The actor's seat as it is now, with its holder; None for people without one."""
    if isinstance(actor, Player):
        return table.seat_with(pk=actor.pk)
    if actor is None:
        return None
    table.visitor = actor
    with suppress(Player.DoesNotExist):
        return table.seat_with(user=actor.pk)
    return None


def who_acts(table: Table, actor: Actor, action: Action) -> tuple[Player | None, bool]:
    """The actor's seat, and whether they act as the operator: in an office that is not theirs.

    The game's host is its operator in what is the host's to do, and in nothing else.
    """
    player = seat_of(table, actor)
    operates = _operates(actor) or (action.is_hosts(table.game) and _is_host(table.game, actor))
    if action.office and operates and player:
        held = player.offices.values_list("name", flat=True)
        player = player if action.is_of(held) else None
    return player, player is None and operates


def runs(game: Game, user: AbstractBaseUser) -> bool:
    """Whether that user appoints to the game's offices: its host, or the site's operator."""
    return _operates(user) or _is_host(game, user)


def _is_host(game: Game, actor: Actor) -> bool:
    user = actor.user_id if isinstance(actor, Player) else getattr(actor, "pk", None)
    return user is not None and user == game.host_id


def _operates(actor: Actor) -> bool:
    return actor is None or bool(getattr(actor, "is_superuser", False))


def _first_receipt(
    slug: str, actor: Actor, name: str, raw_inputs: dict[str, Any], key: str | None, *, typed: bool
) -> Receipt | None:
    """The receipt that this key got before; None where it is new. Raises Refused where it served
    another act, and Malformed where these inputs are of the wrong types."""
    used = requests.first_use(slug, key) if key else None
    if used is None:
        return None
    first, act, inputs = used
    if name != act:
        raise requests.key_used(first.entry)
    table = glance(first.entry.game)
    try:
        action = find_action(name, table)
    except UnknownAction:  # the rule is gone that had it: only what was sent can be compared
        same = requests.agrees(raw_inputs, inputs)
    else:
        form = action.Form(table, who_acts(table, actor, action)[0], raw_inputs)
        if typed:
            form.must_be_typed()
        same = requests.is_sent_again(form, inputs)
    if not same:
        raise requests.key_used(first.entry)
    return first
