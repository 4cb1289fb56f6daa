"""Writing a proposal on its page: sending it, what is said against it, and who may write at all."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.engine.outcomes import Busy
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.rulebook.changes.reading import read_changes
from proposals.models import Draft, Link, Proposal
from proposals.web import compose
from proposals.web.examples import EXAMPLES, Example
from tests.kit import WEDNESDAY, Take, Visitor, seat, tight

ALL = "/g/table/proposals/"
NEW, PREVIEW = f"{ALL}new/", f"{ALL}preview/"
SPOONS = "Enact a new rule titled “Silver Spoons” with the following text:\n{\nSpoons shine.\n}"


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


def form_of(client: Client, path: str = NEW) -> dict[str, str]:
    """The hidden fields of the form, as a browser would send them back."""
    page = client.get(path).content.decode()
    fields = r'<input type="hidden" name="(key|window|seen|proposal)" value="([^"]*)"'
    return dict(re.findall(fields, page))


def test_a_proposal_is_submitted_from_the_page(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "proposals.submit", body="Nothing.")
    client = visit(player)
    sent = {
        **form_of(client),
        "title": "Spoons",
        "body": SPOONS,
        "conflicts": "1",
        "index": "2.5",
        "coauthors": "Madrid",
    }
    answer = client.post(NEW, sent)
    assert answer["Location"] == f"{ALL}2/"
    proposal = Proposal.objects.get(game=game, number=2)
    assert (proposal.title, proposal.body) == ("Spoons", SPOONS)
    assert (str(proposal.index), proposal.coauthors) == ("2.5", ["Madrid"])
    assert Link.objects.filter(proposal=proposal, other__number=1, kind="conflict").exists()
    page = client.get(answer["Location"]).content.decode()
    assert "Murphy submits Proposal 2 “Spoons”" in page
    assert "Recorded as entry" in page


def test_sent_twice_it_is_submitted_once(game: Game, player: Player, visit: Visitor) -> None:
    client = visit(player)
    sent = {**form_of(client), "body": SPOONS}
    assert [client.post(NEW, sent)["Location"] for _ in range(2)] == [f"{ALL}1/"] * 2
    assert Proposal.objects.filter(game=game).count() == 1


@pytest.mark.parametrize(
    ("inputs", "status", "said"),
    [
        ({"body": "[A spoon.]", "conflicts": "99"}, 409, "no proposal 99"),
        ({"body": "[A spoon.]", "index": "0.1"}, 409, "adoption index"),
        ({"body": "[A spoon.]", "coauthors": "Nobody"}, 409, "no player “Nobody”"),
        ({"body": ""}, 422, "Fill this in."),
        ({"body": "[A spoon.]", "conflicts": "the first"}, 422, "names no proposal"),
        ({"body": "[A spoon.]", "index": "many"}, 422, "number in tenths"),
        ({"body": "x" * 200_001}, 422, "200,001 characters"),
        ({"body": "x" * 1_000_000}, 422, "1,000,000 characters"),
        ({"body": "{" * 1_000 + "}" * 1_000}, 409, "braces deep"),
        ({"title": "x" * 121, "body": "[A spoon.]"}, 422, "at most 120 characters"),
        ({"body": "[x\0y]"}, 422, "control characters"),
    ],
)
def test_what_stands_against_it_is_said_beside_the_filled_form(
    inputs: dict[str, str], status: int, said: str, game: Game, player: Player, visit: Visitor
) -> None:
    client = visit(player)
    answer = client.post(NEW, {**form_of(client), "title": "My title", **inputs})
    page = answer.content.decode()
    assert answer.status_code == status
    assert said in page
    assert f'value="{inputs.get("title", "My title")}"' in page
    assert not Proposal.objects.filter(game=game).exists()


def test_a_text_whose_braces_do_not_fit_is_submitted_and_its_page_says_which(
    player: Player, visit: Visitor
) -> None:
    client = visit(player)
    sent = client.post(NEW, {**form_of(client), "body": "Enact { x"})
    assert sent["Location"] == f"{ALL}1/"
    for path in (f"{ALL}1/", f"{ALL}1/changes/"):
        assert "Line 1, column 7: the brace in “Enact { x” is never closed" in tight(
            client.get(path).content.decode()
        )


def test_a_busy_game_keeps_the_form_filled(
    game: Game, player: Player, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*given: Any, **named: Any) -> Any:
        raise Busy

    client = visit(player)
    sent = {**form_of(client), "title": "Spoons", "body": SPOONS}
    monkeypatch.setattr(compose, "take", busy)
    answer = client.post(NEW, sent)
    assert answer.status_code == 503
    assert "Spoons shine." in answer.content.decode()
    assert sent["key"] in answer.content.decode()
    assert Draft.objects.get().body == SPOONS


def test_without_javascript_a_button_shows_the_preview(player: Player, visit: Visitor) -> None:
    client = visit(player)
    answer = client.post(NEW, {**form_of(client), "body": SPOONS, "do": "look"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "The rule “Silver Spoons” is enacted." in page
    assert "Spoons shine.\n}</textarea>" in page
    assert not Proposal.objects.exists()


@pytest.mark.thorough
def test_a_sentence_that_is_not_read_is_quoted_to_its_author_with_a_box_beside_it(
    player: Player, htmx: Visitor
) -> None:
    def page_of(body: str, *remarks: str) -> str:
        sent = {"body": body, "key": "a" * 12, "window": "b" * 12, "remarks": remarks}
        return " ".join(htmx(player).post(PREVIEW, sent).content.decode().split())

    said = ["The moon is <b>cheese</b>.", "Spoons are nice."]
    body = f"Give Murphy 1 point.\n\n{' '.join(said)}"
    page = page_of(body)
    assert "sentences could not be" in page
    assert "<q>The moon is &lt;b&gt;cheese&lt;/b&gt;.</q>" in page
    assert "It is a remark" in page
    assert 'value="Spoons are nice."' in page
    assert "The Assessor will carry this sentence out by hand" in page
    assert "checked" not in page
    page = page_of(body, *said)
    assert "Murphy gains 1 point." in page
    assert page.count("checked") == 2
    assert Draft.objects.get().more["remarks"] == "\n".join(said)
    assert "<q>" not in page_of("Give Murphy 1 point.")
    page = page_of("Well.\n\nGive Murphy 1 point.\n\nWell.\n\nWell.", "Well.")
    assert [page.count(what) for what in ('name="remarks" value="Well."', "checked")] == [2, 1]
    words = re.sub("</?span[^>]*>", "", page)
    assert "<q>Well.</q> (3 of 3 that say so) can be marked as a remark once" in words
    many = "".join(f"Spoon {number} is made of cheese. " for number in range(203))
    assert "And 3 more." in page_of(many)


def test_links_that_cannot_be_meant_are_told_while_typing(player: Player, htmx: Visitor) -> None:
    nomic = new_game("bnomic", "b-nomic-2006", pace="manual", start=WEDNESDAY)[0]
    seat(nomic, "Murphy")
    sent = {"body": "x", "key": "a" * 12, "conflicts": "foo, 12,", "dependencies": "12"}
    answer = htmx(player).post("/g/bnomic/proposals/preview/", sent)
    page = answer.content.decode()
    assert "“foo” names no proposal." in page
    assert "“” names" not in page
    assert "Yours conflicts with Proposal 12 and depends on it" in page


def test_who_has_no_idea_starts_from_one_that_fits(player: Player, visit: Visitor) -> None:
    client = visit(player)
    page = client.get(NEW).content.decode()
    [first, *others] = re.findall(r'href="(\?idea=[^"]+)"', page)
    assert 1 <= len(others) <= 4
    filled = client.get(f"{NEW}{first}").content.decode()
    assert "No idea yet?" not in filled
    assert re.search(r'name="title"[^>]*value="[^"]+"', filled)
    assert 'id="preview"' in filled
    assert "Each change appears here" not in filled
    assert "No idea yet?" in client.get(f"{NEW}?idea=none").content.decode()


def test_the_examples_name_a_rule_of_the_game(player: Player, visit: Visitor, game: Game) -> None:
    page = visit(player).get(NEW).content.decode()
    title = game.rules.filter(repealed_in=None, visibility="public").latest("position").title
    assert f"Repeal the rule “{title}”." in page
    assert "Enact a new rule titled “Silver Spoons”" in page


def test_a_text_that_is_too_long_is_told_once(player: Player, visit: Visitor) -> None:
    client = visit(player)
    page = tight(client.post(NEW, {**form_of(client), "body": "x" * 200_001}).content.decode())
    told = re.findall(r'class="error" id="compose-body_error"><div>This text has 200,001', page)
    assert len(told) == 1
    assert "Ensure this value" not in page
    assert '<p id="braces" class="refused" aria-live="polite"></p>' in page


def test_one_change_that_is_left_to_the_officer_is_counted_once(
    player: Player, htmx: Visitor
) -> None:
    for body, said in (
        ("Repeal the rule “Forks”.", "1 change, left to the Assessor."),
        ("Repeal the rule “Forks”. Give Murphy 1 x.", "2 changes, all left to the Assessor."),
    ):
        answer = htmx(player).post(PREVIEW, {"body": body, "key": "a" * 12})
        assert said in answer.content.decode()


def test_braces_that_do_not_fit_are_told_while_typing(player: Player, htmx: Visitor) -> None:
    answer = htmx(player).post(PREVIEW, {"body": "one\ntwo }", "key": "a" * 12})
    page = tight(answer.content.decode())
    assert re.search(r'<p id="braces"[^>]*hx-swap-oob="true"><span>Line 2, column 5', page)
    assert 'data-line="2 5"' in page
    assert "<textarea" not in page


@pytest.mark.parametrize("path", [NEW, PREVIEW, f"{ALL}drafts/1/delete/"])
def test_nothing_is_written_without_the_token_of_the_form(path: str, player: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    assert player.user is not None
    client.force_login(player.user)
    sent = {"title": "x", "body": "y", "key": "a" * 12}
    assert client.post(path, sent).status_code == 403
    assert not Draft.objects.exists()
    assert not Proposal.objects.exists()


def test_strangers_are_asked_to_sign_in_and_onlookers_to_join(
    game: Game, outsider: User, visit: Visitor, htmx: Visitor
) -> None:
    assert visit().get(NEW)["Location"] == f"/accounts/login/?next={NEW}"
    assert visit(outsider).get(NEW)["Location"] == "/g/table/join/"
    assert htmx(outsider).post(PREVIEW, {"body": "x"})["HX-Redirect"] == "/g/table/join/"
    assert htmx().post(PREVIEW, {"body": "x"}).status_code == 401  # the page asks, over what it has
    assert visit(outsider).post(NEW, {"body": "x"}).status_code == 302
    assert not Proposal.objects.exists()


def test_a_game_without_proposals_has_no_form(db: None, player: Player, visit: Visitor) -> None:
    races = new_game("races", "agora-races", pace="manual", start=WEDNESDAY)[0]
    seat(races, "Murphy")
    for path in ("new/", "drafts/", "1/changes/", "1/revise/"):
        assert visit(player).get(f"/g/races/proposals/{path}").status_code == 404


def test_an_edition_asks_for_what_it_uses(player: Player, visit: Visitor) -> None:
    nomic = new_game("bnomic", "b-nomic-2006", pace="manual", start=WEDNESDAY)[0]
    seat(nomic, "Murphy")
    client = visit(player)
    page = client.get(NEW).content.decode()
    assert "Adoption index" in page
    assert "The least adoption index of each: Ordinary 1.0," in page
    assert "Conflicts with" not in page
    linked = client.post(NEW, {**form_of(client), "body": "x", "conflicts": "9"})
    assert "Conflicts with" in linked.content.decode()
    page = client.get("/g/bnomic/proposals/new/").content.decode()
    assert "Adoption index" not in page
    assert "Co-authors" not in page
    assert "Conflicts with" in page


def test_only_ones_own_pending_proposal_is_revised(
    game: Game, player: Player, rival: Player, visit: Visitor
) -> None:
    nomic = new_game("bnomic", "b-nomic-2006", pace="manual", start=WEDNESDAY)[0]
    peter = seat(nomic, "Murphy")
    seat(nomic, "Madrid")
    client, address = visit(peter), "/g/bnomic/proposals/1/revise/"
    start = "/g/bnomic/proposals/new/"
    client.post(start, {**form_of(client, start), "title": "Spoons", "body": "[Nothing.]"})
    sent = {**form_of(client, address), "title": "Spoons", "body": "[Something.]", "conflicts": ""}
    assert sent["proposal"] == "1"
    assert client.post(address, sent)["Location"] == "/g/bnomic/proposals/1/"
    revised = Proposal.objects.get(game=nomic)
    assert (revised.version, revised.body) == (2, "[Something.]")
    assert visit(rival).get(address).status_code == 404
    assert client.get("/g/bnomic/proposals/9/revise/").status_code == 404
    Proposal.objects.update(status="Open", opened_in=1)
    page = client.get(address).content.decode()
    assert "Proposal 1 is Open" in page


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.does)
def test_the_examples_are_read_as_what_they_are_said_to_do(example: Example) -> None:
    verbs = [change.verb for change in read_changes(example.written).changes]
    assert verbs[:1] == ([example.verb] if example.verb else [])
    assert "by hand" not in verbs


@pytest.mark.parametrize("players", [3, 300])
def test_the_form_asks_little_of_the_database(
    players: int, game: Game, player: Player, visit: Visitor, django_assert_max_num_queries: Any
) -> None:
    Player.objects.bulk_create(
        Player(game=game, name=f"voter {number}", joined_at=game.anchor_game, active=True)
        for number in range(players - 1)
    )
    client = visit(player)
    for path in (NEW, f"{ALL}drafts/"):
        client.get(path)
        with django_assert_max_num_queries(12):
            assert client.get(path).status_code == 200
