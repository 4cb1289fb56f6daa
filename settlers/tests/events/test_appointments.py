"""What happens on the isle by itself: what it does, and what the record tells of it."""

from __future__ import annotations

import pytest

from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.record.models import NOTE, Entry
from settlers.models import Isle, Settler, Visit
from settlers.rules.titles import DECK, MERCHANT, SEALED, THUG, VISITORS
from settlers.state.reading import ARRIVAL, PRODUCTION
from settlers.tests.asking import why_not
from settlers.tests.moments import amend
from settlers.tests.stage import give, hours, isle_of, place, visitor_is
from tests.kit import Take, at_the_table

Two = tuple[Player, Player]


def last(game: Game, name: str) -> Entry:
    return game.entries.filter(name=name).latest("seq")


def comes(monkeypatch: pytest.MonkeyPatch, die: int) -> None:
    """Let every die of the visitors show that."""
    monkeypatch.setattr("settlers.events.appointments._DIE", [die])


# The Dice Deck


def test_a_production_tells_its_results_its_cards_and_what_is_left(game: Game, settled: Two):
    whole = isle_of(game).deck
    hours(game, 48)
    entry, isle = last(game, PRODUCTION), isle_of(game)
    results, drawn = entry.outcome["results"], entry.outcome["drawn"]
    assert [isle.first, isle.second] == results == [drawn[0], drawn[-1]]
    assert results[0] != results[1]
    assert set(drawn[:-1]) == {results[0]}
    assert entry.outcome["deck"] == isle.deck
    gone = {number: whole[number] - isle.deck.get(number, 0) for number in whole}
    assert {number: count for number, count in gone.items() if count} == {
        str(number): drawn.count(number) for number in set(drawn)
    }
    assert entry.text == f"Resources are produced: {results[0]} and {results[1]}."
    assert entry.rule == DECK


def test_a_deck_that_is_spent_is_made_whole_again(game: Game, settled: Two):
    Isle.objects.filter(game=game).update(deck={"2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "8": 2})
    hours(game, 48)
    entry = last(game, PRODUCTION)
    assert entry.outcome["remade"]
    assert entry.text.endswith("The Dice Deck is made whole again.")
    assert sum(isle_of(game).deck.values()) in (35, 34, 33, 32)


def test_a_deck_of_one_kind_alone_gives_two_different_results(game: Game, settled: Two):
    Isle.objects.filter(game=game).update(deck={"7": 30})
    hours(game, 48)
    results = last(game, PRODUCTION).outcome["results"]
    assert results[0] != results[1]


def test_the_victims_become_the_injured_and_nobody_is_ready(
    game: Game, with_the_thug: Game, settled: Two
):
    murphy, madrid = settled
    place(murphy, victim=True, ready=True)
    place(madrid, injured=True)
    hours(game, 48)
    assert last(game, PRODUCTION).outcome["injured"] == ["Murphy"]
    assert last(game, PRODUCTION).text.endswith("Injured: Murphy.")
    rows = {row.player.name: row for row in Settler.objects.all()}
    assert [(row.victim, row.injured) for row in rows.values()] == [(False, False), (False, True)]
    assert not any(row.ready for row in rows.values())


def test_where_no_step_speaks_of_them_the_lists_stay(game: Game, settled: Two):
    place(settled[0], victim=True)
    hours(game, 48)
    row = Settler.objects.get(player=settled[0])
    assert (row.victim, row.injured) == (True, False)


# Visitors


@pytest.mark.parametrize(
    ("row", "text", "visitor"),
    [
        ("| 4 || Merchant", "The dice show 4: the Merchant comes.", MERCHANT),
        ("| 4 || merchant", "The dice show 4: the Merchant comes.", MERCHANT),
        ("| 3 || Merchant", "The dice show 4: nobody comes.", "None"),
        (
            "| 4 || Baker",
            "The dice show 4. No subrule of “Visitors” is titled “Baker”: nobody comes.",
            "None",
        ),
    ],
)
def test_who_comes_is_the_one_of_the_row(
    game: Game, settled: Two, monkeypatch: pytest.MonkeyPatch, row: str, text: str, visitor: str
):
    comes(monkeypatch, 2)
    amend(game, VISITORS, "| 5 || Merchant", row)
    hours(game, 72)
    entry = last(game, ARRIVAL)
    assert (entry.text, entry.outcome["visitor"], isle_of(game).visitor) == (text, visitor, visitor)
    assert entry.outcome == {
        "arrival": 1,
        "dice": [2, 2],
        "visitor": visitor,
        "before": "None",
        "victims": [],
        "paid": {},
    }
    assert Visit.objects.get().visitor == visitor


def test_who_comes_again_stays_and_nobodys_use_is_forgotten(
    game: Game, settled: Two, monkeypatch: pytest.MonkeyPatch, act: Take
):
    comes(monkeypatch, 2)
    amend(game, VISITORS, "| 5 || Merchant", "| 4 || Merchant")
    hours(game, 72)
    place(settled[0], used=[MERCHANT])
    hours(game, 48)
    assert last(game, ARRIVAL).text == "The dice show 4: the Merchant comes and stays."
    assert Settler.objects.get(player=settled[0]).used == [MERCHANT]
    comes(monkeypatch, 1)
    hours(game, 48)
    assert last(game, ARRIVAL).outcome["before"] == MERCHANT
    assert Settler.objects.get(player=settled[0]).used == []
    assert list(Visit.objects.filter(over_in=None).values_list("number", flat=True)) == [3]


# The Thug


@pytest.fixture
def visited(game: Game, with_the_thug: Game, produced: Two, act: Take) -> Visit:
    """A visit of the Thug that is over, in which Murphy bribed and Madrid fell victim."""
    murphy, _ = produced
    with at_the_table(game) as table:
        for each in produced:
            give(table, each, stone=5)
    visit = visitor_is(game, THUG)
    act(murphy, "settlers.bribe", items={"stone": 1})
    hours(game, 48)
    act(murphy, "settlers.bribe", items={"stone": 3})
    act(None, "settlers.receive_visitor")
    if isle_of(game).visitor == THUG:
        visitor_is(game, "None")
    visit.refresh_from_db()
    return visit


def test_the_public_sees_what_was_paid_and_who_fell_victim_and_no_more(game: Game, visited: Visit):
    entry = last(game, "settlers.receive_visitor")
    assert entry.text.startswith(
        "The Thug collects: Murphy pays 3 stone. Madrid falls victim to the Thug. The dice show "
    )
    assert entry.outcome["paid"] == {"Murphy": {"stone": 3}}
    assert entry.outcome["victims"] == ["Madrid"]
    assert not {"bribes", "values", "targets"} & entry.outcome.keys()
    assert "targets" not in entry.text.casefold()


def test_a_past_visit_is_opened_when_it_bears_on_play_no_longer(
    game: Game, visited: Visit, officer: Player, act: Take
):
    for left in (2, 1):
        code, sentence, rule = why_not(officer, "open_visit", visit=visited.number)
        assert (code, rule) == ("bears_on_play", SEALED)
        assert f"after {left} more Production" in sentence
        hours(game, 48)
        if isle_of(game).visitor == THUG:
            visitor_is(game, "None")
    entry = act(officer, "settlers.open_visit", visit=visited.number).entry
    opened = game.sealed_entries.filter(opened_in=entry.seq)
    told = opened.filter(name="settlers.bribe").order_by("seq")
    assert [each.inputs for each in told] == [{"items": {"stone": 1}}, {"items": {"stone": 3}}]
    note = opened.get(name=NOTE).outcome
    assert note["bribes"] == {"Murphy": {"stone": 3}}
    assert (note["values"], note["targets"]) == ({"Murphy": 3, "Madrid": 0}, ["Madrid"])
    assert f"had the seed {entry.outcome['seed']}" in entry.text


def test_nothing_is_opened_where_the_rule_says_never(game: Game, visited: Visit, officer: Player):
    amend(game, SEALED, "2 Productions after its end", "never")
    hours(game, 24 * 6)
    code, sentence, rule = why_not(officer, "open_visit", visit=visited.number)
    assert (code, rule) == ("never", SEALED)
    assert sentence == "The rule does not let the Onlooker open a visit."


def test_visits_open_by_themselves_as_many_productions_after_their_end_as_the_rule_says(
    game: Game, visited: Visit, monkeypatch: pytest.MonkeyPatch
):
    comes(monkeypatch, 1)
    amend(
        game, SEALED, "| By itself | at a victory |", "| By itself | 1 Productions after its end |"
    )
    hours(game, 47)
    visited.refresh_from_db()
    assert visited.opened_in is None
    hours(game, 1)
    visited.refresh_from_db()
    entry = game.entries.get(seq=visited.opened_in)
    assert (entry.name, entry.outcome["visit"]) == ("settlers.disclosure", visited.number)


@pytest.mark.thorough
def test_a_month_of_productions_and_arrivals_replays(game: Game, settled: Two):
    hours(game, 24 * 30)
    assert replay(Game.objects.get(pk=game.pk))[1] is None
