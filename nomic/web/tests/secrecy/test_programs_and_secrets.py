"""Programs of rules learn of nothing private, and show nothing of it: the walk with them in play.

The rules of the gallery are in force from the beginning, and a rule that stands after all that
programs may stand after, writes down all that it is told, and asks for all that there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from nomic.engine.models import ProgramState
from nomic.engine.programs.declarations import program_in
from nomic.engine.programs.descriptions import hookable_names
from nomic.engine.programs.gallery import gallery
from nomic.engine.programs.hooks import all_decisions
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetVisibility
from nomic.web.tests.secrecy import everything_private
from nomic.web.tests.secrecy.everything_private import CANARIES, heard, player
from nomic.web.tests.secrecy.test_crawl_of_powers import is_anywhere, is_quick, uncounted
from nomic.web.tests.watchers import Watcher, addresses
from tests.kit import Take, at_the_table, seat

__all__ = ["uncounted"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uncounted")]

CURRENCIES = [("dollary", "dollaries"), ("hoof", "hooves")]
SNOOP = """
def note(*told):
    seen = [*state.get("seen", []), str(told)[:400]]
    state["seen"] = seen[-60:]

def tried(what, *which):
    try:
        return what(*which)
    except Exception as wrong:
        return str(wrong)

@action("snoop", "Snoop for {what}")
def snoop(me: Player, what: str):
    note(players(), rules(), tried(rule_text, what), tried(rule_table, what, "Suit"))
    for who in [*players(), "Deck", "The Deck", "Agora", what]:
        note(tried(balance, who, what), tried(office, what), tried(state_of, what))
        note(tried(take, who, 1, what), tried(give, who, 1, what))
    for entry in record(100):
        if "snoop" not in entry.name:
            note(entry)

@view("Seen")
def seen():
    return table(["Seen"], [[each] for each in state.get("seen", [])])
"""
WORDS = ("Hearts", "Hearts card", "Deck", "340", "350", "Regulation 340", "bribe", "wheat", "draft")


def snooping(game: Game) -> str:
    """A program that stands everywhere and writes down what it is told, also as it decides."""
    hooks = "".join(
        f'@after("{name}")\ndef h{n}(event: Event):\n    note(event)\n'
        for n, name in enumerate(hookable_names(glance(game))[:80])
    )
    decisions = "".join(
        f'@decide("{each.name}")\ndef d{n}({", ".join(each.takes)}):\n'
        f"    raise ValueError(str([{', '.join(each.takes)}]))\n"
        for n, each in enumerate(all_decisions())
    )
    return SNOOP + hooks + decisions


def put_programs_in_force(game: Game) -> None:
    """The gallery's and the one that snoops, each in a rule of the game."""
    programs = [program_in(each.for_currencies(CURRENCIES)) for each in gallery()]
    rules = list(game.rules.filter(repealed_in=None, visibility="public").order_by("pk"))
    titles = [rule.title for rule in rules if rule.title != "Voting"]
    for title, program in zip(titles, [snooping(game), *programs], strict=False):
        text = f"{game.rules.get(title=title).text}\n```python\n{program.strip()}\n```\n"
        take(game.slug, None, "rulebook.amend", {"rule": title, "text": text, "reason": "a test"})
    game.refresh_from_db()


@pytest.fixture
def planted(db: None) -> Game:
    """The game with its programs, while all its canaries are alive."""
    game = everything_private.begin(put_programs_in_force)
    everything_private.tell_the_bribe(game)
    everything_private.vote_in_secret(game)
    madrid = player(game, "Madrid")
    [snoop] = [name for name in _actions(game) if name.endswith(".snoop")]
    for word in WORDS:
        take(game.slug, madrid, snoop, {"what": word})
    for name in _actions(game):
        if name.endswith((".ticket", ".here")):
            take(game.slug, madrid, name)
    return Game.objects.get(pk=game.pk)


def _actions(game: Game) -> list[str]:
    from nomic.engine.actions import all_actions

    return [act.name for act in all_actions(glance(game)) if act.name.startswith("rule.")]


def told(game: Game) -> Iterator[tuple[str, str]]:
    """All that programs keep, and all that they made the record say, by where it stands."""
    for row in ProgramState.objects.filter(rule__game=game):
        yield f"rule {row.pk}", row.state.encode().decode("unicode_escape")
        yield f"failures of {row.pk}", str(row.failures)
    for entry in game.entries.all():
        yield f"entry {entry.seq}", f"{entry.text} {entry.outcome} {entry.inputs}"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("only", "first"),
    [
        pytest.param(is_quick, 3, id="quick", marks=pytest.mark.brief),
        pytest.param(is_anywhere, 1, id="everywhere", marks=pytest.mark.slow),
    ],
)
def test_with_programs_in_play_nobody_hears_a_canary(
    planted: Game, only: Callable[[str], bool], first: int
) -> None:
    seen = ProgramState.objects.get(rule__game=planted, state__contains="seen")
    assert len(seen.state) > 5_000
    assert [(place, CANARIES.search(text)) for place, text in told(planted)
            if CANARIES.search(text)] == []  # fmt: skip
    everybody = {
        "nobody": Watcher.of(None),
        "who snoops": Watcher.of(player(planted, everything_private.SECOND)),
        "joined a moment ago": Watcher.of(seat(planted, "newcomer")),
    }
    where = addresses(planted, only=only, few=only is is_quick)
    found = [
        (who, *each)
        for who, watcher in [*everybody.items()][::first]
        for each in heard(watcher, where, CANARIES)
    ]
    assert found == []


# What is private and what is not there are told alike

CANARY, NOTHING = "Quetzal", "Dodo"
ASKED = {
    "its balance": "balance(me, '{} card')",
    "a balance of it": "balance('The {} Pile', 'hoof')",
    "to give it": "give(me, 1, '{} card')",
    "to take it": "take(me, 1, '{} card')",
    "to pay it": "pay(me, 1, '{} card')",
    "to give to it": "give('The {} Pile', 1, 'hoof')",
    "to pay to it": "pay(me, 1, 'hoof', to='The {} Pile')",
    "the text of a rule": "rule_text('{} 340')",
    "a table of a rule": "rule_table('{} 340', '{}')",
    "what a rule keeps": "state_of('{} 340')",
    "an office": "say(str(office('{}')))",
    "the rules": "say(str(len(rules())) + '{}')",
    "the record": "say(str(len(record(100))) + '{}')",
    "the rules by number": "rule_text('77340') + '{}'",
    "its name among others": "say(str([each for each in rules() if '{}' in each.title]))",
}


@pytest.fixture
def asking(game: Game, player: Player) -> dict[str, str]:
    """A rule with an action for each thing that is asked, about what is private and what is not
    there, by the name of the action."""
    with at_the_table(game) as table:
        table.ledger.define(f"{CANARY} card", f"{CANARY} cards", visibility=AssetVisibility.PRIVATE)
        pile = table.ledger.deck(f"The {CANARY} Pile")
        table.ledger.create(pile, 918_273, f"{CANARY} card", f"{CANARY} fills it")
        table.ledger.transfer(pile, player, 77, f"{CANARY} card")
        table.rules.enact(f"{CANARY} 340", f"{CANARY}.\n", number="77340", visibility="secret")
    bodies = {
        f"{word.lower()}_{number}": body.format(*[word] * body.count("{}"))
        for word in (CANARY, NOTHING)
        for number, body in enumerate(ASKED.values())
    }
    program = "".join(
        f'@action("{name}", "Ask")\ndef {name}(me: Player):\n    {body}\n'
        for name, body in bodies.items()
    )
    rule = game.rules.filter(visibility="public").earliest("pk").title
    text = f"{game.rules.get(title=rule).text}\n```python\n{program}```\n"
    take(game.slug, None, "rulebook.amend", {"rule": rule, "text": text, "reason": "a test"})
    game.refresh_from_db()
    found = [name for name in _actions(game) if "quetzal" in name or "dodo" in name]
    return {name.rpartition(".")[2]: name for name in found}


def test_a_program_that_asks_for_what_is_private_is_answered_as_for_what_is_not_there(
    game: Game, player: Player, asking: dict[str, str], act: Take
) -> None:
    def answer(word: str, number: int) -> Any:
        try:
            text = act(player, asking[f"{word.lower()}_{number}"]).entry.text
        except Exception as refused:
            text = str(refused)
        return re.sub(r"\(line \d+, column \d+\)|\d+(?=Quetzal|Dodo)", "", text).replace(word, "?")

    different = {
        asked: (answer(CANARY, number), answer(NOTHING, number))
        for number, asked in enumerate(ASKED)
    }
    assert {asked: both for asked, both in different.items() if both[0] != both[1]} == {}
