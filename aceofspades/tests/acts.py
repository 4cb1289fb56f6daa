"""Acts of the contest as tests do them: refused with a sentence, and proved by a replay."""

from __future__ import annotations

from typing import Any

import pytest

from aceofspades.state.book import RegulationInBook
from aceofspades.state.reading import TABLED_ACT, state_of
from nomic.engine.outcomes import Refused
from nomic.engine.table import Table, glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.governance.models import Motion
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.record.models import Entry
from tests.kit import Take, seat

FOR, AGAINST = "FOR", "AGAINST"
RECKONED = (
    "reckoned",
    "The Moment of Reckoning has been: hands and regulations stay as they were.",
    "Regulation 120",
)


def master_of(game: Game) -> Player:
    snail = seat(game, "snail")
    take(game.slug, snail, "games.take_office", {"office": "Contestmaster"})
    return snail


def keep_by_hand(game: Game, *duties: str) -> None:
    """Let the Contestmaster keep these duties; as a game's settings say from its beginning."""
    game.refresh_from_db()
    game.settings = {**game.settings, "aceofspades.by_hand": list(duties)}
    game.save(update_fields=["settings"])


def refused(act: Take, actor: Any, name: str, /, **inputs: Any) -> tuple[str, str, str]:
    """The code, sentence and rule with which this is refused, and nothing is written."""
    with pytest.raises(Refused) as error:
        act(actor, f"aceofspades.{name}", **inputs)
    refusal = error.value.refusal
    return refusal.code, refusal.sentence, refusal.rule


def a_proposal(act: Take, actor: Any, **inputs: Any) -> tuple[str, str, str]:
    """How that proposal is refused; its inputs are good but for these."""
    return refused(
        act, actor, "propose", **{"number": 500, "text": "A.", "visibility": "public", **inputs}
    )


def again(game: Game) -> None:
    """The record proves it: the books balance, and a replay comes to the same."""
    game.refresh_from_db()
    assert [str(finding) for finding in audit(game) if finding.wrong] == []
    _, difference = replay(game)
    assert difference is None, str(difference)


def look(game: Game) -> Table:
    """A table to read from, of the game as it is now."""
    game.refresh_from_db()
    return glance(game)


def regulation(game: Game, number: int) -> RegulationInBook | None:
    """The regulation of that number that is in force now."""
    return state_of(look(game)).regulation(number)


def tabled(number: int = 1) -> Motion:
    return Motion.objects.get(label=TABLED_ACT, number=number)


def table_remedy(act: Take, master: Player, kind: str, **inputs: Any) -> Entry:
    """Let a remedy of Request 1 be tabled."""
    entry = act(master, "aceofspades.table_remedy", request=1, kind=kind, **inputs).entry
    assert isinstance(entry, Entry)
    return entry


def looks_told(game: Game) -> list[str]:
    """What the looks at tabled acts have told, in order."""
    rows = Entry.objects.filter(game=game, name="aceofspades.tabled").order_by("seq")
    return list(rows.values_list("text", flat=True))
