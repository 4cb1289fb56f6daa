"""Of which sentences of its rule a program says that it carries them out."""

import pytest
from django.test import Client

from nomic.engine.coverage import rule_marks
from nomic.engine.programs.declarations import carried_in, program_in
from nomic.engine.programs.descriptions import added_by
from nomic.engine.programs.gallery import Piece, gallery, races
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.rulebook.coverage.marks import CarriedProgram, Mark, marks_of
from nomic.web.game_context import public_rule_url
from tests.kit import at_the_table

RULE = "Spoons"
TEXT = """
Each week each player gains a coin. Whoever has *most* wins.
Nobody polishes spoons.

```python
# carries out: Each week each player gains a coin.
# carries out: Whoever has most…
@every("week")
def wages():
    for player in players():
        give(player, 1, "coin")
```
"""


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


@pytest.fixture
def spoons(game: Game) -> Game:
    with at_the_table(game) as table:
        table.rules.enact(RULE, TEXT)
    game.refresh_from_db()
    return game


def amend(game: Game, old: str, new: str) -> None:
    text = game.rules.get(title=RULE).text
    assert old in text
    change = {"rule": RULE, "text": text.replace(old, new), "reason": "a test"}
    take(game.slug, None, "rulebook.amend", change)
    game.refresh_from_db()


def marks(game: Game) -> list[Mark]:
    table = glance(game)
    found = rule_marks(table, table.rules.find_rule(RULE))
    return [each.mark for each in found.passages if each.is_said]


def test_they_are_marked_as_long_as_they_read_so(spoons: Game) -> None:
    assert marks(spoons) == [Mark.CLAIMED, Mark.CLAIMED, Mark.UNFITTED]
    assert added_by(glance(spoons))[0].astray == []
    amend(spoons, "gains a coin. W", "gains two coins. W")
    assert marks(spoons) == [Mark.UNFITTED, Mark.CLAIMED, Mark.UNFITTED]
    [told] = added_by(glance(spoons))[0].astray
    assert (told.rule, told.line, told.column) == (RULE, 5, None)
    assert told.sentence.startswith(
        "The program of “Spoons” carries out “Each week each player gains a coin.”, which is no"
    )
    amend(spoons, "def wages():", "def wages(:")
    assert marks(spoons) == [Mark.UNFITTED] * 3


def test_a_few_dots_are_no_words() -> None:
    program = CarriedProgram(runs=True, carries=("…", "...", "Nobody"))
    found = marks_of("Nobody polishes spoons.\n", None, None, program)
    assert [each.mark for each in found.passages] == [Mark.PEOPLE]


@pytest.mark.parametrize(
    "piece", [*gallery(), *(piece for _, piece in races().rules)], ids=lambda piece: piece.title
)
def test_each_sentence_of_the_gallery_is_carried_out(piece: Piece) -> None:
    text = piece.for_currencies([("coin", "coins"), ("shell", "shells")])
    words = tuple(words for _, words in carried_in(program_in(text)))
    found = marks_of(text, None, None, CarriedProgram(runs=True, carries=words))
    assert (found.claims, found.carried_out, found.said) == (len(words), 0, len(words))
    assert words


def test_pages_and_the_api_tell_it_as_a_claim_of_the_program(spoons: Game, client: Client) -> None:
    page = " ".join(client.get(public_rule_url(glance(spoons), RULE)).text.split())
    assert "0 of 3 sentences</strong> are carried out by the program." in page
    assert "The rule’s program says that it carries out 2 more." in page
    told = client.get(f"/api/v1/games/{spoons.slug}/rules").json()
    passages = next(each["passages"] for each in told if each["title"] == RULE)
    assert [(each["by"], each["fits"], each.get("claimed", False)) for each in passages] == [
        ("program", False, True),
        ("program", False, True),
        ("people", False, False),
        ("program", True, False),
    ]


TABLE = """
| COIN | WORTH |
|---|---|
| penny | 1 |
"""
READS = """
```python
COINS = "COIN"

@every("week")
def wages():
    rule_table({title}, COINS, "WORTH")
```
"""


@pytest.mark.parametrize(
    ("title", "mark"),
    [
        ('"Spoons"', Mark.CLAIMED),
        ('"SPOONS"', Mark.CLAIMED),
        ('"Other"', Mark.UNFITTED),
        ('"Spo" + "ons"', Mark.UNFITTED),
        ('"Spoons", "PRICE"', Mark.UNFITTED),
    ],
)
def test_rows_are_a_programs_where_it_looks_that_very_table_up(
    game: Game, title: str, mark: Mark
) -> None:
    with at_the_table(game) as table:
        table.rules.enact(RULE, TABLE)
        table.rules.enact("Wages", READS.format(title=title))
    table = glance(Game.objects.get(pk=game.pk))
    found = rule_marks(table, table.rules.find_rule(RULE))
    assert {each.mark for each in found.passages} == {mark}
