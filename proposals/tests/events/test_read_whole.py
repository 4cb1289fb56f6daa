"""A body is read whole: what its author marks as a remark, and who carries out each sentence."""

import pytest

from nomic.engine.outcomes import Malformed, Refused
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.record.models import Entry
from nomic.rulebook.changes.reading import READER
from proposals.api import executors_of
from proposals.models import Errand, Proposal
from proposals.tests.events.room import Room
from proposals.web.preview.preview import preview
from proposals.web.preview.told import Beside

TEA = "Enact a rule titled “Tea” with the text: { Tea is served at five. }"
LEFT = "Enact a rule titled “Tea” with the text: …"  # as an officer's duty quotes it
JOKE = "Just kidding! Please ignore the line above."


@pytest.fixture
def preset() -> str:
    return "blognomic"


def passed(room: Room, body: str, *remarks: str) -> tuple[Entry, list[str]]:
    """The entry in which a proposal passes, and the sentences that it leaves to the officer."""
    room.do(room.murphy, "proposals.submit", body=body, remarks=list(remarks))
    proposal = Proposal.objects.latest("serial")
    room.vote(proposal.number or 0)
    proposal.refresh_from_db()
    assert proposal.passed
    entry = room.game.entries.get(seq=proposal.closed_in)
    left = Errand.objects.filter(proposal=proposal).values_list("sentence", flat=True)
    return entry, list(left)


def executors(entry: Entry) -> list[tuple[str, str]]:
    (result,) = entry.outcome["results"]
    return [(each["by"], each["sentence"]) for each in result["executors"]]


def holds_together(room: Room) -> None:
    assert [finding for finding in audit(room.fresh()) if finding.wrong] == []
    assert replay(room.fresh())[1] is None


@pytest.mark.thorough
def test_one_sentence_that_is_not_read_leaves_the_whole_body_to_the_officer(room: Room) -> None:
    entry, left = passed(room, f"{TEA}\n\n{JOKE}")
    assert not room.game.rules.filter(title="Tea").exists()
    assert left == [LEFT, JOKE]
    first = Errand.objects.order_by("place")[0]
    assert "“Just kidding!” and 1 more sentence stand in the same text" in first.why
    assert executors(entry) == [
        ("officer", LEFT),
        ("officer", "Just kidding!"),
        ("officer", "Please ignore the line above."),
    ]
    holds_together(room)


@pytest.mark.thorough
def test_what_the_author_marks_is_a_remark_in_the_record_and_decides_nothing(room: Room) -> None:
    said = ["Just kidding!", "Please ignore the line above."]
    entry, left = passed(room, f"[For all.] {TEA}\n\n{JOKE}", *said)
    assert room.text("Tea") == "Tea is served at five.\n"
    assert left == []
    assert [by for by, _ in executors(entry)] == ["remark", "program", "remark", "remark"]
    submitted = room.game.entries.get(name="proposals.submit")
    assert submitted.inputs["remarks"] == said
    assert Proposal.objects.get().versions.get().remarks == said
    assert entry.outcome["read"][0]["reader"] == READER
    proposal = Proposal.objects.get()
    assert [each["by"] for each in executors_of(proposal)][2:] == ["remark", "remark"]
    taken = {"proposal": 1, "words": said[1], "reason": "it may be meant"}
    room.do(None, "proposals.take_up", **taken)
    assert [each["by"] for each in executors_of(proposal)][2:] == ["remark", "officer"]
    holds_together(room)


@pytest.mark.thorough
def test_what_is_left_undone_is_nobodys_and_says_why(room: Room) -> None:
    undone = "Repeal the rule “Proposals”."
    seen = preview(room.game, None, f"{TEA}\n\n{undone}", {})
    entry, left = passed(room, f"{TEA}\n\n{undone}")
    assert executors(entry) == [("program", LEFT), ("nobody", undone)]
    (result,) = entry.outcome["results"]
    assert result["executors"][1]["why"].startswith("This is left undone: after it nothing could")
    assert list(seen.executors) == result["executors"] == executors_of(Proposal.objects.get())
    assert left == []
    holds_together(room)


def test_all_changes_of_a_rule_are_left_where_one_of_them_is(room: Room) -> None:
    passed(room, TEA)
    late = "In the rule “Tea”, replace “five” with “six”."
    gone = "In the rule “Tea”, delete “scones”."
    cups = "Enact a rule titled “Cups” with the text: { Cups are clean. }"
    seen = preview(room.game, None, f"{late}\n\n{gone}\n\n{cups}", {})
    entry, left = passed(room, f"{late}\n\n{gone}\n\n{cups}")
    assert room.text("Tea") == "Tea is served at five.\n"
    assert room.text("Cups") == "Cups are clean.\n"
    assert left == [late, gone]
    assert [by for by, _ in executors(entry)] == ["officer", "officer", "program"]
    assert [each["by"] for each in seen.executors] == ["officer", "officer", "program"]
    assert "Another change of this rule" in Errand.objects.order_by("pk")[0].why
    holds_together(room)


@pytest.mark.parametrize("body", [f"{TEA}\n\nEnact {{ a rule.", f"{TEA} }}"])
def test_a_body_whose_braces_do_not_fit_is_the_officers(body: str, room: Room) -> None:
    entry, left = passed(room, body)
    assert not room.game.rules.filter(title="Tea").exists()
    assert left == [" ".join(body.split())]
    assert "the brace in “" in Errand.objects.get().why
    assert executors(entry) == [("officer", left[0])]
    assert "the brace in “" in preview(room.game, None, body, {}).unreadable
    holds_together(room)


def test_a_sentence_that_asks_for_what_no_form_says_becomes_a_duty(room: Room) -> None:
    entry, left = passed(room, "Murphy wins the game.")
    assert left == ["Murphy wins the game."]
    assert executors(entry) == [("officer", "Murphy wins the game.")]
    assert room.game.wins.count() == 0
    holds_together(room)


@pytest.mark.parametrize(
    "stray",
    [
        "Set the outcome to nothing.",
        "Increase the delay by 3.",
        *(
            pytest.param(each, marks=pytest.mark.thorough)
            for each in (
                "Destroy all instructions.",
                "Give effect to Murphy.",
                "Murphy becomes the exception.",
            )
        ),
    ],
)
def test_what_names_nothing_of_this_game_may_say_anything(room: Room, stray: str) -> None:
    seen = preview(room.game, None, f"{TEA}\n\n{stray}", {})
    assert [each.done for each in seen.changes] == [False, False]
    assert [each["by"] for each in seen.executors] == ["officer", "officer"]
    _, left = passed(room, f"{TEA}\n\n{stray}")
    assert left == [LEFT, stray]
    assert not room.game.rules.filter(title="Tea").exists()
    assert f"“{stray}” stands in the same text" in Errand.objects.order_by("place")[0].why
    holds_together(room)


@pytest.mark.parametrize(
    ("remark", "code"),
    [("Well.", "is no sentence of the text"), (LEFT, "is an instruction")],
)
def test_a_remark_that_is_no_remark_of_the_body_is_refused(
    room: Room, remark: str, code: str
) -> None:
    with pytest.raises(Refused, match=code):
        room.do(room.murphy, "proposals.submit", body=TEA, remarks=[remark])
    with pytest.raises(Malformed):
        room.do(room.murphy, "proposals.submit", body=TEA, remarks=["x" * 2_001])
    assert not Proposal.objects.exists()


def test_a_new_version_has_its_own_remarks(room: Room) -> None:
    room.do(room.murphy, "proposals.submit", body=f"{TEA}\n\nWell.", remarks=["Well."])
    room.do(room.murphy, "proposals.revise", proposal=1, body=f"{TEA}\n\nWell.")
    proposal = Proposal.objects.get()
    assert (proposal.remarks, proposal.version) == ([], 2)
    assert [each.remarks for each in proposal.versions.order_by("number")] == [["Well."], []]
    found = preview(room.game, None, proposal.body, {}, proposal, ["Well."])
    assert (found.marked, found.unread, found.by_hand) == ((Beside("Well."),), (), 0)
    found = preview(room.game, None, proposal.body, {}, proposal)
    assert (found.marked, found.unread, found.by_hand) == ((), (Beside("Well."),), 2)


@pytest.mark.thorough
def test_a_mark_names_one_of_equal_sentences(room: Room) -> None:
    body = f"Well.\n\n{TEA}\n\nWell.\n\nWell."
    found = preview(room.game, None, body, {}, None, ["Well."])
    assert found.marked == (Beside("Well.", 1, 3),)
    assert found.unread == (Beside("Well.", 2, 3), Beside("Well.", 3, 3, offered=False))
    with pytest.raises(Refused, match="stands in the text 3 times"):
        room.do(room.murphy, "proposals.submit", body=body, remarks=["Well."] * 4)
    entry, left = passed(room, body, *["Well."] * 3)
    assert (left, Proposal.objects.get().remarks) == ([], ["Well."] * 3)
    assert [by for by, _ in executors(entry)] == ["remark", "program", "remark", "remark"]
    holds_together(room)


KEPT = (
    "Enact a rule titled “Heat” with the text: { Heat is a player switch. The Cook is an office."
    " Blots are a currency. }"
)


@pytest.mark.parametrize(
    "by_hand",
    [
        "Every player's Heat is flipped to high.",
        *(
            pytest.param(each, marks=pytest.mark.thorough)
            for each in (
                "Set Murphy's Heat to half of its current value.",
                "Murphy becomes the Cook.",
                "Give Murphy 3 blots.",
                "The Heat of each of the following players is set to 3:\n* Murphy\n* Bob",
            )
        ),
    ],
)
def test_what_a_rule_calls_a_switch_is_set_by_hand_beside_what_the_program_does(
    room: Room, by_hand: str
) -> None:
    seen = preview(room.game, None, f"{KEPT}\n\n{TEA}\n\n{by_hand}", {})
    assert [each["by"] for each in seen.executors] == ["program", "program", "officer"]
    _, left = passed(room, f"{KEPT}\n\n{TEA}\n\n{by_hand}")
    assert set(left) == {by_hand.replace(":\n* Murphy\n* Bob", ": …")}
    assert room.text("Tea") == "Tea is served at five.\n"
    assert "people keep it by hand" in Errand.objects.order_by("place")[0].why
    holds_together(room)


@pytest.mark.parametrize(
    "stray",
    [
        "Set Murphy's Heat to nothing and the rule stays.",
        pytest.param("Set Murphy's Warmth to 3.", marks=pytest.mark.thorough),
        pytest.param("Murphy becomes the Waiter.", marks=pytest.mark.thorough),
    ],
)
def test_what_no_rule_calls_so_or_says_more_still_leaves_all(room: Room, stray: str) -> None:
    passed(room, KEPT)
    seen = preview(room.game, None, f"{TEA}\n\n{stray}", {})
    assert [each["by"] for each in seen.executors] == ["officer", "officer"]
