"""What a proposal counts or names is what its author has confirmed, from submission to adoption."""

import json
from typing import Any

import pytest
from django.test import Client

from nomic.engine.outcomes import Malformed, Refused
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.rulebook.changes.confirming import Unit, units_of
from nomic.web.tokens import make_token
from proposals.api import executors_of
from proposals.models import Errand, Proposal
from proposals.state import bodies
from proposals.tests.events.room import Room

ENACT = "Enact a rule titled “Cats” with the text: { Dr. Cat sleeps. It purrs. It eats. }"
FIRST = "In the rule “Cats”, delete the first sentence."
LAST = "In the rule “Cats”, delete the last sentence."
SLEEPS = {"sentence": FIRST, "passage": "Dr. Cat sleeps."}


@pytest.fixture
def preset() -> str:
    return "blognomic"


@pytest.fixture
def cats(room: Room) -> Room:
    """A game with a rule whose first sentence is known by its author alone."""
    room.do(room.murphy, "proposals.submit", body=ENACT)
    room.vote(1)
    return room


def submitted(room: Room, body: str, *units: dict[str, Any]) -> Proposal:
    room.do(room.murphy, "proposals.submit", body=body, units=list(units))
    return Proposal.objects.latest("serial")


def adopted(room: Room, proposal: Proposal) -> list[str]:
    """Why what it asks for is left to the officer, once it is adopted."""
    room.vote(proposal.number or 0)
    proposal.refresh_from_db()
    assert proposal.passed
    assert [finding for finding in audit(room.fresh()) if finding.wrong] == []
    assert replay(room.fresh())[1] is None
    return list(Errand.objects.filter(proposal=proposal).values_list("why", flat=True))


def refusal(room: Room, body: str, *units: dict[str, Any]) -> Any:
    with pytest.raises(Refused) as refused:
        submitted(room, body, *units)
    return refused.value.refusal


def test_without_its_units_it_is_refused_with_them_and_with_them_it_is_submitted(
    cats: Room,
) -> None:
    answer = refusal(cats, f"{FIRST}\n\n{LAST}")
    assert answer.code == "units"
    assert answer.sentence == (
        f"“{FIRST}” counts or names what it means: “Dr. Cat sleeps.” in the rule “Cats”. Confirm"
        " it, or quote another passage. So does one more."
    )
    assert list(answer.units) == [SLEEPS, {"sentence": LAST, "passage": "It eats."}]
    assert refusal(cats, f"{FIRST}\n\n{LAST}", SLEEPS).units == answer.units
    proposal = submitted(cats, f"{FIRST}\n\n{LAST}", *answer.units)
    assert proposal.units[0] == {**SLEEPS, "rule": "Cats", "times": 1, "sure": True}
    assert proposal.versions.get().units == proposal.units
    entry = cats.game.entries.get(name="proposals.submit", seq=proposal.submitted_in)
    assert entry.inputs["units"] == list(answer.units)
    assert adopted(cats, proposal) == []
    assert cats.text("Cats") == "It purrs.\n"


def test_programs_are_answered_with_the_units_and_read_what_was_confirmed(cats: Room) -> None:
    assert cats.murphy.user is not None
    _, token = make_token(cats.murphy.user, "A program")
    headers = {"Authorization": f"Bearer {token}"}
    address = "/api/v1/games/room"

    def send(**inputs: Any) -> Any:
        act = f"{address}/actions/proposals.submit?dry_run=1"
        first = Client().post(act, inputs, "application/json", headers=headers)
        act = act.partition("?")[0]
        answer = Client().post(act, inputs, "application/json", headers=headers)
        assert first.status_code == {201: 200}.get(answer.status_code, answer.status_code)
        return answer

    asked = send(body=FIRST)
    assert (asked.status_code, asked.json()["code"]) == (409, "units")
    assert asked.json()["units"] == [SLEEPS]
    refused = send(body="Nothing.", conflicts=[99])
    assert refused.json().keys() >= {"code", "sentence", "rule"}
    assert send(body=FIRST, units=asked.json()["units"]).status_code == 201
    whole = Client().get(f"{address}/proposals/2", headers=headers).json()
    assert whole["preview"]["units"] == [{**SLEEPS, "rule": "Cats"}]
    assert [each["by"] for each in whole["preview"]["executors"]] == ["program"]
    for wrong in (
        "x",
        ["x"],
        [{"sentence": FIRST}],
        [{**SLEEPS, "more": 1}],
        [{**SLEEPS, "passage": 1}],
    ):
        assert send(body=FIRST, units=wrong).status_code == 422, wrong
    long = send(body=FIRST, units=[{**SLEEPS, "passage": "a" * 200_000}])
    assert long.status_code == 422
    assert "at most 10000 characters" in json.dumps(long.json())
    half = send(body=FIRST, units=[{**SLEEPS, "passage": "\ud83d"}])
    assert half.status_code == 422


def test_the_rules_are_gone_through_once_and_not_for_what_is_refused_without(
    cats: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []

    def counted(*arguments: Any) -> list[Unit]:
        looks.append(arguments)
        return units_of(*arguments)

    monkeypatch.setattr(bodies, "units_of", counted)
    submitted(cats, FIRST, SLEEPS)
    assert len(looks) == 1
    assert refusal(cats, FIRST, {**SLEEPS, "sentence": LAST}).code == "no_such_unit"
    cats.do(None, "games.set_bound", bound="proposals_of_player", most=1, reason="to try it")
    assert refusal(cats, FIRST, SLEEPS).code == "too_much"
    assert len(looks) == 1


@pytest.mark.parametrize(
    ("units", "code", "why"),
    [
        ([SLEEPS, SLEEPS], "no_such_unit", "has more passages than it counts or names"),
        ([{**SLEEPS, "sentence": LAST}], "no_such_unit", "is no sentence of the text that counts"),
        ([{**SLEEPS, "passage": "Cat sleeps."}], "no_such_passage", "stands nowhere in the rule"),
        ([{**SLEEPS, "passage": "Dogs bark."}], "no_such_passage", "stands nowhere in the rule"),
        ([{**SLEEPS, "passage": "Dr. Cat sl"}], "no_such_passage", "stands nowhere in the rule"),
        ([{**SLEEPS, "passage": "a" * 10_000}], "no_such_passage", "stands nowhere in the rule"),
        ([{**SLEEPS, "passage": "\u0301Dr. Cat"}], "no_such_passage", "stands nowhere in the rule"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(
    cats: Room, units: list[dict[str, str]], code: str, why: str
) -> None:
    answer = refusal(cats, FIRST, *units)
    assert (answer.code, why in answer.sentence) == (code, True), answer.sentence
    assert Proposal.objects.count() == 1


@pytest.mark.parametrize(
    ("meanwhile", "text"),
    [
        ("New. Dr. Cat sleeps. It purrs.", "New. It purrs.\n"),
        ("It purrs.\n\n* Dr. Cat sleeps. It eats.", "It purrs.\n\n* It eats.\n"),
    ],
)
def test_a_passage_that_moved_is_the_one_still(cats: Room, meanwhile: str, text: str) -> None:
    proposal = submitted(cats, FIRST, SLEEPS)
    cats.amend("Cats", meanwhile)
    assert adopted(cats, proposal) == []
    assert cats.text("Cats") == text


@pytest.mark.parametrize(
    ("meanwhile", "why"),
    [
        ("Dr. Cat naps. It purrs.", "stands nowhere in the rule “Cats”."),
        ("Dr. Cat\u0301 sleeps. It purrs.", "stands nowhere in the rule “Cats”."),
        (
            "Dr. Cat sleeps. Dr. Cat sleeps.",
            "stood once in the rule “Cats” and stands 2 times now.",
        ),
        ("# Dr. Cat sleeps.\n\nIt purrs.", "stands nowhere in the rule “Cats”."),
        (
            "The famous Prof. Dr. Cat sleeps. It purrs.",
            "was a whole one in the rule “Cats” and may be none now.",
        ),
    ],
)
def test_one_that_vanished_or_doubled_is_the_officer_s(
    cats: Room, meanwhile: str, why: str
) -> None:
    proposal = submitted(cats, FIRST, SLEEPS)
    cats.amend("Cats", meanwhile)
    assert adopted(cats, proposal) == [
        f"The sentence “Dr. Cat sleeps.”, which its author confirmed, {why}"
    ]
    assert cats.text("Cats").strip() == meanwhile
    (executor,) = executors_of(proposal)
    assert (executor["by"], executor["sentence"]) == ("officer", FIRST)


def test_of_equal_passages_the_one_that_is_counted_is_meant(cats: Room) -> None:
    cats.amend("Cats", "It naps. It purrs. It naps.")
    naps = {"sentence": LAST, "passage": "It naps."}
    proposal = submitted(cats, LAST, naps)
    assert proposal.units == [{**naps, "rule": "Cats", "times": 2, "sure": True}]
    assert adopted(cats, proposal) == []
    assert cats.text("Cats").strip() == "It naps. It purrs."
    cats.amend("Cats", "It naps. It purrs. It naps.")
    proposal = submitted(cats, LAST, naps)
    cats.amend("Cats", "It naps. It purrs.")
    (why,) = adopted(cats, proposal)
    assert "stood 2 times in the rule “Cats” and stands once now" in why


def test_an_author_may_quote_another_or_leave_it_to_the_officer(cats: Room) -> None:
    proposal = submitted(cats, FIRST, {**SLEEPS, "passage": "It  purrs."})
    assert adopted(cats, proposal) == []
    assert cats.text("Cats") == "Dr. Cat sleeps. It eats.\n"
    proposal = submitted(cats, FIRST, {**SLEEPS, "passage": ""})
    (why,) = adopted(cats, proposal)
    assert "its author has confirmed none" in why
    assert cats.text("Cats") == "Dr. Cat sleeps. It eats.\n"
    cats.amend("Cats", "Yahoo! Is a firm. It purrs.")
    answer = refusal(cats, FIRST)
    assert list(answer.units) == [{"sentence": FIRST, "passage": ""}]
    assert (
        "which is not sure. It is not clear whether a sentence ends at “Yahoo!”" in answer.sentence
    )
    assert adopted(cats, submitted(cats, FIRST, *answer.units)) != []


def test_only_the_author_confirms_and_only_before_others_vote(cats: Room) -> None:
    proposal = submitted(cats, "Nothing yet.")
    revised = {"proposal": proposal.number, "body": FIRST, "units": [SLEEPS]}
    with pytest.raises(Refused, match="only its author"):
        cats.do(cats.madrid, "proposals.revise", **revised)
    with pytest.raises(Refused, match="counts or names what it means"):
        cats.do(cats.murphy, "proposals.revise", **revised | {"units": []})
    with pytest.raises(Malformed):
        cats.do(cats.murphy, "proposals.revise", **revised | {"units": [FIRST]})
    cats.do(cats.murphy, "proposals.revise", **revised)
    proposal.refresh_from_db()
    assert [unit["passage"] for unit in proposal.units] == ["Dr. Cat sleeps."]
    cats.do(cats.madrid, "proposals.vote", proposal=proposal.number, choice="FOR")
    with pytest.raises(Refused, match="Others have voted"):
        cats.do(cats.murphy, "proposals.revise", **revised)


def test_each_sentence_is_counted_in_what_those_before_it_leave(cats: Room) -> None:
    body = f"{FIRST}\n\n{FIRST}\n\nEnact a rule titled “Dogs” with the text: {{ A bark. A bone. }}"
    body += "\n\nIn the rule “Dogs”, delete the last sentence."
    units = refusal(cats, body).units
    assert [unit["passage"] for unit in units] == ["Dr. Cat sleeps.", "It purrs.", "A bone."]
    assert adopted(cats, submitted(cats, body, *units)) == []
    assert (cats.text("Cats"), cats.text("Dogs")) == ("It eats.\n", "A bark.\n")
