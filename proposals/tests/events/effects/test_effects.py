"""What a passed proposal's changes do to rules, balances and switches, and what they cannot do."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS, Preset
from nomic.operations.audit import audit
from nomic.rulebook.changes.kinds import (
    AddBullets,
    AddRows,
    AddSubrule,
    ByHand,
    Change,
    Destroy,
    Enact,
    Give,
    Reading,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceRow,
    ReplaceText,
    ReplaceThroughout,
    Retitle,
    RuleRef,
    SetSwitch,
    Take,
    TransferCurrency,
)
from nomic.rulebook.edits.parts import TextPart
from proposals.events.effects import Effect, apply
from tests.kit import at_the_table, examples

VISITORS = "Who comes.\n\n* First\n* Second\n\n| Roll | Visitor |\n| --- | --- |\n| 1 | Trader |\n"
RULE = RuleRef(title="Visitors")


@pytest.fixture
def preset(monkeypatch: pytest.MonkeyPatch) -> str:
    bare = Preset("bare", "Bare", "No rules yet.", rulebooks=())
    monkeypatch.setitem(PRESETS, bare.name, bare)
    return bare.name


@pytest.fixture
def visited(game: Game, player: Player, rival: Player) -> Game:
    """A game of two players with one rule and a few points."""
    with at_the_table(game) as table:
        table.rules.enact("Visitors", VISITORS, number="2-2")
        table.ledger.create(player, 3, "points")
    return game


def made(game: Game, *changes: Change) -> list[Effect]:
    """Make the changes in one entry; what came of each."""
    with at_the_table(game) as table:
        return apply(table, Reading(changes=changes))


def rules(game: Game):
    return glance(Game.objects.get(pk=game.pk)).rules


def points(game: Game, *players: Player) -> list[int]:
    ledger = glance(Game.objects.get(pk=game.pk)).ledger
    return [ledger.balance(player, "points") for player in players]


# Rules

DONE: dict[str, tuple[Change, str, Callable]] = {
    "enact": (
        Enact("Seals", "7", "\r\n  Seals are\r\nkept.  \n\n"),
        "The rule 7 “Seals” is enacted.",
        lambda book: book.find_rule(number="7").text == "  Seals are\nkept.\n",
    ),
    "replace text": (
        ReplaceText(RuleRef(number="2-2"), "New."),
        "The rule “Visitors” gets a new text.",
        lambda book: book.text("Visitors") == "New.\n",
    ),
    "replace passage": (
        ReplacePassage(RULE, "Who\ncomes.", "Who goes."),
        "The rule “Visitors” has one passage replaced.",
        lambda book: book.text("Visitors").startswith("Who goes.\n\n* First"),
    ),
    "add bullets": (
        AddBullets(RULE, "- Third"),
        "The rule “Visitors” has a longer bullet list.",
        lambda book: "* Second\n* Third\n\n|" in book.text("Visitors"),
    ),
    "add rows": (
        AddRows(RULE, "Visitors", "| 4 || Thug\n| 10 || Thug"),
        "The rule “Visitors” has a longer table.",
        lambda book: len(book.table("Visitors", "Roll", "Visitor").rows) == 3,
    ),
    "replace row": (
        ReplaceRow(RULE, "", "1", "| 2 | Trader |"),
        "The rule “Visitors” has a table's row replaced.",
        lambda book: "| 2 | Trader |" in book.text("Visitors"),
    ),
    "replace throughout": (
        ReplaceThroughout("First", "Once", TextPart("", "each", "1 rule: “Visitors”")),
        "Each instance of a passage is replaced in 1 rule: “Visitors”.",
        lambda book: "* Once" in book.text("Visitors"),
    ),
    "add subrule": (
        AddSubrule(RULE, "Thug", "", "A thug."),
        "The rule “Thug” is enacted as a subrule of “Visitors”.",
        lambda book: book.find("Thug").parent == "Visitors",
    ),
    "repeal": (
        Repeal(RULE),
        "The rule “Visitors” is repealed.",
        lambda book: not book.in_force("Visitors"),
    ),
    "retitle": (
        Retitle(RULE, "Guests"),
        "The rule “Visitors” is retitled “Guests”.",
        lambda book: [rule.title for rule in book.public] == ["Guests"],
    ),
    "renumber": (
        Renumber(RULE, "3"),
        "The rule “Visitors” gets the number 3.",
        lambda book: book.find_rule(number="3").title == "Visitors",
    ),
}


@pytest.mark.parametrize("verb", DONE)
def test_a_rule_is_changed_as_the_change_says(visited: Game, verb: str):
    change, sentence, holds = DONE[verb]
    (effect,) = made(visited, change)
    assert (effect.done, effect.sentence) == (True, sentence)
    assert holds(rules(visited))


def test_an_effect_tells_the_texts_before_and_after(visited: Game):
    enacted, replaced, repealed = made(
        visited,
        Enact("Seals", "", "Old.\n"),
        ReplaceText(RuleRef(title="seals"), "New."),
        Repeal(RuleRef(title="Seals")),
    )
    told = [(each.rule, each.version, each.before, each.after) for each in (enacted, replaced)]
    assert told == [("Seals", 1, "", "Old.\n"), ("Seals", 1, "Old.\n", "New.\n")]
    assert (repealed.before, repealed.after) == ("New.\n", "")


def test_a_repeal_tells_of_the_subrules_that_go_with_it(visited: Game):
    *_, effect = made(
        visited,
        AddSubrule(RULE, "Thug", "", "A thug."),
        AddSubrule(RULE, "Trader", "", "A trader."),
        Repeal(RULE),
    )
    assert effect.sentence == ("The rule “Visitors” is repealed, and with it “Thug” and “Trader”.")


def test_a_change_that_changes_nothing_writes_no_version(visited: Game):
    effects = made(visited, ReplaceText(RULE, VISITORS), Retitle(RULE, "Visitors"))
    assert [effect.done for effect in effects] == [True, True]
    assert "already" in effects[0].sentence
    assert rules(visited).find("Visitors").version == 1


IMPOSSIBLE: dict[str, tuple[Change, str]] = {
    "a rule that is not there": (
        ReplaceText(RuleRef(title="Seals"), "New."),
        "No rule “Seals” is in force.",
    ),
    "a number that is not there": (Repeal(RuleRef(number="9")), "No rule has the number 9."),
    "a parent that is not there": (
        AddSubrule(RuleRef(title="Seals"), "Thug", "", "A thug."),
        "No rule “Seals” is in force.",
    ),
    "a title that is taken": (
        Enact("VISITORS", "", "New."),
        "A rule “VISITORS” is in force already.",
    ),
    "a number that is taken": (
        Enact("Seals", "2-2", "New."),
        "Rule 2-2 is in force already: it is “Visitors”.",
    ),
    "a title without end": (
        Retitle(RULE, "x" * 121),
        "A title has 1 to 120 characters, and this one 121.",
    ),
    "a passage that is not there": (
        ReplacePassage(RULE, "Who goes", "New."),
        "The passage “Who goes” stands nowhere in the rule “Visitors”.",
    ),
    "a passage that is there twice": (
        ReplacePassage(RULE, "---", "***"),
        "The passage “---” stands twice in the rule “Visitors”: quote more of it.",
    ),
    "a table that is not there": (
        AddRows(RULE, "Prices", "| 4 || Thug"),
        "There is no table “Prices” in the rule “Visitors”. The columns of its tables are: Roll,"
        " Visitor.",
    ),
    "a player who is not there": (
        Give("Peter", 5, "points"),
        "There is no player “Peter” in this game.",
    ),
    "a currency that is not there": (
        Give("Murphy", 5, "hats"),
        "This game has no “hats”. Its currencies are: points.",
    ),
    "more than there is": (
        Take("Murphy", 5, "points"),
        "Murphy has 4 points, and cannot lose 5 points.",
    ),
    "more than a number": (
        Give("Murphy", 10**30, "points"),
        "An amount is a whole number from 1 to 1,000,000,000.",
    ),
    "from one to the same": (
        TransferCurrency("Murphy", "MURPHY", 1, "points"),
        "Murphy is giver and receiver at once: name two.",
    ),
    "from one to each": (
        TransferCurrency("Murphy", "each player", 1, "points"),
        "A transfer is from one to one: take from each player, or give to each.",
    ),
    "from each of whom one has too little": (
        Take("each player", 1, "points"),
        "Madrid has no points, and cannot lose 1 point.",
    ),
    "a switch that nobody keeps": (
        SetSwitch("Weather", "", "fair"),
        "The program keeps no switch “Weather”.",
    ),
    "a switch that nothing has here": (
        SetSwitch("Race Position", "Alexia", "3"),
        "Nothing in this game has a switch “Race Position” now.",
    ),
    "what could not be read": (ByHand("It is not clear.", sentence="Do it."), "It is not clear."),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_cannot_be_done_says_why_and_the_rest_is_done(
    visited: Game, player: Player, rival: Player, what: str
):
    change, sentence = IMPOSSIBLE[what]
    before, cannot, after = made(
        visited, Give("Murphy", 1, "points"), change, Enact("Last", "", "New.")
    )
    assert (before.done, cannot.done, after.done) == (True, False, True)
    assert cannot.sentence.startswith(sentence)
    assert (cannot.rule, cannot.before, cannot.after, cannot.shifts) == ("", "", "", ())
    assert [rule.title for rule in rules(visited).public] == ["Visitors", "Last"]
    assert rules(visited).text("Visitors") == VISITORS
    assert points(visited, player, rival) == [4, 0]


def test_every_effect_is_json_without_numbers_of_the_database(visited: Game):
    changes = [change for change, *_ in (*DONE.values(), *IMPOSSIBLE.values())]
    effects = made(visited, *[each for each in changes if not isinstance(each, Repeal)])
    told = json.loads(json.dumps([effect.facts() for effect in effects]))
    assert set(told[0]) == {
        *("verb", "target", "sentence", "done", "rule", "version", "before", "after", "shifts"),
    }
    assert told[0]["verb"] == "enact"
    assert all(each["sentence"] for each in told)


def test_a_stored_effect_keeps_only_the_lines_that_changed(visited: Game):
    long = "".join(f"Line {number}.\n" for number in range(2_000))
    _, passage, text = made(
        visited,
        ReplaceText(RULE, long),
        ReplacePassage(RULE, "Line 700.", "Another."),
        ReplaceText(RULE, "x" * 20_000),
    )
    assert (passage.facts()["before"], passage.facts()["after"]) == ("Line 700.", "Another.")
    assert len(text.facts()["after"]) == 5_001


# Whatever players write

NAMES = st.sampled_from(
    ["Murphy", "Madrid", "each player", "Agora", "Mint", "nobody", "", "\0", "\ud800", "x" * 300]
)
TITLES = st.sampled_from(["Visitors", "Seals", "2-2", "", "\0", "a\nb", "x" * 200, "\ud800", "İ"])
TEXTS = st.sampled_from(["", "Who comes.", "* x", "| 4 || Thug", "\0", "\ud800", "x\r\ny", "First"])
AMOUNTS = st.sampled_from([-1, 0, 1, 3, 10**9, 10**40])
CURRENCIES = st.sampled_from(["points", "POINT", "hats", "", "\0", "\ud800"])
REFS = st.builds(RuleRef, TITLES, st.sampled_from(["", "2-2", "9", "\0", "x" * 50]))
CHANGES = st.one_of(
    st.builds(Enact, TITLES, TITLES, TEXTS),
    st.builds(AddSubrule, REFS, TITLES, TITLES, TEXTS),
    st.builds(ReplaceText, REFS, TEXTS),
    st.builds(ReplacePassage, REFS, TEXTS, TEXTS),
    st.builds(AddBullets, REFS, TEXTS),
    st.builds(AddRows, REFS, TITLES, TEXTS),
    st.builds(Repeal, REFS),
    st.builds(Retitle, REFS, TITLES),
    st.builds(Renumber, REFS, TITLES),
    st.builds(Give, NAMES, AMOUNTS, CURRENCIES),
    st.builds(Take, NAMES, AMOUNTS, CURRENCIES),
    st.builds(Destroy, NAMES, st.none() | AMOUNTS, CURRENCIES),
    st.builds(TransferCurrency, NAMES, NAMES, AMOUNTS, CURRENCIES),
    st.builds(SetSwitch, TITLES, NAMES, TEXTS),
    st.builds(ByHand, TEXTS),
)


@settings(
    max_examples=examples(60),
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        *settings().suppress_health_check,
    ],
)
@given(changes=st.lists(CHANGES, max_size=12))
def test_nothing_that_players_write_breaks_a_closing(visited: Game, changes: list[Change]):
    effects = made(visited, *changes)
    assert len(effects) == len(changes)
    assert all(effect.sentence or isinstance(effect.change, ByHand) for effect in effects)
    assert [str(found) for found in audit(Game.objects.get(pk=visited.pk)) if found.wrong] == []
