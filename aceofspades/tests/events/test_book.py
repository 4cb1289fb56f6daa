"""The book of regulations as it changes (Regulations 105, 106, 112, 122, 123, 200 to 215)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aceofspades.events import book
from aceofspades.models import Contest, Proposal, Regulation
from aceofspades.state.reading import state_of
from aceofspades.tests import stage
from aceofspades.tests.acts import FOR, a_proposal, again, look, regulation
from nomic.engine.digest import state_of as digest_of
from nomic.games.models import Game, Player
from nomic.rulebook.models import Rule
from tests.kit import Take, at_the_table, seat

pytestmark = pytest.mark.django_db

SUITS = "| SUIT | COLOUR |\n| --- | --- |\n| Mauve | – |\n| Red | red |\n| Blue | blue |\n"
DECK = "| DECK FILLED | CARDS OF EACH SUIT |\n| --- | --- |\n| When this takes effect | {} |\n"
DEALT = "| DEALT TO A NEW CONTESTANT | CARDS |\n| --- | --- |\n| From the deck | 3 |\n"
BOUNDS = "| IMMUTABLE REGULATION | NUMBER |\n| --- | --- |\n| First | 101 |\n| Last | 120 |\n"
DAY = "| DAY OF THE RECKONING | WHEN |\n| --- | --- |\n| Set for | {} |\n"


@pytest.fixture
def preset() -> str:
    return stage.PRESET


@pytest.fixture
def contest(opened: Game, player: Player, rival: Player) -> Game:
    """The contest with Murphy and Madrid in it."""
    stage.join(opened, player, rival)
    return opened


def adopt(game: Game, by: Player, voters: list[Player], number: int, text: str, **more: str):
    """Let that regulation be proposed, adopted and take effect, by real acts."""
    proposal = stage.propose(game, by, number, text, **more)
    stage.vote(game, proposal, dict.fromkeys(voters, FOR))
    stage.hours(game, 72)
    proposal.refresh_from_db()
    assert proposal.effective_in is not None


def reckoning(game: Game) -> float:
    """The days from the contest's beginning to the Reckoning that is to come."""
    due = look(game).appointments.due("aceofspades.reckoning")
    assert due is not None
    return (due - Contest.objects.get().begun_at) / timedelta(days=1)


def test_the_first_deck_is_hidden_in_the_book_of_the_contest(contest: Game):
    first = contest.sealed_entries.filter(name="record.hidden").order_by("seq").first()
    assert first is not None
    assert first.book == "aceofspades"


def test_123_cards_of_a_suit_that_is_no_more_turn_mauve(
    contest: Game, player: Player, rival: Player
):
    hands = {each: stage.hand_of(contest, each) for each in (player, rival)}
    deck = stage.deck_of(contest)
    adopt(contest, player, [player, rival], 205, SUITS)
    state = state_of(look(contest))
    assert state.charts.suits == ("Mauve", "Red", "Blue")
    for each, before in hands.items():
        now = stage.hand_of(contest, each)
        kept = {suit: n for suit, n in before.items() if suit == "Red"}
        gone = sum(n for suit, n in before.items() if suit in ("Black", "Green", "Hearts"))
        assert now == {"Mauve": before["Mauve"] + gone, **kept}
    gone = sum(deck[suit] for suit in ("Black", "Green", "Hearts"))
    assert stage.deck_of(contest)["Mauve"] == deck["Mauve"] + gone


def test_210_a_new_one_fills_the_deck_as_it_takes_effect(
    contest: Game, player: Player, rival: Player
):
    before = stage.deck_of(contest)
    adopt(contest, player, [player, rival], 210, DECK.format(7))
    assert stage.deck_of(contest) == {suit: count + 7 for suit, count in before.items()}


def test_210_with_suits_of_its_own_it_fills_the_deck_with_them(
    contest: Game, player: Player, rival: Player
):
    adopt(contest, player, [player, rival], 205, f"{SUITS}\n\nA new Deck:\n\n{DECK.format(5)}")
    deck = stage.deck_of(contest)
    assert deck["Blue"] == 5


def test_200_a_new_one_moves_the_reckoning(contest: Game, player: Player, rival: Player):
    assert reckoning(contest) == pytest.approx(70, abs=1)
    adopt(contest, player, [player, rival], 200, DAY.format("50 days after the contest begins"))
    assert reckoning(contest) == pytest.approx(50, abs=1)


@pytest.mark.parametrize(("wanted", "got"), [(10, 40), (500, 96)])
def test_122_it_is_moved_within_its_bounds(
    contest: Game, player: Player, rival: Player, wanted: int, got: int
):
    adopt(
        contest, player, [player, rival], 200, DAY.format(f"{wanted} days after the contest begins")
    )
    assert reckoning(contest) == pytest.approx(got, abs=1)


def test_122_without_a_day_it_comes_at_the_latest(contest: Game, player: Player, rival: Player):
    adopt(contest, player, [player, rival], 200, "Some day.")
    assert reckoning(contest) == pytest.approx(96, abs=1)


def test_215_a_new_one_deals_otherwise_to_who_comes_then(
    contest: Game, player: Player, rival: Player
):
    adopt(contest, player, [player, rival], 215, DEALT)
    late = seat(contest, "omd")
    stage.join(contest, late)
    assert stage.contestant(late).dealt == 3


def test_112_a_hidden_regulation_that_is_replaced_stays_hidden(
    contest: Game, player: Player, rival: Player
):
    adopt(contest, player, [player, rival], 340, "Nothing.")
    old, new = Rule.objects.filter(game=contest, number="340").order_by("pk")
    assert old.repealed_in is not None
    assert (old.visibility, old.disclosed_in) == ("secret", None)
    assert (new.visibility, new.text) == ("public", "Nothing.")
    rows = Regulation.objects.filter(number=340).order_by("pk")
    assert [row.gone_in is None for row in rows] == [False, True]


def test_112_a_private_one_replaces_a_public_one(contest: Game, player: Player, rival: Player):
    adopt(contest, player, [player, rival], 330, "Hush.", visibility="private")
    found = regulation(contest, 330)
    assert found is not None
    assert found.visibility == "private"
    old = Rule.objects.get(game=contest, number="330", repealed_in__isnull=False)
    assert old.visibility == "public"


ADOPTED = [
    (205, f"{SUITS}\n\nA new Deck:\n\n{DECK.format(5)}", "public"),
    (210, DECK.format(7), "public"),
    (200, DAY.format("10 days after the contest begins"), "public"),
    (215, DEALT, "public"),
    (330, "Hush.", "private"),
    (340, "Nothing.", "public"),
    (101, BOUNDS, "public"),
    (200, DAY.format("500 days after the contest begins"), "public"),
    (205, SUITS, "public"),
]


@pytest.mark.thorough
def test_what_votes_make_of_the_book_is_proved_by_a_replay(
    contest: Game, player: Player, rival: Player
):
    for number, text, visibility in ADOPTED:
        proposal = stage.propose(contest, player, number, text, visibility=visibility)
        stage.vote(contest, proposal, {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    assert not Proposal.objects.filter(effective_in__isnull=True).exists()
    stage.join(contest, seat(contest, "omd"))
    again(contest)


def test_105_what_is_published_shows_nothing_of_the_past(
    contest: Game, player: Player, rival: Player
):
    """A regulation that is shown is public from that entry on, and its proposal's text stays where
    it was sealed."""
    adopt(contest, player, [player, rival], 501, "Hush.", visibility="private")
    with at_the_table(contest) as table:
        book.disclose(table, 501, "public")
        entry = table.seq
    rule = Rule.objects.get(game=contest, number="501")
    assert (rule.visibility, rule.disclosed_in) == ("public", entry)
    proposed = contest.entries.get(name="aceofspades.propose")
    assert "text" not in proposed.inputs
    assert "Hush" not in str([proposed.text, proposed.outcome])


def test_106_a_number_that_the_game_has_taken_meanwhile_holds_up_no_publishing(
    contest: Game, player: Player
):
    with at_the_table(contest) as table:
        table.rules.enact("A rule of the game", "No regulation.", number="340")
    with at_the_table(contest) as table:
        book.disclose(table, 340, "public")
    found = regulation(contest, 340)
    assert found is not None
    assert found.is_public


def test_101_other_bounds_make_other_regulations_immutable(
    contest: Game, act: Take, player: Player, rival: Player
):
    adopt(contest, player, [player, rival], 101, BOUNDS)
    classes = {each.number: each.rule_class for each in state_of(look(contest)).regulations}
    assert classes[120] == "immutable"
    assert classes[121] == "mutable"
    code, _, _ = a_proposal(act, player, number=121)
    assert code == "number_out_of_range"  # what Regulation 107 says of mutable ones


def test_101_no_lower_mutable_regulation_plays_the_part_of_an_immutable_one(contest: Game):
    bounds = "| IMMUTABLE REGULATION | NUMBER |\n| --- | --- |\n| First | 1 |\n| Last | 99 |\n"
    hours = "| VOTE | HOURS |\n| --- | --- |\n| Decided from | 1 |\n"
    stage.enact(contest, 99, f"{bounds}\n{hours}")
    state = state_of(look(contest))
    assert state.charts.decided_after == timedelta(hours=72)
    classes = {each.number: each.rule_class for each in state.regulations}
    assert (classes[99], classes[101], classes[125]) == ("mutable", "immutable", "immutable")


def test_the_digest_has_what_was_proposed_and_voted(contest: Game, player: Player, rival: Player):
    stage.vote(contest, stage.propose(contest, player), {rival: FOR})
    assert Proposal.objects.count() == 1
    told = str(digest_of(contest))
    assert "Nothing more." in told
    assert "FOR" in told


def test_106_the_existence_of_a_hidden_regulation_is_public_and_its_text_is_not(
    contest: Game, player: Player, rival: Player, master: Player
):
    from aceofspades.api import contest_state

    adopt(contest, master, [player, rival], 501, "Hush, hush.", visibility="secret")
    for viewer in (None, rival):
        told = contest_state(look(contest), viewer)
        assert told is not None
        assert "Hush" not in str(told)
        assert 501 in [each["number"] for each in told["regulations"]]
