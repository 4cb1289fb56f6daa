"""The list of proposals and the page of each, for everybody, in every state."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from nomic.engine import watch
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from nomic.web.game_context import shown_mark
from proposals.models import Comment, Proposal, Version, Vote
from proposals.state.results import MOST_SHOWN
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line, seat, user_of

LIST = "/g/table/proposals/"
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![x](https://example.org/x.png)",
    "</textarea></svg><svg onload=alert(1)>",
    "{{ 7|add:7 }} {% debug %}",
    "> " * 500 + "deep",
    "{" * 40 + "x" + "}" * 40,
    "Enact a new rule titled “<b>Bold</b>” and the following text: { <i>x</i> }",
    "\u200e‮ right to left",
)


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


def body(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_an_empty_list_says_what_a_proposal_is_and_who_may_write_one(
    game: Game, player: Player, visit: Visitor
) -> None:
    page = body(visit(player), LIST)
    assert "No proposal waits here" in page
    assert "Nweek 1, nday 1" in page
    assert "Join the game" in body(visit(), LIST)


@pytest.mark.thorough
def test_each_proposal_stands_under_its_status_with_what_comes_next(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    act(rival, "proposals.submit", title="Forks", body="Forks are nicer.", conflicts=[1])
    page = body(visit(player), LIST)
    assert page.index("Pending") < page.index("Spoons") < page.index("Forks")
    assert "Voting opens" in page
    assert 'conflicts with <a href="/g/table/proposals/1/">1</a>' in on_one_line(page)

    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    page = body(visit(player), LIST)
    assert "Open to votes" in page
    assert page.count('aria-pressed="true"') == 1
    assert "1 waits for your vote" in page
    assert 'aria-pressed="true"' not in body(visit(rival), LIST)
    assert "aria-pressed" not in body(visit(), LIST)
    assert "1 FOR, 0 AGAINST, 1 not voted." in page

    advance(game.slug, THE_END)
    page = body(visit(), LIST)
    assert page.index("Decided") < page.index("Forks") < page.index("Spoons")
    assert "Won" in page
    assert "Lost" in page
    assert "No proposal waits here" in page


@pytest.mark.thorough
def test_decided_proposals_come_in_pages(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    for number in range(25):
        act(player, "proposals.submit", title=f"Spoon {number}", body="A spoon.")
    advance(game.slug, THE_END)
    first, second = body(visit(), LIST), body(visit(), f"{LIST}?page=2")
    assert "Spoon 24" in first
    assert "Spoon 4<" not in first
    assert "?page=2#past-title" in first
    assert "Spoon 4<" in second
    assert "Earlier" not in second
    for nonsense in ("0", "-1", "x", "9" * 30, "%00", "½", "3"):
        body(visit(), f"{LIST}?page={nonsense}")


def test_a_live_list_that_has_nothing_new_costs_nothing(
    game: Game, player: Player, act: Take, htmx: Visitor, django_assert_num_queries: Any
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    watch.bump(game.pk, 70)
    client = htmx(player)
    for path in (LIST, f"{LIST}1/"):
        with django_assert_num_queries(0):
            answer = client.get(path, {"v": shown_mark(game.pk, "70"), "game": game.pk})
        news = client.get(f"{path}?v=69&game={game.pk}").content.decode()
        assert (answer.status_code, "<html" in news) == (204, False)
        assert news.count('hx-swap-oob="true"') >= 4


def test_a_proposal_is_read_with_its_text_its_changes_and_who_carries_out_the_rest(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    text = "Repeal the rule “Spoons”.\n\nRepeal whatever is silly.\n\n[**Strong** words.]"
    act(player, "proposals.submit", title="Spoons", body=text)
    page = body(visit(), f"{LIST}1/")
    assert "<strong>Strong</strong> words" in page
    assert "stands in the same text" in page
    assert "The Administrator will carry this sentence out by hand" in on_one_line(page)
    assert body(visit(), f"{LIST}p1/")


def test_who_reads_a_body_sees_which_sentences_are_remarks(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    """In the text itself, and in lists beside what it asks for."""
    said = ["Spoons are <b>nice</b>, and so on.", "- Forks are not."]
    text = f"{said[0]}\n\nRepeal the rule “Spoons”.\n\n{said[1]}\n"
    act(player, "proposals.submit", title="Spoons", body=text, remarks=said)
    page = body(visit(), f"{LIST}1/")
    sheet = re.sub(r"<span[^>]*>|</span>", "", page[page.index('aria-label="The text"') :])
    assert "[remark: Spoons are &lt;b&gt;nice&lt;/b&gt;, and so on.]" in sheet
    assert "[remark: Repeal" not in sheet
    assert "<li>[remark: Forks are not.]</li>" in sheet
    for page in (body(visit(), LIST), body(visit(player), LIST)):
        assert "2 remarks, which" in page
        assert "<q>Spoons are &lt;b&gt;nice&lt;/b&gt;, and so on.</q>" in page


@pytest.mark.parametrize("hostile", HOSTILE)
def test_whatever_a_player_writes_is_shown_as_text(
    hostile: str, game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    found = Proposal.objects.get()
    Proposal.objects.update(title=hostile[:120], body=hostile)
    Version.objects.bulk_create(
        [
            Version(
                proposal=found,
                number=2,
                title=hostile[:120],
                body=hostile,
                index=1,
                entry=found.submitted_in,
            )
        ]
    )
    Comment.objects.create(
        proposal=found, player=player, text=hostile, at=WEDNESDAY, entry=found.submitted_in
    )
    for path in (LIST, f"{LIST}1/", f"{LIST}1/?from=1&to=2"):
        page = body(visit(player), path).casefold()
        for wicked in (
            "<script>",
            "onerror=alert(1)>",
            "<img",
            'href="javascript',
            "<svg onload",
            "<b>bold",
            "<i>x",
        ):
            assert wicked not in page, path


@pytest.mark.parametrize("preset", ["b-nomic-5e33"])
def test_an_author_may_change_what_is_pending_and_nobody_else(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    path = f"{LIST}1/"
    assert "Withdraw…" in body(visit(player), path)
    assert "Withdraw…" not in body(visit(rival), path)
    asked = visit(player).post(
        "/g/table/act/proposals.withdraw/", {"proposal": "1", "back": path, "key": "once-and-away"}
    )
    assert "Withdraw Proposal 1 “Spoons”?" in asked.content.decode()
    advance(game.slug, NDAY_9)
    assert "Withdraw…" not in body(visit(player), path)


def test_the_difference_between_any_two_versions_is_shown(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    for text in ("One spoon.", "Two spoons.", "Three spoons."):
        name = "proposals.revise" if Proposal.objects.exists() else "proposals.submit"
        inputs = {"proposal": 1} if name.endswith("revise") else {}
        act(player, name, title="Spoons", body=text, **inputs)
    page = body(visit(), f"{LIST}1/?from=1&to=3")
    assert "From version 1 to version 3" in page
    assert "<del>" in page
    for nonsense in ("?from=1", "?from=x&to=9", "?from=%00&to=1", f"?from={'9' * 40}&to=1"):
        assert "From version" not in body(visit(), f"{LIST}1/{nonsense}")


def test_votes_are_listed_with_those_that_were_changed_or_struck(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    act(
        None,
        "proposals.strike_vote",
        proposal=1,
        voter="Madrid",
        reason="bought with <b>spoons</b>",
    )
    page = body(visit(), f"{LIST}1/")
    assert "Every vote as it was cast, 2 in all" in page
    assert "<s>AGAINST</s>" in page
    assert "bought with &lt;b&gt;spoons" in page
    assert "If the vote ended now:</span> Won" in on_one_line(page)


def test_links_are_drawn_and_stand_in_a_table(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    act(player, "proposals.submit", title="Forks", body="x", dependencies=[1])
    act(player, "proposals.submit", title="Knives", body="x", conflicts=[2])
    page = body(visit(), f"{LIST}1/")
    assert "2 depends on 1." in page
    assert "3 conflicts with 2." in page
    assert "The same as a table" in page
    assert "Links" not in body(visit(), LIST)


def test_what_passed_shows_what_it_did_and_what_is_left_to_the_officer(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    text = "Enact a new rule titled “Spoons” and the following text: { Spoons are silver. }"
    act(player, "proposals.submit", title="Spoons", body=f"{text}\n\nRepeal rule 999.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, THE_END)
    page = body(visit(), f"{LIST}1/")
    assert "The rule “Spoons” is enacted." in page
    assert "/g/table/rules/spoons-" in page
    assert "<ins>" in page
    assert "has yet to carry this sentence out by hand" in on_one_line(page)
    act(None, "proposals.carry_out", proposal=1, place=2, entry=0, note="Nothing was silly.")
    assert "Nothing was silly." in body(visit(), f"{LIST}1/")


def test_a_comment_is_said_without_javascript_and_with_it(
    game: Game, player: Player, act: Take, visit: Visitor, htmx: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    path = f"{LIST}1/"
    said = {"proposal": "1", "text": "Well\nsaid.", "back": path, "key": "a-key-for-it"}
    answer = visit(player).post("/g/table/act/proposals.comment/", said)
    assert (answer.status_code, answer["Location"]) == (302, path)
    assert "Well<br>said." in body(visit(), path)
    again = htmx(player).post("/g/table/act/proposals.comment/", said)
    assert again["HX-Retarget"] == "#receipt"


@pytest.mark.parametrize("name", ["submit", "revise", "withdraw", "vote", "comment"])
def test_every_action_has_a_form_by_itself_beside_the_page_on_which_it_stands(
    name: str, game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    assert f'id="form-proposals-{name}"' in body(
        visit(player), f"/g/table/act/proposals.{name}/?proposal=1"
    )
    assert f'id="form-proposals-{name}"' not in body(visit(player), LIST)


def test_of_very_many_votes_the_newest_are_shown_and_ones_own_is_known(
    game: Game, player: Player, crowd: Any, visit: Visitor
) -> None:
    crowd(MOST_SHOWN, 2)
    found = Proposal.objects.get(number=1)
    Vote.objects.create(proposal=found, player=player, word="AGAINST", at=NDAY_9, entry=3)
    Vote.objects.bulk_create(
        Vote(proposal=found, player=voter, word="FOR", at=NDAY_9, entry=3)
        for voter in game.players.exclude(pk=player.pk)
    )
    page = body(visit(player), f"{LIST}1/")
    assert f"the newest {MOST_SHOWN} votes" in page
    assert page.count('aria-pressed="true"') == 1
    assert f"{MOST_SHOWN} FOR, 1 AGAINST." in page


HANDLES = ("99", "p99", "0", "p0", "-1", "x", "½", "%00", "1.5", "9" * 30, "é" * 200, "true")


@pytest.mark.parametrize("handle", HANDLES)
def test_what_names_no_proposal_is_a_helpful_404(
    handle: str, game: Game, player: Player, visit: Visitor
) -> None:
    answer = visit(player).get(f"{LIST}{handle}/")
    assert answer.status_code == 404
    assert "no proposal" in answer.content.decode()


def test_another_games_proposal_is_not_found_here(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    other, _ = new_game("other", "b-nomic-2006", pace="manual", start=WEDNESDAY)
    act(player, "proposals.submit", title="Spoons", body="x")
    for handle in ("1", "p1"):
        answer = visit(player).get(f"/g/{other.slug}/proposals/{handle}/")
        assert answer.status_code == 404
        assert "This game has no proposal" in answer.content.decode()


def test_a_game_without_the_rule_has_no_such_pages(db: None, visit: Visitor) -> None:
    new_game("races", "agora-races", pace="manual", start=WEDNESDAY)
    for path in ("", "1/"):
        answer = visit().get(f"/g/races/proposals/{path}")
        assert answer.status_code == 404
        assert "They begin when its rulebook has their rule" in answer.content.decode()


@pytest.fixture
def outsider_client(visit: Visitor) -> Client:
    return visit(user_of("juan"))


def test_who_looks_on_is_invited_and_offered_nothing(
    game: Game, player: Player, act: Take, outsider_client: Client
) -> None:
    seat(game, "snail")
    act(player, "proposals.submit", title="Spoons", body="x")
    advance(game.slug, NDAY_9)
    page = body(outsider_client, f"{LIST}1/")
    assert "You are looking on" in page
    assert "Say it" not in page
