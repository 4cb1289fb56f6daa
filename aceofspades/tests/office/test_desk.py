"""The Contestmaster's desk: what is due, public figures, and secrets for their eyes alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from aceofspades.events.scoring import marks
from aceofspades.models import Alliance, Move, NeedToKnow, Notice, Offer, Pact, Vote
from aceofspades.rules.contest import describe_cards
from aceofspades.rules.marks import mark
from aceofspades.tests.acts import AGAINST, FOR, keep_by_hand, master_of
from aceofspades.tests.asking import do
from aceofspades.tests.conftest import Three
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
    vote,
)
from nomic.engine.actions import all_actions
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.offices.urls import office
from nomic.operations.setup import advance
from nomic.testing import Take, around, at_the_table, seat, tight

MANY = 918_273
CANARY = "xyzzy-canary"
A_LOT = 9_137  # which an offer may be of
SAID = (str(MANY), f"{MANY:,}", f"{A_LOT} Red", CANARY)
TITLE = "for your eyes only"
SECRET = f"Hands are told apart by {CANARY}."
BROKEN = f"A mark for each Red card.\n\n```starlark\ndef mark(hands):\n    return {CANARY!r}\n```\n"


def browser(who: User | Player | None) -> Client:
    client = Client()
    user = who.user if isinstance(who, Player) else who
    if user is not None:
        client.force_login(user)
    return client


def shown(client: Client, address: str) -> str:
    """The page's text; it must be there."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return unescape(answer.text)


def the_desk(game: Game, who: User | Player) -> str:
    return tight(shown(browser(who), reverse("office:desk", args=[game.slug])))


def row(*cells: object) -> str:
    """The row of a picture's table."""
    first, *more = cells
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in more)


@pytest.fixture(autouse=True)
@around
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker has counted whatever it is asked."""
    monkeypatch.setattr("aceofspades.secrecy.worths.ask", mark)


@pytest.fixture
def told(contest: Game, three: Three, master: Player) -> Game:
    """Something hidden of every kind: hands, votes, offers, pacts, alliances, texts, transfers,
    notices, tabled acts."""
    murphy, madrid, alexia = three
    give_cards(contest, murphy, Mauve=2, Red=MANY + A_LOT)
    do(murphy, "transfer", to="Madrid", cards={"Red": A_LOT})
    enact(contest, 345, SECRET, "secret")
    do(murphy, "propose", number=500, text=f"Private {CANARY}.", visibility="private")
    do(master, "propose", number=501, text=f"Secret {CANARY}.", visibility="secret")
    propose(contest, madrid, 502)
    vote(contest, propose(contest, alexia, 503), {murphy: FOR, madrid: AGAINST})
    do(murphy, "offer", to=["Madrid"], gives={"Red": A_LOT}, takes={"Mauve": 1}, anonymous=True)
    do(murphy, "ally", others=["Madrid"])
    do(madrid, "ally", others=["Murphy"])
    do(alexia, "ally", others=["Madrid"])
    do(murphy, "request_judgement", text="Was that right?")
    do(master, "hint", regulation=345, hint=f"It is about {CANARY}.")
    contest.refresh_from_db()
    return contest


def addresses(game: Game) -> Iterator[str]:
    """Every page of the officers' site for the game, and the newest rows of every book."""
    yield reverse("office:index")
    yield reverse("office:desk", args=[game.slug])
    page = reverse("office:paper", args=[game.slug, "contestmaster"])
    yield from (page, *(f"{page}?format={form}" for form in ("text", "html", "json", "csv")))
    for act in all_actions():
        if act.office:
            yield reverse("office:act", args=[game.slug, act.name])
    for admin in office._registry.values():
        name = f"office:{admin.opts.app_label}_{admin.opts.model_name}"
        yield reverse(f"{name}_changelist")
        keys = admin.model._default_manager.order_by("-pk").values_list("pk", flat=True)
        for key in keys[:5]:
            yield reverse(f"{name}_change", args=[key])


# Who sees what is hidden


def a_superuser(game: Game, three: Three) -> User:
    return User.objects.create_superuser("root")


def a_superuser_who_plays(game: Game, three: Three) -> User:
    root = User.objects.create_superuser("root")
    take(game.slug, root, "games.join", {"name": "root"})
    return root


def another_officer(game: Game, three: Three) -> Player:
    other = seat(game, "Jason")
    with at_the_table(game) as table:
        table.office("Registrar")
    take(game.slug, other, "games.take_office", {"office": "Registrar"})
    return other


def a_former_contestmaster(game: Game, three: Three) -> Player:
    snail = game.players.get(name="snail")
    take(game.slug, snail, "games.resign_office", {"office": "Contestmaster"})
    return snail


def another_contestant(game: Game, three: Three) -> Player:
    return three[2]


def a_passer_by(game: Game, three: Three) -> None:
    return None


OTHERS = (
    a_superuser,
    a_superuser_who_plays,
    another_officer,
    a_former_contestmaster,
    another_contestant,
    a_passer_by,
)


@pytest.mark.parametrize("someone", OTHERS, ids=[each.__name__ for each in OTHERS])
def test_no_page_of_the_officers_shows_a_secret_to_anybody_else(
    told: Game, three: Three, someone: Callable[[Game, Three], User | Player | None]
):
    client = browser(someone(told, three))
    for address in addresses(told):
        text = client.get(address).text
        assert not any(said in text for said in SAID), address
        assert TITLE not in text, address


def test_the_contestmaster_reads_it_on_the_desk_and_in_their_own_acts_alone(
    told: Game, master: Player
):
    desk = {reverse("office:index"), reverse("office:desk", args=[told.slug])}
    client = browser(master)
    for address in set(addresses(told)) - desk:
        text = client.get(address).text
        assert not any(said in text for said in SAID), address
        assert TITLE not in text, address


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
    monkeypatch.setattr("aceofspades.secrecy.worths.ask", lambda question: None)
    text = the_desk(told, master)
    assert "They are not counted yet." in text


def test_after_the_reckoning_the_desk_tells_the_worths_of_then_and_that_all_may_see_them(
    told: Game, master: Player, monkeypatch: pytest.MonkeyPatch
):
    enact(told, 611, BROKEN, "secret")
    reckon(told)
    monkeypatch.setattr("aceofspades.secrecy.worths.ask", lambda question: None)
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


def test_a_contestmaster_who_runs_the_site_sees_it_as_the_contestmaster(told: Game, master: Player):
    User.objects.filter(pk=master.user_id).update(is_superuser=True, is_staff=True)
    assert TITLE in the_desk(told, Player.objects.get(pk=master.pk))


def test_no_copy_of_the_desk_is_kept_on_the_way(told: Game, master: Player):
    answer = browser(master).get(reverse("office:desk", args=[told.slug]))
    assert "no-store" in answer["Cache-Control"]


def test_there_is_no_book_of_what_stands_between_contestants():
    hidden = {Offer, Vote, Notice, Pact, Alliance, NeedToKnow}
    assert not hidden & set(office._registry)
    books = office._registry.values()
    ours = [book for book in books if book.opts.app_label == "aceofspades"]
    assert len(ours) == 8
    paths = {
        path for book in ours for path in (*book.list_display, *book.fields, *book.search_fields)
    }
    assert not paths & {"sealed", "members", "knows", "votes", "rule__text", "offers_made"}
    proposals = next(book for book in ours if book.title == "The contest: proposals")
    assert "text" not in {*proposals.list_display, *proposals.fields, *proposals.search_fields}


# What is due


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
    assert "A regulation cannot be played as it reads:" in text
    assert "rulebook.amend/?rule=Regulation+215" in text


def test_a_hidden_table_that_cannot_be_read_is_played_by_nowhere_and_nobodys_duty(
    contest: Game, master: Player, three: Three
):
    text = f"| DEALT TO A NEW CONTESTANT | CARDS |\n| --- | --- |\n| {CANARY} | few |\n"
    enact(contest, 214, text, "secret")
    root = a_superuser(contest, three)
    text = the_desk(contest, root)
    assert "A regulation cannot be played as it reads:" not in text
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
    text = the_desk(contest, master)
    assert "A regulation cannot be played as it reads:" in text
    assert row("Murphy", cards) in text


# What is drawn for everybody who sees the desk


def test_everybody_at_the_desk_sees_how_many_cards_there_are(
    contest: Game, three: Three, master: Player
):
    text = the_desk(contest, a_superuser(contest, three))
    assert row("The Deck", sum(deck_of(contest).values())) in text
    for each in three:
        assert row(each.name, sum(hand_of(contest, each).values())) in text


def test_everybody_at_the_desk_sees_decided_votes_and_no_running_ones(
    contest: Game, three: Three, master: Player
):
    decided = propose(contest, three[0], 500)
    vote(contest, decided, dict.fromkeys(three, FOR))
    hours(contest, 72)
    propose(contest, three[1], 501)
    vote(contest, propose(contest, three[1], 502), {three[0]: AGAINST})
    text = the_desk(contest, a_superuser(contest, three))
    assert row("Proposal 1", 500, "public", "Murphy", "in force", 3, 0) in text
    assert row("Proposal 2", 501, "public", "Madrid", "up for vote", "", "") in text
    assert row("Proposal 3", 502, "public", "Madrid", "up for vote", "", "") in text


def test_a_contest_that_is_over_has_a_desk(contest: Game, three: Three, master: Player):
    contest.refresh_from_db()
    take(contest.slug, three[0], "aceofspades.request_judgement", {"text": "Was it?"})
    advance(contest.slug, contest.now(contest.anchor_wall).replace(year=2027))
    text = the_desk(contest, master)
    assert "Cards" in text
    assert "Request 1 waits for a judgement" not in text
    assert "is done unless enough object" not in text


def test_a_new_contest_is_drawn_in_words(game: Game):
    open_the_contest(game)
    text = the_desk(game, master_of(game))
    for words in (
        "Nobody has proposed a regulation yet.",
        "No proposal is up for vote.",
        "There is no alliance.",
        "No offer is open.",
        "Every marking regulation is sound.",
    ):
        assert words in text, words


def test_the_books_tell_what_is_public(told: Game, three: Three, master: Player):
    client = browser(master)
    names = {
        "contest": "snail",
        "contestant": "Murphy",
        "regulation": "345",
        "proposal": "Murphy",
        "move": "Murphy",
        "tabled": "0",
        "request": "Murphy",
        "hint": "0",
    }
    for name, words in names.items():
        assert words in shown(client, reverse(f"office:aceofspades_{name}_changelist")), name


def test_more_contestants_and_more_of_everything_ask_the_database_no_more_often(
    told: Game, master: Player
):
    client = browser(master)
    books = ("contest", "contestant", "regulation", "proposal", "move", "tabled", "request", "hint")
    pages = [reverse("office:desk", args=[told.slug])]
    pages += [reverse(f"office:aceofspades_{name}_changelist") for name in books]

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
