"""What the API and pages tell of changes: whose each part is, old and new words, what others do."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from nomic.rulebook.rendering.markdown import tables_in_code
from proposals.models import Proposal
from proposals.tests.events.room import Room
from proposals.tests.events.test_mendable import adopt
from proposals.web.in_words import verdict
from proposals.web.preview import preview as working
from proposals.web.preview.preview import BUSY, preview
from proposals.web.preview.told import BodyPreview

INDENTED = "Counts.\n\n    | A | B |\n    | - | - |\n    | 1 | 2 |\n"


@pytest.fixture
def room(db: None) -> Room:
    return Room("agora")


def told(room: Room, body: str) -> dict[str, Any]:
    """What the API tells of a proposal of that body."""
    room.do(room.murphy, "proposals.submit", body=body)
    return again(Proposal.objects.latest("serial"))


def again(proposal: Proposal) -> dict[str, Any]:
    place = f"/api/v1/games/room/proposals/p{proposal.serial}"
    answer: dict[str, Any] = Client().get(place).json()["preview"]
    return answer


def test_of_a_sentence_that_two_carry_out_it_is_told_which_part_is_whose(room: Room) -> None:
    [executor] = told(room, "Repeal the rules “Horses” and “Unicorns”.")["executors"]
    assert executor["by"] == "officer"
    first, second = executor["parts"]
    assert first["by"] == "program"
    assert first["part"].startswith("The rule “Horses” is repealed")
    assert (second["by"], second["part"]) == ("officer", "repeal: Unicorns")
    assert "Unicorns" in second["why"]
    [alone] = told(room, "Repeal the rules “Horses” and “Motivating Horses”.")["executors"]
    assert alone["by"] == "program"
    assert "parts" not in alone


def test_what_is_not_worked_out_names_no_executors(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "Repeal the rule “Horses”."
    answer = told(room, body)
    assert (answer["worked_out"], len(answer["executors"])) == (True, 1)
    cache.clear()
    monkeypatch.setattr(working._Look, "preview", lambda *_: BodyPreview(busy=BUSY))
    answer = again(Proposal.objects.latest("serial"))
    assert (answer["worked_out"], answer["executors"], answer["busy"]) == (False, [], BUSY)


def test_old_and_new_words_are_told_and_a_deletion_is_none_of_a_replacement(room: Room) -> None:
    body = (
        "In the rule “Voting”, replace “To endorse a player is” with “To follow a player is”."
        " In the rule “Proposals”, delete “With that its voting period begins.”."
    )
    replaced, deleted = told(room, body)["changes"]
    assert (replaced["old"], replaced["new"]) == (
        "To endorse a player is",
        "To follow a player is",
    )
    assert replaced["sentence"] == "The rule “Voting” has one passage replaced."
    assert (deleted["old"], deleted["new"]) == ("With that its voting period begins.", "")
    assert deleted["sentence"] == "The rule “Proposals” has one passage deleted."
    enacted = told(room, "Enact a new rule titled “Spoons” with the text { Nice. }.")["changes"][0]
    assert (enacted["old"], enacted["new"].strip()) == ("", "Nice.")


def test_open_proposals_that_change_the_same_are_told_with_their_passages(room: Room) -> None:
    told(room, "In the rule “Voting”, replace “| At least | 3 |” with “| At least | 2 |”.")
    told(room, "Repeal the rule “Horses”.")
    answer = told(room, "In the rule “Voting”, replace “the last vote” with “the first vote”.")
    assert answer["meets"] == [
        {
            "proposal": 1,
            "rule": "Voting",
            "passage": "| At least | 3 |",
            "together": "If both pass, both changes are made.",
        },
    ]
    assert any(
        "Proposal 1 (Open) changes the rule “Voting” as well." in w for w in answer["warnings"]
    )
    repealing = told(room, "In the rule “Horses”, replace “x” with “y”.")
    assert ("Horses", 2) in [(met["rule"], met["proposal"]) for met in repealing["meets"]]


def test_what_would_come_of_two_proposals_on_one_passage_is_told(room: Room) -> None:
    told(room, "In the rule “Voting”, replace “To endorse a player” with “To follow a player”.")
    same = told(
        room, "In the rule “Voting”, replace “To endorse a player” with “To copy a player”."
    )
    assert same["meets"][0]["together"] == (
        "If it takes effect first, nothing is left for this one to replace."
    )
    row = (
        "In the rule “Voting”, replace the row “At least” of the table “QUORUM” with"
        " “| At least | {} |”."
    )
    told(room, row.format(2))
    last = told(room, row.format(4))
    assert "If both pass, what takes effect last is what stands." in [
        met["together"] for met in last["meets"]
    ]


def test_the_ballot_shows_the_difference_before_the_text(room: Room, client: Client) -> None:
    told(room, "In the rule “Voting”, replace “To endorse a player” with “To follow a player”.")
    page = client.get("/g/room/proposals/1/").content.decode()
    assert page.index("<mark>follow</mark>") < page.index('id="words"')
    assert "More FOR than AGAINST" not in page


def test_the_result_tells_who_had_changed_the_passage_before(room: Room, client: Client) -> None:
    body = "In the rule “Voting”, replace “To endorse a player” with “To {} a player”."
    adopt(room, body.format("follow"))
    adopt(room, body.format("copy") + "\n\nGive each player 1 point.", 2)
    page = " ".join(client.get("/g/room/proposals/2/").content.decode().split())
    assert "had changed these words before, so nothing was left to replace." in page
    assert "ADOPTED, and not all of it is done" in page
    assert '<span class="pill good">' not in page.split("<h1")[1].split("</header>")[0]
    listed = " ".join(client.get("/g/room/proposals/").content.decode().split())
    assert listed.count("and not all of it is done") == 1


@pytest.mark.parametrize(
    ("strong_for", "against", "index", "ballots", "said"),
    [
        (6, 3, "1.0", 3, "More FOR than AGAINST: it would pass."),
        (3, 3, "1.0", 3, "Not more FOR than AGAINST: it would fail."),
        (9, 3, "2.0", 4, "FOR is at least 2 times AGAINST: it would pass."),
        (6, 3, "3.0", 3, "More FOR than AGAINST, but not 3 times as much: it would fail."),
        (6, 0, "3.0", 1, "2 more ballots needed, or it fails."),
    ],
)
def test_what_a_vote_needs_is_said_in_words(
    strong_for: int, against: int, index: str, ballots: int, said: str
) -> None:
    figures = {
        "for_strength": strong_for,
        "against_strength": against,
        "adoption_index": index,
        "quorum": 3,
    }
    assert verdict(figures, ballots, is_over=False) == said


@pytest.mark.parametrize("cell", ["seven", "-1", "−1"])
def test_a_quorum_that_is_no_amount_is_played_as_of_the_version_before(
    room: Room, cell: str
) -> None:
    body = f"In the rule “Voting”, replace “| At least | 3 |” with “| At least | {cell} |”."
    found = preview(room.fresh(), None, body, {})
    assert [change.done for change in found.changes] == [True]
    assert any("“Voting” is played as of version 1" in each for each in found.warnings)
    adopted = adopt(room, body)
    assert adopted.effects[0]["done"]
    assert cell in room.text("Voting")


def test_an_adopted_change_of_which_nothing_is_left_says_so(room: Room, client: Client) -> None:
    adopt(room, "In the rule “Voting”, replace “To endorse a player” with “To follow a player”.")
    second = adopt(
        room, "In the rule “Voting”, replace “To endorse a player” with “To follow a player”.", 2
    )
    assert second.figures["unchanging"]
    for place in ("proposals/2/", "proposals/"):
        page = " ".join(client.get(f"/g/room/{place}").content.decode().split())
        assert "ADOPTED, and nothing is changed by it" in page
        assert 'class="pill warn"' in page
    first = " ".join(client.get("/g/room/proposals/1/").content.decode().split())
    assert "nothing is changed by it" not in first


def test_a_table_that_is_drawn_as_code_is_warned_of(room: Room) -> None:
    assert tables_in_code(INDENTED) == ["| A | B |"]
    assert tables_in_code(INDENTED.replace("    |", "   |")) == []
    assert tables_in_code(f"```\n{INDENTED}```\n") == []
    assert tables_in_code("* Item\n\n    | A | B |\n    | - | - |\n") == []
    body = f"Enact a new rule titled “Counts” with the following text:\n{{\n{INDENTED}}}\n"
    warnings = preview(room.fresh(), None, body, {}).warnings
    assert any(
        "The table “| A | B |” in “Counts” is indented by four columns" in w for w in warnings
    )
    straight = body.replace("    |", "|")
    assert not any("indented" in w for w in preview(room.fresh(), None, straight, {}).warnings)
