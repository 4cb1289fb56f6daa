"""A dry run of any act by anybody: what it would do, as far as that may be known beforehand.

The act is judged, as it is before it is done, and then done in a transaction that is undone. While
it is done, no die falls and nothing is read that could be hidden from somebody: what needs either
is not told, so that a dry run tells no more than the act's form and its refusals do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model, Q

from nomic.dice.models import Master, Roll
from nomic.engine.actions import (
    Action,
    PrivateAction,
    TwoSidedAction,
    admission,
    find_action,
    judged,
    read_inputs,
)
from nomic.engine.dry_run import Covered, Seen, imagined, seen_since
from nomic.engine.effects import Effects, explain, price
from nomic.engine.fairness.locks import Stay
from nomic.engine.outcomes import Busy, Refused, UnknownGame
from nomic.engine.requests import Actor, is_urgent, patience, refuse_held, settled, who_acts
from nomic.engine.subgames import KeepsSecrets, all_subgames
from nomic.engine.table import Table
from nomic.engine.take import due_before, of_act, perform
from nomic.games.bounds import DRY_RUN_SECONDS
from nomic.games.models import Game, Player, way_to_the_game
from nomic.games.refusal import Refusal
from nomic.record.models import Entry, SealedEntry

OVERDUE = "Something is due in the game before this, and happens first. Ask again in a moment."
DICE = "What the dice decide is not known before they are thrown."
HIDDEN = "This hangs on what not everybody may see: what comes of it is not told beforehand."
PRIVATE = "It has a private side: what comes of it is not told beforehand."
AFTER_UNKNOWN = "What comes before it is not known beforehand: what this would do is not, either."
DUE_AT_ONCE = "What it makes due at once happens after it, and is not told here."


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an act would do. `text` is the announcement, or as much of it as is known. `entry` is
    the entry as it would be and `seen` what it would change; where that is unknown, both are None.
    Sentences say what is `unknown`."""

    text: str
    entry: Entry | None = None
    seen: Seen | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What an act would do `now`, with its `price` and `outlook` as its form tells them; and what
    it would do `later` where it is announced first, as things stand."""

    price: str
    outlook: str
    now: Attempt
    later: Attempt | None


def foresee(
    slug: str,
    actor: Actor,
    name: str,
    inputs: Mapping[str, Any],
    *,
    typed: bool = False,
    asks: bool = False,
) -> Foreseen:
    """What that act of theirs would do; nothing changes by it, what is overdue included.

    Raises what `take` raises: Refused as the act would be, Busy also where something is due first,
    and where it takes longer than an act may or somebody waits for the game.
    """
    game = Game.objects.filter(slug=slug, scratch=False).first()
    if game is None:
        raise UnknownGame(f"There is no game “{slug[:60]}”.")
    read_inputs(name, inputs)
    with _imagined_for(game, name) as (table, stay):
        act, chosen, verdict = _as_meant(table, actor, name, inputs, typed=typed)
        foreseen = _foreseen(table, stay, act, chosen, verdict, asks=asks)
    action = act.action
    if action.as_done is action or not verdict.likely:
        return foreseen
    with _imagined_for(game, name) as (table, stay):
        act = replace(act, action=action.as_done)
        try:
            later = act.attempted(table, stay, chosen, "")
        except Refused as refused:
            sentence = f"As things stand it would come to nothing: {refused.refusal.sentence}"
            later = Attempt("", unknown=(sentence,))
    return replace(foreseen, later=later)


def foresee_all(
    slug: str,
    actor: Actor,
    acts: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    typed: bool = False,
    asks: bool = False,
) -> list[Foreseen]:
    """What these acts of theirs would do one after the other, as `take_all` takes them. What is not
    known beforehand of one is not of those after it.

    Raises what `take_all` raises, as `foresee` does.
    """
    game = Game.objects.filter(slug=slug, scratch=False).first()
    if game is None:
        raise UnknownGame(f"There is no game “{slug[:60]}”.")
    foreseen: list[Foreseen] = []
    with _imagined_for(game, acts[0][0]) as (table, stay):
        for place, (name, inputs) in enumerate(acts):
            with of_act(place):
                read_inputs(name, inputs)
                if foreseen and foreseen[-1].now.entry is None:
                    find_action(name, table)
                    foreseen.append(Foreseen("", "", Attempt("", unknown=(AFTER_UNKNOWN,)), None))
                    continue
                table = _anew(table)
                if place and table.overdue:
                    raise due_before()
                judged_act = _as_meant(table, actor, name, inputs, typed=typed)
                foreseen.append(_foreseen(table, stay, *judged_act, asks=asks))
    return foreseen


def _as_meant(
    table: Table, actor: Actor, name: str, inputs: Mapping[str, Any], *, typed: bool
) -> tuple[_Act, dict[str, Any], Effects]:
    """The act, the inputs that are chosen by it, and what it does as it is judged; raises Refused
    and Malformed."""
    action = find_action(name, table)
    player, operator = who_acts(table, actor, action)
    refusal = admission(action, table, player, operator=operator)
    if refusal is not None:
        raise Refused(refusal)
    chosen = action.Form(table, player, inputs).inputs(typed=typed)
    verdict = judged(action, table, player, chosen, to_actor=True)
    if isinstance(verdict, Refusal):
        raise Refused(verdict)
    return _Act(action, player, inputs, operator), chosen, verdict


def _foreseen(
    table: Table,
    stay: Stay,
    act: _Act,
    chosen: dict[str, Any],
    verdict: Effects,
    *,
    asks: bool,
) -> Foreseen:
    """What the act would do now, at the imagined table at which it was judged."""
    costs = price(table, verdict, act.player) if act.player else ""
    outlook = explain(table, verdict, act.player) if act.player else ""
    now = act.attempted(_anew(table), stay, chosen, verdict.say)
    if asks and (unsaid := act.action.unsaid(_anew(table), chosen)):
        raise Refused(unsaid)
    return Foreseen(costs, outlook, now, None)


@contextmanager
def _imagined_for(game: Game, name: str) -> Iterator[tuple[Table, Stay]]:
    """A table for an act of that name, at which nothing stays, and for how long it is had. It is
    waited for as acts wait. Raises Refused and Busy as the door of acts does."""
    is_first, stay = is_urgent(name), Stay(inf)
    with imagined(game, seconds=patience().total_seconds(), stay=stay, urgent=is_first) as table:
        stay.until = monotonic() + DRY_RUN_SECONDS.most
        if is_first:
            dice, table = table.dice, settled(table, name)
            table.dice = dice
        else:
            refuse_held(table.game)
            if table.overdue:
                raise Busy(OVERDUE)
        yield table, stay


def _anew(table: Table) -> Table:
    """The same table with nothing read: what was read to judge an act may be hidden."""
    fresh = Table(table.game, table.now, table.wall, locked=True)
    fresh.dice = table.dice
    return fresh


@dataclass(frozen=True, slots=True)
class _Act:
    """An act that somebody means, with the inputs as they are sent."""

    action: Action
    player: Player | None
    inputs: Mapping[str, Any]
    operator: bool

    def attempted(
        self, table: Table, stay: Stay, chosen: Mapping[str, Any], announcement: str
    ) -> Attempt:
        """What comes of it at that table, at which nothing was read before. Raises Refused."""
        action, dice = self.action, table.dice
        if isinstance(action, TwoSidedAction):
            return Attempt(announcement, unknown=(PRIVATE,))
        with _nothing_hidden_is_read(table.game, stay) as asked:
            try:
                if isinstance(action, PrivateAction):
                    table.actor = self.player
                    if action.is_private(table, dict(chosen)):
                        return Attempt(announcement, unknown=(PRIVATE,))
                entry = perform(
                    table, self.player, action, self.inputs, operator=self.operator
                ).entry
                calls_at_once = table.overdue and table.appointments.calls_at_once
                seen = seen_since(table, {})
            except Exception:
                # Whatever it has become on its way: without what it asked for it means nothing.
                if not asked and not dice.were_asked:  # type: ignore[attr-defined]
                    raise
        if asked:
            return Attempt(announcement, unknown=(HIDDEN,))
        if dice.were_asked:  # type: ignore[attr-defined]
            return Attempt(announcement, unknown=(DICE,))
        assert isinstance(entry, Entry)
        return Attempt(entry.text, entry, seen, (DUE_AT_ONCE,) if calls_at_once else ())


@contextmanager
def _nothing_hidden_is_read(game: Game, stay: Stay) -> Iterator[list[str]]:
    """In the block a statement raises Covered that reads a table with rows which could be hidden
    from somebody, and is listed; also one too many for the stay raises. Whether there are such rows
    does not matter, so that nobody is told."""
    names = "|".join(sorted(_tables_that_hide(game)))
    reads = re.compile(rf'\b(?:FROM|JOIN|UPDATE|USING)\s+(?:ONLY\s+)?"?(?:{names})\b', re.I)
    asked: list[str] = []
    looking = False

    def watch(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        nonlocal looking
        if reads.search(str(sql)):
            asked.append(str(sql))
            raise Covered(HIDDEN)
        if not looking:  # the stay asks the database itself
            looking = True
            try:
                stay.go_on()
            finally:
                looking = False
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield asked


def _tables_that_hide(game: Game) -> Iterator[str]:
    """The names of the tables that have rows which could be hidden in that game: of what is sealed,
    of dice, all of a subgame that keeps secrets, and what another says it hides."""
    yield from (model._meta.db_table for model in (SealedEntry, Master, Roll))
    for subgame in all_subgames():
        keeps = isinstance(subgame, KeepsSecrets) and subgame.is_on(game)
        for model in apps.get_models():
            if model._meta.app_label == subgame.name and (keeps or _could_hide(model, game)):
                yield model._meta.db_table


def _could_hide(model: type[Model], game: Game) -> bool:
    """Whether that model hides rows, if it has any in that game. Where those hang on other rows,
    these say it, be there any that hang on them or none."""
    hides = getattr(model, "hides", None)
    if not hides:
        return False
    lookups = {tuple(lookup.split("__", 1)) for lookup in _lookups(hides.unless)}
    parents = {parent for parent, *_ in lookups}
    is_of_the_row = "pk" in parents or any(part[1:] in ((), ("isnull",)) for part in lookups)
    if hides.fields or len(parents) != 1 or is_of_the_row:
        return True
    field: Any = model._meta.get_field(parents.pop())
    if field.related_model is None:
        return True
    rows = field.related_model._base_manager.filter(
        **{way_to_the_game(field.related_model): game.pk}
    )
    return bool(rows.exclude(_of_the_parent(hides.unless)).exists())


def _lookups(condition: Q) -> Iterator[str]:
    for part in condition.children:
        if isinstance(part, Q):
            yield from _lookups(part)
        else:
            yield part[0]  # type: ignore[index]


def _of_the_parent(condition: Q) -> Q:
    """A condition of rows as one of those that they hang on."""
    parts: list[Any] = [
        _of_the_parent(part) if isinstance(part, Q) else (part[0].partition("__")[2], part[1])  # type: ignore[index]
        for part in condition.children
    ]
    return Q(*parts, _connector=condition.connector, _negated=condition.negated)
