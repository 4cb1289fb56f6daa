"""Practice players: seats that the program plays, so that people have somebody to play with.

The changes that they propose are written beforehand.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import QuerySet

from nomic.engine.actions import HostAction, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.programs.gallery import enacting, gallery
from nomic.engine.subgames import Subgame, in_play
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.models import Game, Pace, Player
from nomic.games.names import LONGEST_NAME
from nomic.games.refusal import Refusal
from nomic.governance.seats import name_refusal, sit_down, stand_up
from nomic.rulebook.book import Rulebook

ADD_BOT, REMOVE_BOT = "games.add_bot", "games.remove_bot"
MOST_BOTS = 12  # what setting up takes; who plays is no bound of what happens
MARK = "-bot"
"""The end of every practice player's name, by which they are known wherever names are listed."""

_NAMES = (
    *("Ada", "Basil", "Cleo", "Dora", "Emil", "Flora", "Gus", "Hilda", "Ivo", "Jutta"),
    *("Kasper", "Lotte", "Milo", "Nora", "Otto", "Paula", "Rufus", "Selma", "Theo", "Wanda"),
)


class NotAskedFor(ValueError):
    """Practice players cannot come to that game so; the text says why."""


def bots_of(game: Game) -> QuerySet[Player]:
    """The practice players that play in that game now."""
    return game.players.filter(bot=True, active=True)


def add_bots(game: Game, count: int, *, by: AbstractBaseUser | None = None) -> list[str]:
    """Seat so many practice players more; returns their names.

    `by` is the game's host who asks for it; None is the site's operator, who adds none to a game
    at real pace.
    Raises NotAskedFor; Refused where there are as many as there may be, and what `take` raises.
    """
    if game.pace == Pace.REAL and by is None:
        raise NotAskedFor(
            f"“{game.slug}” goes at real pace. Only its host adds practice players to such a game."
        )
    table_names = set(game.players.filter(active=True).values_list("name", flat=True))
    numbered = (f"{name}{number}" for number in range(2, MOST_BOTS + 2) for name in _NAMES)
    wanted = (f"{name}{MARK}" for name in chain(_NAMES, numbered))
    free = (name for name in wanted if name not in table_names)
    chosen = [next(free) for _ in range(count)]
    for name in chosen:
        take(game.slug, by, ADD_BOT, {"name": name})
    return chosen


class BotField(TextChoice):
    """A practice player by name."""

    noun = "practice player"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return list(bots_of(table.game).values_list("name", flat=True))


@action
class AddBot(HostAction):
    """Seat a practice player, which the program plays. One that left comes back if you name it."""

    name = ADD_BOT
    title = "Add a practice player"
    sentence = "Let {name} join as a practice player"

    class Form(ActionForm):
        name = Text(longest=LONGEST_NAME, label="Name, which ends in -bot")

    def judge(self, table: Table, player: Player | None, name: str | None) -> Verdict:
        if bots_of(table.game).count() >= MOST_BOTS:
            sentence = f"A game has at most {MOST_BOTS} practice players. Remove one first."
            return Refusal("too_many_bots", sentence)
        if name is None:
            return None
        gone = table.game.players.select_related("holder")
        back = gone.filter(name=name, bot=True, active=False).first()
        if back is None and not name.endswith(MARK):
            sentence = f"A practice player's name ends in “{MARK}”, so that everybody knows it."
            return Refusal("no_mark", sentence)

        def seat(at: Table) -> str:
            seated = sit_down(at, back, name, bot=True)
            return f"{seated} joins the game as a practice player, whom the program plays."

        refusal = None if back else name_refusal(table, name)
        return refusal or Effects(Then(seat), figures={"bot": name})


@action
class RemoveBot(HostAction):
    """Let a practice player leave the game. What they did stays."""

    name = REMOVE_BOT
    title = "Remove a practice player"
    sentence = "Let {bot} leave the game"

    class Form(ActionForm):
        bot = BotField(label="Practice player")

    def absence(self, table: Table) -> Refusal | None:
        none = Refusal("no_bots", "No practice player plays in this game.")
        return None if bots_of(table.game).exists() else none

    def judge(self, table: Table, player: Player | None, bot: Any) -> Effects:
        return Effects(
            Then(lambda at: stand_up(at, at.seat(bot))),
            say=f"{bot}, a practice player, leaves the game.",
            figures={"bot": bot},
        )


# Changes of the rules that they propose, and people who have no idea of their own yet: a TOML file
# a subgame, written beforehand


@dataclass(frozen=True, slots=True)
class Shelved:
    """A change that fits wherever what it changes reads as it did when it was written.

    It replaces the passage `replace` of the `rule` `by` another, or enacts a rule of the title
    `enact` with this `text` or with that of the gallery for one currency (its names for one and for
    several), or repeals the rule `repeal`, or has another `body`. `reason` is its author's reason.
    """

    title: str
    reason: str
    rule: str = ""
    replace: str = ""
    by: str = ""
    enact: str = ""
    text: str = ""
    currency: tuple[str, ...] = ()
    repeal: str = ""
    body: str = ""

    def fits(self, rules: Rulebook) -> bool:
        """Whether it changes those rules, and all that it names is there once."""
        if self.enact:
            return not rules.in_force(self.enact)
        if self.repeal:
            return rules.in_force(self.repeal)
        if self.rule:
            return rules.in_force(self.rule) and rules.text(self.rule).count(self.replace) == 1
        return True

    def as_proposed(self) -> str:
        """The proposal's body."""
        body = self.body.strip()
        if self.enact and self.currency:
            piece = next(candidate for candidate in gallery() if candidate.title == self.enact)
            body = piece.as_proposed([(self.currency[0], self.currency[1])])
        elif self.enact:
            body = enacting(self.enact, f"{self.text.strip()}\n")
        elif self.repeal:
            body = f"Repeal the rule “{self.repeal}”."
        elif self.rule:
            body = f"In the rule “{self.rule}”, replace “{self.replace}” with “{self.by}”."
        return f"[{self.reason}]\n\n{body}\n"


@cache
def read_shelf(path: Path) -> tuple[Shelved, ...]:
    """The changes of that file, in its order."""
    changes = tomllib.loads(path.read_text(encoding="utf-8"))["changes"]
    return tuple(
        Shelved(**{**change, "currency": tuple(change.get("currency", ()))}) for change in changes
    )


def shelf_of(subgame: Subgame) -> Iterator[Path]:
    """The file of changes of its rules that practice players may propose, if it has one."""
    return subgame.rulebook.parent.glob("bots/shelf.toml")


def shelves(table: Table) -> list[Shelved]:
    """The changes on the shelves of the subgames in play that fit the rules as they read now."""
    paths = (path for subgame in in_play(table.game) for path in shelf_of(subgame))
    shelved = (change for path in paths for change in read_shelf(path))
    return [change for change in shelved if change.fits(table.rules)]
