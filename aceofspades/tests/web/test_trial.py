"""Trying a drafted regulation: on one's own hand and on made-up ones, by what one may read."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from aceofspades.models import Proposal
from aceofspades.rules.marks import QUESTIONS, Question, mark, problem_in
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import enact, give_cards
from aceofspades.tests.web.page import A_PAGE, PAGE, Budget, body, words_of
from aceofspades.web.trial import MADE_UP
from nomic.games.models import Game, Player
from tests.kit import Visitor, seat

PROPOSE = f"{PAGE}propose/"
TRIAL = f"{PROPOSE}trial/"
DOUBLES = "It gains.\n\n```python\ndef mark(hands, worth, alliances):\n    {}\n```\n"
GAIN = DOUBLES.format("return {n: worth[n] + 10 * hands[n]['Red'] for n in hands}")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """What is asked is counted at once, as a worker would; the questions are kept."""
    asked: list[Question] = []

    def ask(question: Question) -> Any:
        asked.append(question)
        return mark(question)

    monkeypatch.setattr("aceofspades.web.trial.ask", ask)
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", lambda question: None)
    return asked


def tried(client: Any, text: str = GAIN, number: int = 450, **more: Any) -> str:
    answer = client.post(TRIAL, {"number": number, "text": text, **more})
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    return words_of(answer.content.decode())


def test_it_shows_what_my_hand_and_made_up_hands_would_be_worth(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    give_cards(contest, three[0], Red=2, Mauve=1)

    page = tried(visit(three[0]), hand_Alder_Red=1, hand_Birch_Mauve=1)

    assert "You -2 +20 18 18" in page
    assert "Alder 1 +10 11 11" in page
    assert "Birch -4 0 -4 -4" in page


def test_it_looks_at_nobody_elses_cards_and_at_no_regulation_that_i_may_not_read(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    enact(contest, 333, DOUBLES.format("return {n: 1000 for n in hands}"), "private")
    give_cards(contest, three[1], Green=17)

    page = tried(visit(three[0]))

    asked = str([QUESTIONS.dump_json(question) for question in counted])
    assert "17" not in asked
    assert "Madrid" not in asked
    assert "1000" not in asked
    assert "8 Marking Regulations that you may not read are left out." in page


def test_the_draft_stands_in_for_the_regulation_that_it_would_replace(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    give_cards(contest, three[0], Red=1)

    page = tried(visit(three[0]), GAIN, 320)

    assert "You 0 +10 10 10" in page


def test_an_error_of_the_draft_is_told_to_its_author_with_its_line(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    assert "line 2" in tried(visit(three[0]), DOUBLES.format("return {"))
    assert "line 2" in tried(visit(three[0]), DOUBLES.format("return {n: 1 // 0 for n in hands}"))


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("{n: 12 // hands[n]['Black'] for n in hands}", "It fails where nobody has a card."),
        (
            "{n: 12 // (hands[n]['Red'] + 1 - hands[n]['Black']) for n in hands}",
            "It fails where hands have no Mauve or no Red",
        ),
        ("{n: 1 // (max([h['Red'] for h in hands.values()]) - 1) for n in hands}", "are alike."),
        ("{n: [1][hands[n]['Hearts']] for n in hands}", "It fails where all hands are alike."),
    ],
)
def test_a_draft_of_all_hands_is_warned_of_where_it_can_fail_with_other_hands(
    returned: str,
    told: str,
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    give_cards(contest, three[0], Black=1, Red=2, Mauve=1)
    laid = {f"hand_{name}_{suit}": 1 for name in MADE_UP for suit in ("Black", "Mauve")}
    laid |= {f"hand_{name}_Red": 3 for name in MADE_UP}

    page = tried(visit(three[0]), DOUBLES.format(f"return {returned}"), **laid)

    assert told in page
    assert "An error of mark makes every hand worth 0 by Regulation 118" in page
    assert "You -1" in page


def test_a_draft_of_each_hand_or_without_such_hands_is_warned_of_nothing(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    each = "It gains.\n\n```python\ndef mark_hand(n, h, w, a):\n    return 1 // h[n]['Red']\n```\n"

    assert "It fails" not in tried(visit(three[0]), each, hand_Alder_Red=1)
    assert len(counted) == 3
    assert "It fails" not in tried(visit(three[0]))


def place(page: str) -> tuple[int, int] | None:
    """The line and column to which the page leads."""
    found = re.search(r'data-line="(\d+) (\d+)"', page)
    return (int(found[1]), int(found[2])) if found else None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (DOUBLES.format("return {"), "{"),
        (DOUBLES.format("return {n: 1 // 0 for n in hands}"), "1 // 0"),
        (DOUBLES.replace("    {}", "    «{}»").format("while True"), "«"),
        (
            "Ä.\n\n  ```python\n  def mark(hands, worth, alliances):\n      x = 1 = 2\n  ```\n",
            "1 = 2",
        ),
    ],
)
def test_an_error_leads_to_its_place_in_the_text(
    text: str,
    at: str,
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    client = visit(three[0])
    sent = {"number": 450, "text": text.replace("\n", "\r\n"), "visibility": "public"}

    found = place(client.post(TRIAL, sent).content.decode())

    assert found is not None
    line, column = found
    assert text.split("\n")[line - 1][column - 1 :].startswith(at)
    if problem_in(text):
        for do in ("try", "propose"):
            answer = client.post(PROPOSE, {**sent, "do": do}).content.decode()
            assert place(answer) == found
            assert "scripted" in answer[answer.index("data-line") - 60 :]


def test_an_error_without_a_place_leads_nowhere(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    for text in ("Only prose.", DOUBLES.format("return {}"), GAIN):
        answer = visit(three[0]).post(TRIAL, {"number": 450, "text": text})
        assert place(answer.content.decode()) is None


@pytest.mark.parametrize(
    ("number", "text", "says"),
    [
        ("", GAIN, "Give it a number first"),
        (200, GAIN, "is no Marking Regulation"),
        (450, "Only prose.", "has no block"),
        ("nonsense", GAIN, "Give it a number first"),
    ],
)
def test_what_cannot_be_tried_is_told_in_a_sentence(
    number: Any,
    text: str,
    says: str,
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    assert says in tried(visit(three[0]), text, number)
    assert not counted


def test_cards_that_are_no_numbers_count_as_none(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    tried(visit(three[0]), hand_Alder_Red="-4", hand_Birch_Red="9" * 40, hand_Cedar_Red="٣")

    for question in counted:
        assert all(0 <= cards < 100 for hand in question.hands.values() for cards in hand.values())


def test_allied_hands_are_one_alliance(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    tried(visit(three[0]), allied_You="on", allied_Birch="on")

    assert {question.alliances for question in counted} == {(("You", "Birch"),)}


def test_it_is_being_counted_until_the_worker_has_answered(
    contest: Game,
    three: Three,
    monkeypatch: pytest.MonkeyPatch,
    visit: Visitor,
) -> None:
    monkeypatch.setattr("aceofspades.web.trial.ask", lambda question: None)
    client = visit(three[0])

    assert "The program counts it now." in tried(client)
    assert "Look again" in tried(client, tries=20)


def test_one_draft_of_a_contestant_is_counted_at_a_time(
    contest: Game,
    three: Three,
    monkeypatch: pytest.MonkeyPatch,
    visit: Visitor,
) -> None:
    asked: list[Question] = []
    monkeypatch.setattr("aceofspades.web.trial.ask", asked.append)
    client = visit(three[0])
    tried(client)
    before = len(asked)

    tried(client, DOUBLES.format("return {n: 7 for n in hands}"))

    assert before > 0
    assert len(asked) == before


def test_only_who_is_in_the_contest_tries_regulations(
    contest: Game,
    three: Three,
    outsider: Any,
    counted: list[Question],
    visit: Visitor,
) -> None:
    assert "Join it first" in tried(visit(outsider))
    assert visit(None).get(PROPOSE).status_code == 302
    assert not counted


def test_a_regulation_is_written_and_proposed_without_javascript(
    contest: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
    django_assert_max_num_queries: Budget,
) -> None:
    client = visit(three[0])
    with django_assert_max_num_queries(A_PAGE):
        assert "Propose a regulation" in body(client, PROPOSE)
    draft = {"number": 450, "visibility": "private", "text": GAIN, "hand_Alder_Red": 3}

    looked = client.post(PROPOSE, {**draft, "do": "try"})
    assert "Alder 3 +30" in words_of(looked.content.decode())
    assert "It gains." in looked.content.decode()
    assert not Proposal.objects.exists()

    sent = client.post(PROPOSE, {**draft, "do": "propose", "key": "a key"})
    assert (sent.status_code, sent.headers["Location"]) == (302, PAGE)
    assert Proposal.objects.get().text == GAIN.strip()


def test_a_refused_draft_stays_filled(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    client = visit(three[0])
    broken = DOUBLES.format("return {")

    refused = client.post(PROPOSE, {"number": 450, "visibility": "public", "text": broken})
    assert refused.status_code == 409
    assert "It gains." in refused.content.decode()
    assert "line 2" in refused.content.decode()
    assert client.post(PROPOSE, {"number": "x", "text": ""}).status_code == 422


@pytest.mark.thorough
def test_after_the_reckoning_there_is_no_form_to_propose_with_but_a_way_to_the_book(
    over: Game,
    three: Three,
    officer: Player,
    counted: list[Question],
    visit: Visitor,
) -> None:
    for viewer in (three[0], officer, seat(over, "Jason")):
        page = body(visit(viewer), PROPOSE)
        assert "The Moment of Reckoning has been: no regulation is proposed any more" in page
        assert f'href="{PAGE}#book-title"' in page
        assert "Regulation 120</a>" in page
        for blank in ('name="text"', 'id="compose"', 'id="trial-hands"', "Propose it"):
            assert blank not in page
    assert 'id="book-title"' in body(visit(three[0]))


@pytest.mark.thorough
def test_what_was_written_until_the_reckoning_is_not_lost_with_the_form(
    over: Game,
    three: Three,
    counted: list[Question],
    visit: Visitor,
) -> None:
    client = visit(three[0])
    assert "no regulation is proposed any more" in tried(client)
    for do, status in (("try", 200), ("propose", 409)):
        sent = {"number": 450, "text": GAIN, "visibility": "public", "do": do}
        answer = client.post(PROPOSE, sent)
        assert answer.status_code == status
        page = answer.content.decode()
        assert "no regulation is proposed any more" in page
        assert "What you wrote" in page
        assert GAIN.strip() in unescape(page)
        assert 'name="text"' not in page
    assert not Proposal.objects.exists()
    assert not counted


@pytest.mark.parametrize(
    "name", ["offer", "transfer", "ally", "vote", "request_judgement", "leave"]
)
def test_no_form_of_the_contest_is_left_after_the_reckoning(
    name: str,
    over: Game,
    three: Three,
    visit: Visitor,
) -> None:
    address = f"/g/table/act/aceofspades.{name}/"
    page = body(visit(three[0]), address)
    assert "The Moment of Reckoning has been: hands and regulations stay as they were." in page
    assert f'action="{address}"' not in page
    assert "<form" not in page.partition('class="card"')[2]


def test_it_tells_what_no_regulation_would_decide_any_more(
    contest: Game, three: Three, visit: Visitor
) -> None:
    page = tried(visit(three[0]), "The fee is waived.", 245)
    assert "no regulation says any more what it costs to read a secret regulation" in page
    assert "no regulation says" not in tried(visit(three[0]), "The fee is waived.", 246)
