"""Effects of acts, as values: `judge` answers with them, and this module alone applies them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Concatenate, NamedTuple

from django.db.models import Model

from nomic.engine.outcomes import Outcome
from nomic.engine.schedule import Schedule
from nomic.engine.subgames import Switch
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.infrastructure.database.compiled_queries import insert_together, update_several
from nomic.ledger.books import Owner
from nomic.ledger.models import AssetKind
from nomic.rulebook.book import Rulebook
from nomic.rulebook.charts import unless_broken

type Amount = int | Collection[int]  # while it hangs on a choice, all that it may come to
type Party = Owner | str  # a player's name is looked up when it is done; empty while none is chosen


class AssetMove(NamedTuple):
    """So much of an asset that changes hands. None as an owner is the mint, None as the asset one
    that is not chosen yet. What is paid may be fixed."""

    giver: Party | None
    receiver: Party | None
    amount: Amount
    asset: str | None
    is_paid: bool = False


@dataclass(frozen=True)
class Transfer:
    """Moves in one transfer of the ledger, with the reason of it."""

    moves: Sequence[AssetMove]
    reason: str = ""

    def done(self, table: Table) -> None:
        """Do it at that table, when all is chosen."""
        settled: Any = []
        for giver, receiver, amount, asset, _ in self.moves:
            owners = (table.seat(it) if isinstance(it, str) else it for it in (giver, receiver))
            settled.append((*owners, *_amounts(amount), asset))
        table.ledger.move_several(settled, self.reason)


def Pay(
    owner: Owner, amount: Amount, asset: str | None, reason: str = "", to: Owner | None = None
) -> Transfer:
    """The owner pays so much of the asset, to nobody unless `to` somebody; refused where they have
    less."""
    return Transfer([AssetMove(owner, to, amount, asset, is_paid=True)], reason)


def Gain(owner: Owner, amount: Amount, asset: str | None, reason: str = "") -> Transfer:
    """The owner gets so much of the asset, newly made."""
    return Transfer([AssetMove(None, owner, amount, asset)], reason)


def Give(
    giver: Owner, to: Party | None, amount: Amount, asset: str | None, reason: str = ""
) -> Transfer:
    """So much of the asset goes from one owner to another. Where the giver is who acts, they must
    have it, and it must not be fixed. None is what is not chosen yet."""
    return Transfer([AssetMove(giver, to or "", amount, asset)], reason)


def Together(parts: Iterable[Transfer], reason: str = "") -> Transfer:
    """Payments, gains and gifts in one transfer; the reasons of its parts are not kept."""
    return Transfer([move for part in parts for move in part.moves], reason)


class Set:
    """A row of the subgame's state: a new one of a model, or these fields of one that is there.

    The model declares what there is. Where a new row has a `game` and an `entry`, they are those of
    the table. What is set together of one model is one statement, and so are new rows of several
    models, one of each.
    """

    def __init__(self, target: type[Model] | Model, /, **values: Any) -> None:
        self.target, self.values = target, values


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance chooses one of the options of each label, or with `draw` so many different ones.

    `effects` tells what comes of what it chose, one value a label in their order; it is asked when
    the dice have fallen, and never before.
    """

    options: Mapping[str, Sequence[Any]]
    effects: Callable[..., Effects]
    draw: int = 0

    def follow(self, table: Table) -> Effects:
        """Let the dice fall at that table; the effects of what they chose."""
        if self.draw:
            values = [
                table.dice.draw_for_each([label], [*options], self.draw)[label]
                for label, options in self.options.items()
            ]
        else:
            with table.dice.several() as choose:
                values = [choose(label, options) for label, options in self.options.items()]
        return self.effects(*values)


@dataclass(frozen=True, slots=True)
class Then:
    """Effects that follow once those before them are applied, judged at the table as it is by then.

    `follow` may also do by hand what no effect says, and return what is said of it. `likely` is
    what it comes to as far as that is known beforehand.
    """

    follow: Callable[[Table], Effects | Outcome | str | None]
    likely: Effects | None = None


def _calls[**P](
    at: Callable[[Table], Any], method: Callable[Concatenate[Any, P], Any]
) -> Callable[P, Then]:
    """The effect of a call of that method of the table, or of something at it."""

    def calling(*args: P.args, **kwargs: P.kwargs) -> Then:
        def call(table: Table) -> None:
            method(at(table), *args, **kwargs)
            table.drop_all()

        return Then(call)

    return calling


# An event is to happen at that moment; those of that kind and subject that are to come do not.
Appoint = _calls(lambda table: table.appointments, Schedule.make)
Cancel = _calls(lambda table: table.appointments, Schedule.cancel)
# A note goes into the sealed book, to be opened later; the entry tells this among its effects.
Seal = _calls(lambda table: table, Table.note_sealed)
Tell = _calls(lambda table: table, lambda table, effect: table.tell(**effect))


def Change[**P](
    method: Callable[Concatenate[Rulebook, P], Any], *args: P.args, **kwargs: P.kwargs
) -> Then:
    """The call of a method of the rulebook, as `Rulebook.amend`."""
    return _calls(lambda table: table.rules, method)(*args, **kwargs)


def Turn(switch: Switch, of: str, setting: str, says: Callable[[str], str]) -> Then:
    """That switch of somebody or something gets a value; `says` tells of how it stands then."""

    def turn(table: Table) -> str:
        standing, remark = switch.turn(table, of, setting)
        return f"{says(standing)} {remark or ''}".rstrip()

    return Then(turn)


type _Words = str | Callable[[], str]
type Effect = Transfer | Set | Roll | Then


class Effects:
    """All that an act does, in the order in which it is done.

    `say` is the announcement, and the last sentence of all that is announced ends with `ending`.
    `figures` are what programs read of it, `sealed` is what the actor alone is told. `outlook` are
    words before it, beside what the player pays, gives and gains: a function of them is asked when
    they are shown, and may raise TableBroken, which leaves them out. With inputs missing, all this
    is of what is known so far.
    """

    def __init__(
        self,
        *effects: Effect,
        say: str = "",
        figures: Mapping[str, Any] | None = None,
        outlook: _Words | tuple[_Words, ...] = (),
        sealed: str = "",
        actor: Player | None = None,
        ending: str = "",
    ) -> None:
        self.effects, self.actor = effects, actor
        self.say, self.sealed, self.ending = say, sealed, ending
        self.figures: Mapping[str, Any] = figures or {}
        self.outlook = outlook if isinstance(outlook, tuple) else (outlook,)

    def also(self, *effects: Effect, **words: Any) -> Effects:
        """The same with more effects after these, and with other words."""
        parts = {**vars(self), **words}
        return Effects(*parts.pop("effects"), *effects, **parts)

    @property
    def moves(self) -> Iterator[AssetMove]:
        """All moves of assets, as far as they are known beforehand."""
        for effect in self.effects:
            if isinstance(effect, Transfer):
                yield from effect.moves
        for follow_up in self.likely:
            yield from follow_up.moves

    @property
    def likely(self) -> list[Effects]:
        """The effects that follow, as far as they are known beforehand."""
        return [
            effect.likely for effect in self.effects if isinstance(effect, Then) and effect.likely
        ]


type Verdict = Refusal | Effects | None  # None: too little is chosen to refuse or to do anything


def unpaid(
    table: Table, effects: Effects, actor: Player | None, *, to_actor: bool = False
) -> Refusal | None:
    """The ledger's refusal where somebody has less than they are to pay, or the actor cannot give
    what they are to give. It calls the actor “you” where it is said `to_actor`."""
    due: dict[tuple[Owner, str, bool], int] = {}
    for giver, _, amount, asset, is_paid in effects.moves:
        if isinstance(giver, str | None) or asset is None:
            continue
        if is_paid or giver == actor:
            debt = giver, asset, is_paid
            due[debt] = due.get(debt, 0) + min(_amounts(amount), default=0)
    for (owner, asset, is_paid), amount in due.items():
        if amount:
            cannot = table.ledger.cannot_pay if is_paid else table.ledger.cannot_transfer
            if refusal := cannot(owner, amount, asset, to_owner=to_actor and owner == actor):
                return refusal
    return None


def apply(table: Table, effects: Effects, *, with_entry: bool = False) -> Outcome:
    """Do all of it at a locked table, and tell what was done; rows that are new at its end may be
    written along `with_entry`, where nobody reads them before."""
    outcome = Outcome(effects.say, effects.figures, effects.actor, effects.sealed)
    sets: list[Set] = []
    is_done = False  # something of it, so that what was read before is out of date
    for effect in effects.effects:
        if isinstance(effect, Roll | Then):
            insert_together(*_write(table, sets))
            if is_done:
                table.drop_all()
            follow_up = effect.follow(table)
            if isinstance(follow_up, Effects):
                after = apply(table, follow_up)
            else:
                after = follow_up if isinstance(follow_up, Outcome) else Outcome(follow_up or "")
            outcome = replace(
                after,
                text=" ".join(filter(None, (outcome.text, after.text))),
                figures={**outcome.figures, **after.figures},
                actor=after.actor or outcome.actor,
                sealed=" ".join(filter(None, (outcome.sealed, after.sealed))),
            )
            is_done = False
            continue
        if isinstance(effect, Set):
            sets.append(effect)
        else:
            effect.done(table)
        is_done = True
    new = _write(table, sets)
    if with_entry:
        table.record.keep_for_entry(new)
    else:
        insert_together(*new)
    if is_done:
        table.drop_all()
    if effects.ending:
        outcome = replace(outcome, text=f"{outcome.text.removesuffix('.')}{effects.ending}.")
    return outcome


def _write(table: Table, sets: list[Set]) -> list[list[Model]]:
    """Write these rows, and none are left: first those that change, a statement for all of one
    model with the same fields, then new ones, a statement for all of one model; but return each
    that is new and the only such of its model, which go together."""
    changed: dict[tuple[type[Model], tuple[str, ...]], list[Model]] = {}
    new: dict[type[Model], list[Model]] = {}
    for change in sets:
        if isinstance(change.target, type):
            of_the_table = {"game": table.game, "entry": table.seq}
            columns = {
                name: of_the_table[name] for name in of_the_table if hasattr(change.target, name)
            }
            new.setdefault(change.target, []).append(change.target(**(columns | {**change.values})))
            continue
        for name, column in change.values.items():
            setattr(change.target, name, column)
        changed.setdefault((type(change.target), tuple(change.values)), []).append(change.target)
    for (_, names), rows in changed.items():
        update_several(rows, *names)
    alone = []
    for model, rows in new.items():
        # `insert_together` takes plain values, and no expressions.
        if len(rows) > 1 or any(hasattr(it, "resolve_expression") for it in vars(rows[0]).values()):
            model._default_manager.bulk_create(rows)
        else:
            alone.append(rows)
    sets.clear()
    return alone


# Before it is done


def price(table: Table, effects: Effects, player: Player) -> str:
    """The price that the player pays, where that is one amount: “3 hooves”; "" where it is none,
    and while it is not chosen what is paid."""
    costs = [move for move in effects.moves if move.is_paid and move.giver == player]
    if any(move.asset is None or len(_amounts(move.amount)) > 1 for move in costs):
        return ""
    return _told(table, costs)


def explain(table: Table, effects: Effects, player: Player) -> str:
    """The costs and gains of the player, in sentences; "" where there are none."""
    moves = [move for move in effects.moves if move.asset is not None]
    given_away = [move for move in moves if move.giver == player]
    received = [move for move in moves if move.receiver == player]
    moves_by_verb = {
        "Costs": [move for move in given_away if move.is_paid],
        "You give": [move for move in given_away if not move.is_paid],
        "You gain": [move for move in received if move.giver is None],
        "You get": [move for move in received if move.giver is not None],
    }
    sentences = [
        f"{verb} {amounts}."
        for verb, part in moves_by_verb.items()
        if (amounts := _told(table, part))
    ]
    words = [
        *effects.outlook,
        *(word for follow_up in effects.likely for word in follow_up.outlook),
    ]
    sentences += [word if isinstance(word, str) else unless_broken(word, "") for word in words]
    return " ".join(filter(None, sentences))


def _told(table: Table, moves: Sequence[AssetMove]) -> str:
    """These amounts in words: “1 hoof and 1, 2 or 3 dollaries”; a thing by its name."""
    amounts_in_words = []
    for move in moves:
        asset, amounts = table.ledger.asset(str(move.asset)), _amounts(move.amount)
        if asset.kind == AssetKind.UNIQUE:
            amounts_in_words.append(asset.name)
        elif len(amounts) == 1:
            amounts_in_words += [asset.amount(amounts[0])] if amounts[0] else []
        elif amounts:
            enumeration = enumerated([*map(str, amounts)], "or") if len(amounts) <= _LISTED else ""
            amounts_in_words.append(
                f"{enumeration or f'{amounts[0]} to {amounts[-1]}'} {asset.plural}"
            )
    return enumerated(amounts_in_words)


_LISTED = 3


def _amounts(amount: Amount) -> list[int]:
    return [amount] if isinstance(amount, int) else sorted({*amount})
