"""What the judge lets follow from a judgement (the rule “Cases”): what is put right, and as what a
sentence is played from then on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from nomic.cases.subgame import THE_CASES
from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.subgames import rulebook_keeper
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.operations.tasks import make_report
from tests.kit import Take, at_the_table, on_one_line, put_in_office, sign_in_client

RULE = "Weekly Race Actions"
ROW, ITEM = "| By announcement | 4 |", "- to gain dollaries by announcement."
READS = [{"rule": RULE, "passage": ROW}, {"rule": RULE, "passage": ITEM}]
PAID = {
    "amount": 5, "asset": "dollary", "giver": "Mint", "receiver": "Murphy", "reason": "the prize",
}  # fmt: skip


@pytest.fixture
def judged(act: Take, player: Player, rival: Player, third: Player) -> Receipt:
    """Case 1, which Murphy has called and Madrid has judged; it reads how much players gain."""
    act(player, "cases.call", statement="The gain is six dollaries.")
    judgement = {"case": 1, "verdict": "TRUE", "reasons": "It *is*."}
    return act(rival, "cases.judge", **judgement, passages=READS)


@pytest.fixture
def at_once(act: Take, game: Game) -> None:
    """A law in which what follows from a judgement comes to force with it."""
    text = game.rules.get(title="Cases").text.replace("What follows | 4", "What follows | at once")
    act(None, "rulebook.amend", rule="Cases", text=text, reason="a test")


def played_as(act: Take, actor: Player, passage: str = ROW, **inputs: Any) -> Receipt:
    return act(actor, "cases.play_as", case=1, rule=RULE, passage=passage, **inputs)


def refused(act: Take, actor: Player, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, case=1, **inputs)
    return refusal.value.refusal.sentence


def gain(act: Take, actor: Player) -> str:
    return act(actor, "horses.gain_dollaries").entry.text


def told(game: Game) -> dict[str, Any]:
    """What programs are told of Case 1."""
    whole = THE_CASES.item(glance(game), None, "1")
    assert whole is not None
    return whole


def read_in(game: Game) -> dict[str, Any]:
    """The passages that Case 1 reads, by what they say."""
    return {read["passage"]: read for read in told(game)["passages"]}


def page_of(client: Client, game: Game, page: str) -> str:
    return on_one_line(client.get(f"/g/{game.slug}/{page}/").content.decode())


def write_own_program(act: Take, game: Game) -> None:
    """Let the rule have a program by which players gain two dollaries."""
    text = f"{game.rules.get(title=RULE).text}\n```python\n{program('2')}\n```\n"
    act(None, "rulebook.amend", rule=RULE, text=text, reason="a test")


def program(gain: str) -> str:
    return f"@decide('horses.gain')\ndef gain():\n    return {gain}"


@pytest.fixture
def struck_gain(act: Take, game: Game, player: Player, rival: Player, client: Client) -> str:
    """The address at which Madrid, who is signed in, has asked how the game would be without what
    Murphy gained last, and been told."""
    struck = act(player, "horses.gain_dollaries").entry.seq
    sign_in_client(client, rival.user)
    asked = {"entry": struck, "verb": "strike"}
    address = client.post(f"/g/{game.slug}/recalculations/", asked).headers["location"]
    make_report(game.recalculations.get().pk)
    return address


def test_a_row_is_played_as_judged_until_it_changes_and_the_text_stays(
    act: Take,
    game: Game,
    player: Player,
    rival: Player,
    at_once: None,
    judged: Receipt,
    client: Client,
) -> None:
    since = played_as(act, rival, words="| By announcement | 6 |").entry
    assert since.text == (
        f"As judged in Case 1, Madrid lets “{ROW}” of “{RULE}” be played as"
        " “| By announcement | 6 |” from now on."
    )
    assert "6 dollaries" in gain(act, player)
    rule = game.rules.get(title=RULE)
    assert ROW in rule.text
    read = read_in(game)[ROW]
    assert (read["played_as"], read["since"]) == ("| By announcement | 6 |", since.seq)
    page = page_of(client, game, f"rules/x-{rule.pk}")
    assert f"It is played so since entry {since.seq}: | By announcement | 6 |" in page
    case = page_of(client, game, "cases/1")
    assert f'href="/g/{game.slug}/record/{since.seq}/"' in case
    changed = rule.text.replace(ROW, "| By announcement | 5 |")
    ended = act(None, "rulebook.amend", rule=RULE, text=changed, reason="a test").entry.seq
    assert "5 dollaries" in gain(act, rival)
    act(None, "rulebook.amend", rule=RULE, text=rule.text, reason="as before")
    assert game.rules.get(title=RULE).judged == {}, "a sentence that is back is not played so again"
    assert game.cases.get().texts.first().readings.get(passage=ROW).until == ended
    assert replay(game)[1] is None


def test_a_sentence_is_played_as_a_value_that_is_decided_where_that_is_said(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    decided = {"decision": "horses.gain", "value": "9", "where": "player = Murphy"}
    text = played_as(act, rival, ITEM, **decided).entry.text
    assert text.endswith("so that horses.gain is 9, where player is Murphy from now on.")
    assert "9 dollaries" in gain(act, player)
    assert "4 dollaries" in gain(act, rival)
    again = played_as(act, rival, ITEM).entry.text
    assert again.endswith("be played as it reads again.")
    assert read_in(game)[ITEM]["until"] == game.entries.count()
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_a_later_judgement_counts_and_one_that_is_opened_again_is_played_no_more(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    played_as(act, rival, words="| By announcement | 6 |")
    played_as(act, rival, words="| By announcement | 7 |")
    assert "7 dollaries" in gain(act, player)
    act(rival, "cases.file", case=1, motion="Reconsider")
    assert "4 dollaries" in gain(act, rival)
    assert game.rules.get(title=RULE).judged == {}
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_a_program_stands_in_place_of_the_rules_own(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    write_own_program(act, game)
    assert "2 dollaries" in gain(act, player)
    said = played_as(act, rival, ITEM, words=program("3"), in_place_of_all=True).entry.text
    assert said.endswith(
        "by a program of 3 lines from now on. The rule's own program rests meanwhile."
    )
    assert "3 dollaries" in gain(act, rival)
    assert replay(game)[1] is None


@pytest.mark.parametrize(
    ("passage", "inputs", "why"),
    [
        ("A sentence that is not there.", {"words": "| 1 |"}, "quote one as it stands there"),
        ("| 1 | 1 |", {"words": "| 1 | 2 |"}, "does not name that sentence"),
        (ROW, {"words": "| By announcement | many |"}, "a table could not be read"),
        (ROW, {"words": "| By announcement |"}, "another row of as many cells"),
        (ROW, {"words": "Nothing."}, "another row of as many cells"),
        (ROW, {}, "Say as what it is to be played"),
        (ITEM, {"words": "players gain more"}, "program"),
        (ITEM, {"words": "def nothing():\n    return 1"}, "declares something"),
        (
            ITEM,
            {"words": "@decide('horses.none')\ndef f():\n    return 1"},
            "which no program decides",
        ),
        (ITEM, {"decision": "horses.gain"}, "Say what horses.gain is decided as"),
        (ITEM, {"decision": "horses.gain", "value": "many"}, "is int"),
        (ITEM, {"decision": "horses.gain", "value": "-1"}, "it is a number from 0"),
        (ITEM, {"decision": "horses.gain", "value": "1", "where": "horse = Fargo"}, "no condition"),
        (ITEM, {"decision": "horses.gain", "value": "1", "words": "x"}, "one of the two"),
        (ITEM, {"decision": "proposals.proposers", "value": "[]"}, "cannot be"),
    ],
)
def test_what_cannot_be_played_is_refused_and_nothing_changes(
    act: Take,
    game: Game,
    rival: Player,
    at_once: None,
    judged: Receipt,
    passage: str,
    inputs: dict[str, str],
    why: str,
) -> None:
    before = game.entries.count()
    assert why in refused(act, rival, "cases.play_as", rule=RULE, passage=passage, **inputs)
    assert game.entries.count() == before


@pytest.mark.thorough
def test_the_judge_alone_announces_it_and_the_rulebooks_keeper(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    row = {"rule": RULE, "passage": ROW, "words": "| By announcement | 6 |"}
    assert "Madrid, who judged Case 1" in refused(act, player, "cases.play_as", **row)
    put_in_office(game, rulebook_keeper(game), player)
    done = act(player, "cases.play_as", case=1, **row).entry
    assert "Murphy lets" in done.text, "an officer's corrections wait for nothing in this game"


@pytest.mark.thorough
def test_the_ledger_is_put_right_by_the_rules_terms(
    act: Take, game: Game, player: Player, rival: Player, judged: Receipt
) -> None:
    assert "who judged Case 1" in refused(act, player, "cases.correct_the_ledger", **PAID)
    waits = act(rival, "cases.correct_the_ledger", case=1, **PAID).entry
    assert "It is done at" in waits.text
    advance(game.slug, game.last_at + timedelta(days=4, minutes=1))
    done = game.entries.filter(name="games.motion").last()
    assert "As judged in Case 1: Madrid moves 5 dollaries" in done.text
    assert [it["entry"] for it in told(game)["consequences"]] == [done.seq]
    own = {**PAID, "receiver": "Madrid"}
    waits = act(rival, "cases.correct_the_ledger", case=1, **own).entry
    assert "more than half" in waits.text, "what is about the judge takes support"
    assert replay(game)[1] is None


def test_while_one_thing_waits_the_judge_still_finds_the_way_to_another(
    act: Take, game: Game, rival: Player, judged: Receipt, client: Client
) -> None:
    moved = {"amount": 5, "asset": "dollary", "giver": "Mint", "receiver": "Murphy"}
    act(rival, "cases.correct_the_ledger", case=1, **moved, reason="the prize")
    act(rival, "cases.play_as", case=1, rule=RULE, passage=ROW, words="| By announcement | 6 |")
    sign_in_client(client, rival.user)
    page = on_one_line(client.get(f"/g/{game.slug}/cases/1/").content.decode())
    assert "act/cases.correct_the_ledger/?case=1" in page
    assert "/cases/1/play/1/" not in page, "that sentence waits already"
    assert "/cases/1/play/2/" in page
    rule = game.rules.get(title=RULE)
    assert f'href="/g/{game.slug}/rules/weekly-race-actions-{rule.pk}/"' in page
    again = refused(act, rival, "cases.correct_the_ledger", **moved, reason="once more")
    assert "is announced already" in again


def test_at_once_the_judge_puts_it_right_with_the_judgement(
    act: Take, game: Game, rival: Player, at_once: None, judged: Receipt, client: Client
) -> None:
    done = act(rival, "cases.correct_the_ledger", case=1, **PAID).entry
    assert (
        done.text == "As judged in Case 1: Madrid moves 5 dollaries from Mint to Murphy: the prize"
    )
    assert f'href="/g/{game.slug}/cases/1/"' in page_of(client, game, f"record/{done.seq}")
    sign_in_client(client, rival.user)
    page = page_of(client, game, "cases/1")
    assert "act/cases.correct_the_ledger/?case=1" in page
    assert f'href="/g/{game.slug}/cases/1/play/1/"' in page
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_the_judge_ratifies_a_recalculation_from_its_page(
    act: Take,
    game: Game,
    rival: Player,
    at_once: None,
    judged: Receipt,
    struck_gain: str,
    client: Client,
) -> None:
    page = client.get(struck_gain).content.decode()
    assert "Ratify it as judged in Case 1" in page
    asked = game.recalculations.get()
    report, struck = asked.report["ratifiable"], asked.revision["strike"]
    done = act(rival, "cases.ratify", case=1, report=report).entry
    assert done.text.startswith(f"As judged in Case 1: The recalculation without entry {struck} is")
    assert game.recorded_reports.get().ratified_in == done.seq
    assert game.cases.get().consequences.get().deed == done.seq
    assert replay(game)[1] is None


def test_on_its_page_a_sentence_is_played_otherwise(
    act: Take,
    game: Game,
    player: Player,
    rival: Player,
    at_once: None,
    judged: Receipt,
    client: Client,
) -> None:
    sign_in_client(client, rival.user)
    row, sentence = (f"/g/{game.slug}/cases/1/play/{place}/" for place in (1, 2))
    assert ROW in client.get(row).content.decode()
    wrong = client.post(row, {"words": "| By announcement |"})
    assert wrong.status_code == 409
    assert "another row of as many cells" in wrong.content.decode()
    client.post(row, {"words": "| By announcement | 6 |"})
    page = client.get(sentence).content.decode()
    assert "How many dollaries a player gains by announcement." in page
    assert "settlers.yield" not in page, "what is not played here decides nothing"
    client.post(sentence, {"decision": "horses.gain", "value": "9", "where": "player = Murphy"})
    assert "9 dollaries" in gain(act, player)
    assert client.get(f"/g/{game.slug}/cases/1/play/3/").status_code == 404


def test_a_program_cannot_put_a_table_into_the_rule(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    inner = "| TITLE | HOW |\n| --- | --- |\n| a | b |"
    hidden = f'{program("3")}\n"""\n```\n\n{inner}\n\n```python\n"""'
    played_as(act, rival, ITEM, words=f"````python\n{hidden}\n````")
    assert "3 dollaries" in gain(act, player)
    assert glance(game).rules.table(RULE, "TITLE", "HOW") is None


def test_a_judge_who_is_overruled_lets_no_sentence_be_played_otherwise(
    act: Take,
    player: Player,
    rival: Player,
    third: Player,
    at_once: None,
    judged: Receipt,
) -> None:
    played_as(act, rival, words="| By announcement | 6 |")
    act(player, "cases.call", statement="The gain is no six.", barred="Madrid")
    later = {"case": 2, "verdict": "FALSE", "reasons": "It is not.", "passages": READS}
    act(third, "cases.judge", **later)
    row = {"rule": RULE, "passage": ROW}
    why = refused(act, rival, "cases.play_as", **row, words="| By announcement | 7 |")
    assert why == "Case 2 read that sentence the other way later, and that binds."
    act(third, "cases.play_as", case=2, **row)
    assert "4 dollaries" in gain(act, player)
    assert why == refused(act, rival, "cases.play_as", **row)


def test_what_stands_in_place_of_the_rules_program_ends_when_that_is_changed(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    played_as(act, rival, ITEM, words=program("3"), in_place_of_all=True)
    write_own_program(act, game)
    assert "2 dollaries" in gain(act, player), "what was adopted since is carried out"
    assert read_in(game)[ITEM]["until"] == game.entries.count() - 1


def test_nothing_is_played_as_judged_once_no_rule_lets_cases_be(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    played_as(act, rival, words="| By announcement | 6 |")
    with at_the_table(game) as table:
        table.rules.repeal("Cases")
        table.follow_the_rules()
    game.refresh_from_db()
    assert "4 dollaries" in gain(act, player)


def test_what_follows_is_about_the_judge_where_it_names_them_or_what_is_theirs(
    act: Take, game: Game, player: Player, rival: Player, at_once: None, judged: Receipt
) -> None:
    decided = {"decision": "horses.gain", "value": "9", "where": "player = Madrid"}
    assert "more than half" in played_as(act, rival, ITEM, **decided).entry.text
    act(rival, "contracts.make", title="Mine", text="All of it.")
    with at_the_table(game) as table:
        table.ledger.define("coin", "coins")
        table.ledger.create(rival, 1, "coin")
    game.refresh_from_db()
    act(rival, "contracts.give", contract=1, amount=1, asset="coin")
    moved = {"amount": 5, "asset": "coin", "giver": "Mint", "receiver": "Contract #1"}
    waits = act(rival, "cases.correct_the_ledger", case=1, **moved, reason="a test").entry
    assert "more than half" in waits.text


def test_a_report_that_is_proposed_as_judged_stays_until_that_is_decided(
    act: Take, game: Game, rival: Player, judged: Receipt, struck_gain: str, client: Client
) -> None:
    asked = game.recalculations.get()
    act(rival, "cases.ratify", case=1, report=asked.report["ratifiable"])
    page = client.get(struck_gain).content.decode()
    assert "Ratify it as judged in Case 1" not in page
    assert "Propose to ratify it" not in page
    game.recalculations.update(awaits=["aceofspades"])  # as if it had waited for an opening
    make_report(asked.pk)
    again = game.recalculations.get()
    assert (again.report, again.awaits) == (asked.report, ["aceofspades"])


def test_what_waits_to_be_played_is_told_in_a_sentence(
    act: Take, rival: Player, judged: Receipt
) -> None:
    waits = played_as(act, rival, words="| By announcement | 6 |").entry.text
    assert f"let “{ROW}” of “{RULE}” be played as “| By announcement | 6 |”" in waits
    decided = {"decision": "horses.gain", "value": "9", "where": "player = Murphy"}
    waits = played_as(act, rival, ITEM, **decided).entry.text
    assert "be played so that horses.gain is 9, where player = Murphy" in waits
