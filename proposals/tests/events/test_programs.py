"""A rule with a program is adopted by a vote, amended by another, and gone by a third."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from nomic.engine.outcomes import Refused, UnknownAction
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.testing import WEDNESDAY, Take
from proposals.models import Proposal
from proposals.web.examples import programmed
from proposals.web.preview.preview import preview as previewed

WEEK = timedelta(days=7)
LOTTERY = """
Enact a new rule titled “The Lottery” with the following text:
{
Each week a ticket wins what all tickets have cost.

```python
@action("ticket", "Buy a ticket", price="1 hoof")
def ticket(me: Player):
    pay(me, 1, "hoof")
    state.setdefault("tickets", []).append(me)
    say(f"{me} buys a ticket.")

@every("week", title="The lottery is drawn")
def draw():
    tickets = state.get("tickets", [])
    if not tickets:
        say("Nobody has bought a ticket.")
        return
    winner = tickets[roll(len(tickets)) - 1]
    give(winner, len(tickets), "hoof")
    state["tickets"] = []
    say(f"{winner} wins {len(tickets)} hooves.")

@view("Tickets")
def tickets():
    return table(["Player"], [[name] for name in state.get("tickets", [])])
```
}
"""


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def hooves(game: Game, player: Player, rival: Player, act: Take) -> Game:
    for name in (player.name, rival.name):
        given = {"amount": 5, "asset": "hoof", "giver": "Mint", "receiver": name}
        act(None, "ledger.correct", **given, reason="a test")
    return game


def adopt(game: Game, voters: tuple[Player, ...], act: Take, body: str) -> Proposal:
    """Propose it, let all vote for it, and let the vote end."""
    entry = act(voters[0], "proposals.submit", body=body).entry
    proposal = Proposal.objects.filter(game=game).latest("serial")
    for voter in voters:
        act(voter, "proposals.vote", proposal=proposal.number, choice="FOR")
    advance(game.slug, entry.at + WEEK)
    proposal.refresh_from_db()
    assert proposal.passed
    game.refresh_from_db()
    return proposal


def hoof(player: Player) -> int:
    return Balance.objects.get(holder=player.holder, asset__name="hoof").amount


def test_a_lottery_is_adopted_played_amended_and_repealed_by_votes(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    both = (player, rival)
    adopt(hooves, both, act, LOTTERY)
    assert hooves.rules.get(title="The Lottery").text.count("```") == 2
    before = hoof(player), hoof(rival)
    entry = act(player, "rule.the-lottery.ticket").entry
    assert entry.text == "Murphy buys a ticket."
    act(rival, "rule.the-lottery.ticket")
    monday = WEDNESDAY + timedelta(days=11, hours=13)
    advance(hooves.slug, monday)
    [drawn] = hooves.entries.filter(name="rule.week").exclude(text__contains="Nobody")
    assert drawn.text in ("Murphy wins 2 hooves.", "Madrid wins 2 hooves.")
    assert drawn.rule == "The Lottery"
    assert sum(before) <= hoof(player) + hoof(rival)

    replace = "In the rule “The Lottery”, replace “pay(me, 1,” with “pay(me, 2,”"
    adopt(hooves, both, act, replace)
    held = hoof(player)
    act(player, "rule.the-lottery.ticket")
    assert hoof(player) == held - 2

    adopt(hooves, both, act, "Repeal the rule “The Lottery”.")
    with pytest.raises(UnknownAction):
        act(player, "rule.the-lottery.ticket")
    drawn_so_far = hooves.entries.filter(name="rule.week").count()
    hooves.refresh_from_db()
    advance(hooves.slug, hooves.last_at + 2 * WEEK)
    assert hooves.entries.filter(name="rule.week").count() == drawn_so_far
    hooves.refresh_from_db()
    assert [each for each in audit(hooves) if each.wrong] == []
    assert replay(hooves)[1] is None


def test_proposing_and_voting_cannot_be_refused_by_a_program(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    both = (player, rival)
    hooks = "".join(
        f'@before("proposals.{each}")\ndef no_{each}():\n    refuse("Never again.")\n'
        for each in ("submit", "vote", "revise", "withdraw")
    )
    hooks += '@before("proposals.close")\ndef close():\n    refuse("Never again.")\n'
    body = f"Enact a rule titled “Silence” with the text:\n{{\n```python\n{hooks}```\n}}\n"
    adopt(hooves, both, act, body)
    adopt(hooves, both, act, "Repeal the rule “Silence”.")
    assert replay(hooves)[1] is None


def test_the_preview_tells_what_a_program_adds_and_where_it_is_wrong(
    hooves: Game, player: Player
) -> None:
    found = previewed(hooves, player, LOTTERY, {})
    told = {each.sentence: each.due for each in found.consequences}
    assert told["The action “Ticket” (Buy a ticket) by “The Lottery” is added."] is None
    assert told["“The lottery is drawn” each week by “The Lottery” is added"] is not None
    assert "The view “Tickets” by “The Lottery” is added." in told
    assert found.warnings == ()

    def warned(old: str, new: str) -> str:
        found = previewed(hooves, player, LOTTERY.replace(old, new), {})
        return " ".join(found.warnings)

    assert "line 5" in warned("def ticket(me: Player):", "def ticket(me: Player:")
    assert "(line 6, column 13)" in warned('pay(me, 1, "hoof")', "pay(me, 'one', 'hoof')")
    assert "two functions draw" in warned("def tickets()", "def draw()")
    failing = "Tried now, tickets of “The Lottery” fails: ZeroDivisionError"
    assert failing in warned("[[name] for", "[[1 // 0]] or [[name] for")
    assert "Tried now, draw" in warned('state.get("tickets", [])\n    if', "1 // 0\n    if")
    assert "nothing that a program may run" in warned(
        '@view("Tickets")', '@before("horses.fly")\ndef fly():\n    pass\n\n@view("Tickets")'
    )


def test_the_composers_page_shows_it(hooves: Game, player: Player, client: Client) -> None:
    assert player.user is not None
    client.force_login(player.user)
    address = reverse("proposal_preview", args=[hooves.slug])
    response = client.post(address, {"body": LOTTERY})
    assert response.status_code == 200
    assert "The action “Ticket”" in response.content.decode()


def test_a_refused_ticket_changes_nothing(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    adopt(hooves, (player, rival), act, LOTTERY.replace("1 hoof", "9 hooves").replace("1,", "99,"))
    held = hoof(player)
    with pytest.raises(Refused, match="This costs 99 hooves, and Murphy has"):
        act(player, "rule.the-lottery.ticket")
    assert hoof(player) == held


def test_each_rule_of_the_gallery_can_be_proposed_as_it_stands(
    hooves: Game, player: Player, client: Client
) -> None:
    found = programmed(glance(hooves))
    assert len(found) == 7
    for each in found:
        preview = previewed(hooves, player, each.written, {})
        assert [change.done for change in preview.changes] == [True], each.does
        assert (preview.warnings, preview.remarks) == ((), ()), each.does
        assert any(" is added" in told.sentence for told in preview.consequences)
    assert player.user is not None
    client.force_login(player.user)
    page = client.get(reverse("proposal_new", args=[hooves.slug])).content.decode()
    assert "Rules that carry a program" in page
    assert "Buy a ticket of the lottery" in page
