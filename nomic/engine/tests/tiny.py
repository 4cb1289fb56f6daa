"""A subgame for tests only, with what the real ones do not exercise at will.

There is a coin, a Cup that only one can own, a private whisper, and an event that does what the
test wants: handlers that raise, that wait, that make further appointments.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nomic.engine import effects
from nomic.engine.actions import Action, PrivateAction, action
from nomic.engine.effects import Effects, Gain, Give, Verdict
from nomic.engine.events import appointment
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import Rulemaking, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS, Preset
from nomic.games.refusal import Refusal
from nomic.ledger.models import Asset, AssetKind
from nomic.rulebook.shipped import ShippedRule

TINY = "tiny"
COIN, CUP, OFFICE = "coin", "the Cup", "Keeper"
COINS = "Coins"
PRICE = 5

Script = Callable[[Table], Outcome]
SCRIPTS: dict[str, Script] = {}


class TinyGame(Rulemaking):
    """On in games of the preset `tiny` while the rule “Coins” is in force."""

    def shipped(self, part: str = "") -> tuple[ShippedRule, ...]:
        text = "Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n"
        return (ShippedRule(title=COINS, text=text, origin=TINY),)

    def is_on(self, game: Game) -> bool:
        return game.preset == TINY

    def rules_changed(self, table: Table) -> None:
        if not self.is_on(table.game):
            return
        table.ledger.define(COIN, "coins")
        table.ledger.define(CUP, kind=AssetKind.UNIQUE)
        table.office(OFFICE)
        if table.rules.in_force(COINS) and table.rules.table(COINS, "Coins"):
            table.appointments.begin("tiny.week")
        else:
            table.appointments.cancel("tiny.week")

    def keeper(self, game: Game) -> str:
        return OFFICE

    def keeps(self, game: Game, asset: Asset) -> str:
        """The Keeper keeps what this game has brought."""
        return OFFICE if asset.name in (COIN, CUP) else ""

    def keeps_the_rulebook(self, game: Game) -> str:
        """The Keeper, too."""
        return OFFICE

    def state(self, table: Table, player: Player | None) -> dict[str, Any] | None:
        """Nothing: its coins stand in the ledger."""
        return {} if self.is_on(table.game) else None


class _TinyAction(Action):
    rule = COINS

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == TINY)


@action
class BuyTheCup(_TinyAction):
    """Buy the Cup, of which there is one."""

    name = "tiny.buy_cup"
    title = "Buy the Cup"

    def judge(self, table: Table, player: Player) -> Verdict:
        if owner := table.ledger.owner_of(CUP):
            return Refusal("owned", f"{owner} has the Cup already.", self.rule)
        return Effects(
            effects.Pay(player, PRICE, COIN), Gain(player, 1, CUP), say=f"{player} buys the Cup."
        )


@action
class Pay(_TinyAction):
    """Pay coins to another player."""

    name = "tiny.pay"
    title = "Pay coins"
    sentence = "Pay {coins} coins to {to}"

    class Form(ActionForm):
        coins = WholeNumber(1, 1000)
        to = PlayerField()

    def judge(self, table: Table, player: Player, coins: int | None, to: str | None) -> Effects:
        given = Give(player, to, coins or 1, COIN)
        return Effects(given, say=f"{player} pays {coins} coins to {to}.")


class LeftOver(TextChoice):
    noun = "seat left to claim"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [] if table.ledger.owner_of(CUP) else [CUP]


@action
class Claim(_TinyAction):
    """Claim one of the things that are still left to choose from."""

    name = "tiny.claim"
    title = "Claim what is left"

    class Form(ActionForm):
        thing = LeftOver()

    def judge(self, table: Table, player: Player, thing: str | None) -> Effects:
        return Effects(Gain(player, 1, thing), say=f"{player} claims {thing}.")


@action
class Whisper(_TinyAction, PrivateAction):
    """Write something into the sealed book."""

    name = "tiny.whisper"
    title = "Whisper"

    class Form(ActionForm):
        words = Text(longest=100)

    def judge(self, table: Table, player: Player, words: str | None) -> Effects:
        return Effects(say=f"{player} whispers {words}.")


@appointment("tiny.week", title="Coins are handed out", every="week", priority=50, rule=COINS)
def coins_are_handed_out(table: Table, subject: str) -> Outcome:
    table.ledger.create_for_each(table.game.players.filter(active=True), 1, COIN)
    return Outcome("Each player gains a coin.")


@appointment("tiny.scripted", title="Something happens", at_once=True)
def scripted(table: Table, subject: str) -> Outcome:
    """Do what the test has put into SCRIPTS under the subject; without any, only say it."""
    try:
        script = SCRIPTS[subject]
    except KeyError:
        return Outcome(f"{subject} happens.")
    return script(table)


@appointment("tiny.early", title="Something happens first", priority=1, at_once=True)
def early(table: Table, subject: str) -> Outcome:
    return Outcome(f"{subject} happens first.")


@appointment("tiny.gate", title="A gate is passed")
def gate(table: Table, subject: str) -> Outcome:
    """In a process that has a gate, say in its pipe `in` that it is reached, and wait at `out`."""
    coin_holders = table.game.players.filter(active=True)
    table.ledger.create_for_each(coin_holders, 1, COIN)
    folder = os.environ.get("TINY_GATE")
    if folder:
        Path(folder, "in").write_text("here\n")
        Path(folder, "out").read_text()
    return Outcome("The gate is passed.")


PRESETS[TINY] = Preset(
    name=TINY,
    title="A tiny game",
    about="For tests.",
    rulebooks=(TINY,),
    settings={"reports.hold": False},
)
register(TinyGame(TINY, "The tiny game", Path()))
