"""A rule with a program is adopted by a vote, amended by another, and gone by a third."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from nomic.engine.models import ProgramState
from nomic.engine.outcomes import Refused, UnknownAction
from nomic.engine.programs.descriptions import added_by
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal
from proposals.web.examples import programmed
from proposals.web.preview.preview import preview as previewed
from tests.kit import WEDNESDAY, Take, words_of_program

WEEK = timedelta(days=7)
NOTHING: dict[str, list[Any]] = {
    name: [] for name in ("actions", "appointments", "hooks", "decisions", "views")
}
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


@pytest.mark.thorough
def test_a_lottery_is_adopted_played_amended_and_repealed_by_votes(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    both = (player, rival)
    adopt(hooves, both, act, LOTTERY)
    assert hooves.rules.get(title="The Lottery").text.count("```") == 2
    before = hoof(player), hoof(rival)
    entry = act(player, "rule.the-lottery.ticket").entry
    assert entry.text == "“The Lottery” says: “Murphy buys a ticket.”"
    act(rival, "rule.the-lottery.ticket")
    monday = WEDNESDAY + timedelta(days=11, hours=13)
    advance(hooves.slug, monday)
    [drawn] = hooves.entries.filter(name="rule.week").exclude(text__contains="Nobody")
    assert words_of_program(drawn.text) in ("Murphy wins 2 hooves.", "Madrid wins 2 hooves.")
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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_the_preview_tells_what_a_program_adds_and_where_it_is_wrong(
    hooves: Game, player: Player
) -> None:
    found = previewed(hooves, player, LOTTERY, {})
    told = {each.sentence: each.due for each in found.consequences}
    assert told["The action “Ticket” (Buy a ticket, for 1 hoof) by “The Lottery” is added."] is None
    assert told["“The lottery is drawn” each week by “The Lottery” is added"] is not None
    assert "The view “Tickets” by “The Lottery” is added." in told
    assert len(found.warnings) == len(found.unplayed) == 1  # of what its program does not tell

    def warned(old: str, new: str) -> str:
        found = previewed(hooves, player, LOTTERY.replace(old, new), {})
        return " ".join(each for each in found.warnings if "does not carry out" not in each)

    assert "line 5" in warned("def ticket(me: Player):", "def ticket(me: Player:")
    assert "(line 6, column 13)" in warned('pay(me, 1, "hoof")', "pay(me, 'one', 'hoof')")
    assert "two functions draw" in warned("def tickets()", "def draw()")
    failing = "Tried now, tickets of “The Lottery” fails: ZeroDivisionError"
    assert failing in warned("[[name] for", "[[1 // 0]] or [[name] for")
    assert "Tried now, draw" in warned('state.get("tickets", [])\n    if', "1 // 0\n    if")

    def decides(what: str) -> str:
        decision = f'@decide("horses.gain")\ndef gain(player: Player) -> int:\n    return {what}'
        return warned('@view("Tickets")', f'{decision}\n\n@view("Tickets")')

    own = '@before("rule.the-lottery.ticket")\ndef last():\n    pass\n\n@view("Tickets")'
    assert warned('@view("Tickets")', own) == "", "what its own rule lets players do"
    assert decides("len(player)") == ""
    assert "Tried now, gain of “The Lottery” fails: It decides -1" in decides("-1")
    assert "not assignable" in decides("player").lower() or "return" in decides("player").lower()
    assert "nothing that a program may run" in warned(
        '@view("Tickets")', '@before("horses.fly")\ndef fly():\n    pass\n\n@view("Tickets")'
    )


def test_the_preview_shows_an_actions_form_and_that_its_price_changes(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    wave = (
        '@action("wave", "Wave at {player} {times} times", title="Wave", price="2 hoof")\n'
        "def wave(me: Player, player: Player, times: int = 1, how: Literal['low', 'high'] = 'low',"
        " twice: bool = False):\n    say(player)\n"
    )
    body = with_program("Waves", wave)
    [told] = [each.sentence for each in previewed(hooves, player, body, {}).consequences]
    assert told == (
        "The action “Wave” (Wave at [player: a player] [times: a number, else 1] times, with"
        " [how: low | high, else low], [twice: yes or no], for 2 hooves) by “Waves” is added."
    )
    adopt(hooves, (player, rival), act, body)
    cheaper = "In the rule “Waves”, replace “2 hoof” with “1 hoof”."
    came, went = (each.sentence for each in previewed(hooves, player, cheaper, {}).consequences)
    assert "for 1 hoof)" in came
    assert "for 2 hooves)" in went


@pytest.mark.thorough
def test_the_api_tells_what_programs_add_and_where_they_are_wrong(
    hooves: Game, player: Player, client: Client, act: Take
) -> None:
    def told(body: str) -> dict[str, Any]:
        place = act(player, "proposals.submit", body=body).entry.outcome["id"]
        found = client.get(f"/api/v1/games/{hooves.slug}/proposals/{place}").json()["preview"]
        return {name: found[name] for name in ("adds", "errors")}

    hook = '@before("horses.bet")\ndef no():\n    pass\n\n@view("Tickets")'
    lottery = told(LOTTERY.replace('@view("Tickets")', hook))
    assert lottery["errors"] == []
    adds = lottery["adds"]
    [coming] = adds.pop("appointments")
    assert (coming["name"], coming["due"][-1]) == ("rule.the-lottery.draw", "Z")
    added = {"actions": ["rule.the-lottery.ticket"], "hooks": ["before horses.bet"]}
    assert adds == {**added, "decisions": [], "views": ["Tickets"]}
    assert told("Spoons.") == {"adds": NOTHING, "errors": []}
    [typed] = told(LOTTERY.replace('pay(me, 1, "hoof")', "pay(me, 'one', 'hoof')"))["errors"]
    assert (typed["rule"], typed["line"], typed["column"]) == ("The Lottery", 6, 13)
    assert typed["sentence"].startswith("The program of “The Lottery” does not fit")
    unread = told(LOTTERY.replace("def ticket(me: Player):", "def ticket(me: Player:"))
    assert (unread["adds"], unread["errors"][0]["line"]) == (NOTHING, 5)
    [astray] = told(LOTTERY.replace('@view("Tickets")', hook.replace("bet", "fly")))["errors"]
    assert "before horses.fly" in astray["sentence"]
    assert (astray["line"], astray["column"]) == (21, 2)
    [failing] = told(LOTTERY.replace("[[name] for", "[[1 // 0]] or [[name] for"))["errors"]
    assert failing["sentence"].startswith("Tried now, tickets of “The Lottery” fails")


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


@pytest.mark.thorough
def test_each_rule_of_the_gallery_can_be_proposed_as_it_stands(
    hooves: Game, player: Player, client: Client
) -> None:
    found = programmed(glance(hooves))
    assert len(found) == 7
    for each in found:
        preview = previewed(hooves, player, each.written, {})
        assert [change.done for change in preview.changes] == [True], each.does
        assert (preview.warnings, preview.unread) == ((), ()), each.does
        assert any(" is added" in told.sentence for told in preview.consequences)
    assert player.user is not None
    client.force_login(player.user)
    page = client.get(reverse("proposal_new", args=[hooves.slug])).content.decode()
    assert "Rules that carry a program" in page
    assert "Buy a ticket of the lottery" in page


def with_program(title: str, program: str, number: str = "") -> str:
    head = f"Enact a new rule {number} titled “{title}”".replace("  ", " ")
    return f"{head} with the following text:\n{{\n```python\n{program}```\n}}\n"


@pytest.mark.thorough
def test_rules_that_disagree_come_in_the_order_of_their_numbers(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    def saying(word: str) -> str:
        return f'@after("horses.gain_dollaries")\ndef one():\n    say("{word}.")\n'

    body = with_program("None", saying("None")) + with_program("Ten", saying("Ten"), "10")
    adopt(hooves, (player, rival), act, body + with_program("Nine", saying("Nine"), "9"))
    assert act(player, "horses.gain_dollaries").entry.text.endswith(
        ". “Nine” says: “Nine.” “Ten” says: “Ten.” “None” says: “None.”"
    )
    no = '@before("horses.gain_dollaries")\ndef no():\n    refuse("No, says {}.")\n'
    body = with_program("Twelve", no.format(12), "12") + with_program("Eleven", no.format(11), "11")
    adopt(hooves, (player, rival), act, body)
    with pytest.raises(Refused, match="No, says 11"):
        act(rival, "horses.gain_dollaries")
    assert replay(hooves)[1] is None


@pytest.mark.thorough
def test_a_rule_that_comes_back_begins_anew_and_an_amended_one_keeps_its_state(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    count = (
        '@action("count", "Count")\ndef count(me: Player):\n'
        '    state["n"] = state.get("n", 0) + 1\n    say(f"It is {state[\'n\']}.")\n'
    )
    both = (player, rival)
    adopt(hooves, both, act, with_program("Counting", count, "77"))
    assert act(player, "rule.77.count").entry.text == "“Counting” says: “It is 1.”"
    adopt(hooves, both, act, "In the rule “Counting”, replace “It is” with “Now it is”.")
    assert act(player, "rule.77.count").entry.text == "“Counting” says: “Now it is 2.”"
    adopt(hooves, both, act, "Repeal the rule “Counting”.")
    adopt(hooves, both, act, with_program("Counting", count, "77"))
    assert act(player, "rule.77.count").entry.text == "“Counting” says: “It is 1.”"
    assert replay(hooves)[1] is None


@pytest.mark.thorough
def test_a_game_with_programs_goes_on_elsewhere_from_one_file(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    adopt(hooves, (player, rival), act, LOTTERY)
    act(player, "rule.the-lottery.ticket")
    file = io.StringIO()
    export_game(hooves, file)
    file.seek(0)
    elsewhere = import_game(file, slug="elsewhere")
    act(rival, "rule.the-lottery.ticket")
    take("elsewhere", elsewhere.players.get(name="Madrid"), "rule.the-lottery.ticket")
    for slug in (hooves.slug, "elsewhere"):
        advance(slug, WEDNESDAY + timedelta(days=13))
    drawn = [
        game.entries.get(name="rule.week", text__contains="wins").text
        for game in (hooves, elsewhere)
    ]
    assert drawn[0] == drawn[1]
    elsewhere.refresh_from_db()
    assert [each for each in audit(elsewhere) if each.wrong] == []
    assert replay(elsewhere)[1] is None


PRIZES = """
Enact a new rule titled “Prizes” with the following text:
{
```python
@after("proposals.adopted")
def prize(me: Player, event: Event):
    state[event.subject] = event.figures["for"]
    give(me, 3, "hoof")
    say(f"{me} gains 3 hooves.")

@after("proposals.not_adopted")
def comfort(event: Event):
    say(f"A pity: {event.text}")
```
}
Enact a new rule titled “Thanks” with the following text:
{
```python
@action("thank", "Thank for {proposal}")
def thank(me: Player, proposal: str):
    kept = state_of("Prizes")
    kept[proposal] += 1
    kept["thanked"] = kept.get("thanked", []) + [me]

@view("Thanks")
def thanks():
    return bars({each: len(str(count)) for each, count in state_of("Prizes").items()})

@action("ask", "Ask for {title}")
def ask(me: Player, title: str):
    state_of(title)["asked"] = 1
```
}
"""


@pytest.mark.thorough
def test_an_author_gains_as_the_proposal_is_adopted_and_rules_share_what_they_keep(
    hooves: Game, player: Player, rival: Player, act: Take
) -> None:
    both = (player, rival)
    first = adopt(hooves, both, act, PRIZES)
    assert "programs" not in hooves.entries.get(seq=first.closed_in).outcome
    before = hoof(player) - hoof(rival)
    proposal = adopt(hooves, both, act, "Spoons.")
    assert hoof(player) - hoof(rival) == before + 3
    entry = hooves.entries.get(seq=proposal.closed_in)
    assert entry.text.endswith("“Prizes” says: “Murphy gains 3 hooves.”")
    assert entry.outcome["programs"]["ran"] == ["prizes prize after proposals.adopted"]
    act(player, "proposals.submit", body="Forks.")
    advance(hooves.slug, hooves.last_at + 2 * WEEK)
    closed = hooves.entries.filter(text__contains="A pity:")
    assert closed.exists()
    place = f"p{proposal.serial}"
    act(rival, "rule.thanks.thank", proposal=place)
    kept = ProgramState.objects.get(rule__title="Prizes").state
    assert json.loads(kept) == {place: 3, "thanked": ["Madrid"]}
    with pytest.raises(Refused, match="No rule “Nothing” is in force"):
        act(rival, "rule.thanks.ask", title="Nothing")
    with pytest.raises(Refused, match="has no program, so it keeps nothing in mind"):
        act(rival, "rule.thanks.ask", title="Proposals")
    act(rival, "rule.thanks.ask", title="Thanks")
    assert ProgramState.objects.get(rule__title="Thanks").state == '{"asked": 1}'
    hooves.refresh_from_db()
    assert [each for each in audit(hooves) if each.wrong] == []
    assert replay(hooves)[1] is None


def test_nothing_stands_before_what_happens_within_an_event(game: Game) -> None:
    text = game.rules.get(title="Horses").text
    text += '\n```python\n@before("proposals.adopted")\ndef never():\n    pass\n```\n'
    take(game.slug, None, "rulebook.amend", {"rule": "Horses", "text": text, "reason": "a test"})
    game.refresh_from_db()
    [told] = [each for found in added_by(glance(game)) for each in found.astray]
    assert told.sentence.startswith(
        "The program of “Horses” is to run before proposals.adopted, which is nothing that"
    )
