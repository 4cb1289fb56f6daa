"""Drafts of documents, and what the text of a contract would let be done, for programs."""

from nomic.games.models import Game, Player
from tests.kit import ask_as_program as ask


def test_drafts_are_kept_for_their_author_alone(game: Game, player: Player, rival: Player) -> None:
    saved = ask(player, "POST", "documents/drafts", 201, kind="thesis", title="On", text="Horses.")
    one = f"documents/drafts/{saved['number']}"
    assert ask(player, "GET", "documents/drafts") == [saved]
    assert ask(rival, "GET", "documents/drafts") == []
    assert ask(rival, "GET", one, 404)
    changed = ask(player, "PUT", one, text="Cats.", seen=saved["saved_at"])
    assert (changed["text"], changed["title"]) == ("Cats.", "")
    stale = ask(player, "PUT", one, 409, text="Dogs.", seen=saved["saved_at"])
    assert stale["code"] == "changed_elsewhere"
    assert ask(player, "DELETE", one)["text"] == "Cats."
    assert ask(player, "GET", one, 404)


def test_the_text_of_a_contract_is_previewed(game: Game, player: Player) -> None:
    text = "We share.\n\n| CONTRACT | SAYS |\n| --- | --- |\n| Left by | announcement |\n"
    told = ask(player, "POST", "contracts/preview", text=text)
    assert set(told) == {"powers", "adds", "faults", "refusal"}
    assert told["refusal"] or told["powers"]
    assert ask(player, "POST", "contracts/preview", 404, text=text, contract=9)
