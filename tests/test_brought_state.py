"""What a nomic keeps for its players beside its rules comes in with them, and is changed here by
act, correction, vote and program."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from nomic.engine.digest import state_of
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.programs import running
from nomic.engine.rule_switches import rule_switches
from nomic.engine.subgames import NoSuchSwitch, find_switch
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.desks import all_desks
from nomic.governance.recalculation.ratification import RATIFY
from nomic.governance.recalculation.revision import Revision
from nomic.governance.reports import reports_of
from nomic.governance.switches import switches_held
from nomic.ledger.models import HolderKind
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recalculation.report import recalculate
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.rulebook.changes.reading import read_changes
from nomic.web.hosting.game_starter import BadSetup
from proposals.events.effects import Effect, apply
from tests.kit import Visitor, at_the_table, on_one_line, user_of

SWITCHES = """Each player has a Heat, and each a Radiance.

| Switch | Of | Values | Default | Kept by | Set |
|---|---|---|---|---|---|
| Heat | player | Low, Medium, High | Low | the Stoker | |
| Radiance | player | -5 to 100 | 3 | Stoker | at once |
| Weather | game | sun, rain | sun | | |
| Shine | asset | dull, bright | dull | Stoker | |
"""
COINS = """| Currency | Plural | Below zero |
|---|---|---|
| credit | credits | yes |
"""
RULES = [
    {"number": "101", "title": "Play", "text": "Players play."},
    {"number": "102", "title": "Heat", "text": SWITCHES},
    {"number": "103", "title": "Credit", "text": COINS},
]
BEGINNINGS = """
[[player]]
name = "Aris"
[[office]]
office = "Stoker"
player = "Aris"
[[balance]]
player = "Aris"
amount = 7
asset = "coin"
[[balance]]
player = "Aris"
amount = -2
asset = "credit"
[[balance]]
player = "Aris"
amount = 4
asset = "point"
[[balance]]
player = "Aris"
amount = 3
asset = "ox"
plural = "oxen"
[[switch]]
switch = "Heat"
of = "Aris"
value = "high"
[[switch]]
switch = "weather"
value = "rain"
"""


def begun(
    folder: Path, rules: list[dict[str, Any]], beginnings: str, law: str = "majority"
) -> Game:
    (folder / "rules.json").write_text(json.dumps(rules))
    (folder / "with.toml").write_text(beginnings)
    call_command(
        "newgame",
        "moved",
        preset="nomic",
        law=law,
        pace="manual",
        offices="support",
        title="Tuesday’s table",
        players=2,
        rules=folder / "rules.json",
        beginnings=folder / "with.toml",
    )
    return Game.objects.get(slug="moved")


@pytest.fixture
def moved(tmp_path: Path, db: None) -> Game:
    return begun(tmp_path, RULES, BEGINNINGS)


@pytest.fixture
def aris(moved: Game) -> Player:
    return moved.players.select_related("holder").get(name="Aris")


@pytest.fixture
def other(moved: Game) -> Player:
    return moved.players.select_related("holder").get(name="player1")


def done(game: Game, body: str) -> list[Effect]:
    """What an adopted body comes to."""
    game.refresh_from_db()
    with at_the_table(game) as table:
        effects = apply(table, read_changes(body))
    game.refresh_from_db()
    return effects


def sentences(game: Game, body: str) -> list[str]:
    return [effect.sentence for effect in done(game, body)]


def value(game: Game, switch: str, of: str = "") -> str:
    table = glance(Game.objects.get(pk=game.pk))
    return find_switch(switch, table).value(table, of)


def has(game: Game, player: Player, asset: str) -> int:
    return glance(Game.objects.get(pk=game.pk)).ledger.balance(player, asset)


def refused(game: Game, who: Any, act: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        take(game.slug, who, act, inputs)
    return refusal.value.refusal.sentence


# Currencies


def test_a_brought_currency_goes_by_one_of_it_and_by_several(moved: Game, aris: Player) -> None:
    assert sentences(moved, "Give Aris 5 coins. Give Aris 1 coin.") == [
        "Aris gains 5 coins.",
        "Aris gains 1 coin.",
    ]
    assert has(moved, aris, "coin") == 13
    assert sentences(moved, "Give Aris 1 ox. Give Aris 2 oxen.")[-1] == "Aris gains 2 oxen."
    assert has(moved, aris, "ox") == 6


def test_a_point_is_one_of_the_points_that_every_game_has(moved: Game, aris: Player) -> None:
    assert not moved.assets.filter(name="point").exists()
    assert has(moved, aris, "points") == 4
    assert sentences(moved, "Give Aris 1 point.") == ["Aris gains 1 point."]
    brought = moved.entries.filter(text__contains="more.").values_list("text", flat=True)
    assert "Aris has 4 points more. That was brought from before this game." in brought
    assert refused(
        moved, None, "games.bring_balance", player="Aris", amount=1, asset="coin", plural="coynes"
    ) == "Several of coin are coins here, and not coynes."  # fmt: skip


def test_a_balance_goes_below_zero_where_a_table_says_so_and_nowhere_else(
    moved: Game, aris: Player
) -> None:
    assert has(moved, aris, "credit") == -2
    assert sentences(moved, "Take 3 credits from Aris.") == ["Aris loses 3 credits."]
    assert sentences(moved, "Set Aris's credits to -9.") == ["Aris has -9 credits now, and had -5."]
    assert sentences(moved, "Transfer 2 credits from Aris to player1.")
    assert has(moved, aris, "credit") == -11
    (effect,) = done(moved, "Take 9 coins from Aris.")
    assert not effect.done
    assert effect.sentence == "Aris has 7 coins, and cannot lose 9 coins."
    assert "Nobody has less than no coins here" in refused(
        moved, None, "games.bring_balance", player="Aris", amount=-1, asset="coin"
    )
    assert [finding.wrong for finding in audit(moved) if finding.wrong] == []


def test_what_is_owed_stays_owed_when_the_rule_goes_and_nothing_more_is(
    moved: Game, aris: Player
) -> None:
    done(moved, "Repeal rule 103.")
    (effect,) = done(moved, "Take 1 credit from Aris.")
    assert not effect.done
    assert done(moved, "Give Aris 1 credit.")[0].done
    assert has(moved, aris, "credit") == -1
    assert [finding.wrong for finding in audit(moved) if finding.wrong] == []


def test_the_game_owns_by_its_own_name_and_agora_by_that(
    moved: Game, game: Game, visit: Visitor
) -> None:
    assert glance(moved).ledger.agora.name == "Tuesday’s table"
    assert sentences(moved, "Give Tuesday’s table 2 coins.") == ["Tuesday’s table gains 2 coins."]
    answer = visit().get("/api/v1/games/moved/balances").json()
    assert answer["Tuesday’s table"] == {"coin": 2}
    assert "Agora" not in answer
    assert glance(game).ledger.agora.name == "Agora"
    assert "reads as “Tuesday’s table”" in refused(
        moved, user_of("imp"), "games.join", name="Tuesday’s table"
    )


def test_a_table_of_currencies_that_loses_a_column_is_played_as_before(moved: Game) -> None:
    with at_the_table(moved) as table:
        rule = table.rules.find_rule("103").pk
        table.rules.amend(rule, "| Currency | Plural |\n|---|---|\n| credit | credits |\n")
    moved.refresh_from_db()
    assert moved.assets.get(name="credit").may_owe
    assert "“Credit” is played as of version 1: The table “Currency” of Credit has lost a" in (
        moved.entries.last().text
    )


def test_a_currency_that_is_declared_by_its_plural_as_well_is_one(tmp_path: Path, db: None) -> None:
    coins = COINS + "| credits | | no |\n"
    game = begun(tmp_path, [RULES[0], {"number": "103", "title": "Credit", "text": coins}], "")
    assert [*game.assets.values_list("name", "may_owe")] == [("credit", True), ("points", False)]


# Numbers


def test_new_rules_go_on_from_the_highest_number_that_there_ever_was(moved: Game) -> None:
    body = "Enact a rule titled “{}” with the text:\n\n{{\nPlay.\n}}\n"
    assert sentences(moved, body.format("Luck")) == ["The rule 104 “Luck” is enacted."]
    done(moved, "Repeal rule 104.")
    assert sentences(moved, body.format("Fate")) == ["The rule 105 “Fate” is enacted."]
    named = body.replace("a rule titled", "rule 300 titled").format("Chance")
    assert sentences(moved, named) == ["The rule 300 “Chance” is enacted."]


def test_where_most_rules_have_no_number_new_ones_have_none(tmp_path: Path, db: None) -> None:
    rules = [{"title": "Play", "text": "Players play."}, {"title": "Win", "text": "Win."}, RULES[1]]
    game = begun(tmp_path, rules, "")
    body = "Enact a rule titled “Luck” with the text:\n\n{\nPlay.\n}\n"
    assert sentences(game, body) == ["The rule “Luck” is enacted."]


def test_proposals_go_on_from_the_number_that_is_told(tmp_path: Path, db: None) -> None:
    call_command(
        "newgame", "on", preset="nomic", law="agora", pace="manual", players=2, proposals_from=9361
    )
    game = Game.objects.get(slug="on")
    player = game.players.get(name="player1")
    for title in ("Luck", "Fate"):
        take("on", player, "proposals.submit", {"title": title, "body": "Repeal rule 13."})
    advance("on", glance(game).now + timedelta(days=8))
    assert [*game.proposals.order_by("number").values_list("number", flat=True)] == [9361, 9362]
    game.refresh_from_db()
    assert replay(game)[1] is None
    for number, preset in ((0, "nomic"), (10**9, "nomic"), (5, "agora-races")):
        with pytest.raises(BadSetup, match=r"first proposal's number|without proposals"):
            new_game("wrong", preset, proposals_from=number)


# Offices


OFFICES = """
[[player]]
name = "Aris"
[[player]]
name = "Bea"
[[player]]
name = "Cid"
[[office]]
office = "Assessor"
player = "Cid"
[[office]]
office = "Promotor"
player = "Aris"
[[office]]
office = "Rulekeepor"
player = "Bea"
[[duty]]
office = "Promotor"
duty = "distribution"
[[duty]]
office = "Rulekeepor"
duty = "rulebook"
"""


@pytest.fixture
def staffed(tmp_path: Path, db: None) -> Game:
    return begun(tmp_path, RULES, OFFICES, law="agora")


def test_brought_offices_do_what_the_voting_law_leaves_to_one(
    staffed: Game, visit: Visitor
) -> None:
    aris, bea, other = (staffed.players.get(name=name) for name in ("Aris", "Bea", "Cid"))
    hand = {"keeper": "the officer", "duty": "distribution"}
    assert refused(staffed, other, "proposals.keep_by_hand", **hand) == (
        "The Promotor decides that."
    )
    said = take(staffed.slug, aris, "proposals.keep_by_hand", hand).entry
    assert said.text == "Aris decides that the officer keeps the distribution."
    take(staffed.slug, other, "proposals.submit", {"title": "Luck", "body": "Be merry."})
    assert "Only the Promotor can do this." in refused(
        staffed, other, "proposals.distribute", proposal="p1"
    )
    staffed.refresh_from_db()
    duties = [
        (duty.action, desk.office_in(staffed))
        for desk in all_desks()
        for duty in (desk.duties(glance(staffed)) if desk.subgame == "proposals" else ())
    ]
    assert duties == [("proposals.distribute", "Promotor")]
    take(staffed.slug, aris, "proposals.distribute", {"proposal": "p1"})
    for voter in (aris, bea, other):
        take(staffed.slug, voter, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    advance(staffed.slug, glance(staffed).now + timedelta(days=8))
    done_by_hand = {"proposal": 1, "place": 1, "entry": 0, "done": True, "note": "We are."}
    deputy = "a deputy of the Rulekeepor says so 2 days before"
    assert deputy in refused(staffed, aris, "proposals.carry_out", **done_by_hand)
    assert take(staffed.slug, bea, "proposals.carry_out", done_by_hand).entry.text.startswith("Bea")
    text = {"rule": "101", "text": "Players play on.", "reason": "a slip"}
    assert "Only the Rulekeepor, who is Bea, corrects the texts of rules." in refused(
        staffed, other, "rulebook.amend", **text
    )
    strike = {"proposal": 1, "voter": "Bea", "reason": "twice"}
    assert "Only the Assessor" in refused(staffed, bea, "proposals.strike_vote", **strike)
    take(staffed.slug, other, "proposals.strike_vote", strike)
    staffed.refresh_from_db()
    assert replay(staffed)[1] is None
    operator = user_of("operator")
    operator.is_staff = operator.is_superuser = True
    operator.save()
    assert visit(operator).get("/office/g/moved/").status_code == 200


def test_a_vacant_promotor_leaves_distributing_to_the_system(staffed: Game) -> None:
    aris, other = (staffed.players.get(name=name) for name in ("Aris", "player1"))
    take(
        staffed.slug, aris, "proposals.keep_by_hand",
        {"keeper": "the officer", "duty": "distribution"},
    )  # fmt: skip
    take(staffed.slug, other, "proposals.submit", {"title": "Luck", "body": "Be merry."})
    take(staffed.slug, aris, "games.resign_office", {"office": "Promotor"})
    staffed.refresh_from_db()
    assert staffed.appointments.waiting().filter(kind="proposals.distributed").exists()


def test_a_duty_is_given_by_the_host_once_and_to_an_office_that_there_is(staffed: Game) -> None:
    give = "proposals.bring_duty"
    assert "That is the Promotor’s already." in refused(
        staffed, None, give, office="Promotor", duty="distribution"
    )
    with pytest.raises(Malformed, match=r"is not an office|is not a choice"):
        take(staffed.slug, None, give, {"office": "Herald", "duty": "distribution"})
    with pytest.raises(Malformed, match="is not a choice"):
        take(staffed.slug, None, give, {"office": "Promotor", "duty": "cooking"})


# Switches that rules declare


def test_switches_come_in_with_the_rules_and_stand_as_they_did(moved: Game) -> None:
    assert value(moved, "Heat", "Aris") == "High"
    assert value(moved, "Heat", "player1") == "Low"
    assert value(moved, "Weather") == "rain"
    assert value(moved, "the Radiance", "Aris") == "3"
    assert value(moved, "Shine", "coin") == "dull"
    texts = [*moved.entries.filter(name="games.bring_switch").values_list("text", flat=True)]
    assert texts[0] == "The Heat of Aris is High. That was brought from before this game."
    assert texts[1] == "The Weather is rain. That was brought from before this game."


def test_a_vote_sets_them_raises_them_and_says_what_they_cannot_be(moved: Game) -> None:
    assert sentences(moved, "Set Aris's Heat to Low. Increase Aris's Radiance by 4.") == [
        "Aris's Heat is set from High to Low.",
        "Aris's Radiance is set from 3 to 7.",
    ]
    assert sentences(moved, "Set each player's Heat to Medium.")[0].startswith(
        "Aris's Heat is set from Low to Medium. player1's Heat is set from Low to Medium."
    )
    assert sentences(moved, "Set the Weather to sun.") == ["Weather is set from rain to sun."]
    wrong = {
        "Set Aris's Heat to Tepid.": "Heat is Low, Medium or High, and not “Tepid”.",
        "Decrease Aris's Radiance by 100.": "a whole number from -5 to 100, and not “-93”.",
        "Increase Aris's Heat by 1.": "Heat is “Medium”, which is no number",
        "Set Nobodyhere's Heat to Low.": "There is no player “Nobodyhere”. Known: Aris",
        "Set the Heat to Low.": "Heat is a switch of every player: say whose.",
        "Set Aris's Weather to sun.": "Weather is a switch of the whole game, not of “Aris”.",
        "Set Aris's Cold to Low.": "keeps no switch “Cold”",
    }
    for body, says in wrong.items():
        (effect,) = done(moved, body)
        assert not effect.done
        assert says in effect.sentence, effect.sentence


def test_a_vote_that_declares_one_can_set_it_in_the_next_sentence(moved: Game) -> None:
    body = (
        "Enact a rule titled “Luck” with the text:\n\n{\n| Switch | Of | Values | Default |"
        " Kept by |\n|---|---|---|---|---|\n| Luck | player | 0 to 9 | 0 | |\n}\n\n"
        "Set Aris's Luck to 7.\n"
    )
    assert sentences(moved, body)[-1] == "Aris's Luck is set from 0 to 7."


def test_its_office_sets_it_at_once_where_the_table_says_so_and_else_by_correction(
    moved: Game, aris: Player, other: Player
) -> None:
    said = take(
        moved.slug, aris, "games.set_switch",
        {"switch": "radiance", "of": "player1", "value": "12", "reason": "it glows"},
    )  # fmt: skip
    assert said.entry.text == "Aris sets player1's Radiance from 3 to 12: it glows"
    assert said.entry.effects == [{"switch": ["Radiance", "player1", "12"]}]
    heat = {"switch": "Heat", "of": "player1", "value": "Medium", "reason": "a slip"}
    said = take(moved.slug, aris, "games.set_switch", heat)
    assert said.entry.text.startswith("Aris announces Motion 1")
    assert value(moved, "Heat", "player1") == "Low"
    assert "Only the Stoker, who is Aris, corrects the switch Heat." in refused(
        moved, other, "games.set_switch", **heat
    )
    moved.refresh_from_db()
    advance(moved.slug, moved.motions.get().due)
    assert value(moved, "Heat", "player1") == "Medium"
    moved.refresh_from_db()
    assert "Heat is Medium." in refused(moved, aris, "games.set_switch", **heat)


def test_nobodys_switch_is_set_with_the_players_support(moved: Game, other: Player) -> None:
    weather = {"switch": "Weather", "of": "", "value": "sun", "reason": "look"}
    announced = take(moved.slug, other, "games.set_switch", weather).entry
    assert "Motion 1: “Let the Weather of the game be sun, because look”." in announced.text
    assert value(moved, "Weather") == "rain"
    assert "say whose" in refused(moved, None, "games.set_switch", **{**weather, "switch": "Heat"})
    assert "of the whole game" in refused(
        moved, None, "games.set_switch", **{**weather, "of": "Aris"}
    )


def test_a_correction_lapses_where_it_was_set_meanwhile(moved: Game, aris: Player) -> None:
    heat = {"switch": "Heat", "of": "player1", "value": "Medium", "reason": "a slip"}
    take(moved.slug, aris, "games.set_switch", heat)
    done(moved, "Set player1's Heat to High.")
    motion = moved.motions.get()
    advance(moved.slug, motion.due)
    motion.refresh_from_db()
    assert motion.note == "The Heat has been set since that was announced."
    assert value(moved, "Heat", "player1") == "High"


def test_a_rule_that_goes_takes_its_switches_off_and_brings_them_back(moved: Game) -> None:
    done(moved, "Repeal rule 102.")
    with pytest.raises(NoSuchSwitch):
        value(moved, "Heat", "Aris")
    assert [*switches_held(glance(moved))] == []
    assert not done(moved, "Set Aris's Heat to Low.")[0].done
    done(moved, f"Enact a rule titled “Warmth” with the text:\n\n{{\n{SWITCHES}}}\n")
    assert value(moved, "Heat", "Aris") == "High"


def test_one_that_is_renamed_alone_keeps_its_values_and_says_so(moved: Game) -> None:
    with at_the_table(moved) as table:
        rule = table.rules.find_rule("102").pk
        table.rules.amend(rule, SWITCHES.replace("| Heat ", "| Warmth "))
    moved.refresh_from_db()
    assert value(moved, "Warmth", "Aris") == "High"
    with pytest.raises(NoSuchSwitch):
        value(moved, "Heat", "Aris")
    assert moved.entries.last().text.endswith(
        "The switch Heat is Warmth now, and stands as it did."
    )
    with at_the_table(moved) as table:
        table.rules.amend(
            table.rules.find_rule("102").pk,
            SWITCHES.replace("| Heat | player | Low,", "| Cold | player | None, Low,"),
        )
    assert value(moved, "Cold", "Aris") == "Low"


def test_what_is_no_value_any_more_is_the_default(moved: Game) -> None:
    with at_the_table(moved) as table:
        rule = table.rules.find_rule("102").pk
        table.rules.amend(rule, SWITCHES.replace("Low, Medium, High", "Low, Medium"))
    assert value(moved, "Heat", "Aris") == "Low"


def test_who_leaves_and_comes_back_has_the_default(moved: Game, other: Player) -> None:
    done(moved, "Set player1's Heat to High.")
    take(moved.slug, other, "games.leave", {})
    take(moved.slug, other.user, "games.join", {"name": "player1"})
    assert value(moved, "Heat", "player1") == "Low"
    assert value(moved, "Heat", "Aris") == "High"


def test_a_table_that_cannot_be_read_is_played_as_before_marked_and_a_duty(
    moved: Game, visit: Visitor
) -> None:
    with at_the_table(moved) as table:
        rule = table.rules.find_rule("102").pk
        table.rules.amend(rule, SWITCHES.replace("| player | Low", "| horse | Low"))
    moved.refresh_from_db()
    assert value(moved, "Heat", "Aris") == "High"
    assert "“Heat” is played as of version 1: The table “Switch” of Heat has “horse” under Of" in (
        moved.entries.last().text
    )
    rules = {rule["title"]: rule for rule in visit().get("/api/v1/games/moved/rules").json()}
    assert "played as of version 1" in rules["Heat"]["unread"]
    rows = [passage for passage in rules["Heat"]["passages"] if passage["by"] == "table"]
    assert [row["fits"] for row in rows] == [False] * 5
    operator = user_of("operator")
    operator.is_staff = operator.is_superuser = True
    operator.save()
    page = on_one_line(visit(operator).get("/office/g/moved/").text)
    assert "“Heat” is played as of version 1" in page


def test_its_rows_are_the_programs_in_a_rule_that_people_keep(moved: Game, visit: Visitor) -> None:
    rules = {rule["title"]: rule for rule in visit().get("/api/v1/games/moved/rules").json()}
    by = {passage["text"]: passage["by"] for passage in rules["Heat"]["passages"]}
    assert by["| Weather | game | sun, rain | sun | | |"] == "table"
    assert by["Each player has a Heat, and each a Radiance."] == "people"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("| Weather ", "| Heat ", "stands twice under “Switch”"),
        ("Low, Medium, High", ", ".join(map(str, range(10_000))), "has 10,000 values for Heat"),
        ("| Heat ", "| credit ", "has the name of something that is owned"),
    ],
)
def test_what_can_be_no_switch_is_told_and_not_played(
    tmp_path: Path, db: None, old: str, new: str, says: str
) -> None:
    rules = [RULES[0], {**RULES[1], "text": SWITCHES.replace(old, new, 1)}, RULES[2]]
    game = begun(tmp_path, rules, "")
    (fault, *_) = rule_switches(glance(game)).unread
    assert says in str(fault)
    assert says in game.entries.get(seq=2).text


def test_of_a_table_with_very_many_switches_the_first_hundred_are_played_and_one_fault_is_told(
    tmp_path: Path, db: None
) -> None:
    head = "| Switch | Of | Values | Default | Kept by |\n|---|---|---|---|---|\n"
    lamps = (f"| Lamp {number} | player | on, off | off | |\n" for number in range(300))
    rules = [RULES[0], {"number": "102", "title": "Lamps", "text": head + "".join(lamps)}]
    game = begun(tmp_path, rules, "")
    switches = rule_switches(glance(game))
    assert len(switches.by_key) == 100
    (fault,) = switches.unread
    assert "“Lamp 100” of Lamps is one too many: 100 are the most, and none after it" in str(fault)


def test_two_rules_declare_it_once(tmp_path: Path, db: None) -> None:
    game = begun(tmp_path, [*RULES, {"number": "104", "title": "Again", "text": SWITCHES}], "")
    assert len(rule_switches(glance(game)).by_key) == 4
    assert "“Heat” of Again is declared by “Heat” already" in str(
        rule_switches(glance(game)).unread[0]
    )


def test_a_value_brought_twice_or_out_of_range_or_for_nobody_is_refused(moved: Game) -> None:
    bring = "games.bring_switch"
    assert "is High already" in refused(moved, None, bring, switch="Heat", of="Aris", value="High")
    assert "not “Hot”" in refused(moved, None, bring, switch="Heat", of="Aris", value="Hot")
    assert "“Bob” has no Heat" in refused(moved, None, bring, switch="Heat", of="Bob", value="High")
    assert "The game itself has no Heat" in refused(moved, None, bring, switch="Heat", value="High")
    assert "keeps no switch “Cold”" in refused(moved, None, bring, switch="Cold", value="1")


def test_of_a_wrong_beginning_nothing_is_made(tmp_path: Path, db: None) -> None:
    wrong = BEGINNINGS.replace('value = "high"', 'value = "hot"')
    with pytest.raises(Exception, match=r"with\.toml, switch 1: Heat is Low, Medium or High"):
        begun(tmp_path, RULES, wrong)
    assert not Game.objects.filter(slug="moved").exists()


PROGRAM = """{
```python
@action("stoke", "Stoke {player} to {degree}")
def stoke(me: Player, player: Player, degree: str):
    if switch("Heat", player) == degree:
        refuse("It is so.")
    set_switch("Heat", degree, player)
    set_switch("Radiance", switch("Radiance", me) + 1, me)
    set_switch("radiance", switch("Radiance", me) + 1, me)
    say(f"{player} is {switch('Heat', player)}, {me} shines by {switch('Radiance', me)}.")

@every("day")
def weather():
    set_switch("Weather", "sun" if switch("Weather") == "rain" else "rain")

@view("Heats")
def heats():
    return table(["Player", "Heat"], [[p, switch("Heat", p)] for p in players()])
```
}
"""


def test_a_program_reads_and_sets_them(moved: Game, aris: Player, visit: Visitor) -> None:
    done(moved, f"Enact a rule titled “Stoking” with the text:\n\n{PROGRAM}")
    said = take(moved.slug, aris, "rule.104.stoke", {"player": "player1", "degree": "high"})
    assert said.entry.text == "“Stoking” says: “player1 is High, Aris shines by 5.”"
    turned = [effect["switch"] for effect in said.entry.effects if "switch" in effect]
    assert turned == [
        ["Heat", "player1", "High"],
        ["Radiance", "Aris", "4"],
        ["Radiance", "Aris", "5"],
    ]
    for degree, says in {
        "High": "It is so.",
        "Hot": "Heat is Low, Medium or High, and not “Hot”",
    }.items():
        stoke = {"player": "player1", "degree": degree}
        assert says in refused(moved, aris, "rule.104.stoke", **stoke)
    advance(moved.slug, glance(moved).now + timedelta(days=1))
    assert value(moved, "Weather") == "sun"
    assert "High" in on_one_line(visit().get("/g/moved/").text)
    moved.refresh_from_db()
    done(moved, "Repeal rule 102.")
    sentence = refused(moved, aris, "rule.104.stoke", player="player1", degree="Low")
    assert "The rules declare no switch Heat. Those that they do: none" in sentence


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (["Heat", "Aris", "Low"], "It sets a switch that there is not"),
        (["heat", "Bob", "Low"], "It sets a switch that there is not"),
        (["heat", "Aris", "Hot"], "Heat is Low, Medium or High, and not “Hot”"),
        (["heat", "Aris"], "It tells what cannot be read"),
    ],
)
def test_a_program_that_meddles_with_what_it_sets_fails(
    moved: Game, aris: Player, monkeypatch: pytest.MonkeyPatch, turn: list[str], says: str
) -> None:
    done(moved, f"Enact a rule titled “Stoking” with the text:\n\n{PROGRAM}")
    read_result = running.read_result
    monkeypatch.setattr(
        running,
        "read_result",
        lambda returned: read_result(json.dumps([*json.loads(returned)[:4], [turn], [], [], []])),
    )
    stoke = {"player": "player1", "degree": "High"}
    assert says in refused(moved, aris, "rule.104.stoke", **stoke)
    assert not moved.switch_settings.exclude(switch__in=("heat", "weather")).exists()
    assert value(moved, "Heat", "Aris") == "High"


def test_what_decides_or_shows_sets_none(moved: Game, visit: Visitor) -> None:
    body = PROGRAM.replace("return table(", "set_switch('Weather', 'sun'); return table(")
    done(moved, f"Enact a rule titled “Stoking” with the text:\n\n{body}")
    assert "A view looks at the game, and does nothing in it" in visit().get("/g/moved/").text


def test_the_api_tells_them_with_their_values_and_whose_they_are(
    moved: Game, visit: Visitor
) -> None:
    heat, radiance, weather, shine = visit().get("/api/v1/games/moved/switches").json()
    assert heat == {
        "name": "Heat",
        "of": "player",
        "values": ["Low", "Medium", "High"],
        "default": "Low",
        "keeper": "Stoker",
        "at_once": False,
        "rule": "Heat",
        "held": {"Aris": "High", "player1": "Low", "player2": "Low"},
    }
    assert radiance["values"] == {"least": -5, "most": 100}
    assert radiance["held"]["Aris"] == 3
    assert (weather["of"], weather["held"]) == ("game", {"Tuesday’s table": "rain"})
    assert shine["held"]["coin"] == "dull"


def test_pages_show_them(moved: Game, visit: Visitor) -> None:
    page = on_one_line(visit().get("/g/moved/players/Aris/").text)
    assert "<dt>Heat</dt> <dd>High" in page
    assert 'href="/g/moved/switches/"' in visit().get("/g/moved/ledger/").text
    switches = on_one_line(visit().get("/g/moved/switches/").text)
    assert "<dt>High</dt> <dd> Aris </dd>" in switches
    assert "<dt>Low</dt> <dd> player1, player2 </dd>" in switches
    assert "It is <strong>rain</strong>." in switches
    assert "Set it" not in switches
    sets = 'act/games.set_switch/?switch={}"'.format
    own = visit(user_of("player1")).get("/g/moved/switches/").text
    assert sets("Weather") in own, "nobody keeps it"
    assert sets("Heat") not in own, "the Stoker does"


def test_a_switch_that_was_set_is_struck_and_ratified_as_if_it_never_was(
    moved: Game, aris: Player, other: Player
) -> None:
    radiance = {"switch": "Radiance", "of": "Aris", "reason": "it glows"}
    first = take(moved.slug, aris, "games.set_switch", {**radiance, "value": "12"}).entry
    moved.refresh_from_db()
    report = recalculate(moved, Revision("strike", first.seq))
    moved.recalculations.create(
        by=other, revision=report.revision, asked_at=wall_now(), hash=report.hash,
        report=report.plain(),
    )  # fmt: skip
    take(moved.slug, other, RATIFY, {"report": report.ratifiable})
    moved.refresh_from_db()
    number = moved.motions.get().number
    for name in ("Aris", "player2"):
        if not moved.motions.get().end:
            take(moved.slug, moved.players.get(name=name), "games.support", {"motion": number})
    assert moved.motions.get().end == "done"
    assert value(moved, "Radiance", "Aris") == "3"
    assert not moved.switch_settings.filter(switch="radiance").exists()
    moved.refresh_from_db()
    assert replay(moved)[1] is None


def test_the_weekly_report_tells_of_those_that_were_set(moved: Game, visit: Visitor) -> None:
    advance(moved.slug, glance(moved).now + timedelta(days=8))
    facts = moved.entries.filter(outcome__report="switches").latest("seq").outcome["facts"]
    assert facts["switches"] == [{"switch": "Heat", "of": "Aris", "value": "High"}]
    own = moved.entries.filter(outcome__report="proposals").latest("seq").outcome["facts"]
    assert own["switches"] == [{"switch": "Weather", "of": "Tuesday’s table", "value": "rain"}]
    for form in ("text", "html", "json", "csv"):
        told = visit().get(f"/api/v1/games/moved/reports/switches?format={form}")
        assert "High" in told.text
    done(moved, "Repeal rule 102.")
    assert not moved.appointments.waiting().filter(subject="switches").exists()
    assert visit().get("/g/moved/reports/").status_code == 200
    moved.refresh_from_db()
    assert [report.name for report in reports_of(moved)] == ["proposals"]


def test_it_all_replays_goes_out_and_comes_in(moved: Game, aris: Player) -> None:
    radiance = {"switch": "Radiance", "of": "Aris", "value": "12", "reason": "it glows"}
    take(moved.slug, aris, "games.set_switch", radiance)
    moved.refresh_from_db()
    assert replay(moved)[1] is None
    file = io.StringIO()
    export_game(moved, file)
    there = import_game(file.getvalue().splitlines(), slug="there")
    assert value(there, "Radiance", "Aris") == "12"
    assert state_of(there)["switches"] == state_of(moved)["switches"]
    assert there.holders.get(kind=HolderKind.GAME).name == "Tuesday’s table"
