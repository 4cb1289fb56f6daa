"""What was hidden can be seen after the Moment of Reckoning, and the page that proves it (120)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from aceofspades.models import Regulation
from aceofspades.tests import stage
from aceofspades.tests.asking import answers, do, pages, state_for
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import adopt, reckon
from aceofspades.web import disclosed
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.rulebook.models import Rule
from tests.kit import WEDNESDAY, on_one_line

pytestmark = pytest.mark.django_db

PROOF = "/g/table/aceofspades/proof/"
PRIVATE = "Whoever whistles has the worth of a whistle."


@pytest.fixture
def played(contest: Game, three: Three) -> Game:
    """All have voted on a private regulation, and Murphy has given a card away."""
    murphy, madrid, _ = three
    adopt(contest, three, 500, PRIVATE, "private")
    suit = next(iter(stage.hand_of(contest, murphy)))
    do(murphy, "transfer", to=madrid.name, cards={suit: 1})
    return contest


@pytest.fixture
def reckoned(played: Game) -> Game:
    """The same after the Moment of Reckoning."""
    reckon(played)
    return played


def page(query: str = "", status: int = 200) -> str:
    answer = Client().get(f"{PROOF}{query}")
    assert answer.status_code == status
    return answer.content.decode()


def rows(html: str) -> list[list[str]]:
    """The cells of every row of every table, as text."""
    return [
        [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in row]
        for line in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
        if (row := re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line, re.DOTALL))
    ]


def secret_texts(game: Game) -> list[str]:
    """A line of each hidden regulation by which it can be recognized."""
    found = Regulation.objects.filter(contest__game=game).exclude(rule__visibility="public")
    return [text.split(".")[0] for text in found.values_list("rule__text", flat=True)]


def test_before_it_the_page_shows_the_commitments_and_nothing_else(played: Game):
    before = page()
    period = played.dice_periods.get(purpose="the Ace of Spades")
    note = played.entries.get(name="aceofspades.opening").outcome["note"]
    assert period.commitment in before
    assert note in before
    assert rows(before) == []
    for secret in secret_texts(played):
        assert secret not in before


def test_after_it_the_page_shows_the_draw_the_rolls_and_the_opened_entries(reckoned: Game):
    after = page()
    period = reckoned.dice_periods.get(purpose="the Ace of Spades")
    assert period.seed
    assert period.seed in after
    assert "the seed is the one that was committed to" in on_one_line(after)
    found = rows(after)
    drawn = [row for row in found if row[0] in ("340", "350", "360", "370", "380", "390", "400")]
    assert [row[2:] for row in drawn] == [[str(14 - n), "fits"] for n in range(7)]
    dealt = [row for row in found if row[1:2] == ["card 1 to Murphy"]]
    assert [row[-1] for row in dealt] == ["fits"]
    sealed = [row for row in found if row[0].startswith("s") and len(row) == 6]
    assert len(sealed) == reckoned.sealed_entries.filter(opened_in__isnull=False).count()
    assert {row[-1] for row in sealed} == {"fits"}
    votes = [row[2:4] for row in sealed if "votes" in row[3]]
    assert votes == [[n, f"{n} votes FOR on Proposal 1."] for n in ("Murphy", "Madrid", "Alexia")]


def test_the_page_has_so_many_rows_and_leads_to_the_others(
    reckoned: Game, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(disclosed, "A_PAGE", 999)
    assert 'class="pager"' not in page()
    whole = rows(page())
    monkeypatch.setattr(disclosed, "A_PAGE", 4)
    sealed: list[Any] = []
    rolled: list[Any] = []
    query = "?"
    for _ in range(50):
        html = page(query)
        found = rows(html)
        sealed += [row for row in found if row[0].startswith("s") and len(row) == 6]
        rolled += [row for row in found if len(row) == 5 and row[0] != "Entry"]
        more = re.search(r'href="\?(?:[^"]*)(after=\d+)[^"]*#opened">More', html)
        past = re.search(r'href="\?(?:[^"]*)(roll=\d+)[^"]*#rolls">More', html)
        if not more and not past:
            break
        query = f"?{more[1] if more else 'after=999999'}&{past[1] if past else 'roll=999999999'}"
    assert sealed == [row for row in whole if row[0].startswith("s") and len(row) == 6]
    assert rolled == [row for row in whole if len(row) == 5 and row[0] != "Entry"]
    assert {row[-1] for row in sealed + rolled} == {"fits"}


def test_a_roll_that_its_seed_does_not_give_is_told_as_wrong(
    reckoned: Game, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(disclosed, "roll", lambda *words: -1)
    assert "Does not fit the seed" in page()


@pytest.mark.parametrize(
    "query", ["?after=-1", "?after=x&roll=y", "?after=99999999999999", "?roll=٣"]
)
def test_an_odd_address_shows_the_first_page(reckoned: Game, query: str):
    assert rows(page(query)) == rows(page())


def test_a_game_without_a_contest_has_no_such_page(db: None):
    new_game("table", "agora-races", pace="manual", start=WEDNESDAY)
    assert "There is no contest in this game." in page(status=404)


def test_the_page_takes_few_queries(played: Game, django_assert_max_num_queries: Any, three: Three):
    client = Client()
    client.force_login(three[0].user)
    with django_assert_max_num_queries(15):
        client.get(PROOF)
    reckon(played)
    with django_assert_max_num_queries(15):
        client.get(PROOF)


# What was hidden before


def test_the_texts_are_nowhere_before_it_and_in_the_rulebook_after_it(played: Game):
    secrets = secret_texts(played)
    assert len(secrets) == 8
    address = "/g/table/rules/"
    before = (
        pages(played, None) + str(answers(played, None)) + Client().get(address).content.decode()
    )
    for secret in secrets:
        assert secret not in before
    reckon(played)
    told = str(answers(played, None)["rules"])
    for secret in secrets:
        assert secret in told
    rule = Rule.objects.get(game=played, title="Regulation 500")
    shown = Client().get(f"/g/table/rules/regulation-500-{rule.pk}/").content.decode()
    assert PRIVATE in shown


def test_the_api_tells_hands_votes_and_who_gave_what(played: Game, three: Three):
    before = state_for(played, None)
    assert all("text" not in each for each in before["regulations"] if each["number"] == 500)
    reckon(played)
    after = state_for(played, None)
    assert all("text" in each for each in after["regulations"])
    assert after["reckoning"]["done"] is True
    assert set(after["reckoning"]["worths"]) == {"Murphy", "Madrid", "Alexia"}
    opened = Client().get("/api/v1/games/table/record/opened").json()["entries"]
    acts = [
        (each["actor"], each["inputs"]) for each in opened if each["name"] == "aceofspades.vote"
    ]
    assert acts == [
        (name, {"proposal": 1, "vote": "FOR"}) for name in ("Murphy", "Madrid", "Alexia")
    ]
    parts = [each for each in opened if each["outcome"].get("of") == "aceofspades.transfer"]
    assert [each["inputs"]["cards"] for each in parts] == [parts[0]["inputs"]["cards"]]
    assert sum(parts[0]["inputs"]["cards"].values()) == 1


def test_the_ledger_tells_the_suits_with_all_their_history(played: Game):
    before = Client().get("/g/table/ledger/").content.decode()
    assert "Mauve card" not in before
    assert "Mauve card" not in str(answers(played, None)["balances"])
    reckon(played)
    assert "Mauve card" in str(answers(played, None)["balances"])
    transfer = played.entries.get(name="aceofspades.transfer")
    entry = Client().get(f"/g/table/record/{transfer.seq}/").content.decode()
    assert " card" in entry
    assert any(f"{suit} card" in entry for suit in ("Mauve", "Red", "Black", "Green", "Hearts"))
