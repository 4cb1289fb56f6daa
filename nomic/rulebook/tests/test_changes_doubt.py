"""Words that make it doubtful what is asked for: nothing is then changed, the officer decides."""

import re
from dataclasses import replace

import pytest

from nomic.rulebook.changes import (
    ByHand,
    Change,
    Give,
    Remark,
    Unreadable,
    read_changes,
)

CONDITIONS = [
    *("If this proposal is vetoed,", "If Ann agrees,", "Unless Ann objects,", "When it rains,"),
    *("Whenever it rains,", "While it rains,", "Until it rains,", "Provided that it rains,"),
    *("Should it rain,", "Once it rains,", "After the race,", "Before the race,"),
    *("At the end of the nweek,", "With 2 support,", "Instead of Paul,", "Except for Paul,"),
    *("Neither Paul nor Mary, but", "Not Paul,", "Barring rain,", "Assuming rain,"),
    *("Next week,", "On Monday,", "Suppose that", "For example,", "Upon payment,"),
    *("As soon as it rains,", "In case of rain,", "In the event of rain,", "Otherwise,", "Else"),
    *("Rain permitting,", "Unlike Paul,", "Without Paul,", "And if it rains,", "Then, if so,"),
    *("Tomorrow,", "Under the condition that it rains,", "For each vote,", "Maybe", "If so"),
    *("It is proposed that, if it rains,", "Only if it rains,", "Not until Monday,", "Or"),
]
ACTS = [
    *("player1 gains 500 points.", "player1 loses 500 points.", "player1 receives 500 points."),
    *("give player1 500 points.", "Take 500 points from player1.", "Peter and Paul gain 5 points."),
    *("Transfer 5 points from Peter to Paul.", "each player gains 5 points.", "repeal rule 5."),
    *("In rule 5, replace “a” with “b”.", "rule 5 is repealed.", "Peter is given 5 points."),
    *("set Alexia's Race Position to 3.", "Peter gains 5 points and Paul gains 6 points."),
]


def changes(body: str) -> list[Change]:
    """What a body changes without anybody's hand."""
    return [change for change in read_changes(body).changes if not isinstance(change, ByHand)]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_nothing_happens_by_itself_behind_a_condition(condition: str) -> None:
    for act in ACTS:
        for body in (f"{condition} {act}", f"1. {condition} {act}", f"{condition}\n{act}"):
            assert changes(body) == [], body


@pytest.mark.parametrize("condition", CONDITIONS[:20])
def test_a_condition_is_left_to_the_officer(condition: str) -> None:
    (change,) = read_changes(f"{condition} player1 gains 500 points.").by_hand
    assert change.why


@pytest.mark.parametrize(
    "tail",
    [
        *(
            "if nobody objects",
            "unless Ann objects",
            "provided that it rains",
            "each time it rains",
        ),
        *("when it rains", "except on Monday", "once it rains", "until Monday", "but not yet"),
        *("as long as it rains", "or not", "after the race", "at the end of the nweek"),
        *("with 2 support", "for each vote", "whenever it rains", "assuming that it rains"),
        *("should it rain", "in case it rains", "next week", "instead of Paul", "on Monday"),
    ],
)
@pytest.mark.parametrize(
    "act",
    [
        *("Give Peter 5 points", "Peter gains 5 points", "Take 5 points from Peter"),
        *("Repeal rule 5", "Repeal the rule “X”", "Renumber rule 5 to 6", "Retitle rule 5 to “A”"),
        *("In rule 5, replace “a” with “b”", "Replace the text of rule 5 with: {b}"),
        *("Set Alexia's Race Position to 3", "Rule 5 is repealed", "Destroy all of Peter's points"),
        *("Enact a rule titled “A” with the text: {b}", "Add “b” to the end of rule 5"),
    ],
)
def test_nothing_happens_by_itself_before_a_condition(act: str, tail: str) -> None:
    for between in (" ", ", ", "\n", "; "):
        assert changes(f"{act}{between}{tail}.") == []


@pytest.mark.parametrize(
    "behind",
    [
        *("Unless Ann objects.", "If Ann agrees.", "Or repeal rule 6.", "Otherwise repeal rule 6."),
        *("(Unless Ann objects.)", "This happens only if Ann agrees.", "Not rule 6."),
    ],
)
def test_a_sentence_behind_takes_back_what_stands_before(behind: str) -> None:
    for body in ("Repeal rule 5. ", "Repeal rule 5\n", "{ Repeal rule 5. Repeal rule 7. } "):
        assert changes(body + behind) == []
    assert changes(f"* Repeal rule 5.\n* Repeal rule 7.\n{behind}") == []
    assert len(changes(f"Repeal rule 4. It is old. Repeal rule 5. {behind}")) == 1


@pytest.mark.parametrize(
    "above",
    [
        *("Do one of the following:", "If Ann agrees:", "Do not do this:", "If Ann agrees"),
        *("The following happens only if Ann agrees:", "For example:", "Either of these:"),
        *("Amend rule 5 as follows, if Ann agrees:", "Choose:", "When it rains"),
        *("Alternative:", "Not:", "Withdrawn:", "Unless Ann objects:", "Any of these:"),
    ],
)
def test_a_sentence_above_takes_its_list_with_it(above: str) -> None:
    for act in (
        "* Repeal rule 4.\n\n* Repeal rule 5.",
        "1. Repeal rule 4.\n2. Repeal rule 5.",
        "Repeal rule 4.",
        "Peter gains 5 points.",
    ):
        assert changes(f"{above}\n{act}") == []
        assert changes(f"{above}\n{{ {act} }}") == []


@pytest.mark.parametrize(
    "body",
    [
        *(
            "Repeal rule 5, not rule 6.",
            "Repeal rule 5, never rule 6.",
            "Repeal rule 5, or rule 6.",
        ),
        *("Repeal rule 5, except rule 6.", "Repeal rule 5, leaving rule 6."),
        *("Repeal rule 5 and not rule 6.", "Repeal rule 5, then not rule 6."),
        *('Repeal no rule "B".', "Delete most rule 6.", "Renumber no rule 5 to 6."),
        "Enact no new rule titled “A” with the text: {b}",
        "Enact half a rule titled “A” with the text: {b}",
        *('In no rule "5" replace “a” with “b”.', 'In neither rule "5" replace “a” with “b”.'),
        *("Give Peter, or Paul, 5 points.", "Give Peter 5 points, or 6 points."),
        *("Give Peter or Paul 5 points.", "Give neither Peter nor Paul 5 points."),
        *(
            "Give Peter up to 5 points.",
            "Peter shall receive 5 points.",
            "Peter not gains 5 points.",
        ),
        *("Give Peter about 5 points.", "Give Peter at least 5 points.", "Give Up To 5 points."),
        *(
            "Give Peter more than 5 points.",
            "Give Peter five hundred points.",
            "Give Peter a dozen.",
        ),
        *(
            "Give Peter a dozen points.",
            "Give Peter a lot of points.",
            "Give Peter 5 of my points.",
        ),
        *(
            "Give Peter 5 points daily.",
            "Give Peter twenty five points.",
            "Give Peter 5 less points.",
        ),
        *("Set the Race Position of each horse to 0.", "Set no Race Position to 3."),
        *("Set Alexia's Race Position to 3 or 4.", "Set Alexia's Race Position to up to 3."),
        *("Give each player but Peter 5 points.", "Give all players except Peter 5 points."),
        *(
            "Give Paul /* not */ Smith 5 points.",
            "Repeal rule 4 (if it exists).",
            "Repeal Any rule 4.",
        ),
        *(
            "Peter never gains 5 points.",
            "Peter no longer gains 5 points.",
            "Peter only gains 5 points.",
        ),
        *("Tomorrow, Peter and Paul gain 5 points.", "Repeal rule 5, only rule 5."),
        *("Increase not Peter's points by 3.", "Give Murphy or the horse Alexia."),
        *("Give no Alexia to Murphy.", "No rule 5 is repealed.", "Rule 5 is not repealed."),
        *(
            "Each rule is repealed.",
            "Set Alexia's Race Position back to 3.",
            "Peter & I gain 5 points.",
        ),
        *("*If it rains*, Peter gains 5 points.", "(If it rains) Peter gains 5 points."),
        *("Set Alexia's Race Position to Rubert's Race Position.", "Give Peter 5 points/nweek."),
        *("Neither rule 5 nor rule 6 is repealed.", "Take no points from Peter."),
        *(
            "Destroy all points except Peter's.",
            "Destroy all but 5 points.",
            "Take all but 5 points from A.",
        ),
    ],
)
def test_negations_exceptions_and_vague_amounts_change_nothing(body: str) -> None:
    assert changes(body) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "This proposal does nothing unless Ann agrees.",
        "The following changes are made only if Ann agrees.",
        "If Ann objects, this proposal has no effect.",
    ],
)
def test_a_condition_of_the_whole_proposal_leaves_all_of_it_to_the_officer(sentence: str) -> None:
    assert changes(f"{sentence}\n\nRepeal rule 4. Give Ann 5 points.") == []
    assert changes(f"Repeal rule 4. Give Ann 5 points.\n\n{sentence}") == []


@pytest.mark.parametrize(
    "behind",
    [
        *("This is only a cleanup.", "It was not used.", "Rule 5 stays if you like it."),
        *(
            "This proposal repeals rule 4.",
            "If this passes, nobody will miss it.",
            "Not that I care.",
        ),
    ],
)
def test_commentary_takes_nothing_back(behind: str) -> None:
    assert len(changes(f"Repeal rule 4. {behind}")) == 1


def test_a_question_changes_nothing() -> None:
    for body in ("Repeal rule 4?", "Give Peter 5 points?!", "Rule 4 is repealed?"):
        assert changes(body) == []


READABLE = [
    "Give Peter 5 points.",
    "Give A, B and C 5 points each.",
    "Give 5 points to Peter and 3 hooves to Paul.",
    "Peter and Paul gain 5 points.",
    "Peter is given 5 points.",
    "Take 5 points from Peter.",
    "Take all points from Peter.",
    "Transfer 5 points from Peter to Paul.",
    "Transfer the horse Alexia from Peter to Paul.",
    "Give Murphy the horse Alexia.",
    "Destroy all of Peter's points.",
    "Destroy 5 points of Peter.",
    "Peter loses 5 points.",
    "Set the Race Position of Alexia to 3.",
    "Alexia's Race Position is set to 3.",
    "Increase Peter's points by 3.",
    "Repeal rules 4, 5 and 6.",
    "Repeal the rule “X” and the rule Horse Victory.",
    "The rule “X” is repealed.",
    "Delete rule 4.",
    "Retitle rule 4 to “The Law”.",
    "Change the title of rule 4 to “The Law”.",
    "Renumber the rule “X” to 2-3.",
    "In the rule “X”, replace “a” with “b”, and delete “c”.",
    "Amend rule 4 by replacing “a” with “b”.",
    "Replace the passage “a” in the rule X with the passage “b”.",
    "In the rule “X”, after “a”, insert “b”.",
    "Replace the text of rule 4 with: {b}",
    "Amend Rule 4 (The Law) to read in full: {b}",
    "Enact a new dynastic rule titled “A” and number 7 with the following text: {b}",
    "Add a subrule titled “A” to the rule “X” with the text: {b}",
    "Add the following to the end of rule 4: {b}",
    "In the rule “X”, add the following rows to the Visitors table: { | 4 || a }",
    "In rule 4, add these bullet points to the end of the list: {* a}",
    "Repeal rule 4 and give Peter 5 points, then repeal the rule “X”.",
]
_WORDS = re.compile(r"“[^”]*”|\{[^}]*\}|\([^)]*\)|[^\s,.:]+")


def bare(change: Change) -> Change:
    return replace(change, sentence="", start=0, end=0, group="")


@pytest.mark.parametrize("sentence", READABLE)
@pytest.mark.parametrize(
    "word",
    [
        *("not", "no", "never", "except", "unless", "if", "either", "or", "neither", "nor", "but"),
        *("only", "Not", "Unless", "If", "Or"),
    ],
)
def test_a_small_word_anywhere_leaves_the_sentence_to_the_officer(sentence: str, word: str) -> None:
    asked = set(map(bare, changes(sentence)))
    assert asked
    for place in _WORDS.finditer(sentence):
        for before, behind in (("", " "), (", ", " "), (" ", ", ")):
            body = sentence[: place.start()].rstrip(" ") + (before or " ") + word
            body = (body + behind + sentence[place.start() :]).strip(" ,")
            assert not asked & set(map(bare, changes(body))), body
    ending = sentence.rstrip(".")
    for body in (f"{ending} {word}.", f"{ending}, {word}.", f"{ending} {word}"):
        assert not asked & set(map(bare, changes(body))), body


def test_a_doubtful_word_in_quotes_is_a_name() -> None:
    (given,) = changes("Give “Paul or Mary” 5 points.")
    assert isinstance(given, Give)
    assert given.receiver == "Paul or Mary"
    assert len(changes("Repeal the rule “Not Yet”.")) == 1


def test_a_name_has_at_most_120_characters() -> None:
    for form in ("Give “{}” 5 points.", "Repeal the rule “{}”.", "Give {} 5 points."):
        assert len(changes(form.format("Z" * 120))) == 1
        assert changes(form.format("Z" * 121)) == []


def test_the_words_of_a_change_are_cut_at_2000_characters() -> None:
    for body in ("Frobnicate: " + "repeal " * 1_000, "Repeal " + "x" * 9_000):
        for change in read_changes(body).changes:
            assert len(change.sentence) <= 2_000
            assert isinstance(change, ByHand)
            assert len(change.why) <= 2_000


def test_sixty_changes_in_one_sentence_are_read_and_no_more() -> None:
    names = ", ".join(["Peter"] * 9) + " and Paul"
    things = ", ".join(f"{number} points" for number in range(1, 7))
    assert len(changes(f"Give {names} {things}.")) == 60
    (change,) = read_changes(f"Give {names} {things} and 7 hooves.").by_hand
    assert "more than 60 changes" in change.why


def test_lists_of_lists_stay_small() -> None:
    body = f'Give "{"z" * 197_000}", {", ".join(["p"] * 99)} {", ".join(["1 x"] * 65)}.'
    (change,) = read_changes(body).by_hand
    assert len(change.sentence) == 2_000


@pytest.mark.parametrize("line", ["Amend rule 5 as follows:\n", "In rule 5, replace this text:\n"])
def test_instructions_that_are_only_begun_count_too(line: str) -> None:
    with pytest.raises(Unreadable):
        read_changes(line * (200_000 // len(line)))


def test_conditions_in_prose_are_still_remarks() -> None:
    for body in (
        "If that becomes a sticking point, let’s simplify it rather than drop it.",
        "When in doubt, I look at the charts.",
        "On the whole this works.",
    ):
        reading = read_changes(body)
        assert reading.changes == ()
        assert [type(remark) for remark in reading.remarks] == [Remark]
