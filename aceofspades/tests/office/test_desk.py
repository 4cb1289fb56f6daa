"""The Contestmaster's desk: what is due, public figures, and secrets for their eyes alone."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from aceofspades.events.scoring import marks
from aceofspades.models import Move, Notice, Offer
from aceofspades.rules.contest import describe_cards
from aceofspades.tests.acts import FOR, keep_by_hand, master_of
from aceofspades.tests.asking import do
from aceofspades.tests.conftest import Three
from aceofspades.tests.office.desk import (
    A_LOT,
    CANARY,
    MANY,
    SECRET,
    TITLE,
    browser,
    row,
    the_desk,
)
from aceofspades.tests.reckoned import reckon, worths
from aceofspades.tests.stage import (
    crowd,
    days,
    deck_of,
    enact,
    give_cards,
    hand_of,
    hours,
    open_the_contest,
    propose,
)
from nomic.engine.take import take
from nomic.games.models import Game, Player
from tests.kit import Take, at_the_table, seat

pytestmark = pytest.mark.usefixtures("counted")

BROKEN = f"A mark for each Red card.\n\n```python\ndef mark(hands):\n    return {CANARY!r}\n```\n"


def a_superuser(game: Game, three: Three) -> User:
    return User.objects.create_superuser("root")


def test_the_contestmaster_sees_every_hand_by_suit_and_its_worth(
    told: Game, three: Three, master: Player
):
    text = the_desk(told, master)
    assert TITLE in text
    assert '<th scope="col">Whose</th><th scope="col">Mauve</th>' in text
    for name, cards in {"The Deck": deck_of(told), "Murphy": {"Mauve": 2, "Red": MANY}}.items():
        suits = [cards.get(suit, 0) for suit in deck_of(told)]
        assert row(name, *suits) in text, name
    assert "Mark" in text


@pytest.mark.thorough
def test_the_contestmaster_sees_votes_alliances_offers_and_texts(told: Game, master: Player):
    text = the_desk(told, master)
    assert row("Proposal 4", "Regulation 503", 1, 1) in text
    assert row("Proposal 3", "Regulation 502", 0, 0) in text
    assert row("Alliance 1", "Murphy, Madrid") in text
    offer = Offer.objects.get()
    parties = (offer.code, "Murphy, without their name", "Madrid")
    assert row(*parties, f"{A_LOT} Red", "1 Mauve") in text
    assert SECRET in text
    assert f"Private {CANARY}." in text
    assert f"Secret {CANARY}." in text


def test_the_contestmaster_sees_suits_that_moved_notices_and_what_is_tabled(
    told: Game, three: Three, master: Player
):
    do(master, "judge", request=1, judgement="It was not.")
    do(master, "table_remedy", request=1, kind="destroy", giver="Murphy", cards={"Red": A_LOT})
    moved = Move.objects.get(contest__game=told, kind=Move.Kind.TRANSFERRED)
    text = the_desk(told, master)
    assert row(f"Entry {moved.entry}", "Madrid", "", f"{A_LOT} Red") in text
    assert row(f"Entry {moved.entry}", "Murphy", f"{A_LOT} Red", "") in text
    when = f"{moved.at:%Y-%m-%d %H:%M}"
    assert row("Madrid", f"Murphy gives you {A_LOT} Red.", when) in text
    remedy = f"to destroy {A_LOT} cards of Murphy: {A_LOT} Red"
    assert row("Tabled act 2", remedy, "open") in text
    hint = f"to give a hint about Regulation 345: “It is about {CANARY}.”"
    assert row("Tabled act 1", hint, "open") in text
    days(told, 5)
    text = the_desk(told, master)
    assert row("Tabled act 2", remedy, "done") in text
    assert row("Murphy", f"By Tabled act 2 you lose {A_LOT} Red.") in text


def test_a_joining_tells_the_contestmaster_what_was_made_and_dealt(
    contest: Game, three: Three, master: Player
):
    joined = Move.objects.filter(contest__game=contest, kind=Move.Kind.DEALT).latest("entry")
    hand = hand_of(contest, three[2])
    dealt = {suit: hand[suit] - (2 if suit == "Mauve" else 0) for suit in hand}
    lost = describe_cards({suit: dealt[suit] for suit in sorted(dealt)})
    text = the_desk(contest, master)
    got = describe_cards({suit: hand[suit] for suit in sorted(hand)})
    assert row(f"Entry {joined.entry}", joined.receiver, "", got) in text
    assert row(f"Entry {joined.entry}", "The Deck", lost, "") in text


@pytest.mark.thorough
def test_the_newest_stand_on_the_desk_and_it_says_how_many_more_there_are(
    contest: Game, three: Three, master: Player
):
    murphy = three[0]
    give_cards(contest, murphy, Red=40)
    before = Move.objects.filter(contest__game=contest).values("entry").distinct().count()
    for number in range(25):
        do(murphy, "transfer", to="Madrid", cards={"Red": 1})
        do(murphy, "offer", to=["Madrid"], gives={"Red": number + 1}, takes={"Mauve": 1})
    text = the_desk(contest, master)
    notices = Notice.objects.filter(contestant__contest__game=contest).count()
    for total in (before + 25, notices):
        assert f"And {total - 12} more." in text, total
    assert text.count("Murphy gives you 1 Red.</td>") == 10
    entries = re.findall(r'<th scope="row">(Entry \d+)</th><td>Madrid</td>', text)
    assert len(set(entries)) == 20


def test_a_worth_that_is_not_counted_yet_is_told_so(
    told: Game, master: Player, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", lambda question: None)
    text = the_desk(told, master)
    assert "They are not counted yet." in text


@pytest.mark.thorough
def test_after_the_reckoning_the_desk_tells_the_worths_of_then_and_that_all_may_see_them(
    told: Game, master: Player, monkeypatch: pytest.MonkeyPatch
):
    enact(told, 611, BROKEN, "secret")
    reckon(told)
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", lambda question: None)
    text = the_desk(told, master)
    assert TITLE not in text
    for name, worth in worths(told).items():
        assert worth is not None
        assert re.search(
            rf'<th scope="row">{name}</th>(<td>\d+</td>)+<td>{marks(worth)}</td>', text
        )
    assert '<th scope="row">Regulation 611</th>' in text


def test_what_is_wrong_with_a_marking_regulation_is_told_to_the_contestmaster(
    told: Game, master: Player
):
    enact(told, 611, BROKEN, "secret")
    told.refresh_from_db()
    text = the_desk(told, master)
    assert '<th scope="row">Regulation 611</th>' in text


# What is due


@pytest.mark.thorough
def test_what_is_kept_by_hand_is_due(contest: Game, three: Three, master: Player):
    keep_by_hand(contest, "put_up_for_vote", "announce")
    propose(contest, three[0], 500)
    address = reverse("office:act", args=[contest.slug, "aceofspades.put_up_for_vote"])
    text = the_desk(contest, master)
    assert "Proposal 1, for Regulation 500, waits to be put up for vote" in text
    assert f"{address}?proposal=1" in text
    take(contest.slug, master, "aceofspades.put_up_for_vote", {"proposal": 1})
    assert "Proposal 1, for Regulation 500, waits" not in the_desk(contest, master)
    for each in three:
        take(contest.slug, each, "aceofspades.vote", {"proposal": 1, "vote": FOR})
    hours(contest, 72)
    text = the_desk(contest, master)
    assert "Proposal 1, for Regulation 500, is adopted: its regulation takes effect" in text
    take(contest.slug, master, "aceofspades.announce", {"proposal": 1})
    assert "takes effect when that is announced" not in the_desk(contest, master)


def test_a_request_waits_for_a_judgement(told: Game, master: Player, act: Take):
    text = the_desk(told, master)
    assert "Request 1 waits for a judgement" in text
    assert reverse("office:act", args=[told.slug, "aceofspades.judge"]) + "?request=1" in text
    act(master, "aceofspades.judge", request=1, judgement="It was.")
    assert "waits for a judgement" not in the_desk(told, master)


def test_a_tabled_act_stands_with_its_date(told: Game, master: Player, act: Take):
    act(master, "aceofspades.judge", request=1, judgement="It was not.")
    cards = {"Red": 7}
    act(
        master, "aceofspades.table_remedy",
        request=1, kind="destroy", giver="Murphy", cards=cards,
    )  # fmt: skip
    title = "Tabled act 2, to destroy 7 cards of Murphy, is done unless enough object"
    assert title in the_desk(told, master)
    days(told, 5)
    assert title not in the_desk(told, master)


def test_before_anybody_has_joined_secret_regulations_may_be_written(game: Game, act: Take):
    open_the_contest(game)
    master = master_of(game)
    words = "Until somebody joins, the Contestmaster may write others in their places"
    assert words in the_desk(game, master)
    act(seat(game, "Murphy"), "aceofspades.join")
    assert words not in the_desk(game, master)


def test_a_table_that_cannot_be_read_is_a_duty(contest: Game, master: Player):
    enact(contest, 215, "| DEALT TO A NEW CONTESTANT | CARDS |\n| --- | --- |\n| Cards | few |\n")
    text = the_desk(contest, master)
    assert "“Regulation 215” is played as of version 1 of the one repealed in entry" in text
    assert "rulebook.amend/?rule=Regulation+215" in text


def test_a_hidden_table_that_cannot_be_read_is_played_by_nowhere_and_nobodys_duty(
    contest: Game, master: Player, three: Three
):
    text = f"| DEALT TO A NEW CONTESTANT | CARDS |\n| --- | --- |\n| {CANARY} | few |\n"
    enact(contest, 214, text, "secret")
    root = a_superuser(contest, three)
    text = the_desk(contest, root)
    assert "Regulation 214” is" not in text
    assert CANARY not in text
    assert "rulebook.amend/?rule=Regulation+214" not in text


@pytest.mark.parametrize(
    ("number", "figure", "nonsense"), [(205, "| Red |", "| ? |"), (119, "| 300 |", "| few |")]
)
def test_a_desk_bears_every_broken_table(
    contest: Game, three: Three, master: Player, number: int, figure: str, nonsense: str
):
    cards = sum(hand_of(contest, three[0]).values())
    title = f"Regulation {number}"
    with at_the_table(contest) as table:
        text = table.rules.text(title)
        assert figure in text
        if number < 200:
            table.rules.transmute(title, "mutable")
        table.rules.amend(title, text.replace(figure, nonsense))
        name = table.rules.find(title).title
    text = the_desk(contest, master)
    assert f"“{name}” is played as of version 1: " in text
    assert row("Murphy", cards) in text


# What is drawn for everybody who sees the desk


@pytest.mark.thorough
def test_a_contest_that_is_over_has_a_desk(contest: Game, three: Three, master: Player):
    contest.refresh_from_db()
    take(contest.slug, three[0], "aceofspades.request_judgement", {"text": "Was it?"})
    reckon(contest)
    days(contest, 14)
    text = the_desk(contest, master)
    assert "Cards" in text
    assert "Request 1 waits for a judgement" not in text
    assert "is done unless enough object" not in text


def test_the_desk_of_a_new_contest_lists_nothing_empty(game: Game):
    open_the_contest(game)
    text = the_desk(game, master_of(game))
    assert "Nobody has proposed a regulation yet." not in text
    assert "Every marking regulation is sound." in text, "that is for the Contestmaster alone"


@pytest.mark.thorough
def test_more_contestants_and_more_of_everything_ask_the_database_no_more_often(
    told: Game, master: Player
):
    client = browser(master)
    books = ("contest", "contestant", "regulation", "proposal", "move", "request", "hint")
    pages = [reverse("office:desk", args=[told.slug])]
    pages += [reverse(f"office:aceofspades_{name}_changelist") for name in books]
    pages.append(reverse("office:governance_motion_changelist"))

    def asked() -> dict[str, int]:
        found = {}
        for address in pages:
            client.get(address)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found[address] = len(queries)
        return found

    before = asked()
    for number, each in enumerate(crowd(told, 6)):
        propose(told, each, 600 + number)
        suit = next(iter(hand_of(told, each)))
        do(each, "transfer", to="Madrid", cards={suit: 1})
        do(master, "hint", regulation=345, hint="More.")
        do(each, "offer", to=["Madrid"], gives={"Mauve": 1}, takes={"Red": 1}, anonymous=False)
        do(each, "request_judgement", text="And that?")
        enact(told, 700 + number, "More.", "secret")
    assert asked() == before
    assert max(before.values()) <= 30, before
