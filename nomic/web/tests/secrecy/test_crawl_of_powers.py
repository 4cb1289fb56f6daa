"""Power gives nobody knowledge: each private thing has a canary, and everybody looks everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model

from aceofspades.models import Proposal
from aceofspades.tests import canaries
from aceofspades.tests.canaries import PROPOSED_IN_SECRET
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.models import Admission, Game, Invitation, way_to_the_game
from nomic.governance.models import Complaint
from nomic.notices.models import Notice
from nomic.offices.urls import office as office_site
from nomic.web.tests.secrecy import everything_private
from nomic.web.tests.secrecy.everything_private import (
    BESIDE,
    CANARIES,
    DECLARED,
    HOST,
    SECOND,
    THE_VOTE,
    appoint,
    heard,
    models_of_subgames,
    plant_what_is_declared,
    player,
    write_beside,
)
from nomic.web.tests.watchers import Watcher, addresses, part_of
from tests.kit import around, figure, seat, stamped, user_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uncounted")]

NEWLY = {"Horsened": "Hester", "Assessor": "Asa", "Onlooker": "Otto"}
FORMER = "a former Contestmaster"
# What a walk for many leaves to the slow one: an address for each entry, action, rule and account.
_FAR = ("{seq}", "/act/", "{action}", "{page}", "{object_id}", "/accounts/", "/ledger/{name}")
_NEAR = ("{slug}", "contest", "regulation", "settlers_", "proposals/vote", "record/entry", "roll")
# Where each watcher looks on each walk.
CLOSE = [
    *("/g/table/", "/g/table/proposals/1/", "/office/g/table/"),
    *("/g/table/settlers/", "/g/table/settlers/private/", "/api/v1/games/table/settlers"),
    *("/g/table/aceofspades/", "/g/table/aceofspades/private/", "/api/v1/games/table/aceofspades"),
]
# The models of the house whose rows are of no game, and so in no book, and why.
OF_NO_GAME = {
    "notices.Choices": "on which ways a person is told, whatever the game",
    "notices.Browser": "where a person is told",
    "notices.AccountLetter": "of a person's account, to its address",
    "record.SiteKey": "the site's, and public",
    "quotas.Used": "a day's use, of games, users and tokens alike",
    "quotas.Hold": "what the operator holds back, games, users and tokens alike",
    "pages.Token": "what opens a person's account to their programs",
    "pages.Guest": "whose account is a guest's",
    "pages.Closing": "an account that is being closed",
    "pages.OwnCopy": "what the site holds of a person, for that person",
    "pages.SitePage": "the site's, and public",
    "pages.Bringing": "a rulebook that begins no game yet, and its sender's alone",
    "pages.Filling": "of a game that is not there yet",
}
# What the host reads, and the operator, of what people write beside the record.
FOR_HOSTS: set[type[Model]] = {Invitation, Admission, Complaint}
# What else the models of the house say they hide, and which canaries are there for it.
ON_OTHER_WALKS = {
    "ledger.Holder": "a deck (test_private_things)",
    "ledger.Asset": "a private card (test_private_things), and the contest's",
    "ledger.Balance": "how many of them somebody has (test_private_things), and of the contest's",
    "rulebook.Rule": "hidden rules (test_private_things), and the contest's regulations",
    "rulebook.RuleVersion": "their texts",
    "dice.Roll": "private rolls (test_private_things)",
    "dice.Master": "a key from which all dice follow (test_downloads, api/tests/test_secrets)",
    "record.SealedEntry": "all that the contest, the votes and the bribe have sealed",
    "governance.Motion": "the sealed inputs of a tabled remedy",
    "governance.AtTable": "who sits at the table unseen (hosting/tests/test_talk)",
    "documents.DocumentDraft": "a document that Jason writes, beside the draft of their proposal",
    "cases.CaseDraft": "a case that Jason writes, beside it",
    "contracts.ContractDraft": "a contract that Jason writes, beside them",
    "pages.Hook": "an address that is its owner's alone (web/tests/test_hooks)",
    "documents.SealedDocument": "a letter of Jason's (documents/tests/test_sealed)",
    "documents.Reader": "for whom that is",
    "play.Appointment": "a hidden Moment of Reckoning (aceofspades/tests/rules/test_hidden_tables)",
}


def is_quick(route: str) -> bool:
    """Whether it is among the addresses where something private is most likely to show."""
    if any(part in route for part in _FAR):
        return False
    return route == "/" or any(part in route for part in _NEAR)


def is_anywhere(route: str) -> bool:
    """Everywhere but where an account is given new secrets of its own each time."""
    return "/2fa/" not in route


WALKS = [
    pytest.param(is_quick, id="quick", marks=pytest.mark.brief),
    pytest.param(is_anywhere, id="everywhere", marks=pytest.mark.slow),
]


@pytest.fixture
@around
def uncounted() -> Iterator[None]:
    """No worth is counted for what a viewer is told, as long as the worker has not begun."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aceofspades.secrecy.scoring.ask", lambda question: None)
        yield


@pytest.fixture
def planted(db: None) -> Game:
    """The game while all its canaries are alive and all its private things open."""
    game = everything_private.begin()
    everything_private.tell_the_bribe(game)
    everything_private.vote_in_secret(game)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def powers(planted: Game) -> Game:
    """The same game a moment later: every office that can change hands has done so, the
    Contestmaster has resigned, and a correction is announced."""
    for name in (*NEWLY.values(), "newcomer"):
        seat(planted, name)
    olga = player(planted, "Olga")
    take(planted.slug, olga, "games.resign_office", {"office": "Onlooker"})
    for office, name in NEWLY.items():
        appoint(planted, office, name)
    slip = {"amount": 1, "asset": "dollary", "giver": "Mint", "receiver": "Lim", "reason": "a slip"}
    take(planted.slug, player(planted, "Hester"), "ledger.correct", slip)
    snail = player(planted, "snail")
    take(planted.slug, snail, "games.resign_office", {"office": "Contestmaster"})
    stamped(Game.objects.get(pk=planted.pk))
    return Game.objects.get(pk=planted.pk)


def those_who_may_not_know(game: Game) -> dict[str, Watcher]:
    """Everybody to whom nothing of all this belongs."""
    operator = User.objects.filter(username="operator").first()
    return {
        "nobody": Watcher.of(None),
        "without a seat": Watcher.of(user_of("juan")),
        "joined a moment ago": Watcher.of(player(game, "newcomer")),
        **{f"newly the {office}": Watcher.of(player(game, who)) for office, who in NEWLY.items()},
        FORMER: Watcher.of(player(game, "snail")),
        "the host": Watcher.of(user_of(HOST)),
        "the operator": Watcher.of(operator or User.objects.create_superuser("operator")),
        "a second account": Watcher.of(player(game, SECOND)),
    }


def some_of(
    watchers: dict[str, Watcher], only: Callable[[str], bool], first: int
) -> dict[str, Watcher]:
    """Every second of them on the quick walk, of which the two walks take one half each."""
    names = [*watchers][first::2] if only is is_quick else [*watchers]
    return {name: watchers[name] for name in names}


def leaks(
    watchers: dict[str, Watcher], where: list[str], parts: int = 1
) -> list[tuple[str, str, str]]:
    """Who hears a canary, and where, if they share the far addresses in so many parts. What the
    Contestmaster proposed in person stays on their own page of receipts: they wrote it, and no
    office knew it for them."""
    found = [
        (who, *each)
        for place, (who, watcher) in enumerate(watchers.items())
        for each in heard(watcher, part_of(where, place, parts, CLOSE), CANARIES)
    ]
    return [
        each
        for each in found
        if not (each[0] == FORMER and "/receipts" in each[1] and each[2] == PROPOSED_IN_SECRET)
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("only", WALKS)
def test_before_the_decision_nobody_is_told_what_is_not_theirs(
    only: Callable[[str], bool], powers: Game
) -> None:
    where = addresses(powers, only=only, few=only is is_quick)
    assert len(where) > 100
    everybody = some_of(those_who_may_not_know(powers), only, 0)
    told = leaks(everybody, where, parts=2 if only is is_quick else 1)
    appoint(powers, "Onlooker", "Olga")
    again = {"the Onlooker again": Watcher.of(player(powers, "Olga"))}
    assert told + leaks(again, where) == []


@pytest.mark.thorough
@pytest.mark.parametrize("only", WALKS)
def test_after_the_decision_nobody_is_told_what_is_not_theirs(
    only: Callable[[str], bool], powers: Game
) -> None:
    appoint(powers, "Onlooker", "Olga")
    canaries.decide(powers)
    assert Proposal.objects.get(contest__game=powers, number=1).verdict == "adopted"
    assert powers.entries.filter(name="settlers.arrival", outcome__before="Thug").exists()
    where = addresses(powers, only=only, few=only is is_quick)
    everybody = those_who_may_not_know(powers)
    everybody["the Onlooker again"] = Watcher.of(player(powers, "Olga"))
    parts = 2 if only is is_quick else 1
    assert leaks(some_of(everybody, only, 1), where, parts) == []


@pytest.mark.thorough
@pytest.mark.parametrize("only", WALKS)
def test_nobody_is_told_what_a_subgames_models_say_they_hide(
    only: Callable[[str], bool], powers: Game
) -> None:
    plant_what_is_declared(powers)
    where = addresses(powers, only=only, few=only is is_quick)
    everybody = those_who_may_not_know(powers)
    del everybody[FORMER], everybody["a second account"]  # who have rows of their own
    parts = 4 if only is is_quick else 1
    for place, (who, watcher) in enumerate(everybody.items()):
        there = part_of(where, place, parts, CLOSE)
        assert (who, heard(watcher, there, DECLARED)) == (who, [])
    for address in ("/g/table/aceofspades/private/", "/api/v1/games/table/settlers"):
        assert heard(Watcher.of(player(powers, "Murphy")), [address], DECLARED)


@pytest.mark.thorough
@pytest.mark.parametrize("only", WALKS)
def test_what_people_write_beside_the_record_is_told_to_nobody_else(
    only: Callable[[str], bool], powers: Game
) -> None:
    write_beside(powers)
    where = addresses(powers, only=only, few=only is is_quick)
    hosts, letters = "/g/table/host/", "/notices/"
    parts = 4 if only is is_quick else 1
    for place, (who, watcher) in enumerate(those_who_may_not_know(powers).items()):
        others = BESIDE.keys() - (FOR_HOSTS if who in {"the host", "the operator"} else set())
        there = {*part_of(where, place, parts, CLOSE), hosts, letters}
        canary = re.compile("|".join(BESIDE[each] for each in others))
        assert (who, heard(watcher, sorted(there), canary)) == (who, [])
    murphy, host = Watcher.of(player(powers, "Murphy")), Watcher.of(user_of(HOST))
    assert heard(murphy, [letters], re.compile(BESIDE[Notice]))
    for model in FOR_HOSTS:
        assert heard(host, [hosts], re.compile(BESIDE[model])), model


def test_all_that_the_house_says_it_hides_has_a_canary_on_some_walk(planted: Game) -> None:
    hiding = {
        each._meta.label
        for each in apps.get_models()
        if each.__module__.startswith("nomic.") and getattr(each, "hides", None)
    }
    assert hiding == ON_OTHER_WALKS.keys() | {each._meta.label for each in BESIDE}


def test_each_model_of_a_subgame_has_a_book_or_says_what_it_hides() -> None:
    silent = {each for each in models_of_subgames() if not hasattr(each, "hides")}
    assert silent - {*office_site.books} == set()


def test_each_model_of_the_house_has_a_book_or_says_what_it_hides() -> None:
    every = [each for each in apps.get_models() if each.__module__.startswith("nomic.")]
    silent = {each for each in every if not hasattr(each, "hides")} - {*office_site.books}
    assert {each._meta.label for each in silent} == OF_NO_GAME.keys()
    for each in silent:
        with pytest.raises(FieldDoesNotExist):
            way_to_the_game(each)


def test_each_canary_sings_to_whom_it_belongs(planted: Game) -> None:
    """So the walks listen where there is something to hear."""
    isle, contest = (f"/api/v1/games/table/{name}" for name in ("settlers", "aceofspades"))
    belongings = {
        figure(everything_private.BRIBE): {"Murphy": isle, "Olga": isle},
        canaries.of_suit(canaries.HELD, "Hearts"): {"Murphy": contest},
        canaries.of_suit(canaries.OFFERED, "Hearts"): {"Murphy": contest, "Babe": contest},
        canaries.of_suit(canaries.REMEDIED, "Black"): {"snail": "/office/g/table/"},
        canaries.PRIVATE: {"Fran": contest, "snail": contest},
        canaries.SECRET: {"snail": "/g/table/aceofspades/regulations/350/"},
        canaries.PROPOSED: {"Murphy": "/g/table/aceofspades/proposals/1/"},
        everything_private.DRAFTED: {"Jason": "/g/table/proposals/drafts/"},
    }
    silent = [
        (name, canary)
        for canary, places in belongings.items()
        for name, address in places.items()
        if not heard(Watcher.of(player(planted, name)), [address], re.compile(canary))
    ]
    assert silent == []


def test_the_sealed_vote_is_told_to_everybody_after_the_close(planted: Game) -> None:
    everything_private.hours(planted, 24 * 8)
    told = heard(Watcher.of(None), ["/api/v1/games/table/proposals/1"], THE_VOTE)
    assert told


def test_nobody_becomes_contestmaster_in_mid_contest(powers: Game) -> None:
    for name in ("newcomer", SECOND, "snail"):
        with pytest.raises(Refused, match="Somebody has joined the contest"):
            appoint(powers, "Contestmaster", name)
