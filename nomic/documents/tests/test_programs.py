"""Programs of rules read documents, and publish those of the kinds that their rule keeps."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.documents.models import Document
from nomic.documents.rules import DOCUMENTS, DocumentKind, is_written_by_rule
from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.notices.models import Outgoing
from tests.kit import at_the_table, on_one_line

PROGRAM = """
```python
@action("tell", "Tell {what}")
def tell(me: Player, what: str):
    essays = [each.title for each in documents("Essay")]
    publish("Almanac", what, f"{me} reads {essays} and {document_text(1)}")

@action("seek", "Seek")
def seek(me: Player):
    say(f"There are {len(documents('Essay'))} and {len(documents(chr(0)))}.")

@action("forge", "Forge {kind}")
def forge(me: Player, kind: str):
    publish(kind, "Forged", "By nobody.")

@action("flood", "Flood {times}")
def flood(me: Player, times: int):
    for time in range(times):
        publish("Almanac", f"Page {time}", "Full.")

@action("read", "Read {number}")
def read(me: Player, number: str):
    say(document_text(int(number)))

@action("search", "Search")
def search(me: Player):
    say(f"There are {len(documents('\\x00'))}.")
```
"""


@pytest.fixture
def almanac(game: Game, act: Any, player: Player, rival: Player) -> Game:
    with at_the_table(game) as table:
        text = table.rules.text(DOCUMENTS)
        row = "| Essay | players | author | nobody | everybody |"
        mine = "| Almanac | The Almanac | nobody | nobody | everybody |"
        table.rules.amend(DOCUMENTS, text.replace(row, f"{row}\n{mine}"))
        table.rules.enact("The Almanac", PROGRAM)
    act(rival, "documents.publish", kind="Essay", title="On horses", text="They run.")
    return Game.objects.get(pk=game.pk)


def refused(act: Any, actor: Player, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.sentence


def test_a_program_reads_documents_and_publishes_one_of_its_rules_kind(
    almanac: Game, act: Any, player: Player, visit: Any
) -> None:
    entry = act(player, "rule.the-almanac.tell", what="A “week”").entry
    document = Document.objects.get(game=almanac, number=2)
    assert (document.author, document.rule, document.kind) == (None, "The Almanac", "Almanac")
    assert document.text == "Murphy reads ['On horses'] and They run."
    assert "“The Almanac” publishes Document 2 (Almanac), “A ‘week’”." in entry.text
    page = on_one_line(visit().get("/g/table/documents/2/").content.decode())
    assert "the rule “The Almanac”" in page
    told = visit().get("/api/v1/games/table/documents/2").json()
    assert (told["author"], told["versions"][0]["by"]) == ("“The Almanac”", "“The Almanac”")
    assert "changed by nobody" in refused(
        act, player, "documents.revise", document=2, title="Mine", text="Mine."
    )


def test_of_a_kind_that_can_be_none_there_are_no_documents(
    almanac: Game, act: Any, player: Player
) -> None:
    assert "There are 1 and 0." in act(player, "rule.the-almanac.seek").entry.text


@pytest.mark.parametrize(
    ("name", "inputs", "sentence"),
    [
        ("forge", {"kind": "Essay"}, "is written by “The Almanac” and seen by everybody"),
        ("forge", {"kind": "Letter"}, "is written by “The Almanac” and seen by everybody"),
        ("forge", {"kind": "Poem"}, "not a kind of document"),
        ("flood", {"times": 4}, "publishes at most 3 documents in a call"),
        ("read", {"number": "7"}, "This game has no Document 7"),
    ],
)
def test_what_a_program_may_not_publish_refuses_its_act(
    almanac: Game, act: Any, player: Player, name: str, inputs: dict[str, Any], sentence: str
) -> None:
    assert sentence in refused(act, player, f"rule.the-almanac.{name}", **inputs)
    assert almanac.documents.count() == 1


def test_of_a_kind_that_nobody_can_write_a_program_finds_none(
    almanac: Game, act: Any, player: Player
) -> None:
    assert "There are 0." in act(player, "rule.the-almanac.search").entry.text


def test_a_player_does_not_write_what_a_rule_writes(
    almanac: Game, act: Any, player: Player
) -> None:
    inputs = {"kind": "Almanac", "title": "Mine", "text": "Mine."}
    assert "is written by" in refused(act, player, "documents.publish", **inputs)


def test_a_program_reads_nothing_that_is_sealed(almanac: Game, act: Any, player: Player) -> None:
    act(player, "documents.seal", kind="Sealed Note", title="Mine", text="A zorilla.")
    number = player.sealed_documents.get().number
    sentence = refused(act, player, "rule.the-almanac.read", number=str(number))
    assert f"no Document {number}" in sentence


@pytest.mark.parametrize(
    ("writer", "is_so"),
    [("The Almanac", True), ("“The Almanac”", True), ("rule 7", True), ("Rule 70", False)],
)
def test_a_rule_is_named_by_its_title_or_its_number(writer: str, is_so: bool) -> None:
    kind = DocumentKind("Almanac", writer, "nobody", False)
    assert is_written_by_rule(kind, "The Almanac", "7") is is_so


def test_what_a_program_publishes_is_told_where_its_kind_is_told(
    almanac: Game, act: Any, player: Player
) -> None:
    with at_the_table(almanac) as table:
        text = table.rules.text(DOCUMENTS)
        row = "| Almanac | The Almanac | nobody | nobody | everybody |"
        table.rules.amend(
            DOCUMENTS, text.replace(row, row.replace("nobody | nobody", "nobody | players"))
        )
    act(player, "rule.the-almanac.tell", what="Tides")
    told = Outgoing.objects.filter(text__contains="Tides").values_list("text", "url", "to")
    number = Document.objects.latest("number").number
    text = f"“The Almanac” publishes Document {number} (Almanac), “Tides”."
    assert list(told) == [(text, f"/g/table/documents/{number}/", None)]
