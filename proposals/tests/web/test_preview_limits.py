"""A preview keeps a game from everybody else for a moment only, and says what it did not try."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from horses.rulebook import shipped_texts
from horses.rules.charts import TITLES
from nomic.engine.dry_run import imagined
from nomic.engine.fairness.background_work import work_out
from nomic.engine.fairness.locks import GaveWay
from nomic.engine.programs import checking
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.rulebook.changes.reading import read_changes
from proposals.events.effects import apply
from proposals.models import Proposal
from proposals.tests.events.test_programs import with_program
from proposals.web.preview import preview as room
from proposals.web.preview.consequences import Trials
from proposals.web.preview.preview import (
    BUSY,
    SUBMITTED,
    WHILE_TYPED,
    Patience,
    preview,
)
from proposals.web.preview.told import BodyPreview
from tests.kit import Take, Visitor, at_the_table

PAGE = "/g/table/proposals/1/changes/"
GIFT = "Give Murphy 1 dollary.\n"
PATIENT = {"changes": 3, "seconds": 600, "longest": 600}
HASTY = {"changes": 3, "seconds": 0, "longest": 600}


@pytest.fixture
def preset() -> str:
    return "agora"


Look = Callable[..., BodyPreview]


@pytest.fixture
def look(game: Game) -> Look:
    """The preview of a body in the game as it is now."""

    def look(body: str, own: Proposal | None = None) -> BodyPreview:
        return preview(Game.objects.get(pk=game.pk), None, body, {}, own)

    return look


type Waits = Callable[[str, dict[str, float]], None]


@pytest.fixture
def with_patience(monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Let the patience of that name have these figures."""
    return lambda name, how: monkeypatch.setattr(room, name, replace(getattr(room, name), **how))


def test_of_what_is_being_written_the_first_changes_are_tried_and_the_rest_is_counted(
    player: Player, look: Look, with_patience: Waits
) -> None:
    with_patience("WHILE_TYPED", PATIENT)
    found = look(GIFT * 500)
    assert [each.shifts[0].after for each in found.changes] == [11, 12, 13]
    assert (found.count, found.more, found.untried) == (500, 497, 497)
    assert found.warnings[0].startswith("Only the first 3 of 500 changes are tried here")
    assert "more are tried when it is submitted" in found.warnings[0]
    assert look(GIFT * 3).warnings == ()


def test_where_the_time_is_up_one_change_is_tried_all_the_same(
    player: Player, look: Look, with_patience: Waits
) -> None:
    with_patience("WHILE_TYPED", HASTY)
    found = look(GIFT * 3)
    assert (len(found.changes), found.untried) == (1, 2)


def test_of_a_submitted_proposal_more_is_tried_and_its_page_says_what_is_not(
    player: Player, act: Take, visit: Visitor, with_patience: Waits, asked: list[str]
) -> None:
    with_patience("SUBMITTED", PATIENT)
    act(player, "proposals.submit", body=GIFT * 10)
    for _ in range(2):
        page = visit().get(PAGE).content.decode()
        assert "Only the first 3 of 10 changes are tried here" in page
        assert "others are tried meanwhile, and all are made when it passes" in page
        assert f'<a href="{PAGE}">Look again</a>' in page
    work_out(*asked)
    page = visit().get(PAGE).content.decode()
    assert "10 changes." in page
    assert "tried here" not in page
    assert "Look again" not in page


def test_by_its_page_a_submitted_proposal_is_tried_to_its_end(
    player: Player, act: Take, look: Look
) -> None:
    assert SUBMITTED.changes > WHILE_TYPED.changes
    assert WHILE_TYPED.seconds < 0.5
    act(player, "proposals.submit", body=GIFT * 10)
    own = Proposal.objects.get()
    assert look(own.body, own).untried == 0


def test_a_statement_that_takes_too_long_is_given_up_and_the_page_says_so(
    game: Game, player: Player, act: Take, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dawdle(*change: Any, **limits: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(20)")

    monkeypatch.setattr(room, "WHILE_TYPED", Patience(changes=1, seconds=1, longest=0.01))
    with monkeypatch.context() as patched:
        patched.setattr(room, "carry_out", dawdle)
        found = look(GIFT)
    assert found.warnings == (room._TOO_MUCH,)
    assert found.changes == ()
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)
    act(player, "games.leave")


def test_one_text_at_a_time_has_the_game_while_several_are_being_written(
    game: Game, player: Player, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[BodyPreview] = []
    imagine = imagined
    monkeypatch.setattr(room, "_A_TURN", 0)

    def another_is_typed(game: Game, **limits: float) -> Any:
        answers.append(look("Give Murphy 2 dollaries."))
        return imagine(game, **limits)

    with monkeypatch.context() as patched:
        patched.setattr(room, "imagined", another_is_typed)
        assert look(GIFT).changes[0].done
    assert [each.busy for each in answers] == [BUSY]
    assert look(GIFT).changes[0].done


def test_a_fault_in_a_preview_gives_the_turn_back(
    player: Player, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*change: Any, **limits: Any) -> Any:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(room, "carry_out", fail)
        with pytest.raises(ZeroDivisionError):
            look(GIFT)
    assert not cache.keys("*typing")  # type: ignore[attr-defined]
    assert look(GIFT).changes[0].done


@pytest.mark.parametrize(
    ("gift", "most"), [("Give Murphy {} dollaries.\n", 2), ("Give each player {} dollaries.\n", 2)]
)
def test_a_gift_after_others_is_one_look_and_one_statement(
    game: Game, player: Player, rival: Player, gift: str, most: int
) -> None:
    def cost(gifts: int) -> int:
        body = "".join(gift.format(number) for number in range(1, gifts + 1))
        with at_the_table(game) as table, CaptureQueriesContext(connection) as asked:
            effects = apply(table, read_changes(body))
        assert all(effect.done for effect in effects)
        return len(asked)

    assert cost(12) - cost(2) == 10 * most


class TestBeforeTheRaces:
    @pytest.fixture
    def preset(self) -> str:
        return "agora-proposals"

    def test_what_new_rules_bring_can_be_given_at_once(self, player: Player, look: Look) -> None:
        texts = shipped_texts()
        races = "".join(
            f"Enact a new rule titled “{title}” with the text:\n{{{{\n{texts[title]}\n}}}}\n"
            for title in TITLES
        )
        gift = "Give each player 1 hoof.\n"
        first, *_, last = look(f"{gift}{races}{gift}").changes
        assert (first.done, last.done) == (False, True)


PROGRAM = """Enact a rule "Greetings":
{{{
```python
@action("greet", "greets everybody")
def greet(me):
    say(helo)
```
}}}
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What workers were asked for."""
    cache.clear()
    checking._FINDINGS.clear()
    tokens: list[str] = []
    monkeypatch.setattr(work_out, "apply_async", lambda given, **how: tokens.append(given[0]))
    return tokens


@pytest.fixture
def no_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there never be the time to check a program's names and types."""
    monkeypatch.setattr(checking, "_LEAST", 600)


def test_what_takes_longer_than_a_page_may_is_done_by_a_worker_once(
    player: Player, act: Take, visit: Visitor, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    act(player, "proposals.submit", body=PROGRAM)
    with monkeypatch.context() as patch:
        patch.setattr(checking, "_LEAST", 600)
        for _ in range(3):
            page = visit().get(PAGE).content.decode()
            assert "names and types take longer to check than a page may" in page
            assert f'<a href="{PAGE}">Look again</a>' in page
            assert 'hx-trigger="load delay:3s"' in page
            assert "helo" not in page.partition("Think of this")[2].partition("</ul>")[0]
    (token,) = asked
    work_out(token)
    page = visit().get(PAGE).content.decode()
    assert "does not fit: Name `helo` used when not defined" in page
    assert "take longer to check" not in page
    assert "Look again" not in page


def test_what_takes_too_long_for_a_worker_too_says_what_would_help(
    player: Player, act: Take, visit: Visitor, asked: list[str], no_types: None
) -> None:
    act(player, "proposals.submit", body=PROGRAM)
    visit().get(PAGE)
    work_out(asked[0])
    page = visit().get(PAGE).content.decode()
    assert "Fewer programs in one proposal, or simpler ones, can be." in page
    assert "Look again" not in page


def test_of_a_text_that_is_being_written_no_worker_learns(
    player: Player, look: Look, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(checking, "_LEAST", 600)
        assert "but when it is submitted" in " ".join(look(PROGRAM).warnings)
    assert asked == []
    assert "helo" in " ".join(look(PROGRAM).warnings)


@pytest.mark.thorough
def test_what_programs_do_is_tried_by_turns_where_it_takes_long(
    player: Player, act: Take, visit: Visitor, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    views = "".join(f'@view("V{n}")\ndef v{n}():\n    return [][{n}]\n' for n in range(3))
    act(player, "proposals.submit", body=with_program("Views", views))
    looks = iter([True] * 3)
    tried, turns = room.trials, []

    def one_by_one(table: Table, known: Any, is_up: Any, before: Trials) -> Trials:
        turns.append(before.tried)
        return tried(table, known, lambda: next(looks), before)

    monkeypatch.setattr(room, "trials", one_by_one)
    monkeypatch.setattr(room, "_AGAIN_IN", 0)
    assert "3 more of what programs add took too long" in visit().get(PAGE).content.decode()
    looks = iter([False, True, True, False, True, False])
    work_out(asked[0])
    page = visit().get(PAGE).content.decode()
    assert [len(each) for each in turns] == [0, 0, 1, 2]
    assert all(f"Tried now, v{n} of “Views” fails" in page for n in range(3))
    assert "Look again" not in page


def test_what_a_page_has_no_time_for_at_all_a_worker_does(
    player: Player, act: Take, visit: Visitor, asked: list[str], settings: Any
) -> None:
    act(player, "proposals.submit", body=GIFT)
    settings.BOUNDS = {"page_seconds": 0}
    for _ in range(2):
        page = visit().get(PAGE).content.decode()
        assert "takes longer to work out than a page may; it is done meanwhile" in page
    work_out(*asked)
    assert "1 change." in visit().get(PAGE).content.decode()


def test_a_text_that_is_written_says_so_where_a_page_has_no_time_for_it(
    player: Player, look: Look, settings: Any
) -> None:
    settings.BOUNDS = {"page_seconds": 0}
    found = look(GIFT)
    assert found.warnings == (room._TOO_MUCH,)
    assert (found.changes, found.waits) == ((), False)


def test_where_others_act_all_the_time_the_last_one_that_was_found_is_shown(
    player: Player, act: Take, look: Look, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_way(*change: Any, **limits: Any) -> Any:
        raise GaveWay

    act(player, "proposals.submit", body=GIFT)
    own = Proposal.objects.get()
    assert look(own.body, own).changes[0].shifts[0].after == 11
    entry = Game.objects.get().last_entry
    act(player, "proposals.comment", proposal=1, text="Well.")
    with monkeypatch.context() as patch:
        patch.setattr(room, "carry_out", give_way)
        found = look(own.body, own)
    told = f"The game goes on meanwhile: this is what it would have changed at entry {entry:,}."
    assert (found.warnings, found.waits, found.busy) == ((told,), True, "")
    assert found.changes[0].shifts[0].after == 11
    work_out(*asked)
    assert (look(own.body, own).warnings, look(own.body, own).waits) == ((), False)
