"""Players doubt reports; officers answer with a denial or the entry that corrects."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import patch

import pytest

from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.table import Table
from nomic.engine.tests.tiny import COIN, OFFICE, TINY
from nomic.games.calendars import next_week
from nomic.games.models import Game, Player
from nomic.governance import reports
from nomic.governance.doubts import duties, unanswered, waiting
from nomic.governance.reports import Facts, Report, report
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, around, seat


@pytest.fixture
def offices() -> str:
    """Whoever takes a vacant office has it, as in practice."""
    return "open"


class CoinReport(Report):
    """Who has how many coins."""

    name = "tiny.coins"
    title = "The Keeper's report"
    office = OFFICE
    subgame = TINY

    def facts(self, table: Table) -> Facts:
        return {"coins": table.ledger.balances(COIN)}

    def text(self, facts: Facts) -> str:
        return "\n".join(f"{name} {amount}" for name, amount in facts["coins"].items())


@pytest.fixture(autouse=True)
@around
def _coins_are_reported() -> Iterator[None]:
    with patch.dict(reports._REPORTS):
        report(CoinReport)
        yield


@pytest.fixture
def published(game: Game, officer: Player, act: Take) -> int:
    """The number of the entry that published the report."""
    return act(officer, "reports.publish", report=CoinReport.name).entry.seq


def refused(act: Take, who: Player | None, name: str, **inputs: object) -> str:
    with pytest.raises(Refused) as found:
        act(who, name, **inputs)
    return found.value.refusal.code


def test_a_player_doubts_a_report_and_the_officer_denies_it(
    game: Game, published: int, player: Player, officer: Player, act: Take
) -> None:
    doubt = act(player, "reports.doubt", entry=published, what="I have two coins").entry
    assert doubt.text == f"Murphy doubts the report of entry {published}: I have two coins"
    assert [each.seq for each in unanswered(game)] == [doubt.seq]
    answer = act(officer, "reports.answer", doubt=doubt.seq, reason="you spent one").entry
    assert answer.text == f"snail denies the doubt of entry {doubt.seq}: you spent one"
    assert answer.kind == "officer"
    assert answer.outcome == {"doubt": doubt.seq, "report": CoinReport.name, "correction": None}
    assert unanswered(game) == []


def test_nobody_has_two_open_doubts_of_a_report(
    game: Game, published: int, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    doubt = act(player, "reports.doubt", entry=published, what="I have two coins").entry
    again = {
        "entry": act(officer, "reports.publish", report=CoinReport.name).entry.seq,
        "what": "!",
    }
    with pytest.raises(Refused, match=f"already, in entry {doubt.seq}. Doubt it again when"):
        act(player, "reports.doubt", **again)
    act(rival, "reports.doubt", **again)
    act(officer, "reports.answer", doubt=doubt.seq, reason="you spent one")
    act(player, "reports.doubt", **again)


def test_the_oldest_doubts_are_duties_and_the_others_a_number(
    game: Game, published: int, act: Take
) -> None:
    for number in range(7):
        doubter = seat(game, f"doubter {number}")
        act(doubter, "reports.doubt", entry=published, what=f"slip {number}")
    told = [duty.title for _, duty in duties(game, [CoinReport()])]
    assert [title[-6:] for title in told[:-1]] == [f"slip {number}" for number in range(5)]
    assert told[-1] == "And 2 more doubts of The Keeper's report"


def test_the_officer_agrees_by_naming_the_entry_that_corrects_it(
    game: Game, published: int, player: Player, officer: Player, act: Take
) -> None:
    doubt = act(player, "reports.doubt", entry=published, what="a coin is missing").entry.seq
    made = act(
        officer,
        "ledger.correct",
        amount=1,
        asset=COIN,
        giver="Mint",
        receiver="Murphy",
        reason="the doubt",
    ).entry.seq
    answer = act(officer, "reports.answer", doubt=doubt, correction=made).entry
    assert answer.text == f"snail agrees with the doubt of entry {doubt}: entry {made} corrects it."


def test_what_is_no_report_cannot_be_doubted(
    game: Game, published: int, player: Player, act: Take
) -> None:
    for entry in (1, published + 100):
        assert refused(act, player, "reports.doubt", entry=entry, what="?") == "no_report"


def test_a_reminder_of_a_held_report_is_no_report(
    game: Game, officer: Player, player: Player, act: Take
) -> None:
    game.settings = {**game.settings, "reports.hold": True}
    game.save(update_fields=["settings"])
    act(None, "rulebook.amend", rule="Coins", text="No coins.", reason="to have reports kept")
    advance(game.slug, next_week(WEDNESDAY) + timedelta(hours=1))
    reminder = game.entries.get(name="reports.weekly").seq
    assert refused(act, player, "reports.doubt", entry=reminder, what="?") == "no_report"


@pytest.mark.parametrize("how", ["resign_office", "leave"])
def test_a_report_that_waited_for_its_officer_is_published_when_there_is_none(
    how: str, game: Game, officer: Player, player: Player, act: Take
) -> None:
    act(None, "rulebook.amend", rule="Coins", text="No coins.", reason="to have reports kept")
    game.refresh_from_db()
    game.settings = {**game.settings, "reports.hold": True}
    game.save(update_fields=["settings"])
    advance(game.slug, next_week(WEDNESDAY) + timedelta(hours=1))
    assert reports.published(game, CoinReport.name) is None
    act(officer, f"games.{how}", **({"office": OFFICE} if how == "resign_office" else {}))
    published = reports.published(game, CoinReport.name)
    assert published is not None
    assert (published.kind, published.name) == ("event", "reports.publish")
    assert reports.missing(game, CoinReport.name) == []
    advance(game.slug, next_week(next_week(WEDNESDAY)) + timedelta(hours=1))
    assert reports.published(game, CoinReport.name).name == "reports.weekly"  # type: ignore[union-attr]


def test_each_report_that_is_missing_counts_from_its_own_date(
    game: Game, officer: Player, act: Take
) -> None:
    act(None, "rulebook.amend", rule="Coins", text="No coins.", reason="to have reports kept")
    act(officer, "reports.keep_by_hand", report=CoinReport.name, keeper="the officer")
    first = next_week(WEDNESDAY)
    second = next_week(first)
    advance(game.slug, second + timedelta(hours=1))
    game.refresh_from_db()
    owed = [duty for _, duty in waiting(game, [CoinReport()])]
    assert [duty.due for duty in owed] == [first, second]
    early, late = game.entries.filter(name="reports.weekly").order_by("seq")
    waits = "The Keeper's report is due and waits for the Keeper's look."
    assert early.text == waits
    says = (
        f"The Keeper, snail, let the week of {first.day} {first:%B %Y} go by without publishing the"
        " report due then."
    )
    assert late.text == f"{waits} {says}"
    assert late.outcome["breach"]["says"] == says
    entry = act(officer, "reports.publish", report=CoinReport.name).entry
    days = " and ".join(f"{due.day} {due:%B %Y}" for due in (first, second))
    assert entry.text == f"The Keeper's report is published, by snail, for what was due on {days}."
    assert [told["entry"] for told in entry.outcome["facts"]["breaches"]] == [late.seq]
    assert reports.missing(game, CoinReport.name) == []
    again = act(officer, "reports.publish", report=CoinReport.name).entry
    assert again.text == "The Keeper's report is published, by snail."


def test_its_officer_keeps_a_report_by_hand_and_leaves_it_to_the_system(
    game: Game, officer: Player, player: Player, act: Take
) -> None:
    keep, which = "reports.keep_by_hand", {"report": CoinReport.name}
    game.offices.create(name="Onlooker", holder=player)
    assert refused(act, player, keep, keeper="the officer", **which) == "not_the_officer"
    assert refused(act, officer, keep, keeper="the system", **which) == "kept_so"
    said = act(officer, keep, keeper="the officer", **which).entry.text
    assert said == "snail decides that the officer publishes the Keeper's report."
    act(None, "rulebook.amend", rule="Coins", text="No coins.", reason="to have reports kept")
    advance(game.slug, next_week(WEDNESDAY) + timedelta(hours=1))
    assert reports.published(game, CoinReport.name) is None
    assert reports.missing(game, CoinReport.name) == [next_week(WEDNESDAY)]
    act(officer, keep, keeper="the system", **which)
    assert reports.published(game, CoinReport.name) is not None
    assert reports.missing(game, CoinReport.name) == []


def test_while_the_office_is_vacant_the_players_answer_by_support(
    game: Game, published: int, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    doubt = act(player, "reports.doubt", entry=published, what="?").entry.seq
    act(officer, "games.resign_office", office=OFFICE)
    game.offices.create(name="Onlooker", holder=rival)  # no officer of another office decides alone
    act(rival, "reports.answer", doubt=doubt, reason="there is one coin")
    assert [each.seq for each in unanswered(game)] == [doubt]
    act(player, "games.support", motion=1)
    entry = act(officer, "games.support", motion=1).entry
    assert entry.text.endswith(f"Madrid denies the doubt of entry {doubt}: there is one coin")
    assert unanswered(game) == []
    assert refused(act, player, "reports.answer", doubt=doubt, reason="no") == "answered"


@pytest.mark.parametrize(
    "wrong",
    [
        {"entry": "one", "what": "x"},
        {"entry": 0, "what": "x"},
        {"entry": 10**30, "what": "x"},
        {"entry": 1},
        {"entry": 1, "what": ""},
        {"entry": 1, "what": "x" * 501},
    ],
)
def test_a_doubt_needs_a_number_and_words(
    wrong: dict[str, object], game: Game, player: Player, act: Take
) -> None:
    with pytest.raises(Malformed):
        act(player, "reports.doubt", **wrong)


def test_only_the_reports_own_officer_answers(
    game: Game, published: int, player: Player, rival: Player, act: Take
) -> None:
    doubt = act(player, "reports.doubt", entry=published, what="?").entry.seq
    assert refused(act, rival, "reports.answer", doubt=doubt, reason="no") == "not_the_officer"
    game.offices.create(name="Onlooker", holder=rival)
    assert refused(act, rival, "reports.answer", doubt=doubt, reason="no") == "not_the_officer"
    act(None, "reports.answer", doubt=doubt, reason="the operator looked")


def test_an_answer_says_something_once_about_a_doubt(
    game: Game, published: int, player: Player, officer: Player, act: Take
) -> None:
    doubt = act(player, "reports.doubt", entry=published, what="?").entry.seq
    assert refused(act, officer, "reports.answer", doubt=published, reason="no") == "no_doubt"
    assert refused(act, officer, "reports.answer", doubt=doubt) == "no_answer"
    for entry in (published, doubt, 10_000):
        wrong = {"doubt": doubt, "correction": entry}
        assert refused(act, officer, "reports.answer", **wrong) == "no_correction"
    act(officer, "reports.answer", doubt=doubt, reason="no")
    assert refused(act, officer, "reports.answer", doubt=doubt, reason="again") == "answered"


def test_an_announced_correction_answers_no_doubt_before_it_is_done(
    game: Game, published: int, player: Player, officer: Player, act: Take
) -> None:
    game.refresh_from_db()
    game.settings = {**game.settings, "objection_hours": 24}
    game.save(update_fields=["settings"])
    doubt = act(player, "reports.doubt", entry=published, what="One coin too few.").entry.seq
    one = {"amount": 1, "asset": COIN, "giver": "Mint", "receiver": "Murphy", "reason": "a slip"}
    announced = act(officer, "ledger.correct", **one).entry.seq
    answer = {"doubt": doubt, "reason": ""}
    code = refused(act, officer, "reports.answer", **answer, correction=announced)
    assert code == "no_correction"
    advance(game.slug, WEDNESDAY + timedelta(hours=24))
    made = game.entries.get(name="games.motion").seq
    act(officer, "reports.answer", **answer, correction=made)
    assert unanswered(game) == []
