"""Who sends a text by a program or a lone form says what becomes of what nothing carries out."""

import json
from typing import Any

import pytest
from django.test import Client

from nomic.web.tokens import make_token
from proposals.models import Errand, Proposal
from proposals.tests.events.room import Room
from tests.kit import Visitor

KIND = "Every player is to be kind."
BODY = f"{KIND} Enact a rule titled “Cats” with the text: {{ It purrs. }}"
SUBMIT = "proposals.submit"


@pytest.fixture
def preset() -> str:
    return "blognomic"


def send(room: Room, act: str = SUBMIT, query: str = "", **inputs: Any) -> Any:
    assert room.murphy.user is not None
    token = make_token(room.murphy.user, "program")[1]
    return Client().post(
        f"/api/v1/games/{room.game.slug}/actions/{act}{query}",
        json.dumps(inputs),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )


def test_a_program_is_told_the_sentences_and_the_choices_and_nothing_is_submitted(
    room: Room,
) -> None:
    for query in ("", "?dry_run=1"):
        answer = send(room, query=query, title="Cats", body=BODY)
        assert answer.status_code == 409
        told = answer.json()
        assert (told["code"], told["sentences"]) == ("open_sentences", [KIND])
        assert told["choices"] == ["remarks", "left"]
        assert "Nothing carries out 1 sentence of this text" in told["detail"]
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("choice", ["remarks", "left"])
def test_by_one_of_the_choices_it_is_submitted_and_that_is_what_becomes_of_it(
    room: Room, choice: str
) -> None:
    answer = send(room, title="Cats", body=BODY, **{choice: [KIND]})
    assert answer.status_code == 201
    assert answer.json()["inputs"][choice] == [KIND]
    room.vote(1)
    assert Errand.objects.exists() is (choice == "left")


def test_a_new_text_of_a_proposal_is_asked_for_them_too(room: Room) -> None:
    assert send(room, body="Enact a rule titled “Cats” with the text: { A }").status_code == 201
    answer = send(room, "proposals.revise", proposal=1, body=BODY)
    assert answer.json()["sentences"] == [KIND]


@pytest.mark.parametrize("body", [7, None, ["x"], "x" * 200_001])
def test_what_is_no_text_is_told_as_before(room: Room, body: Any) -> None:
    assert send(room, body=body).status_code in (413, 422)


def test_a_form_that_is_sent_by_itself_is_shown_again_with_what_was_typed(
    room: Room, visit: Visitor
) -> None:
    answer = visit(room.murphy).post(
        f"/g/{room.game.slug}/act/{SUBMIT}/", {"title": "Cats", "body": BODY}
    )
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Nothing carries out 1 sentence of this text" in page
    assert KIND in page
    assert not Proposal.objects.exists()


def test_of_several_acts_the_one_is_told_whose_sentences_they_are(room: Room) -> None:
    assert room.murphy.user is not None
    token = make_token(room.murphy.user, "program")[1]
    acts = [{"action": SUBMIT, "inputs": {"body": body}} for body in (f"[ {KIND} ]", BODY)]
    answer = Client().post(
        f"/api/v1/games/{room.game.slug}/actions",
        json.dumps(acts),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert (answer.status_code, answer.json()["act"]) == (409, 1)
    assert answer.json()["sentences"] == [KIND]
    assert not Proposal.objects.exists()
