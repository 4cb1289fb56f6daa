"""A past visit of the Thug is opened when the rule says so, alone, and nothing of another one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from nomic.dice.models import Master
from nomic.dice.seeds import period_seed
from nomic.engine.outcomes import Malformed, Refused
from nomic.games.models import Game, Win
from nomic.operations.replay import replay
from nomic.web.tests.watchers import Watcher, addresses, text_of
from settlers.events.visits import DISCLOSURE
from settlers.models import Bribe, Visit
from settlers.rules.titles import SEALED
from settlers.tests.sealed import (
    BY_ITSELF,
    BY_ONLOOKER,
    act,
    asked,
    let_be,
    produce,
    thugs_isle,
    thugs_visit,
)
from settlers.tests.secrecy.test_secrets import is_quick
from settlers.tests.stage import hours
from settlers.tests.votes import adopt
from tests.kit import at_the_table, figure

pytestmark = pytest.mark.django_db

FIRST, SECOND = 1_234_567, 7_654_321


@pytest.fixture
def isle(db: None) -> Game:
    return thugs_isle()


@pytest.fixture
def twice(isle: Game) -> Game:
    """Two visits are over; in each Murphy told a bribe that can be recognized."""
    thugs_visit(isle, Murphy={"wheat": FIRST})
    produce(isle)
    thugs_visit(isle, Murphy={"wheat": SECOND}, Madrid={"stone": 1})
    return isle


def sealed(game: Game) -> list[int]:
    """The numbers of the past visits that are sealed."""
    past = Visit.objects.filter(game=game, sealed=True, over_in__isnull=False)
    return list(past.filter(opened_in__isnull=True).values_list("number", flat=True))


def seed_of(game: Game, visit: int) -> str:
    key = bytes(Master.objects.get(game=game).key)
    return period_seed(key, 1, private=True, purpose=f"visit {visit}").hex()


def all_that_is_public(game: Game) -> str:
    """Every quick address, as somebody without an account reads it."""
    nobody = Watcher.of(None)
    return "\n".join(text_of(nobody.get(each)) for each in addresses(game, only=is_quick))


def refused(game: Game, **inputs: Any) -> str:
    with pytest.raises(Refused) as caught:
        act(game, "snail", "settlers.open_visit", **inputs)
    return caught.value.refusal.code


def test_the_onlooker_opens_a_visit_some_productions_after_its_end(isle: Game):
    visit = thugs_visit(isle, Murphy={"wheat": FIRST})
    for _ in range(2):
        assert refused(isle, visit=visit.number) == "bears_on_play"
        produce(isle)
    opened = act(isle, "snail", "settlers.open_visit", visit=visit.number)
    assert opened.outcome["seed"] == seed_of(isle, visit.number)
    assert sealed(isle) == []
    found = {each["name"]: each for each in asked("record/opened")["entries"]}
    assert found["settlers.bribe"]["inputs"] == {"items": {"wheat": FIRST}}
    assert found["settlers.bribe"]["actor"] == "Murphy"
    note = found["record.note"]["outcome"]
    assert note["bribes"] == {"Murphy": {"wheat": FIRST}}
    assert note["values"] == {"Alexia": 0, "Madrid": 0, "Murphy": 0}
    assert note["targets"] == ["Alexia", "Madrid", "Murphy"]


@pytest.mark.thorough
def test_of_two_visits_the_one_that_is_opened_tells_nothing_of_the_other(twice: Game):
    first, second = sealed(twice)
    before = all_that_is_public(twice)
    for secret in (figure(FIRST), figure(SECOND), seed_of(twice, first), seed_of(twice, second)):
        assert not re.search(secret, before)
    produce(twice)
    act(twice, "snail", "settlers.open_visit", visit=first)
    after = all_that_is_public(twice)
    assert re.search(figure(FIRST), after)
    assert seed_of(twice, first) in after
    assert not re.search(figure(SECOND), after)
    assert seed_of(twice, second) not in after
    periods = {each["purpose"]: each for each in asked("dice")["periods"] if each["purpose"]}
    assert periods[f"visit {second}"]["seed"] is None
    assert periods[f"visit {second}"]["rolls"] == []
    assert len(periods[f"visit {first}"]["rolls"]) == 1


def test_a_later_visit_is_not_opened_before_an_earlier_one(twice: Game):
    """Its numbers in the sealed book would tell how many bribes the earlier one had."""
    first, second = sealed(twice)
    for _ in range(3):
        produce(twice)
    with pytest.raises(Malformed) as malformed:
        act(twice, "snail", "settlers.open_visit", visit=second)
    assert "in their order" in str(malformed.value)
    act(twice, "snail", "settlers.open_visit", visit=first)
    act(twice, "snail", "settlers.open_visit", visit=second)
    assert sealed(twice) == []


def test_a_victory_opens_all_that_is_past_and_not_the_visit_that_goes_on(twice: Game):
    first, second = sealed(twice)
    act(twice, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    act(twice, "Alexia", "settlers.bribe", items={"stone": 3})
    for _ in range(4):
        act(twice, "Alexia", "settlers.build", building="Cone", other="wheat")
    assert Win.objects.get().player.name == "Alexia"
    produce(twice)
    disclosures = twice.entries.filter(name="settlers.disclosure").order_by("seq")
    assert [each.outcome["visit"] for each in disclosures] == [first, second]
    assert [each.inputs["subject"] for each in disclosures] == [str(first), str(second)]
    win = Win.objects.get().entry
    assert [each.seq for each in disclosures] == [win + 1, win + 2]
    told = [each for each in asked("record/opened")["entries"] if each["name"] == "settlers.bribe"]
    assert [each["inputs"]["items"] for each in told] == [
        {"wheat": FIRST},
        {"wheat": SECOND},
        {"stone": 1},
    ]
    assert [each["opened_in"] for each in told] == [win + 1, win + 2, win + 2]


def test_a_vote_lets_visits_be_opened_never(twice: Game):
    let_be(twice, BY_ONLOOKER, "| By the Onlooker | never |")
    let_be(twice, BY_ITSELF, "| By itself | never |")
    for _ in range(4):
        act(twice, "Alexia", "settlers.build", building="Cone", other="wheat")
    for _ in range(3):
        produce(twice)
    assert Win.objects.exists()
    assert len(sealed(twice)) == 2
    assert refused(twice, visit=sealed(twice)[0]) == "never"
    assert asked("record/opened")["entries"] == []


def test_a_vote_lets_visits_be_opened_some_productions_after_their_end(twice: Game):
    """Each in an entry of its own, with its own seed, and not before it is old enough."""
    first, second = sealed(twice)
    assert second == first + 2
    let_be(twice, BY_ITSELF, "| By itself | 2 Productions after its end |")
    produce(twice)
    assert sealed(twice) == [second]
    produce(twice)
    assert sealed(twice) == []
    opened = twice.entries.filter(name="settlers.disclosure").order_by("seq")
    assert [each.outcome["seed"] for each in opened] == [
        seed_of(twice, first),
        seed_of(twice, second),
    ]


def test_a_visit_that_is_opened_at_its_end_waits_for_no_production(isle: Game):
    let_be(isle, BY_ITSELF, "| By itself | 0 Productions after its end |")
    visit = thugs_visit(isle, Murphy={"wheat": FIRST})
    assert sealed(isle) == []
    opened = isle.entries.get(name="settlers.disclosure")
    assert (opened.outcome["visit"], opened.seq) == (visit.number, visit.over_in + 1)
    isle.refresh_from_db()
    assert replay(isle)[1] is None


def test_without_the_rule_nothing_is_opened_and_a_victory_stands(twice: Game):
    adopt(twice, f"Repeal the rule “{SEALED}”.")
    for _ in range(4):
        act(twice, "Alexia", "settlers.build", building="Cone", other="wheat")
    assert Win.objects.get().player.name == "Alexia"
    for _ in range(3):
        produce(twice)
    assert len(sealed(twice)) == 2
    assert refused(twice, visit=sealed(twice)[0]) == "not_in_force"
    assert not twice.entries.filter(name="settlers.disclosure").exists()


def test_a_rule_that_cannot_be_read_opens_visits_as_its_last_readable_version_says(twice: Game):
    let_be(twice, BY_ITSELF, "| By itself | on a whim |")
    for _ in range(4):
        act(twice, "Alexia", "settlers.build", building="Cone", other="wheat")
    produce(twice)
    assert Win.objects.get().player.name == "Alexia"
    assert sealed(twice) == []


def test_a_rule_enacted_anew_without_its_table_opens_nothing_and_stops_nothing_else(twice: Game):
    before, after = "| A VISIT IS OPENED | WHEN |", "| A VISIT IS READ | WHEN |"
    with at_the_table(twice) as table:
        text = table.rules.text(SEALED).replace(before, after)
        table.rules.repeal(SEALED)
        table.rules.enact(SEALED, text)
    for _ in range(4):
        act(twice, "Alexia", "settlers.build", building="Cone", other="wheat")
    assert Win.objects.get().player.name == "Alexia"
    produce(twice)
    produce(twice)
    assert len(sealed(twice)) == 2
    assert refused(twice, visit=sealed(twice)[0]) == "off"
    with at_the_table(twice) as table:
        table.rules.amend(SEALED, text.replace(after, before))
    act(twice, "snail", "settlers.open_visit", visit=sealed(twice)[0])
    assert len(sealed(twice)) == 1


@pytest.mark.parametrize(
    "after", ["", "| By itself | never |", "| By itself | soon |", "| By itself | at a victory |"]
)
def test_what_was_about_to_be_opened_stays_sealed_when_the_rule_does_not_let_it_any_more(
    twice: Game, after: str
):
    first, _ = sealed(twice)
    with at_the_table(twice) as table:
        table.appointments.make(DISCLOSURE, table.now, str(first))
        if after:
            table.rules.amend(SEALED, f"{table.rules.text(SEALED).replace(BY_ITSELF, after)}\n")
        else:
            table.rules.repeal(SEALED)
    hours(twice, 0)
    assert len(sealed(twice)) == 2
    said = twice.entries.get(name="settlers.disclosure").text
    assert "stays sealed" in said or "do not let visit" in said
    assert asked("record/opened")["entries"] == []


@pytest.mark.thorough
def test_a_visit_that_a_vote_ends_is_opened_too_though_nothing_was_paid_in_it(isle: Game):
    act(isle, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    visit = Visit.objects.get(game=isle, over_in__isnull=True)
    act(isle, "Murphy", "settlers.bribe", items={"wheat": FIRST})
    adopt(isle, "Repeal the rule “Thug”.")
    assert not Bribe.objects.exists()
    assert not re.search(figure(FIRST), all_that_is_public(isle))
    for _ in range(2):
        produce(isle)
    told = act(isle, "snail", "settlers.open_visit", visit=visit.number)
    assert told.outcome["seed"] == seed_of(isle, visit.number)
    names = [each["name"] for each in asked("record/opened")["entries"]]
    assert "settlers.bribe" in names
    assert "record.note" not in names
    isle.refresh_from_db()
    assert replay(isle)[1] is None


def test_the_pages_show_what_is_open(twice: Game):
    first, _ = sealed(twice)
    produce(twice)
    opened = act(twice, "snail", "settlers.open_visit", visit=first)
    page = Client().get("/g/table/dice/").content.decode()
    assert seed_of(twice, first) in page
    assert "victim" in page
    entry = Client().get(f"/g/table/record/{opened.seq}/").content.decode()
    assert "bribes were told once" in entry
    assert str(opened.outcome["opened"][0][2]) in entry
    assert opened.rule == SEALED
