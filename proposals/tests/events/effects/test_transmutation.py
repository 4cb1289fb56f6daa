"""Rules that are immutable until they are transmuted, by the votes that the rule “Immutable Rules”
asks for."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.test import Client

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.hosting.moving_in import TAKE_RULES_BACK
from nomic.governance.rulebook_keeping import ENTER, ENTER_CLASS, ENTER_REPEAL
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import Brought, BroughtRule
from nomic.rulebook.limits import CLASS_RULE
from nomic.rulebook.models import Rule
from proposals.models import Errand, Proposal
from proposals.rulebook import shipped_texts
from proposals.web.examples import examples
from proposals.web.preview.preview import preview
from tests.kit import WEDNESDAY, on_one_line, seat

WEEK = timedelta(days=8)
LAW = f"{CLASS_RULE} (voting law)"
VOTERS = ("snail", "Murphy", "Madrid")
ALL, MOST = ("FOR", "FOR", "FOR"), ("FOR", "FOR", "AGAINST")
RULES = Brought(
    (
        BroughtRule("101", "Order", "Kept.\n", rule_class="immutable"),
        BroughtRule("201", "Turns", "In turns.\n", rule_class="mutable"),
    )
)


def begun(law: str) -> Game:
    game = new_game("table", "nomic", law=law, pace="manual", start=WEDNESDAY, brought=RULES)[0]
    for name in VOTERS:
        seat(game, name)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def classed(db: None) -> Game:
    return begun("suber")


def submitted(game: Game, body: str) -> Proposal:
    take(game.slug, game.players.get(name="Murphy"), "proposals.submit", {"body": body})
    return Proposal.objects.get(game=game, serial=game.proposals.count())


def voted(game: Game, words: tuple[str, ...], *proposals: Proposal, week: int = 1) -> None:
    for proposal in proposals:
        for name, word in zip(VOTERS, words, strict=True):
            vote = {"proposal": proposal.handle, "choice": word}
            take(game.slug, game.players.get(name=name), "proposals.vote", vote)
    advance(game.slug, WEDNESDAY + week * WEEK)
    for proposal in proposals:
        proposal.refresh_from_db()
        assert proposal.passed


def sentences(proposal: Proposal) -> list[str]:
    return [effect["sentence"] for effect in proposal.effects]


def rule(game: Game, number: str) -> Rule:
    return game.rules.get(number=number)


def is_sound(game: Game) -> bool:
    now = Game.objects.get(pk=game.pk)
    return replay(now)[1] is None and not [finding for finding in audit(now) if finding.wrong]


def test_all_transmute_a_rule_which_the_same_proposal_may_change_then(classed: Game):
    body = "Transmute rule 101.\nAmend rule 101 by replacing “Kept” with “Left”."
    proposal = submitted(classed, body)
    foreseen = preview(classed, None, body, {}, proposal, proposal.remarks)
    assert [change.done for change in foreseen.changes] == [True, True]
    assert foreseen.changes[0].sentence == (
        "The rule “Order” is transmuted and is mutable now. That needs all of the players FOR the"
        f" proposal (“{LAW}”)."
    )
    voted(classed, ALL, proposal)
    order = rule(classed, "101")
    assert (order.rule_class, order.text, order.version) == ("mutable", "Left.\n", 2)
    classes = order.versions.order_by("number").values_list("number", "rule_class")
    assert list(classes) == [(1, "immutable"), (2, "mutable")]
    assert is_sound(classed)


def test_with_fewer_votes_it_stays_and_what_else_is_asked_for_is_done(classed: Game):
    proposal = submitted(
        classed,
        "Transmute rule 101.\nRepeal rule 101.\nAmend rule 201 by replacing “turns” with “rows”.",
    )
    voted(classed, MOST, proposal)
    undone, kept, done = sentences(proposal)
    assert undone == (
        "Left undone: “Order” becomes mutable with all of the players FOR the proposal, and 2 of 3"
        f" are (“{LAW}”)."
    )
    assert kept.startswith("Left undone: The rule “Order” is immutable: ")
    assert done == "The rule “Turns” has one passage replaced."
    assert rule(classed, "101").repealed_in is None
    assert not Errand.objects.exists()


def test_the_table_says_by_how_many_votes_a_rule_becomes_immutable(classed: Game):
    proposal = submitted(classed, "Rule 201 becomes immutable.")
    voted(classed, MOST, proposal)
    assert rule(classed, "201").rule_class == "immutable"
    assert is_sound(classed)


def test_a_change_of_a_rule_that_became_immutable_meanwhile_is_told_so(classed: Game):
    first = submitted(classed, "Make rule 201 immutable.")
    second = submitted(classed, "Amend rule 201 to read: { In rows. }")
    third = submitted(classed, "Transmute rule 201.")
    voted(classed, ALL, first, second, third)
    entry = rule(classed, "201").versions.latest("number").enacted_in
    assert sentences(second)[0].endswith(f"It became so in entry {entry}, after this was proposed.")
    assert sentences(third) == [
        f"Left undone: “Turns” was transmuted in entry {entry}, after this was proposed, and this"
        " does not say what it is to be."
    ]
    assert rule(classed, "201").rule_class == "immutable"


def test_when_the_rule_on_it_is_repealed_every_rule_is_mutable(classed: Game):
    proposal = submitted(classed, f"Make the rule “{LAW}” mutable.\nRepeal the rule “{LAW}”.")
    voted(classed, ALL, proposal)
    assert set(classed.rules.values_list("rule_class", flat=True)) == {"mutable"}
    later = submitted(classed, "Repeal rule 101.")
    voted(classed, ALL, later, week=2)
    assert rule(classed, "101").repealed_in
    assert is_sound(classed)


def test_where_no_rule_says_it_a_transmutation_is_the_officers(db: None):
    game = begun("majority")
    proposal = submitted(game, "Transmute rule 101.")
    voted(game, ALL, proposal)
    assert sentences(proposal) == ["No rule in force says how a rule is transmuted."]
    assert Errand.objects.count() == 1
    assert (rule(game, "101").rule_class, rule(game, "101").shown_class) == ("mutable", "immutable")


def test_a_class_that_the_table_leaves_out_no_rule_comes_to_be_of(classed: Game):
    opened = submitted(classed, f"Make the rule “{LAW}” mutable.")
    voted(classed, ALL, opened)
    broken = submitted(
        classed,
        f"In the rule “{LAW}”, replace the row “mutable” with “| mutable | 9 | 2 | all |”.",
    )
    voted(classed, ALL, broken, week=2)
    still = submitted(classed, "Transmute rule 101 into a mutable rule.")
    voted(classed, ALL, still, week=3)
    assert rule(classed, "101").rule_class == "mutable"  # as of the version before


def test_the_game_moves_on_as_a_file_with_its_classes(classed: Game):
    voted(classed, ALL, submitted(classed, "Transmute rules 101 and 201."))
    into = StringIO()
    export_game(Game.objects.get(pk=classed.pk), into)
    there = import_game(into.getvalue().splitlines(), slug="there")
    assert [rule(there, number).rule_class for number in ("101", "201")] == ["mutable", "immutable"]


def test_the_officer_enters_a_transmutation_that_was_carried_out_by_hand(classed: Game):
    snail = classed.players.get(name="snail")
    proposal = submitted(classed, "Since we all wish it, let rule 101 be mutable from now on.")
    voted(classed, ALL, proposal)
    assert Errand.objects.count() == 1
    take(classed.slug, snail, "games.take_office", {"office": "Chair"})
    enter = {"rule": "101", "reason": f"By {proposal.label}."}
    with pytest.raises(Refused) as refused:
        take(classed.slug, snail, ENTER, {**enter, "text": "Left."})
    assert refused.value.refusal.code == "immutable"
    with pytest.raises(Refused):
        take(classed.slug, snail, ENTER_REPEAL, enter)
    take(classed.slug, snail, ENTER_CLASS, {**enter, "rule_class": "mutable"})
    take(classed.slug, snail, ENTER, {**enter, "text": "Left."})
    order = rule(classed, "101")
    assert (order.rule_class, order.text.strip()) == ("mutable", "Left.")
    with pytest.raises(Refused) as again:
        take(classed.slug, snail, ENTER_CLASS, {**enter, "rule_class": "mutable"})
    assert again.value.refusal.code == "so_already"
    assert is_sound(classed)


def test_where_no_rule_has_classes_no_officer_enters_one(db: None):
    game = begun("majority")
    snail = game.players.get(name="snail")
    take(game.slug, snail, "games.take_office", {"office": "Chair"})
    inputs = {"rule": "201", "rule_class": "immutable", "reason": "It is."}
    with pytest.raises(Refused, match="the rule that would allow it is not in force"):
        take(game.slug, snail, ENTER_CLASS, inputs)


def test_the_host_takes_back_what_was_brought_immutable_ones_too(classed: Game):
    host = classed.players.get(name="snail").user
    Game.objects.filter(pk=classed.pk).update(host=host)
    take(classed.slug, host, TAKE_RULES_BACK, {})
    assert rule(classed, "101").repealed_in


def test_the_composer_shows_how_a_rule_is_transmuted_where_rules_have_classes(classed: Game):
    transmuting = [each.written for each in examples("Order", classes=True)]
    assert "Transmute the rule “Order” into a mutable rule." in transmuting
    assert not any("Transmute" in each.written for each in examples("Order"))
    assert glance(classed).rules.has_classes


def test_pages_api_and_files_tell_the_class_and_how_it_came_to_be(classed: Game, client: Client):
    address = f"/g/{classed.slug}/rules/"
    page = on_one_line(client.get(address).text)
    assert page.count('<span class="pill">immutable</span>') == 2
    voted(classed, ALL, submitted(classed, "Transmute rules 101 and 201."))
    order, turns = rule(classed, "101"), rule(classed, "201")
    of_order = on_one_line(client.get(f"{address}x-{order.pk}/").text)
    assert "made mutable" in of_order
    assert "immutable</span>" not in of_order
    of_turns = on_one_line(client.get(f"{address}x-{turns.pk}/?from=1&to=2").text)
    assert "It was mutable and is immutable." in of_turns
    assert "prevails over mutable rules" in of_turns
    entry = classed.entries.get(seq=turns.versions.get(number=2).enacted_in)
    assert "made immutable" in client.get(f"/g/{classed.slug}/record/{entry.seq}/").text
    told = client.get(f"/api/v1/games/{classed.slug}/rules").json()
    classes = {each["number"]: each["class"] for each in told if each["number"]}
    assert classes == {"101": "mutable", "201": "immutable"}
    for form in ("json", "zip", "md"):
        file = client.get(f"/g/{classed.slug}/rulebook.{form}").content
        again = {each.number: each.rule_class for each in read(file, f"rules.{form}").rules}
        assert (again["101"] or "mutable", again["201"]) == ("mutable", "immutable")


def test_a_game_adopts_it_and_the_contests_regulations_keep_their_own(db: None):
    game = new_game("table", "demo", pace="manual", start=WEDNESDAY)[0]
    seat(game, "Murphy")
    law = shipped_texts("immutable-rules")[CLASS_RULE]
    regulation = game.rules.filter(origin="aceofspades", rule_class="immutable").first()
    assert regulation is not None
    body = (
        f"Enact a new rule titled “{CLASS_RULE}” with the text: {{{law}}}\n"
        "Make the rule “Documents” immutable.\n"
        "Retitle the rule “Documents” to “Papers”.\n"
        f"Make the rule “{regulation.title}” mutable."
    )
    changes = preview(Game.objects.get(pk=game.pk), None, body, {}).changes
    assert [change.done for change in changes] == [True, True, False, False]
    assert changes[2].sentence.startswith("Left undone: The rule “Documents” is immutable: ")
    assert changes[3].sentence.endswith("is immutable is said by rules of its own.")
