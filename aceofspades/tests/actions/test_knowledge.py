"""Who comes to know which regulation (Regulations 104 to 106, 240 and 245)."""

from __future__ import annotations

from typing import Any

import pytest

from aceofspades.models import Move, NeedToKnow
from aceofspades.secrecy.view import View
from aceofspades.tests import stage
from aceofspades.tests.acts import (
    AGAINST,
    FOR,
    RECKONED,
    again,
    look,
    refused,
    regulation,
)
from nomic.games.models import Game, Player
from tests.kit import Take, seat

pytestmark = pytest.mark.django_db

TWO_OF_EACH = {"Mauve": 2, "Red": 2, "Black": 2, "Green": 2, "Hearts": 2}


@pytest.fixture
def preset() -> str:
    return stage.PRESET


@pytest.fixture
def contest(opened: Game, player: Player, rival: Player) -> Game:
    """The contest with Murphy, who has two cards of each suit, and Madrid."""
    stage.join(opened, player, rival)
    stage.give_cards(opened, player, **TWO_OF_EACH)
    return opened


def reads(game: Game, viewer: Player | None, number: int) -> bool:
    """Whether that viewer may have the regulation's text."""
    sight = View(look(game), viewer)
    found = sight.state.regulation(number)
    assert found is not None
    return sight.text(found) is not None


def visibility(game: Game, number: int) -> str:
    found = regulation(game, number)
    assert found is not None
    return found.visibility


# Regulation 245


def test_245_the_fee_makes_a_secret_regulation_private_to_the_payer(
    contest: Game, act: Take, player: Player, rival: Player
):
    deck = stage.deck_of(contest)
    receipt = act(player, "aceofspades.reveal_regulation", regulation=340)
    assert receipt.entry.text == (
        "Murphy names Regulation 340 and pays 5 cards. It is private now, and Murphy has full need"
        " to know for it."
    )
    assert stage.hand_of(contest, player) == dict.fromkeys(TWO_OF_EACH, 1)
    assert stage.deck_of(contest) == {suit: count + 1 for suit, count in deck.items()}
    assert visibility(contest, 340) == "private"
    known = NeedToKnow.objects.get()
    assert (known.contestant.player, known.full) == (player, True)
    assert reads(contest, player, 340)
    assert not reads(contest, rival, 340)
    assert not reads(contest, None, 340)
    move = Move.objects.latest("pk")
    assert (move.kind, move.giver, move.receiver, move.cards) == ("fee", "Murphy", "The Deck", 5)


def test_245_the_fee_is_returned_where_the_regulation_is_not_secret(
    contest: Game, act: Take, player: Player, rival: Player
):
    receipt = act(player, "aceofspades.reveal_regulation", regulation=310)
    assert receipt.entry.text == (
        "Murphy names Regulation 310 and pays 5 cards. It is not secret: the fee is returned from"
        " the Deck."
    )
    assert stage.hand_of(contest, player) == TWO_OF_EACH
    moves = Move.objects.filter(entry=receipt.entry.seq).order_by("pk")
    assert [(move.kind, move.giver, move.receiver, move.cards) for move in moves] == [
        ("fee", "Murphy", "The Deck", 5),
        ("returned", "The Deck", "Murphy", 5),
    ]
    assert not NeedToKnow.objects.exists()


def test_245_it_is_returned_for_a_private_one_too_and_buys_no_need_to_know(
    contest: Game, act: Take, player: Player, rival: Player
):
    act(player, "aceofspades.reveal_regulation", regulation=340)
    stage.give_cards(contest, rival, **TWO_OF_EACH)
    receipt = act(rival, "aceofspades.reveal_regulation", regulation=340)
    assert "the fee is returned" in receipt.entry.text
    assert stage.hand_of(contest, rival) == TWO_OF_EACH
    assert not reads(contest, rival, 340)


def test_245_who_lacks_a_suit_pays_nothing_and_hears_of_their_own_cards_only(
    contest: Game, act: Take, rival: Player
):
    stage.give_cards(contest, rival, Mauve=2, Red=1)
    assert refused(act, rival, "reveal_regulation", regulation=340) == (
        "cannot_pay",
        "The fee is 1 Mauve, 1 Red, 1 Black, 1 Green and 1 Hearts: you lack 1 Black, 1 Green and"
        " 1 Hearts.",
        "Regulation 245",
    )
    assert stage.hand_of(contest, rival) == {"Mauve": 2, "Red": 1}
    assert visibility(contest, 340) == "secret"


def test_245_a_regulation_that_there_is_not_costs_no_fee(contest: Game, act: Take, player: Player):
    assert refused(act, player, "reveal_regulation", regulation=341) == (
        "no_regulation",
        "There is no Regulation 341 in the contest.",
        "Regulation 245",
    )


def test_245_only_a_contestant_pays(contest: Game, act: Take, master: Player):
    juan = seat(contest, "juan")
    assert refused(act, juan, "reveal_regulation", regulation=340)[0] == "no_contestant"
    assert refused(act, master, "reveal_regulation", regulation=340)[0] == "is_contestmaster"


def test_245_where_no_regulation_has_a_fee_nothing_is_revealed(
    contest: Game, act: Take, player: Player, rival: Player
):
    proposal = stage.propose(contest, player, 245, "Nobody pays.")
    stage.vote(contest, proposal, {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    assert refused(act, player, "reveal_regulation", regulation=340) == (
        "no_fee",
        "No regulation says any more what it costs to read a secret one.",
        "Regulation 245",
    )


def test_105_what_was_secret_before_stays_so_when_its_number_is_revealed(
    contest: Game, act: Take, player: Player, rival: Player, master: Player
):
    """Regulation 340 is replaced by another secret one; who pays reads that one, not the older."""
    old = contest.rules.get(number="340")
    proposal = stage.propose(contest, master, 340, "Nothing.", visibility="secret")
    stage.vote(contest, proposal, {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    act(player, "aceofspades.reveal_regulation", regulation=340)
    old.refresh_from_db()
    assert old.visibility == "secret"
    assert old.repealed_in is not None
    assert reads(contest, player, 340)


# Regulation 240


@pytest.fixture
def revealed(contest: Game, act: Take, player: Player) -> Game:
    """Murphy has full need to know for Regulation 340."""
    act(player, "aceofspades.reveal_regulation", regulation=340)
    return contest


def test_240_full_need_to_know_is_passed_on_in_public(
    revealed: Game, act: Take, player: Player, rival: Player
):
    receipt = act(player, "aceofspades.grant_ntk", regulation=340, to="Madrid", kind="limited")
    assert receipt.entry.text == ("Murphy grants Madrid limited need to know for Regulation 340.")
    assert reads(revealed, rival, 340)
    assert visibility(revealed, 340) == "private"


def test_240_a_limited_holder_passes_nothing_on(
    revealed: Game, act: Take, player: Player, rival: Player
):
    omd = seat(revealed, "omd")
    stage.join(revealed, omd)
    act(player, "aceofspades.grant_ntk", regulation=340, to="Madrid", kind="limited")
    for kind in ("limited", "full"):
        assert refused(act, rival, "grant_ntk", regulation=340, to="omd", kind=kind) == (
            "is_limited",
            "Your need to know for Regulation 340 is limited: it cannot be passed on.",
            "Regulation 240",
        )
    assert not reads(revealed, omd, 340)
    # Made full, it can be.
    act(player, "aceofspades.grant_ntk", regulation=340, to="Madrid", kind="full")
    act(rival, "aceofspades.grant_ntk", regulation=340, to="omd", kind="limited")
    assert reads(revealed, omd, 340)


@pytest.mark.parametrize("kind", ["limited", "full"])
def test_240_who_has_it_already_is_granted_nothing(
    revealed: Game, act: Take, player: Player, rival: Player, kind: str
):
    act(player, "aceofspades.grant_ntk", regulation=340, to="Madrid", kind="full")
    assert refused(act, player, "grant_ntk", regulation=340, to="Madrid", kind=kind) == (
        "knows",
        "Madrid has full need to know for Regulation 340 already.",
        "Regulation 240",
    )


def test_240_it_is_not_granted_to_oneself_nor_to_who_is_no_contestant(
    revealed: Game, act: Take, player: Player, rival: Player
):
    grant = {"regulation": 340, "kind": "full"}
    assert refused(act, player, "grant_ntk", to="Murphy", **grant) == (
        "yourself",
        "You have need to know for it yourself.",
        "Regulation 240",
    )
    seat(revealed, "juan")
    for name in ("juan", "nobody"):
        assert refused(act, player, "grant_ntk", to=name, **grant) == (
            "no_contestant",
            f"{name} is not a contestant now.",
            "Regulation 240",
        )
    act(rival, "aceofspades.leave")
    assert refused(act, player, "grant_ntk", to="Madrid", **grant)[0] == "no_contestant"


@pytest.mark.parametrize(
    ("number", "code", "sentence"),
    [
        (310, "is_public", "Regulation 310 is public: everybody may read it."),
        (350, "is_secret", "Regulation 350 is secret: nobody has need to know for it."),
        (341, "no_regulation", "There is no Regulation 341 in the contest."),
    ],
)
def test_240_there_is_need_to_know_for_private_regulations_only(
    revealed: Game, act: Take, player: Player, number: int, code: str, sentence: str
):
    grant = {"regulation": number, "to": "Madrid", "kind": "full"}
    assert refused(act, player, "grant_ntk", **grant) == (code, sentence, "Regulation 240")


def test_240_who_has_none_passes_none_on(revealed: Game, act: Take, rival: Player):
    assert refused(act, rival, "grant_ntk", regulation=340, to="Murphy", kind="full") == (
        "no_need_to_know",
        "You have no need to know for Regulation 340.",
        "Regulation 240",
    )


# Regulation 106: secret regulations written before anybody plays


TEXT = "Marks.\n\n```python\ndef mark(hands, worth, alliances):\n    return worth\n```\n"


def test_106_the_contestmaster_writes_a_secret_regulation_before_anybody_joins(
    game: Game, act: Take, master: Player
):
    receipt = act(master, "aceofspades.write_secret_regulation", regulation=340, text=TEXT)
    assert receipt.entry.text == "The Contestmaster writes the secret Regulation 340 anew."
    assert receipt.entry.inputs == {"regulation": 340}
    found = regulation(game, 340)
    assert found is not None
    assert (found.visibility, found.text) == ("secret", TEXT.strip())
    again(game)


def test_106_not_once_somebody_has_ever_joined(
    game: Game, act: Take, master: Player, player: Player
):
    stage.join(game, player)
    act(player, "aceofspades.leave")
    code, sentence, rule = refused(
        act, master, "write_secret_regulation", regulation=340, text=TEXT
    )
    assert (code, rule) == ("has_contestants", "Regulation 106")
    assert sentence.startswith("Somebody has joined the contest")


@pytest.mark.parametrize(
    ("number", "text", "code"),
    [
        (310, TEXT, "not_secret"),
        (341, TEXT, "no_regulation"),
        (340, TEXT.replace("worth, alliances)", "worth, alliances"), "program_broken"),
    ],
)
def test_106_only_a_secret_one_is_written_and_by_a_program_that_runs(
    game: Game, act: Take, master: Player, number: int, text: str, code: str
):
    assert refused(
        act, master, "write_secret_regulation", regulation=number, text=text
    )[0] == code  # fmt: skip


def test_106_only_the_contestmaster_writes_one(
    game: Game, act: Take, master: Player, player: Player
):
    found = refused(act, player, "write_secret_regulation", regulation=340, text=TEXT)
    assert found[:2] == ("not_the_officer", "Only the Contestmaster can do this.")


def test_120_after_the_reckoning_nothing_is_revealed_or_granted(
    contest: Game, act: Take, player: Player, master: Player
):
    stage.days(contest, 70)
    assert refused(act, player, "reveal_regulation", regulation=340) == RECKONED
    grant = {"regulation": 340, "to": "Madrid", "kind": "full"}
    assert refused(act, player, "grant_ntk", **grant) == RECKONED
    assert refused(
        act, master, "write_secret_regulation", regulation=340, text=TEXT
    ) == RECKONED  # fmt: skip


@pytest.mark.thorough
def test_245_and_240_are_proved_by_a_replay(game: Game, act: Take, player: Player, rival: Player):
    """With hands that chance dealt: the proposal of a fee of nothing makes revealing possible."""
    stage.open_the_contest(game)
    stage.join(game, player, rival)
    fee = (
        "| FEE FOR A SECRET REGULATION | CARDS OF EACH SUIT |\n|---|---|\n| Paid to the deck | 0 |"
    )
    proposal = stage.propose(game, player, 245, fee)
    stage.vote(game, proposal, {player: FOR, rival: FOR})
    failed = stage.propose(game, rival, 246)
    stage.vote(game, failed, {player: AGAINST, rival: AGAINST})
    stage.hours(game, 72)
    act(player, "aceofspades.reveal_regulation", regulation=340)
    act(player, "aceofspades.reveal_regulation", regulation=310)
    act(player, "aceofspades.grant_ntk", regulation=340, to="Madrid", kind="limited")
    again(game)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [3, 300])
def test_an_act_of_knowing_costs_at_most_nineteen_queries(
    contest: Game, act: Take, player: Player, count: int, django_assert_max_num_queries: Any
):
    stage.crowd(contest, count - 2)
    with django_assert_max_num_queries(19):
        act(player, "aceofspades.reveal_regulation", regulation=340)
    with django_assert_max_num_queries(19):
        act(player, "aceofspades.grant_ntk", regulation=340, to="Madrid", kind="full")
