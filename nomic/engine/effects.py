"""What an act does, as values: `judge` answers with them, and this module alone applies them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Model

from nomic.compiled import insert, update
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import listed
from nomic.ledger.books import Owner
from nomic.ledger.models import AssetKind
from nomic.rulebook.charts import unless_broken

type Amount = int | Collection[int]  # while it hangs on a choice, all that it may come to
type Party = Owner | str  # a player's name is looked up when it is done; empty while none is chosen


class Move(NamedTuple):
    """What changes hands; None in an owner's place is the mint. What is paid may be fixed."""

    giver: Party | None
    receiver: Party | None
    amount: Amount
    asset: str | None
    is_paid: bool = False


class Transfer:
    """What changes hands in one transfer of the ledger, for that reason."""

    __slots__ = ()
    why: str

    @property
    def moves(self) -> list[Move]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Pay(Transfer):
    """The owner pays so much of the asset, to nobody unless `to` somebody; refused where they have
    less."""

    owner: Owner
    amount: Amount
    asset: str
    why: str = ""
    to: Owner | None = None

    @property
    def moves(self) -> list[Move]:
        return [Move(self.owner, self.to, self.amount, self.asset, is_paid=True)]


@dataclass(frozen=True, slots=True)
class Gain(Transfer):
    """The owner gets so much of the asset, newly made."""

    owner: Owner
    amount: Amount
    asset: str
    why: str = ""

    @property
    def moves(self) -> list[Move]:
        return [Move(None, self.owner, self.amount, self.asset)]


@dataclass(frozen=True, slots=True)
class Give(Transfer):
    """So much of the asset goes from one owner to another. Where the giver is who acts, they must
    have it, and it must not be fixed. None is what is not chosen yet."""

    giver: Owner
    receiver: Party | None
    amount: Amount
    asset: str | None
    why: str = ""

    @property
    def moves(self) -> list[Move]:
        return [Move(self.giver, self.receiver or "", self.amount, self.asset)]


@dataclass(frozen=True, slots=True)
class Together(Transfer):
    """What is paid, gained and given in one transfer; the reasons of its parts are not kept."""

    parts: Sequence[Transfer]
    why: str = ""

    @property
    def moves(self) -> list[Move]:
        return [move for part in self.parts for move in part.moves]


@dataclass(frozen=True, slots=True, init=False)
class Set:
    """A row of the subgame's state: a new one of a model, or these fields of one that is there.

    The model declares what there is. Where a new row has a `game` and an `entry`, they are those of
    the table. What is set together of one model is one statement.
    """

    what: type[Model] | Model
    values: Mapping[str, Any]

    def __init__(self, what: type[Model] | Model, /, **values: Any) -> None:
        object.__setattr__(self, "what", what)
        object.__setattr__(self, "values", values)


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance chooses one of the options of each label, or with `draw` so many different ones.

    `then` is what comes of what it chose, one value a label in their order; it is asked when the
    dice have fallen, and never before.
    """

    options: Mapping[str, Sequence[Any]]
    then: Callable[..., Effects]
    draw: int = 0
    private: bool = False
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class Then:
    """What follows once what stands before it is done, judged at the table as it is by then.

    `follow` may also do by hand what no effect says, and return what is said of it. `likely` is
    what it comes to as far as that is known beforehand.
    """

    follow: Callable[[Table], Effects | Outcome | str | None]
    likely: Effects | None = None


@dataclass(frozen=True, slots=True)
class Appoint:
    """An event of that kind is to happen at that moment of the game."""

    kind: str
    due: datetime
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Cancel:
    """The events of that kind and subject that are to come do not happen."""

    kind: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """The rulebook changes: `how` is a method of it, as “amend”, and `of` what that is given."""

    how: str
    of: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Seal:
    """A note goes into the sealed book, to be opened later (`Table.note_sealed`)."""

    figures: Mapping[str, Any]
    text: str = ""
    book: str = ""


@dataclass(frozen=True, slots=True)
class Tell:
    """The entry tells this among its effects (`Table.tell`)."""

    effect: Mapping[str, Any]


type _Words = str | Callable[[], str]
type Effect = Transfer | Set | Roll | Then | Appoint | Cancel | Change | Seal | Tell


@dataclass(frozen=True, slots=True, init=False)
class Effects:
    """What an act does, in the order in which it is done.

    `say` is the announcement, and the last sentence of all that is announced ends with `ending`.
    `figures` are what programs read of it, `sealed` is what the actor alone is told. `brings` are
    words before it, beside what the player pays, gives and gains: a function of them is asked when
    they are shown, and may raise ChartBroken, which leaves them out. With inputs missing, all this
    is of what is known so far.
    """

    effects: tuple[Effect, ...]
    say: str
    figures: Mapping[str, Any]
    brings: tuple[_Words, ...]
    sealed: str
    actor: Player | None
    ending: str

    def __init__(
        self,
        *effects: Effect,
        say: str = "",
        figures: Mapping[str, Any] | None = None,
        brings: _Words | tuple[_Words, ...] = (),
        sealed: str = "",
        actor: Player | None = None,
        ending: str = "",
    ) -> None:
        words = brings if isinstance(brings, tuple) else (brings,)
        values = (effects, say, figures or {}, words, sealed, actor, ending)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def also(self, *effects: Effect, **words: Any) -> Effects:
        """The same with more effects after these, and with other words."""
        own = {name: getattr(self, name) for name in self.__slots__[1:]}
        return Effects(*self.effects, *effects, **(own | words))

    @property
    def moves(self) -> Iterator[Move]:
        """What changes hands, as far as it is known beforehand."""
        for effect in self.effects:
            if isinstance(effect, Transfer):
                yield from effect.moves
        for each in self.likely:
            yield from each.moves

    @property
    def likely(self) -> list[Effects]:
        """What follows, as far as it is known beforehand."""
        return [each.likely for each in self.effects if isinstance(each, Then) and each.likely]


def unpaid(table: Table, effects: Effects, actor: Player | None) -> Refusal | None:
    """The ledger's refusal where somebody has less than they are to pay, or the actor cannot give
    what they are to give."""
    due: dict[tuple[Owner, str, bool], int] = {}
    for giver, _, amount, asset, is_paid in effects.moves:
        if isinstance(giver, str | None) or asset is None:
            continue
        if is_paid or giver == actor:
            known = giver, asset, is_paid
            due[known] = due.get(known, 0) + min(_amounts(amount), default=0)
    for (owner, asset, is_paid), amount in due.items():
        if amount:
            cannot = table.ledger.cannot_pay if is_paid else table.ledger.cannot_transfer
            if refusal := cannot(owner, amount, asset):
                return refusal
    return None


def apply(table: Table, effects: Effects) -> Outcome:
    """Do all of it at a locked table, and tell what was done."""
    outcome = Outcome(effects.say, effects.figures, effects.actor, effects.sealed)
    sets: list[Set] = []
    is_done = False  # something of it, so that what was read before is out of date
    for effect in effects.effects:
        if isinstance(effect, Roll | Then):
            _write(table, sets)
            if is_done:
                table.forget_what_was_read()
            outcome, is_done = _joined(outcome, _followed(table, effect)), False
            continue
        if isinstance(effect, Set):
            sets.append(effect)
        else:
            _do(table, effect)
        is_done = True
    _write(table, sets)
    if is_done:
        table.forget_what_was_read()
    if effects.ending:
        outcome = replace(outcome, text=f"{outcome.text.removesuffix('.')}{effects.ending}.")
    return outcome


def _do(table: Table, effect: Effect) -> None:
    match effect:
        case Transfer():
            table.ledger.move_several([_settled(table, each) for each in effect.moves], effect.why)
        case Appoint():
            table.appointments.make(effect.kind, effect.due, effect.subject)
        case Cancel():
            table.appointments.cancel(effect.kind, effect.subject)
        case Change():
            getattr(table.rules, effect.how)(*effect.of)
        case Seal():
            table.note_sealed(dict(effect.figures), effect.text, book=effect.book)
        case Tell():
            table.tell(**effect.effect)


def _settled(table: Table, move: Move) -> tuple[Owner | None, Owner | None, int, str]:
    """What changes hands, now that all is chosen."""
    (amount,), who = _amounts(move.amount), (move.giver, move.receiver)
    giver, receiver = (table.seat(each) if isinstance(each, str) else each for each in who)
    return giver, receiver, amount, str(move.asset)


def _followed(table: Table, effect: Roll | Then) -> Outcome:
    if isinstance(effect, Then):
        found = effect.follow(table)
    elif effect.draw:
        drawn = [
            table.dice.draw_for_each(
                [label], list(options), effect.draw, private=effect.private, purpose=effect.purpose
            )[label]
            for label, options in effect.options.items()
        ]
        found = effect.then(*drawn)
    else:
        with table.dice.several(private=effect.private, purpose=effect.purpose) as choose:
            chosen = [choose(label, options) for label, options in effect.options.items()]
        found = effect.then(*chosen)
    if isinstance(found, Effects):
        return apply(table, found)
    return found if isinstance(found, Outcome) else Outcome(found or "")


def _joined(before: Outcome, after: Outcome) -> Outcome:
    return replace(
        after,
        text=" ".join(filter(None, (before.text, after.text))),
        figures={**before.figures, **after.figures},
        actor=after.actor or before.actor,
        sealed=" ".join(filter(None, (before.sealed, after.sealed))),
    )


def _write(table: Table, sets: list[Set]) -> None:
    """Write these rows, a statement for all of one model with the same fields; none are left."""
    groups: dict[tuple[type[Model], bool, tuple[str, ...]], list[Model]] = {}
    for each in sets:
        if is_new := isinstance(each.what, type):
            has = {field.name for field in each.what._meta.concrete_fields}
            own = {"game": table.game, "entry": table.seq}
            values = {name: own[name] for name in own.keys() & has} | {**each.values}
            row = each.what(**values)
        else:
            row = each.what
            for name, value in each.values.items():
                setattr(row, name, value)
        groups.setdefault((type(row), is_new, tuple(each.values)), []).append(row)
    for (model, is_new, names), rows in groups.items():
        if len(rows) > 1:
            onto = {} if is_new else _ONTO | {"update_fields": names}
            model._default_manager.bulk_create(rows, **onto)
        elif not is_new:
            update(rows[0], *names)
        elif any(hasattr(getattr(rows[0], name), "resolve_expression") for name in names):
            rows[0].save(force_insert=True)
        else:
            insert(rows[0])
    sets.clear()


_ONTO: dict[str, Any] = {"update_conflicts": True, "unique_fields": ["pk"]}


# Before it is done


def price(table: Table, effects: Effects, player: Player) -> str:
    """What it costs the player, where that is one amount: “3 hooves”."""
    costs = [each for each in effects.moves if each.is_paid and each.giver == player]
    if not costs or any(len(_amounts(each.amount)) > 1 for each in costs):
        return ""
    return _told(table, costs)


def explain(table: Table, effects: Effects, player: Player) -> str:
    """What it costs and brings the player, in sentences."""
    moves = [each for each in effects.moves if each.asset is not None]
    given = [each for each in moves if each.giver == player]
    got = [each for each in moves if each.receiver == player]
    verbs = {
        "Costs": [each for each in given if each.is_paid],
        "You give": [each for each in given if not each.is_paid],
        "You gain": [each for each in got if each.giver is None],
        "You get": [each for each in got if each.giver is not None],
    }
    said = [f"{verb} {told}." for verb, some in verbs.items() if (told := _told(table, some))]
    words = [*effects.brings, *(each for then in effects.likely for each in then.brings)]
    said += [each if isinstance(each, str) else unless_broken(each, "") for each in words]
    return " ".join(filter(None, said))


def _told(table: Table, moves: Sequence[Move]) -> str:
    """These amounts in words: “1 hoof and 1, 2 or 3 dollaries”; a thing by its name."""
    told = []
    for move in moves:
        asset, amounts = table.ledger.asset(str(move.asset)), _amounts(move.amount)
        if asset.kind == AssetKind.UNIQUE:
            told.append(asset.name)
        elif len(amounts) == 1:
            told += [asset.amount(amounts[0])] if amounts[0] else []
        elif amounts:
            few = listed([*map(str, amounts)], "or") if len(amounts) <= _LISTED else ""
            told.append(f"{few or f'{amounts[0]} to {amounts[-1]}'} {asset.plural}")
    return listed(told)


_LISTED = 3


def _amounts(amount: Amount) -> list[int]:
    return [amount] if isinstance(amount, int) else sorted({*amount})
