"""The form asks for the passages that a text counts or names, and the voters see them."""

import json
from html import unescape
from typing import Any

import pytest

from nomic.games.models import Player
from proposals.models import Draft, Proposal
from proposals.tests.web.test_compose import ALL, NEW, PREVIEW, form_of
from proposals.web.letters import link_of
from tests.kit import Take, Visitor, on_one_line

FIRST = "In the rule “Cats”, delete the first sentence."
CATS = "Enact a new rule titled “Cats” with the text: {{ {} }}\n\n" + FIRST
BODY = CATS.format("Dr. Cat sleeps. It purrs.")
UNSURE = CATS.format("Yahoo! Is a firm. It purrs.")
SLEEPS = {
    "unit_sentence": FIRST,
    "unit_taken": "Dr. Cat sleeps.",
    "unit_passage": "Dr. Cat sleeps.",
}


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


def page_of(answer: Any) -> str:
    return unescape(on_one_line(answer.content.decode()))


def test_what_the_text_counts_is_asked_and_submitted_once_it_is_ticked(
    player: Player, visit: Visitor
) -> None:
    client = visit(player)
    sent = {**form_of(client), "title": "Cats", "body": BODY}
    seen = page_of(client.post(NEW, {**sent, "do": "look"}))
    assert "What your text counts or names" in seen
    assert f"<q>{FIRST}</q> in the rule “Cats” means" in seen
    assert seen.count("Dr. Cat sleeps.</textarea>") == 2
    assert "checked" not in seen
    answer = client.post(NEW, {**sent, **SLEEPS})
    assert answer.status_code == 409
    assert "“Dr. Cat sleeps.” in the rule “Cats”. Confirm it, or quote another" in page_of(answer)
    assert not Proposal.objects.exists()
    assert client.post(NEW, {**sent, **SLEEPS, "unit_meant": "0"}).status_code == 302
    (unit,) = Proposal.objects.get().units
    assert (unit["sentence"], unit["passage"]) == (FIRST, "Dr. Cat sleeps.")


def test_who_quotes_another_passage_has_confirmed_that(player: Player, visit: Visitor) -> None:
    client = visit(player)
    sent = {**form_of(client), "body": BODY, **SLEEPS}
    answer = client.post(NEW, {**sent, "unit_passage": "It sings."})
    assert answer.status_code == 409
    page = page_of(answer)
    assert "The sentence “It sings.”, which its author confirmed, stands nowhere" in page
    assert "It sings.</textarea>" in page
    answer = client.post(NEW, {**sent, "unit_passage": "x" * 20_000})
    assert (answer.status_code, "at most 10000 characters" in page_of(answer)) == (422, True)
    assert client.post(NEW, {**sent, "unit_passage": "It purrs."}).status_code == 302
    assert Proposal.objects.get().units[0]["passage"] == "It purrs."


def test_what_is_not_sure_is_quoted_or_left_to_the_officer(player: Player, visit: Visitor) -> None:
    client = visit(player)
    sent = {**form_of(client), "body": UNSURE}
    page = page_of(client.post(NEW, {**sent, "do": "look"}))
    assert "It is not clear whether a sentence ends at “Yahoo!”" in page
    assert "The Assessor carries this sentence out by hand" in page
    unit = {"unit_sentence": FIRST, "unit_taken": "", "unit_passage": "", "unit_meant": "0"}
    assert client.post(NEW, {**sent, **unit}).status_code == 302
    assert Proposal.objects.get().units[0]["passage"] == ""


def test_one_of_those_that_may_be_meant_is_chosen_by_a_tap(player: Player, visit: Visitor) -> None:
    client = visit(player)
    sent = {**form_of(client), "body": UNSURE}
    page = page_of(client.post(NEW, {**sent, "do": "look"}))
    assert page.count('name="unit_chosen_0"') == 4
    assert 'value="Yahoo!"' in page
    unit = {"unit_sentence": FIRST, "unit_taken": "", "unit_passage": ""}
    assert client.post(NEW, {**sent, **unit, "unit_chosen_0": "No!"}).status_code == 409
    assert client.post(NEW, {**sent, **unit, "unit_chosen_0": "Yahoo!"}).status_code == 302
    assert Proposal.objects.get().units[0]["passage"] == "Yahoo!"


def test_what_was_confirmed_stays_in_the_draft_and_goes_with_its_sentence(
    player: Player, htmx: Visitor
) -> None:
    def look(body: str, **units: Any) -> str:
        sent = {"body": body, "key": "a" * 12, "window": "b" * 12, **units}
        return page_of(htmx(player).post(PREVIEW, sent))

    assert "checked" in look(BODY, **SLEEPS, unit_meant="0")
    kept = json.loads(Draft.objects.get().more["units"])
    assert kept == {"sentence": FIRST, "passage": "Dr. Cat sleeps."}
    page = look(BODY.replace("first", "last"), **SLEEPS, unit_meant="0")
    assert "It purrs.</textarea>" in page
    assert "checked" not in page
    assert "unit_sentence" not in look("Give Murphy 1 point.", **SLEEPS)


def test_a_hostile_passage_stays_text(player: Player, htmx: Visitor) -> None:
    body = CATS.format("The <b>cat</b></textarea><script> sleeps.\n\nIt purrs.")
    body = body.replace("first sentence", "first paragraph")
    sent = {"body": body, "key": "a" * 12, "window": "b" * 12}
    page = htmx(player).post(PREVIEW, sent).content.decode()
    assert "&lt;/textarea&gt;&lt;script&gt; sleeps.</textarea>" in page
    assert "<script> sleeps" not in page


def test_voters_see_what_is_confirmed(
    player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    units = [{"sentence": FIRST, "passage": "Dr. Cat sleeps."}]
    act(player, "proposals.submit", title="Cats", body=BODY, units=units)
    proposal = Proposal.objects.get()
    assert rival.user is not None
    for path in (ALL, f"{ALL}1/", f"{ALL}1/changes/", link_of(rival.user, proposal)):
        answer = visit(rival).get(path)
        assert answer.status_code == 200, path
        assert "<q>Dr. Cat sleeps.</q>" in page_of(answer), path
    page = page_of(visit(player).get(f"{ALL}1/revise/"))
    assert page.count("Dr. Cat sleeps.</textarea>") == 2
    assert "checked" in page
