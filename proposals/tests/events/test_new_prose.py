"""Prose that a vote puts into force and that nothing carries out: said, and somebody's to keep."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from nomic.engine.coverage import unfitted
from nomic.engine.table import glance
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.record.models import Entry
from nomic.rulebook.coverage.marks import End
from proposals.models import Proposal
from proposals.tests.events.room import Room
from proposals.web.change_summaries import unplayed
from proposals.web.preview.preview import BodyPreview, preview

WAGES = "Each player gains 3 dollaries at the start of each month."
BOUND = "Voting CANNOT be amended except by all."
ENACTS = f"Enact a rule titled “Wages” with the text: {{ {WAGES} {BOUND} }}"
INSERTS = f"Amend the rule “Proposals” by appending:\n{{\n{BOUND}\n}}"
TAG = """Enact a rule titled “Tag” with the text:
{
Who waves is seen.

```python
# carries out: Who waves is seen.
@action("wave", "Wave")
def wave(me: Player):
    say(f"{me} waves.")
```
}"""


@pytest.fixture
def preset() -> str:
    return "blognomic"


def look(room: Room, body: str) -> BodyPreview:
    return preview(room.fresh(), None, body, {})


def adopted(room: Room, body: str) -> Entry:
    room.do(room.murphy, "proposals.submit", body=body)
    proposal = Proposal.objects.latest("serial")
    room.vote(proposal.number or 0)
    proposal.refresh_from_db()
    assert proposal.passed
    return room.game.entries.get(seq=proposal.closed_in)


def waiting(room: Room) -> list[str]:
    return [each.quoted for each in unfitted(glance(room.fresh()))]


def holds_together(room: Room) -> None:
    assert [finding for finding in audit(room.fresh()) if finding.wrong] == []
    assert replay(room.fresh())[1] is None


@pytest.mark.thorough
def test_a_new_rule_of_prose_is_told_before_the_vote_and_kept_by_one_act_after_it(
    room: Room,
) -> None:
    assert waiting(room) == []
    seen = look(room, ENACTS)
    assert seen.unplayed == (WAGES, BOUND)
    assert seen.warnings == (
        f"In “Wages” the site does not carry out “{WAGES}”, “{BOUND}” by itself: it is the Admin’s"
        " duty to keep them by hand.",
    )
    entry = adopted(room, ENACTS)
    assert "Not carried out as it reads: in “Wages”" in entry.text
    told = [(each["passage"], each["by"]) for each in entry.outcome["unfitted"]]
    assert told == [(WAGES, "Admin"), (BOUND, "Admin")]
    assert len(waiting(room)) == 2
    kept = {"rule": "Wages", "passage": "all that wait in it", "reason": "we count it up"}
    room.do(None, "rulebook.keep_by_hand", **kept)
    assert waiting(room) == []
    settled = room.game.rules.get(title="Wages").settled.values()
    assert {each["end"] for each in settled} == {End.BY_HAND}
    again = f"In the rule “Wages”, replace “{BOUND}” with “The Mint pays.”."
    assert look(room, again).unplayed == ("The Mint pays.",)
    adopted(room, again)
    assert waiting(room) == ["in “Wages”, “The Mint pays.”"]
    holds_together(room)


def test_prose_in_a_rule_that_the_program_plays_by_is_told_as_well(room: Room) -> None:
    seen = look(room, INSERTS)
    assert seen.unplayed == (BOUND,)
    assert [
        each.startswith(f"In “Proposals” the site does not carry out “{BOUND}”")
        for each in seen.warnings
    ] == [True]
    first = room.text("Proposals")
    assert adopted(room, INSERTS).outcome["unfitted"][0]["by"] == "Admin"
    adopted(room, ENACTS)
    rules = glance(room.fresh()).rules
    assert [rules.find(title).began_as for title in ("Proposals", "Wages")] == [first, ""]


def test_what_a_program_carries_out_is_nobodys_duty(room: Room) -> None:
    seen = look(room, TAG)
    assert (seen.unplayed, seen.claimed) == ((), ("Who waves is seen.",))
    assert (
        "The program of “Tag” says that it carries out “Who waves is seen.”: that is its claim,"
        " which nobody has checked."
    ) in [each.sentence for each in seen.consequences]
    assert "unfitted" not in adopted(room, TAG).outcome
    assert waiting(room) == []


def test_the_list_of_votes_tells_of_how_many_sentences_it_is_so(
    room: Room,
) -> None:
    for body in (ENACTS, INSERTS, TAG, "Repeal the rule “The Emperor”.", "[Nothing.]"):
        room.do(room.murphy, "proposals.submit", body=body)
    found = unplayed(glance(room.fresh()), list(Proposal.objects.order_by("serial")))
    assert [found[pk] for pk in sorted(found)] == [2, 1, 0, 0, 0]
    page = " ".join(Client().get("/g/room/proposals/").text.split())
    assert page.count("of its sentences themselves") == 2
    assert "Players carry out 2 of its sentences themselves" in page
    cache.clear()
