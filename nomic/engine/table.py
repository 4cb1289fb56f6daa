"""The game at one instant: what actions and events see, and the only way they change it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from nomic.dice.roller import DiceRoller
from nomic.engine.directory import Directory, read_directory
from nomic.engine.outcomes import Outcome
from nomic.engine.schedule import Schedule
from nomic.games.bounds import EVENT_BYTES
from nomic.games.clock import wall_now
from nomic.games.models import Game, Office, Player, Win
from nomic.games.seating import number_of
from nomic.infrastructure.database.compiled_queries import (
    CompiledQuery,
    CompiledValues,
    insert,
    update,
)
from nomic.ledger.books import Ledger
from nomic.record.chain import book_of, genesis
from nomic.record.models import HIDDEN, NOTE, Entry, EntryKind, SealedEntry
from nomic.record.original import Original
from nomic.record.writer import RecordWriter
from nomic.rulebook.book import Rulebook
from nomic.rulebook.in_force import RulesInForce


class TooMuchRecorded(Exception):
    """An event would write more into the record than its game lets one have, which waits then."""


class Follower:
    """Hooks by which floors above the engine follow changes at a table; `follow` registers one."""

    def rules_changed(self, table: Table) -> None:
        """The rulebook reads differently now."""

    def rules_told(self, table: Table, outcome: Outcome) -> Outcome:
        """The outcome of the entry that changes the rulebook, perhaps with more said in it."""
        return outcome

    def office_changed(self, table: Table, office: str) -> None:
        """That office has come to somebody, or has fallen vacant."""

    def renamed(self, table: Table, player: Player, former: str) -> None:
        """That player goes by another name than the former one: what is kept by names follows."""

    def entry_written(self, table: Table, entry: Entry | SealedEntry) -> None:
        """That entry stands in the record, or in the sealed book."""

    def set_aside(self, game: Game, wall: datetime) -> None:
        """That game was set aside at that wall moment, since it cannot keep up with its rules."""


_FOLLOWERS: list[Follower] = []


def follow(follower: Follower) -> None:
    """Let that follower be told of changes, after those that follow already."""
    _FOLLOWERS.append(follower)


@dataclass(slots=True)
class _UnfinishedEntry:
    """What the entry that is being made has come to so far: the one value that `tentatively` puts
    back. A copy of it is apart: neither learns what becomes of the other.

    `is_public`: it is an entry of the record. `sealing` is the book into which what it hides goes,
    if that is not its subgame's; `followed` is how many of the rulebook's changes all have
    followed.
    """

    ledger: Ledger
    rules: Rulebook
    dice: DiceRoller
    record: RecordWriter
    is_public: bool
    sealing: str = ""
    followed: int = 0
    wins: list[Win] = field(default_factory=list)
    own_effects: list[dict[str, Any]] = field(default_factory=list)

    def __copy__(self) -> _UnfinishedEntry:
        return replace(
            self,
            ledger=_apart(self.ledger),
            rules=_apart(self.rules),
            dice=_apart(self.dice),
            record=_apart(self.record),
            wins=self.wins.copy(),
            own_effects=self.own_effects.copy(),
        )


def _apart[Part](part: Part) -> Part:
    """A copy that has the collections which the part keeps as its own: a part has none of other
    types than these."""
    twin = copy(part)
    for name, collection in vars(twin).items():
        if isinstance(collection, dict | list | RulesInForce):
            setattr(twin, name, collection.copy())
    return twin


class Table:
    """A game, at the game moment `now` and the wall moment `wall`.

    `seq` is the number of the entry that is being made. A table that the lock gave out can be
    written to; one from `glance` raises where something is written. `actor` is the player whose
    action is judged and done at it; `prepared` is what the event that happens at it was prepared
    with. `concerned` are the keys of the players, beside the actor, for whose eyes something has
    changed by a private act; `wins` were made in the entry. `original` is what the record
    says of the entry where a replay makes it again; None in play. `nonce` is the hash of the key
    that the actor's browser or program chose, `saw` the number and hash of the newest entry that it
    had seen; `own_effects` are effects that neither the ledger nor the dice nor the rulebook tell.
    """

    def __init__(self, game: Game, now: datetime, wall: datetime, *, locked: bool) -> None:
        self.game = game
        self.now = now
        self.wall = wall
        self.is_locked = locked
        self.seq = game.last_entry + 1
        self.visitor: AbstractBaseUser | None = None
        self.actor: Player | None = None
        self.prepared: dict[str, Any] = {}
        self.concerned: set[int] = set()
        self.original: Original | None = None
        self.making = NOTE  # the name of the action or event
        self.nonce = ""
        self.anonymous = False
        self.saw: list[Any] | None = None
        self.appointments = Schedule(game, now, locked=locked)
        self._directory: Directory | None = None
        self._reads: dict[Any, Any] = {}
        self._reads_as: dict[tuple[str, ...], dict[Any, Any]] = {}  # by who holds which offices
        self._reads_of_entry: dict[Any, Any] = {}
        entry = self.seq if locked else None
        dice = DiceRoller(game, entry, self.whose_dice)
        self._unfinished = _UnfinishedEntry(
            ledger=Ledger(game, entry),
            rules=Rulebook(game, entry),
            dice=dice,
            record=RecordWriter(game, dice.salt),
            is_public=locked,
        )

    @property
    def ledger(self) -> Ledger:
        return self._unfinished.ledger

    @property
    def rules(self) -> Rulebook:
        return self._unfinished.rules

    @rules.setter
    def rules(self, rules: Rulebook) -> None:
        self._unfinished.rules = rules

    @property
    def dice(self) -> DiceRoller:
        return self._unfinished.dice

    @dice.setter
    def dice(self, dice: DiceRoller) -> None:
        self._unfinished.dice = dice

    @property
    def record(self) -> RecordWriter:
        return self._unfinished.record

    @property
    def wins(self) -> list[Win]:
        return self._unfinished.wins

    @property
    def own_effects(self) -> list[dict[str, Any]]:
        return self._unfinished.own_effects

    @contextmanager
    def tentatively(self) -> Iterator[None]:
        """Undo the block where it raises; what the entry did before it stays."""
        before = copy(self._unfinished)
        game = vars(self.game).copy()
        try:
            with transaction.atomic():
                yield
        except Exception:
            self.drop_directory()
            self._reads.clear()
            self._unfinished = before
            vars(self.game).update(game)
            raise

    def once[Reading](self, read: Callable[[Table], Reading]) -> Reading:
        """The result of `read` at this table, which is read once until it is dropped."""
        if read not in self._reads:
            self._reads[read] = read(self)
        reading: Reading = self._reads[read]
        return reading

    def throughout[Reading](self, read: Callable[[Table], Reading]) -> Reading:
        """The result of `read` when it is first asked, for the whole entry, whatever of that is
        undone."""
        if read not in self._reads_of_entry:
            self._reads_of_entry[read] = read(self)
        reading: Reading = self._reads_of_entry[read]
        return reading

    def was_read(self, read: Callable[[Table], object]) -> bool:
        """Whether anything of the entry that is being made has asked for that `throughout` it."""
        return read in self._reads_of_entry

    def drop(self, read: Callable[[Table], Any]) -> None:
        """Let that be read anew: something of it was saved."""
        self._reads.pop(read, None)

    def drop_all(self) -> None:
        """Let all be read anew that was read once."""
        self._reads.clear()
        self._reads_as.clear()

    @property
    def is_replayed(self) -> bool:
        """Whether a record is played again: whom it names need not be of this site then, and what
        stands beside it, such as talk, need not be there."""
        return self.original is not None

    def has_done(self, player: Player, act: str) -> bool:
        """Whether the public record has that the player has ever done that act."""
        return _DONE.first(game=self.game.pk, actor=player.pk, name=act) is not None

    @property
    def overdue(self) -> bool:
        """Whether an appointment must be kept before anything else may be judged."""
        due = self.game.next_due
        return due is not None and self.game.state == "running" and due <= self.now

    @property
    def directory(self) -> Directory:
        """The players and the offices as they were when this was first asked."""
        if self._directory is None:
            self._directory = read_directory(self.game)
        return self._directory

    @contextmanager
    def as_if_holding(self, player: Player, offices: Collection[str]) -> Iterator[None]:
        """In the block that player holds these offices, for whoever asks at this table."""
        if not offices:
            yield
            return
        reads, directory = self._reads, self.directory
        holders = {**directory.offices, **dict.fromkeys(offices, player.name)}
        anew: dict[Any, Any] = {}
        # At a table that is only looked at, what is read as if they held these is kept.
        if not self.is_locked:
            anew = self._reads_as.setdefault((player.name, *sorted(offices)), anew)
        self._reads, self._directory = anew, replace(directory, offices=holders)
        try:
            yield
        finally:
            self._reads, self._directory = reads, directory
            if self.is_locked:  # what was read before may have changed in the block
                self.drop_directory()
                self.drop_all()

    def drop_directory(self) -> None:
        """Let the directory be read anew: players or offices have changed in this entry."""
        self._directory = None

    def office(self, name: str) -> Office:
        """The office of that name, made vacant if the game does not have it yet."""
        self.drop_directory()
        in_game = _OFFICES.first(game=self.game, name=name)
        return in_game or insert(Office(game=self.game, name=name))

    def office_changed(self, name: str) -> None:
        """Let all follow that this office has come to somebody, or has fallen vacant."""
        self.drop_directory()
        for follower in _FOLLOWERS:
            follower.office_changed(self, name)

    def renamed(self, player: Player, former: str) -> None:
        """Let all follow that the player goes by another name, and let all be read anew."""
        self.drop_directory()
        for follower in _FOLLOWERS:
            follower.renamed(self, player, former)
        self.drop_all()

    def seat(self, name: str) -> Player:
        """The player of that name, with their holder; Player.DoesNotExist."""
        return self.seat_with(name=name)

    def seat_with(self, **columns: Any) -> Player:
        """The player of the game with these values, with their holder; Player.DoesNotExist."""
        player = _SEATS.get(game=self.game.pk, **columns)
        player.game = self.game
        return player

    def go_private(self) -> None:
        """Let all that is done from now on belong to the sealed entry that is being made."""
        self._unfinished.is_public = False
        number = self.game.sealed_count + 1
        self.ledger.belong_to_sealed(number)
        self.dice.belong_to_sealed(number)

    def follow_the_rules(self) -> None:
        """Let all follow the rulebook as it reads now, unless they have done so already.

        `write` does this at the end. Who needs what a new rule brings before that asks for it.
        """
        if self._unfinished.followed == self.rules.changes:
            return
        for follower in _FOLLOWERS:
            follower.rules_changed(self)
        self._unfinished.followed = self.rules.changes

    # The end of an action or event

    def write(
        self,
        kind: EntryKind,
        name: str,
        actor: Player | None,
        inputs: dict[str, Any],
        outcome: Outcome,
        *,
        rule: str = "",
        key: str | None = None,
    ) -> Entry:
        """Let all follow a changed rulebook, and write the entry.

        RuntimeError for a private sentence that nothing has sealed: it would be lost. Raises
        TooMuchRecorded.
        """
        if outcome.sealed:
            raise RuntimeError("Only an action with a private side has a private sentence.")
        if self.rules.changed:
            self.record.put_down()  # those who follow may read what is kept for the entry
            self.appointments.settle()
            self.follow_the_rules()
            for follower in _FOLLOWERS:
                outcome = follower.rules_told(self, outcome)
            self.rules.write_versions()
            self.game.rulebook_at = self.seq
            update(self.game, "rulebook_at")
        if self.dice.committed:
            figures = {**outcome.figures, "committed": self.dice.committed}
            outcome = replace(outcome, figures=figures)
        public, hidden = self._effects()
        if hidden:
            hiding_book = self._unfinished.sealing or book_of(name)
            blank = Outcome("")
            self.record.seal(self, HIDDEN, None, {}, blank, rule, book=hiding_book, effects=hidden)
        if kind is EntryKind.EVENT:
            self.record.anchor(self, name)
        actor = outcome.actor or actor
        entry = self.record.write(
            self, kind, name, actor, inputs, outcome, rule, key, public, self.saw, self.nonce
        )
        if kind is EntryKind.EVENT and (
            refusal := EVENT_BYTES.refusal(self.game, self.record.bytes, rule)
        ):
            raise TooMuchRecorded(refusal.sentence)
        self._end(entry)
        return entry

    def seal(
        self,
        name: str,
        actor: Player | None,
        inputs: dict[str, Any],
        outcome: Outcome,
        *,
        rule: str = "",
        key: str | None = None,
        book: str = "",
    ) -> SealedEntry:
        """Write a private act into its subgame's sealed book, or into that of this name."""
        public, hidden = self._effects()
        sealed = self.record.seal(
            self, name, actor, inputs, outcome, rule, key, book=book, saw=self.saw, nonce=self.nonce
        )
        if effects := public + hidden:  # not in the act itself: its actor reads all that it has
            hiding_book, of_sealed = book or book_of(name), Outcome("", {"of": sealed.number})
            self.record.seal(
                self, HIDDEN, None, {}, of_sealed, rule, book=hiding_book, effects=effects
            )
        self.record.put_down()
        self._end(sealed)
        return sealed

    def _end(self, entry: Entry | SealedEntry) -> None:
        """Note what comes next, and tell who follows of the entry that was written."""
        if self.appointments.changed:
            self.appointments.note_next_due()
        for follower in _FOLLOWERS:
            follower.entry_written(self, entry)

    def note_sealed(
        self, figures: dict[str, Any], text: str = "", rule: str = "", *, book: str = ""
    ) -> SealedEntry:
        """Seal what is decided now and not to be read before it is opened, in that book; all that
        this entry hides goes there.

        Nobody acts in it: it comes of the public entry that is being made, after which it is
        opened like any sealed entry. RuntimeError in a private act, and where nothing is made.
        """
        self._must_be_public()
        self._unfinished.sealing = book = book or book_of(self.making)
        return self.record.seal(self, NOTE, None, {}, Outcome(text, figures), rule, book=book)

    def hide_in(self, book: str) -> None:
        """Let what the entry that is being made hides go into that book, whatever its name is."""
        self._unfinished.sealing = self._unfinished.sealing or book

    def open_sealed(self, entries: QuerySet[SealedEntry]) -> list[SealedEntry]:
        """Make sealed entries public in the entry that is being made: a disclosure."""
        return self.record.open(self, entries)

    def begin_book(self, book: str) -> None:
        """Begin a sealed book of the subgame's that is opened by itself: “isle/visit 3”. All its
        events anchor it until then."""
        self.record.begin_book(self, book)

    def open_books(self, books: Collection[str]) -> list[SealedEntry]:
        """Make whole sealed books public in the entry that is being made."""
        return self.record.open_books(self, books)

    def tell(self, **effect: Any) -> None:
        """Let the entry that is being made say so among its effects."""
        self.own_effects.append(effect)

    def win(self, player: Player, rule: str, how: str) -> Win:
        """Record that the player wins in the entry that is being made, by the rule of that title.

        `how` is at most 200 characters, as “by 10 Victory Points”. RuntimeError in a private act,
        and where nothing is made.
        """
        self._must_be_public()
        win = Win.objects.create(
            game=self.game, player=player, entry=self.seq, at=self.now, rule=rule, how=how
        )
        self.wins.append(win)
        return win

    def _must_be_public(self) -> None:
        if not self._unfinished.is_public:
            raise RuntimeError("Only what makes an entry of the record can do this.")

    def _effects(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The effects by which the entry that is being made has moved, rolled and changed things:
        those that everybody may see, and the rest."""
        own_effects = [(True, effect) for effect in self.own_effects]
        effects = [
            *self.ledger.effects(),
            *self.dice.effects(),
            *self.rules.effects(),
            *own_effects,
        ]
        self._unfinished.own_effects = []
        public = [effect for is_open, effect in effects if is_open]
        return public, [effect for is_open, effect in effects if not is_open]

    def whose_dice(self) -> tuple[int, str]:
        """The seat that acts (0: none), and the hash of the last act of another player."""
        game, actor = self.game, self.actor
        if self.anonymous:
            raise RuntimeError("An act that may hide its actor throws no dice: they tell the seat.")
        acted_last = actor is not None and actor.pk == game.last_actor
        last_hash = (game.act_of_another if acted_last else game.last_act) or genesis(game.identity)
        return (number_of(actor) if actor else 0), last_hash


def tell_of_rest(game: Game, wall: datetime) -> None:
    """Let all who follow know that the locked game was set aside."""
    for follower in _FOLLOWERS:
        follower.set_aside(game, wall)


def glance(game: Game, wall: datetime | None = None) -> Table:
    """A table to read from, without the lock: what pages and the API show."""
    wall = wall or wall_now()
    return Table(game, game.now(wall), wall, locked=False)


_OFFICES = CompiledQuery(lambda: Office.objects.order_by())
_SEATS = CompiledQuery(lambda: Player.objects.order_by(), "holder")
_DONE = CompiledValues(lambda: Entry.objects.order_by().values_list("pk"))
