"""No officer words a regulation as they please, whoever keeps the rulebook."""

from __future__ import annotations

import re

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, seat

FEE, MARKS = "Regulation 245", "Regulation 410"


@pytest.fixture
def game(db: None) -> Game:
    """Everything at once: the races' officer is in the contest as well."""
    return new_game("table", "demo", pace="manual", start=WEDNESDAY, offices="open")[0]


@pytest.fixture
def horsened(game: Game, act: Take) -> Player:
    snail = seat(game, "snail")
    act(snail, "games.take_office", office="Horsened")
    return snail


@pytest.fixture
def keeper(game: Game, act: Take) -> Player:
    """Who keeps the proposals and with them the rulebook."""
    madrid = seat(game, "Madrid")
    kept = ("Horsened", "Onlooker", "Contestmaster", "Arbitor")
    act(madrid, "games.take_office", office=game.offices.exclude(name__in=kept).get().name)
    return madrid


def amended(act: Take, who: Player | None, rule: str, text: str) -> str:
    """The code of the refusal; empty where the text is corrected or announced."""
    try:
        act(who, "rulebook.amend", rule=rule, text=text, reason="as it ought to be")
    except Refused as refused:
        return refused.refusal.code
    return ""


def test_the_horsened_makes_no_fee_of_the_contest_free(
    game: Game, horsened: Player, keeper: Player, act: Take
) -> None:
    text = glance(game).rules.text(FEE)
    free = text.replace("| Paid to the deck | 1 |", "| Paid to the deck | 0 |")
    assert free != text, "Otherwise nothing is tested."
    assert amended(act, horsened, FEE, free) == "not_your_domain"
    assert amended(act, keeper, FEE, free) == "not_adopted"
    assert glance(Game.objects.get()).rules.text(FEE) == text


def test_with_no_rulebooks_keeper_the_horsened_makes_no_fee_free_either(
    game: Game, horsened: Player, act: Take
) -> None:
    free = (
        glance(game).rules.text(FEE).replace("| Paid to the deck | 1 |", "| Paid to the deck | 0 |")
    )
    assert amended(act, horsened, FEE, free) == "not_adopted"


def test_nobody_changes_what_marks_hands_by_a_correction(
    game: Game, horsened: Player, keeper: Player, act: Take
) -> None:
    text = glance(game).rules.text(MARKS)
    spelled = text.replace("marked[name] += least[place]", "marked[name] += 1000")
    assert spelled != text, "Otherwise nothing is tested."
    for who, code in (
        (horsened, "not_your_domain"),
        (keeper, "marks_hands"),
        (None, "marks_hands"),
    ):
        assert amended(act, who, MARKS, spelled) == code
    block = "\n\n```python\ndef mark(hands, worth, alliances):\n    return worth\n```\n"
    assert amended(act, None, FEE, glance(game).rules.text(FEE) + block) == "marks_hands"


def test_a_regulation_whose_table_cannot_be_read_is_mended_by_the_rulebooks_keeper(
    game: Game, keeper: Player, act: Take
) -> None:
    text = glance(game).rules.text(FEE)
    broken = text.replace("| Paid to the deck | 1 |", "| Paid to the deck | few |")
    assert amended(act, None, FEE, broken) == ""
    mended = text.replace("| Paid to the deck | 1 |", "| Paid to the deck | 2 |")
    assert amended(act, keeper, FEE, mended) == ""
    assert glance(Game.objects.get()).rules.text(FEE).strip() == mended.strip()
    assert amended(act, keeper, FEE, broken.replace("few", "3")) == "not_adopted"


def test_a_fault_elsewhere_lets_nobody_break_a_table_to_mend_it_anew(
    game: Game, keeper: Player, act: Take
) -> None:
    other = glance(game).rules.text("Regulation 250")
    few = re.sub(r"\| (Days from the announcement) \| \d+ \|", r"| \1 | few |", other)
    assert few != other, "Otherwise nothing is tested."
    assert amended(act, None, "Regulation 250", few) == ""
    text = glance(Game.objects.get()).rules.text(FEE)
    for cell in ("few", "0"):
        worse = text.replace("| Paid to the deck | 1 |", f"| Paid to the deck | {cell} |")
        assert amended(act, keeper, FEE, worse) == "not_adopted"
