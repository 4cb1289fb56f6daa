"""What is private stays so: drafts, and votes where nobody sees them before the close."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from nomic.engine import watch
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.offices.urls import office
from nomic.operations.setup import advance
from nomic.web.tokens import make_token
from proposals.models import Draft, Proposal, Vote
from tests.kit import WEDNESDAY, Take, seat

pytestmark = pytest.mark.usefixtures("tags_tell_no_time")

CANARY = "Quetzalcoatlus"
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
_SEEN = "| While voting lasts | yes |"
PAGES = ("proposals", "game", "rules", "record", "record_feed", "reports", "ledger", "dice", "seat")
OWN_PAGES = ("proposal_new", "proposal_drafts")  # with keys and drafts of whoever looks
API = (
    *("", "/proposals", "/proposals/1", "/proposals/2", "/proposals/p1", "/record", "/balances"),
    *("/actions", "/rules", "/reports", "/dice", "/record?limit=1", "/reports/proposals"),
)
# Where a vote is most likely to show: to whom, and in which books of the officers' site.
NEAR = ("nobody", "author", "officer")
NEAR_BOOKS = ("game", "player", "entry", "balance", "appointment", "proposal", "version", "vote")
WALKS = pytest.mark.parametrize(
    "is_near",
    [
        pytest.param(True, id="near", marks=pytest.mark.brief),
        pytest.param(False, id="everywhere", marks=pytest.mark.slow),
    ],
)


@pytest.fixture
def preset() -> str:
    return "b-nomic-5e33"


@pytest.fixture
def boss(game: Game, player: Player) -> Player:
    """The Chairman."""
    chairman = seat(game, "snail")
    take(game.slug, chairman, "games.take_office", {"office": "Chairman"})
    return chairman


@pytest.fixture
def sealed(game: Game, player: Player, rival: Player, boss: Player, act: Take) -> Game:
    """Two Open proposals whose votes nobody sees, and a draft with the canary in it."""
    text = game.rules.get(title="Voting").text
    hidden = text.replace(_SEEN, _SEEN.replace("yes", "no"))
    act(None, "rulebook.amend", rule="Voting", text=hidden, reason="secrecy")
    act(player, "proposals.submit", title="Spoons", body="Give Murphy 3 points.")
    act(rival, "proposals.submit", title="Forks", body="Forks.", conflicts=[1])
    Draft.objects.create(
        player=player,
        title=f"{CANARY} draft",
        body=CANARY,
        more={"conflicts": CANARY},
        saved_at=wall_now(),
    )
    advance(game.slug, NDAY_9)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def watchers(sealed: Game, player: Player, boss: Player) -> dict[str, tuple[Client, str]]:
    """Everybody but the rival who votes: with a browser, and a token for those who have one."""
    operator = User.objects.create_superuser("operator")
    people = {
        "nobody": None,
        "outsider": User.objects.create_user("juan"),
        "author": player.user,
        "officer": boss.user,
        "operator": operator,
    }
    found = {}
    for name, user in people.items():
        client, token = Client(), ""
        if user is not None:
            client.force_login(user)
            token = make_token(user, "a program")[1]
        found[name] = (client, token)
    return found


def house(game: Game) -> Iterator[str]:
    """Every page of the house and of proposals that looks the same whenever it is asked for."""
    yield from (reverse(name, args=[game.slug]) for name in PAGES)
    for handle, name in product((1, 2), ("proposal", "proposal_what_if", "proposal_changes")):
        yield reverse(name, args=[game.slug, handle])
    yield reverse("report", args=[game.slug, "proposals"])


def books(*, is_near: bool) -> Iterator[str]:
    """Every book of the officers' site, or those that are near, with a search for who voted
    what."""
    for admin in office.books.values():
        if is_near and admin.opts.model_name not in NEAR_BOOKS:
            continue
        listed = reverse(f"office:{admin.opts.app_label}_{admin.opts.model_name}_changelist")
        yield listed
        if admin.search_fields:
            yield f"{listed}?q=Madrid"


def plain(response: Any) -> Any:
    """What an answer tells, without what is made anew for each (keys, tokens of a form)."""
    text = response.content.decode(errors="replace")
    text = re.sub(r'(name="(?:key|csrfmiddlewaretoken)" value=")[^"]*', r"\1", text)
    text = re.sub(r'("X-CSRFToken": ")[^"]*|nonce="[^"]*"|term-[0-9a-f]{8}', "", text)
    return response.status_code, response.get("ETag"), text


def seen(
    game: Game, watchers: dict[str, tuple[Client, str]], *, is_near: bool
) -> dict[tuple[str, str], Any]:
    """All that everybody else is told, by who and where; or what is near."""
    found: dict[tuple[str, str], Any] = {("the live mark", ""): watch.mark(game.pk)}
    for name in NEAR if is_near else watchers:
        client, token = watchers[name]
        for path in house(game):
            found[name, path] = plain(client.get(path))
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        for rest in API:
            path = f"/api/v1/games/{game.slug}{rest}"
            found[name, path] = plain(Client().get(path, headers=headers))
    for name in ("officer", "operator"):
        client = watchers[name][0]
        desk = reverse("office:desk", args=[game.slug])
        for path in (desk, *books(is_near=is_near)):
            found[name, path] = plain(client.get(path))
    return found


def differences(before: dict[Any, Any], after: dict[Any, Any]) -> list[Any]:
    return [where for where in before if before[where] != after[where]]


@pytest.mark.thorough
@WALKS
def test_before_the_close_nothing_tells_that_or_what_somebody_voted(
    is_near: bool,
    sealed: Game,
    watchers: dict[str, tuple[Client, str]],
    rival: Player,
    act: Take,
) -> None:
    for client, _ in watchers.values():  # what a process, a cache or a session makes once
        client.get(reverse("game", args=[sealed.slug]))
    before = seen(sealed, watchers, is_near=is_near)
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    act(rival, "proposals.vote", proposal=2, choice="FOR")
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    assert Vote.objects.count() == 3
    assert differences(before, seen(sealed, watchers, is_near=is_near)) == []


def test_after_the_close_everybody_reads_who_voted_what(
    sealed: Game, watchers: dict[str, tuple[Client, str]], rival: Player, act: Take
) -> None:
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    advance(sealed.slug, THE_END)
    for name, (client, _) in watchers.items():
        told = client.get(f"/api/v1/games/{sealed.slug}/proposals/1").json()
        assert (name, told["votes"]) == (name, {"Madrid": "FOR"})
        assert "Madrid" in client.get(reverse("proposal", args=[sealed.slug, 1])).text


@pytest.mark.thorough
@WALKS
def test_a_draft_is_seen_by_nobody_but_its_writer_in_no_state_of_the_vote(
    is_near: bool, sealed: Game, watchers: dict[str, tuple[Client, str]]
) -> None:
    draft = Draft.objects.get()
    for moment in (NDAY_9, THE_END):
        advance(sealed.slug, moment)
        found = seen(sealed, watchers, is_near=is_near)
        for name, (client, _) in watchers.items():
            for page in OWN_PAGES:
                found[name, page] = plain(client.get(reverse(page, args=[sealed.slug])))
            found[name, "draft"] = plain(
                client.get(reverse("proposal_draft", args=[sealed.slug, draft.pk]))
            )
            found[name, "no draft"] = plain(
                client.get(reverse("proposal_draft", args=[sealed.slug, draft.pk + 999]))
            )
            if name != "author":
                assert found[name, "draft"][0] == found[name, "no draft"][0]
        told = [where for where, what in found.items() if CANARY in str(what)]
        assert {name for name, _ in told} <= {"author"}, told
        assert ("author", "draft") in told


def test_the_officer_learns_from_no_refusal_whether_somebody_has_voted(
    sealed: Game, rival: Player, boss: Player, act: Take
) -> None:
    def refusals() -> list[tuple[str, str]]:
        found = []
        for voter in ("Madrid", "Murphy", "nobody of that name"):
            with pytest.raises(Refused) as refused:
                act(boss, "proposals.strike_vote", proposal=1, voter=voter, reason="a slip")
            found.append((refused.value.refusal.code, refused.value.refusal.sentence))
        return found

    before = refusals()
    assert len(set(before)) == 1
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    assert refusals() == before


def test_being_vested_tells_of_a_sealed_vote_only_when_the_nweek_is_over(
    sealed: Game, rival: Player, act: Take
) -> None:
    before = list(sealed.players.order_by("pk").values_list("name", "vested"))
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    assert list(sealed.players.order_by("pk").values_list("name", "vested")) == before
    advance(sealed.slug, THE_END)
    assert [each.name for each in sealed.players.filter(vested=True)] == ["Madrid"]
    assert Proposal.objects.filter(status="Open").count() == 0
