"""Voting in one click, from a game's home and from a slip, with JavaScript and without."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.operations.setup import advance, new_game
from nomic.web.game_context import GamePage
from proposals.models import Proposal, Vote
from proposals.web.home import SHOWN
from proposals.web.voting import slips
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line, seat

HOME = "/g/table/"
VOTE = "/g/table/act/proposals.vote/"


@pytest.fixture
def preset() -> str:
    return "agora"


def votes_of(player: Player) -> list[str]:
    return list(Vote.objects.filter(player=player).order_by("pk").values_list("word", flat=True))


def buttons(page: str) -> dict[str, dict[str, str]]:
    """The forms of the slips on a page: the hidden fields of each, by its word."""
    found = {}
    for form in re.findall(r"<form[^>]*proposals\.vote.*?</form>", page, re.DOTALL):
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
        if "choice" in fields:
            found[f"{fields['choice']} {fields['proposal']}"] = fields
    return found


def test_the_home_offers_a_vote_in_one_click(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    client = visit(player)
    page = client.get(HOME).content.decode()
    assert "1 waits for your vote" in on_one_line(page)
    sent = buttons(page)
    assert set(sent) == {"FOR 1", "AGAINST 1", "PRESENT 1"}
    answer = client.post(VOTE, sent["FOR 1"])
    assert answer["Location"] == f"{HOME}#waiting"
    assert votes_of(player) == ["FOR"]
    page = client.get(HOME).content.decode()
    assert "you have voted on all" in page
    assert page.count(">✓ FOR</text>") == 1


def test_two_words_of_one_page_are_two_votes_and_one_word_sent_twice_is_one(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    client = visit(player)
    sent = buttons(client.get(HOME).content.decode())
    for word in ("FOR 1", "FOR 1", "AGAINST 1"):
        client.post(VOTE, sent[word])
    assert votes_of(player) == ["FOR", "AGAINST"]


def test_with_htmx_a_vote_answers_with_its_receipt_and_tells_the_page_to_look_again(
    game: Game, player: Player, act: Take, htmx: Visitor
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    answer = htmx(player).post(VOTE, {"proposal": "1", "choice": "PRESENT", "key": "a" * 12})
    assert answer["HX-Retarget"] == "#receipt"
    assert "moved" in answer["HX-Trigger"]
    assert "Murphy votes PRESENT on Proposal 1" in answer.content.decode()


def test_a_vote_without_the_token_of_the_form_is_not_taken(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    client = Client(enforce_csrf_checks=True)
    assert player.user is not None
    client.force_login(player.user)
    assert client.post(VOTE, {"proposal": "1", "choice": "FOR"}).status_code == 403
    assert votes_of(player) == []


def test_missing_votes_come_first_and_a_handful_is_shown(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    for number in range(7):
        act(rival, "proposals.submit", title=f"Title {number}", body="Nothing.")
    for number in (1, 2, 3, 4):
        act(player, "proposals.vote", proposal=number, choice="FOR")
    page = visit(player).get(HOME).content.decode()
    waits, panel = page.split('id="proposals-title"')
    assert re.findall(r"Title (\d)</a>", waits) == ["4", "5", "6"]
    shown = re.findall(r">Title (\d)</text>", panel)
    assert shown == ["4", "5", "6", "0"]
    assert len(shown) == SHOWN
    assert "3 wait for your vote" in on_one_line(page)
    assert "3 more open to votes" in page


def test_who_looks_on_sees_the_vote_and_no_button(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    page = visit().get(HOME).content.decode()
    assert "Spoons" in page
    assert buttons(page) == {}


def test_bars_count_each_players_last_vote(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    for word in ("AGAINST", "FOR"):
        act(player, "proposals.vote", proposal=1, choice=word)
    page = visit().get(HOME).content.decode()
    assert "1 FOR, 0 AGAINST, 1 not voted." in page


def test_nobody_learns_from_a_home_how_a_secret_vote_stands(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    Proposal.objects.filter(game=game).update(secret=True)
    before = visit().get(HOME).content.decode()
    act(player, "proposals.vote", proposal=1, choice="FOR")
    assert "sealed until the vote ends" in before
    after = visit().get(HOME).content.decode()
    assert len(after) == len(before)
    assert "0 FOR" not in after
    assert "1 FOR" not in after


@pytest.fixture
def slip_for(game: Game, rf: Any) -> Any:
    """The slip of a game's first Open proposal as one of its players gets it."""

    def slip(player: Player, **more: Any) -> Any:
        fresh = Player.objects.select_related("game", "holder").get(pk=player.pk)
        game_page = GamePage(rf.get("/"), fresh.game, fresh)
        proposals = list(Proposal.objects.filter(game=fresh.game, status="Open"))
        return slips(game_page, proposals[:1], {}, **more)[proposals[0].pk]

    return slip


def test_one_endorses_any_other_player(
    game: Game, player: Player, rival: Player, act: Take, slip_for: Any
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    slip = slip_for(player, with_players=True)
    assert slip.players == ["Madrid"]
    assert slip.endorses is not None
    assert slip_for(player).players == []


def test_where_very_many_play_one_writes_whom_one_endorses(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    Player.objects.bulk_create(
        Player(game=game, name=f"player{number}", joined_at=game.anchor_game)
        for number in range(200)
    )
    client, page = visit(player), "/g/table/proposals/1/"
    assert "player199" not in client.get(page).text
    written = " ".join(client.get(page).text.split())
    assert 'value="ENDORSE " aria-label="Whom to endorse"' in written
    sent = {"proposal": "1", "choice": "ENDORSE Madrid", "key": "k", "back": page}
    assert client.post(VOTE, sent).status_code == 302
    assert votes_of(player) == ["ENDORSE Madrid"]
    assert 'value="ENDORSE Madrid"' in client.get(page).text


def test_only_the_emperor_is_offered_a_veto(game: Game, slip_for: Any) -> None:
    isle = new_game("isle", "blognomic", pace="manual", start=WEDNESDAY)[0]
    emperor, other = seat(isle, "Darius"), seat(isle, "Josh")
    take("isle", emperor, "games.take_office", {"office": "Emperor"})
    take("isle", other, "proposals.submit", {"body": "Nothing."})
    assert [each.word for each in slip_for(emperor).choices] == ["FOR", "AGAINST", "VETO"]
    assert [each.word for each in slip_for(other).choices] == ["FOR", "AGAINST", "DEFERENTIAL"]


def test_a_paused_game_says_why_nobody_votes(
    game: Game, player: Player, officer: Player, act: Take, slip_for: Any, visit: Visitor
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    act(officer, "games.pause", reason="a holiday")
    refusal = slip_for(player).refusal
    assert isinstance(refusal, Refusal)
    page = visit(player).get(HOME).content.decode()
    assert refusal.sentence in page
    assert buttons(page) == {}


def test_the_home_tells_when_the_vote_opens_and_closes(game: Game, visit: Visitor) -> None:
    nomic = new_game("bnomic", "b-nomic-2006", pace="manual", start=WEDNESDAY)[0]
    peter = seat(nomic, "Peter")
    take("bnomic", peter, "proposals.submit", {"body": "Nothing."})
    page = visit().get("/g/bnomic/").content.decode()
    assert "1 Pending, the vote" in page
    assert "opens" in page
    assert "Thu 12 Mar 2026" in page
    advance("bnomic", WEDNESDAY + timedelta(days=9))
    page = visit().get("/g/bnomic/").content.decode()
    assert "closes" in page


@pytest.mark.thorough
@pytest.mark.parametrize("players", [3, 300])
@pytest.mark.parametrize("proposals", [3, 300])
def test_the_home_keeps_to_its_queries_however_much_is_voted_on(
    players: int,
    proposals: int,
    game: Game,
    player: Player,
    visit: Visitor,
    django_assert_max_num_queries: Any,
) -> None:
    voters = Player.objects.bulk_create(
        Player(game=game, name=f"voter {n}", joined_at=game.anchor_game, active=True)
        for n in range(players - 1)
    )
    opened = {"status": "Open", "opened_in": 1, "submitted_at": game.anchor_game, "submitted_in": 1}
    made = Proposal.objects.bulk_create(
        Proposal(game=game, serial=n, number=n, author=player, body="x", **opened)
        for n in range(1, proposals + 1)
    )
    Vote.objects.bulk_create(
        Vote(proposal=each, player=voter, word="FOR", at=game.anchor_game, entry=1)
        for each in made[:30]
        for voter in voters
    )
    client = visit(player)
    client.get(HOME)
    with django_assert_max_num_queries(30):
        assert client.get(HOME).status_code == 200


def test_the_question_before_a_withdrawal_names_the_proposal(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Oops", body="Nothing.")
    Proposal.objects.filter(game=game).update(status="Pending", opened_in=None, opened_at=None)
    handle = Proposal.objects.get(game=game).handle
    asked = visit(player).post("/g/table/act/proposals.withdraw/", {"proposal": str(handle)})
    assert f"Withdraw Proposal {handle} “Oops”?" in asked.content.decode()
