"""What is private or immutable in a whole game: corrections keep off it, and a replay finds it."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from nomic.engine.digest import state_of
from nomic.engine.events import find_event
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.engine.tests.tiny import TINY
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetVisibility
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.rulebook.models import RuleClass
from tests.kit import WEDNESDAY, at_the_table

CARD, PILE = "Red card", "The Deck"


@pytest.fixture
def preset() -> str:
    return TINY


def hide(table: Table) -> Outcome:
    """Deal cards in private and hide a rule, by private dice."""
    table.ledger.define(
        CARD, "Red cards", family="card", visibility=AssetVisibility.PRIVATE, officer="Keeper"
    )
    pile = table.ledger.deck(PILE)
    table.ledger.create(pile, 20, CARD)
    commitment = table.dice.open_period(private=True).commitment
    return Outcome("Cards are made.", {"commitment": commitment})


def deal(table: Table) -> Outcome:
    players = list(table.game.players.select_related("holder").order_by("pk"))
    with table.dice.several(private=True) as choose:
        dealt = [choose(f"card {n}", [each.name for each in players]) for n in range(20)]
    pile = table.ledger.deck(PILE)
    table.ledger.move_several(
        [(pile, each, dealt.count(each.name), CARD) for each in players], "dealt"
    )
    table.rules.enact("Plot", "Hidden.\n", visibility="secret")
    table.rules.enact("Order", "Kept.\n", rule_class=RuleClass.IMMUTABLE)
    return Outcome("Cards are dealt.")


def show(table: Table) -> Outcome:
    table.ledger.disclose([CARD])
    table.rules.disclose([table.rules.find("Plot").pk])
    table.rules.transmute("Order", "mutable")
    table.rules.amend("Order", "Changed.\n")
    table.dice.close_period(private=True)
    return Outcome("All is shown.")


_WEEKS = (hide, deal, show)


@pytest.fixture
def played(game: Game, player: Player, rival: Player, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game in which all of it happens by events, a week after the other."""

    def happen(table: Table, subject: str) -> Outcome:
        return _WEEKS[table.game.entries.filter(name="tiny.week").count()](table)

    monkeypatch.setattr(find_event("tiny.week"), "handler", happen)
    return game


@pytest.mark.parametrize(
    ("weeks", "cards", "plot"), [(2, "private", "secret"), (3, *["public"] * 2)]
)
def test_a_replay_rebuilds_what_is_hidden_and_what_was_shown(
    played: Game, weeks: int, cards: str, plot: str
) -> None:
    advance(played.slug, WEDNESDAY + timedelta(weeks=weeks))
    game = Game.objects.get(pk=played.pk)
    assert game.entries.filter(name="tiny.week").count() == weeks
    assert replay(game)[1] is None
    assert [str(finding) for finding in audit(game) if finding.wrong] == []
    state = state_of(game)
    assert state["assets"][CARD] == ["currency", cards, "Keeper", "card", False, False, False]
    assert [(facts[3], facts[9]) for title, facts in state["rules"].items() if "Plot" in title] == [
        ("mutable", plot)
    ]
    file = io.StringIO()
    export_game(game, file)
    assert state_of(import_game(file.getvalue().splitlines(), slug="copy")) == state


def test_the_digest_tells_games_apart_that_differ_in_what_is_hidden_only(played: Game) -> None:
    advance(played.slug, WEDNESDAY + timedelta(weeks=2))
    states = [state_of(played)]
    for rows, fields in (
        (played.assets.filter(name=CARD), {"visibility": "public"}),
        (played.rules.filter(title="Plot"), {"visibility": "private"}),
        (played.rules.filter(title="Order"), {"rule_class": "mutable"}),
        (played.rules.filter(title="Order"), {"power": "1.5"}),
    ):
        rows.update(**fields)
        states.append(state_of(played))
    assert all(states.count(state) == 1 for state in states)


def test_an_old_record_of_a_beginning_tells_no_classes(game: Game) -> None:
    told = game.entries.get(seq=1).inputs["rules"]
    assert all("rule_class" not in rule and "visibility" not in rule for rule in told)


def test_no_correction_rewrites_an_immutable_rule(game: Game, officer: Player) -> None:
    with at_the_table(game) as table:
        table.rules.enact("Order", "Kept.\n", rule_class=RuleClass.IMMUTABLE)
    change = {"rule": "Order", "text": "Changed.", "reason": "?"}
    with pytest.raises(Refused) as refused:
        take(game.slug, officer, "rulebook.amend", change)
    assert (refused.value.refusal.code, refused.value.refusal.rule) == ("immutable", "Order")
    assert refused.value.refusal.sentence.startswith("The rule “Order” is immutable: no proposal")
    assert game.rules.get(title="Order").text == "Kept.\n"


def test_no_player_goes_by_the_name_of_the_deck(game: Game, outsider: User) -> None:
    for name in ("The Deck", "the deck"):
        with pytest.raises(Refused) as refused:
            take(game.slug, outsider, "games.join", {"name": name})
        assert refused.value.refusal.code == "bad_name"
