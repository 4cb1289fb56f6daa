"""Doing an officer's act and taking it back at once, to show what it will change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Never

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Max, Q, Sum

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance, Posting
from nomic.play.actions import find_action
from nomic.play.catch_up import catch_up
from nomic.play.outcomes import UnknownAction, UnknownGame
from nomic.play.subgames import all_subgames
from nomic.play.table import Table, locked_game
from nomic.play.take import perform, who_acts
from nomic.record.models import Entry
from nomic.rulebook.models import RuleVersion

_MOST_ROWS = 50


@dataclass(frozen=True, slots=True)
class Shift:
    """What a holder has of a public asset before and after."""

    holder: str
    asset: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Rewording:
    """A rule's text before and after; before is empty where the rule is new."""

    title: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What would happen. `facts` are (what, before, after) of the action's own subgame,
    as far as the officer may see it."""

    text: str
    figures: Mapping[str, Any]
    shifts: list[Shift]
    rewordings: list[Rewording]
    facts: list[tuple[str, str, str]]
    more: bool


class _TakenBack(Exception):
    pass


class _CoveredDice:
    """Nobody looks at the dice before they are thrown."""

    def __getattr__(self, name: str) -> Never:
        raise LookupError("What the dice decide cannot be shown beforehand.")


def rehearse(slug: str, actor: AbstractBaseUser, name: str, data: Mapping[str, Any]) -> Rehearsal:
    """What an officer's act would change, learned by doing it in a transaction that is undone.

    Raises what `take` raises; LookupError for an act that chance decides or that is no officer's.
    """
    action = find_action(name)
    if not action.office or action.private:
        raise UnknownAction(f"“{name[:80]}” is not an officer's act.")
    game = Game.objects.filter(slug=slug, scratch=False).first()
    if game is None:
        raise UnknownGame(f"There is no game “{slug[:60]}”.")
    catch_up(game.pk)
    found: list[Rehearsal] = []
    try:
        with locked_game(Q(pk=game.pk)) as locked:
            assert locked is not None
            wall = wall_now()
            table = Table(locked, locked.now(wall), wall, locked=True)
            player, operator = who_acts(table, actor, action)
            before = _state(name, table, player)
            table.dice = _CoveredDice()  # type: ignore[assignment]
            entry = perform(table, player, action, data, operator=operator)
            assert isinstance(entry, Entry)
            found.append(_seen(entry, locked, before, _state(name, table, player)))
            raise _TakenBack
    except _TakenBack:
        return found[0]


def _seen(entry: Entry, game: Game, before: Any, after: Any) -> Rehearsal:
    shifts, facts = _shifts(game, entry.seq), list(_differences("", before, after))
    return Rehearsal(
        text=entry.text,
        figures=entry.outcome,
        shifts=shifts[:_MOST_ROWS],
        rewordings=_rewordings(game, entry.seq),
        facts=facts[:_MOST_ROWS],
        more=len(shifts) > _MOST_ROWS or len(facts) > _MOST_ROWS,
    )


def _shifts(game: Game, seq: int) -> list[Shift]:
    """Public balances that the entry moved, at most one more than are shown."""
    moved = (
        Posting.objects.filter(transfer__game=game, transfer__entry=seq)
        .filter(asset__visibility="public")
        .exclude(holder__kind="mint")
        .values("holder", "asset", "holder__name", "asset__name")
        .annotate(by=Sum("amount"), last=Max("pk"))
        .exclude(by=0)
        .order_by("holder__name", "asset__name")[: _MOST_ROWS + 1]
    )
    rows = list(moved)
    held = {
        (holder, asset): amount
        for holder, asset, amount in Balance.objects.filter(
            holder__in=[row["holder"] for row in rows], asset__in=[row["asset"] for row in rows]
        ).values_list("holder", "asset", "amount")
    }
    return [
        Shift(
            row["holder__name"],
            row["asset__name"],
            held[row["holder"], row["asset"]] - row["by"],
            held[row["holder"], row["asset"]],
        )
        for row in rows
    ]


def _rewordings(game: Game, seq: int) -> list[Rewording]:
    made = RuleVersion.objects.filter(rule__game=game, rule__visibility="public", enacted_in=seq)
    return [
        Rewording(
            version.title,
            RuleVersion.objects.filter(rule=version.rule_id, number=version.number - 1)
            .values_list("text", flat=True)
            .first()
            or "",
            version.text,
        )
        for version in made
    ]


def _state(name: str, table: Table, player: Player | None) -> Any:
    """What the officer may see of the action's own subgame; None where it is not a subgame's."""
    app = name.partition(".")[0]
    found = (each for each in all_subgames() if each.name == app)
    return next((each.state(table, player) for each in found), None)


def _differences(path: str, before: Any, after: Any) -> Iterator[tuple[str, str, str]]:
    """The places at which two states differ, as (path, before, after)."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys(), key=str):
            where = f"{path} · {key}" if path else str(key)
            yield from _differences(where, before.get(key), after.get(key))
    else:
        yield path, _said(before), _said(after)


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_said(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(_said(each) for each in value)
    return "none" if value is None else str(value)
