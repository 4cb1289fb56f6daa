"""A bribe is on no page and in no answer but for its Settler and the Onlooker."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from nomic.engine.outcomes import Refused
from nomic.engine.rows import rows_of
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.governance.reports import reports_of
from nomic.web.tests.watchers import FEW, Watcher, addresses, part_of, routes, text_of
from settlers.models import Bribe, Settler
from settlers.tests.stage import give, hours, visitor_is
from tests.kit import Take, at_the_table, figure, seat

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = 7_654_321
_CANARIES = re.compile(figure(CANARY))
# Where a Settler may read their own bribe, and the Onlooker everybody's.
OWN = (
    *("/g/table/", "/g/table/settlers/", "/g/table/settlers/private/"),
    *("/g/table/act/settlers.bribe/", "/api/v1/games/table/settlers", "/office/g/table/"),
)
CLOSE = [each for each in OWN if "/act/" not in each]  # where each watcher looks on each walk
RECEIPTS = {"/g/table/receipts/", "/api/v1/games/table/receipts"}  # of one's own acts, for good


def is_quick(route: str) -> bool:
    """Whether it is among the addresses where a bribe is most likely to show."""
    far = ("/act/", "{action}", "{page}", "/accounts/", "{object_id}", "/results/", "/drafts/")
    if any(part in route for part in far):
        return False
    near = ("/g/", "settlers", "appointment", "roll", "period")
    return not route.startswith("/office/") or any(part in route for part in near)


def is_anywhere(route: str) -> bool:
    """Everywhere but where an account is given new secrets of its own each time."""
    return "/2fa/" not in route


OTHERS = ("nobody", "outsider", "rival", "another officer", "operator")
# The first is done each time; the rest takes minutes, so each walks for themselves.
WALKS = [
    pytest.param(is_quick, OTHERS, id="quick", marks=pytest.mark.brief),
    *(pytest.param(is_anywhere, (who,), id=who, marks=pytest.mark.slow) for who in OTHERS),
]


@pytest.fixture
def jason(game: Game) -> Player:
    """An officer who is not the Onlooker."""
    jason = seat(game, "Jason")
    take(game.slug, jason, "games.take_office", {"office": "Admin"})
    return jason


@pytest.fixture
def visited(
    game: Game, with_the_thug: Game, produced: tuple[Player, Player], officer: Player, jason: Player
) -> Game:
    """The isle while the Thug is there; Murphy and Madrid have something to pay with."""
    murphy, madrid = produced
    with at_the_table(game) as table:
        give(table, murphy, wheat=5, stone=2)
        give(table, madrid, wheat=4, brick=4)
    visitor_is(game, "Thug")
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def others(visited: Game, rival: Player, jason: Player, outsider: User) -> dict[str, Watcher]:
    """Everybody who is neither the Settler nor the Onlooker."""
    users = (None, outsider, rival, jason, User.objects.create_superuser("operator"))
    return {name: Watcher.of(user) for name, user in zip(OTHERS, users, strict=True)}


def where_it_shows(watcher: Watcher, where: list[str]) -> list[str]:
    """The addresses at which that watcher reads the canary."""
    return [each for each in where if _CANARIES.search(text_of(watcher.get(each)))]


def tell_by_the_page(game: Game, player: Player, wheat: int) -> None:
    """Tell a bribe with a browser."""
    browser = Watcher.of(player).browser
    address = reverse("act", args=[game.slug, "settlers.bribe"])
    answer = browser.post(address, {"items_wheat": str(wheat), "key": "of the page"})
    assert answer.status_code == 302
    assert Bribe.objects.get().items == {"wheat": wheat}


def nobody_else_reads_it(
    game: Game, others: dict[str, Watcher], only: Callable[[str], bool]
) -> None:
    """The canary stands in nothing that anybody else is told; on the quick walk each of them goes
    where it may stand for those whose it is, and to every second address of all others."""
    where = addresses(game, only=only, few=only is is_quick)
    parts = 2 if only is is_quick else 1
    near = CLOSE if only is is_quick else ()
    for place, (name, watcher) in enumerate(others.items()):
        assert (name, where_it_shows(watcher, part_of(where, place, parts, near))) == (name, [])


def test_the_walk_knows_what_each_parameter_of_an_address_may_be():
    """A new room whose addresses the walk does not fill would be a room that nobody watches."""
    known = {
        *("slug", "seq", "page", "name", "action", "handle", "item", "number", "object_id"),
        *("listing", "kind", "field", "place"),
        *("rule", "version", "start"),  # of a spot that is tapped
        *("uidb36", "key", "pk"),
        *("named", "turn"),
        *("change", "provider_id"),  # of one's own webhook, and where one signs in
        *("secret", "token", "nonce"),  # which are tried with what nobody was given
    }
    used = {name for _, names, _ in routes() for name in names}
    assert used <= known


@pytest.mark.thorough
@pytest.mark.parametrize(("only", "walkers"), WALKS)
def test_a_bribe_shows_to_nobody_else_before_or_after_it_is_paid(
    only: Callable[[str], bool],
    walkers: tuple[str, ...],
    visited: Game,
    others: dict[str, Watcher],
    player: Player,
    officer: Player,
):
    before, after = (walkers[::2], walkers[1::2]) if only is is_quick else (walkers, walkers)
    tell_by_the_page(visited, player, CANARY)
    for who in (player, officer):  # what they are shown is kept for nobody else
        assert where_it_shows(Watcher.of(who), list(OWN))
    nobody_else_reads_it(visited, {name: others[name] for name in before}, only)
    hours(visited, 48 + 24)
    assert not Bribe.objects.exists()
    arrival = visited.entries.get(name="settlers.arrival", outcome__before="Thug")
    assert arrival.outcome["paid"] == {"Murphy": {"wheat": 5}}
    nobody_else_reads_it(visited, {name: others[name] for name in after}, only)


@pytest.mark.thorough
@pytest.mark.parametrize("few", FEW)
def test_it_shows_to_its_settler_and_the_onlooker_and_only_where_it_belongs(
    few: bool, visited: Game, player: Player, officer: Player
):
    tell_by_the_page(visited, player, CANARY)
    where = addresses(visited, only=is_quick, few=few)
    for who in (player, officer):
        found = {each.partition("?")[0] for each in where_it_shows(Watcher.of(who), where)}
        assert "/api/v1/games/table/settlers" in found
        assert "/g/table/settlers/private/" in found
        assert found - RECEIPTS <= set(OWN), who
        assert found & RECEIPTS == (RECEIPTS if who == player else set())
    hours(visited, 48 + 24)
    where = addresses(visited, only=is_quick, few=few)
    assert {
        each.partition("?")[0] for each in where_it_shows(Watcher.of(player), where)
    } <= RECEIPTS
    assert where_it_shows(Watcher.of(officer), where) == []


def test_what_the_api_tells_of_bribes_is_told_to_two_people_only(
    visited: Game, others: dict[str, Watcher], player: Player, officer: Player, act: Take
):
    act(player, "settlers.bribe", items={"wheat": 3, "brick": 1})
    told = {"bribe": {"wheat": 3, "brick": 1}, "bribe_value": 4}
    nothing = {"bribe": {}, "bribe_value": 0}

    def asked(watcher: Watcher) -> tuple[object, object]:
        isle = json.loads(watcher.get("/api/v1/games/table/settlers").content)
        return isle["mine"], isle.get("bribes", "not there")

    assert asked(Watcher.of(player)) == (told, "not there")
    assert asked(Watcher.of(officer)) == (None, {"Murphy": told})
    assert asked(others.pop("rival")) == (nothing, "not there")
    assert {asked(watcher) for watcher in others.values()} == {(None, "not there")}


def test_who_becomes_the_onlooker_sees_the_bribes_from_the_next_visit_on_until_they_resign(
    visited: Game, rival: Player, player: Player, officer: Player, act: Take
):
    """Madrid's own bribe lies dormant meanwhile: who is no Settler pays nothing."""
    act(player, "settlers.bribe", items={"wheat": CANARY})
    act(rival, "settlers.bribe", items={"brick": 2})
    act(officer, "games.resign_office", office="Onlooker")
    madrid, snail = Watcher.of(rival), Watcher.of(officer)
    where = ["/api/v1/games/table/settlers", "/g/table/settlers/private/", "/office/g/table/"]
    assert where_it_shows(snail, where) == where_it_shows(madrid, where) == []
    act(rival, "games.take_office", office="Onlooker")
    assert where_it_shows(madrid, where) == []
    assert "bribes" not in json.loads(madrid.get(where[0]).content)
    hours(visited, 48 + 24)
    arrival = visited.entries.get(name="settlers.arrival", outcome__before="Thug")
    assert arrival.outcome["paid"] == {"Murphy": {"wheat": 5}}
    assert arrival.outcome["victims"] == ["Murphy"]
    visitor_is(visited, "Thug")
    act(player, "settlers.bribe", items={"wheat": CANARY})
    assert where_it_shows(madrid, where) == where
    assert json.loads(madrid.get(where[0]).content)["bribes"].keys() == {"Murphy"}
    act(rival, "games.resign_office", office="Onlooker")
    assert "bribes" not in json.loads(madrid.get(where[0]).content)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("only", "who"),
    [
        pytest.param(is_quick, "newly in office", id="newly, quickly", marks=pytest.mark.brief),
        pytest.param(is_anywhere, "newly in office", id="newly in office", marks=pytest.mark.slow),
        pytest.param(is_anywhere, "in office again", id="in office again", marks=pytest.mark.slow),
    ],
)
def test_an_onlooker_who_came_in_mid_visit_reads_no_bribe_of_it(
    only: Callable[[str], bool],
    who: str,
    visited: Game,
    player: Player,
    officer: Player,
    outsider: User,
    act: Take,
):
    """Also not those that are told from then on: a visit's bribes are one secret."""
    act(player, "settlers.bribe", items={"wheat": CANARY - 1})
    act(officer, "games.resign_office", office="Onlooker")
    newcomer = officer if who == "in office again" else seat(visited, outsider.username)
    act(newcomer, "games.take_office", office="Onlooker")
    act(player, "settlers.bribe", items={"wheat": CANARY})
    watcher = Watcher.of(newcomer)
    assert where_it_shows(watcher, addresses(visited, only=only, few=only is is_quick)) == []
    hours(visited, 48 + 24)
    assert where_it_shows(watcher, addresses(visited, only=only, few=only is is_quick)) == []


def test_who_takes_the_office_in_mid_visit_and_gives_it_back_has_read_nothing_and_may_bribe(
    visited: Game, rival: Player, officer: Player, act: Take
):
    """Unlike who was the Onlooker when the visit began."""
    act(rival, "settlers.bribe", items={"brick": 2})
    act(officer, "games.resign_office", office="Onlooker")
    act(rival, "games.take_office", office="Onlooker")
    with pytest.raises(Refused) as refused:
        act(rival, "settlers.bribe", items={"brick": 1})
    assert refused.value.refusal.code == "is_onlooker"
    act(rival, "games.resign_office", office="Onlooker")
    act(rival, "settlers.bribe", items={"brick": 3})
    act(officer, "settlers.join")
    with pytest.raises(Refused) as refused:
        act(officer, "settlers.bribe", items={})
    assert refused.value.refusal.code == "has_watched"
    hours(visited, 48 + 24)
    arrival = visited.entries.get(name="settlers.arrival", outcome__before="Thug")
    assert arrival.outcome["paid"] == {"Madrid": {"brick": 3}}


def test_a_preview_of_an_officers_act_or_of_a_proposal_tells_of_no_bribe(
    visited: Game, others: dict[str, Watcher], player: Player, act: Take
):
    act(player, "settlers.bribe", items={"wheat": CANARY})
    act(player, "proposals.submit", body="Repeal “Visitors”.")
    for name in ("rulebook.repeal", "settlers.receive_visitor", "settlers.produce"):
        address = reverse("office:act", args=[visited.slug, name])
        for watcher in (others["another officer"], others["operator"]):
            answer = watcher.browser.post(address, {"rule": "Visitors", "reason": "a try"})
            assert not _CANARIES.search(text_of(answer)), name
    number = visited.entries.get(name="proposals.submit").outcome["proposal"]
    for watcher in others.values():
        assert where_it_shows(watcher, [f"/g/table/proposals/{number}/what-if/"]) == []
    assert Bribe.objects.count() == 1


def test_what_the_onlooker_publishes_tells_of_no_bribe(
    visited: Game, player: Player, officer: Player, act: Take
):
    act(player, "settlers.bribe", items={"wheat": CANARY})
    names = [report.name for report in reports_of(visited) if report.office == "Onlooker"]
    assert names
    for name in names:
        entry = act(officer, "reports.publish", report=name).entry
        assert not _CANARIES.search(json.dumps([entry.text, entry.outcome, entry.inputs]))


def test_nobody_else_learns_of_it_from_what_is_refused(
    visited: Game, rival: Player, jason: Player, player: Player, act: Take
):
    """The same refusals, word for word, with and without somebody else's bribe."""

    def refusals() -> list[tuple[int, str]]:
        found = []
        for who, name, inputs in (
            (rival, "settlers.bribe", {"items": {"wheat": -1}}),
            (rival, "settlers.bribe", {"items": {"gold": 1}}),
            (rival, "settlers.bribe", {"items": "lots"}),
            (rival, "settlers.build", {"building": "Cone", "other": "wood"}),
            (rival, "settlers.offer_trade", {"to": "Murphy", "give": {}, "take": {"wheat": 5}}),
            (jason, "settlers.bribe", {"items": {"wheat": 1}}),
            (jason, "settlers.receive_visitor", {}),
            (jason, "settlers.open_visit", {"visit": 1}),
        ):
            answer = Client().post(
                f"/api/v1/games/table/actions/{name}",
                json.dumps(inputs),
                content_type="application/json",
                headers=Watcher.of(who).headers,
            )
            found.append((answer.status_code, answer.content.decode()))
        return found

    before = refusals()
    assert {status for status, _ in before} <= {403, 409, 422}
    act(player, "settlers.bribe", key="a key", items={"wheat": CANARY})
    assert refusals() == before


def test_a_key_that_served_a_bribe_serves_another_person_as_any_other(
    visited: Game, rival: Player, player: Player, act: Take
):
    act(player, "settlers.bribe", key="the same", items={"wheat": CANARY})
    ready = act(rival, "settlers.ready", key="the same")
    assert (ready.repeated, ready.entry.seq) == (False, visited.last_entry + 1)
    with pytest.raises(Refused) as refused:
        act(player, "settlers.ready", key="the same")
    assert refused.value.refusal.code == "key_used"
    assert not Settler.objects.get(player=player).ready


def test_no_room_of_the_officers_site_has_bribes(visited: Game):
    from nomic.offices.urls import office

    assert Bribe not in office.books
    assert "bribe" in rows_of("settlers", visited)
