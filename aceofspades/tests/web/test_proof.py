"""The contest is checked from public JSON by hand, and what was changed behind it is found."""

from __future__ import annotations

import hashlib
import io
import json
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client

from aceofspades.models import Vote
from aceofspades.state.reading import RECKONING
from aceofspades.tests import stage
from aceofspades.tests.asking import do, is_sound, suits_to_swap
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import adopt, due, happened, reckon
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.games.presets import PRESETS, Preset
from nomic.operations.setup import advance
from nomic.web.api.tests.test_record_format import run
from settlers.tests import sealed as isle
from tests.kit import figure

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(contest: Game, three: Three) -> Game:
    """A contest with votes, a private regulation, a gift, an offer, an alliance, a leaving."""
    murphy, madrid, alexia = three
    adopt(contest, three, 500, "Nobody knows what it says.", "private")
    one, other = suits_to_swap(murphy, madrid)
    do(murphy, "offer", to=[madrid.name, alexia.name], gives={one: 1}, takes={other: 1})
    code = murphy.contestant.offers_made.get().code
    do(madrid, "accept_offer", offer=code)
    do(alexia, "transfer", to=murphy.name, cards={next(iter(stage.hand_of(contest, alexia))): 1})
    do(murphy, "ally", others=[madrid.name])
    do(madrid, "ally", others=[murphy.name])
    do(alexia, "leave")
    proposal = stage.propose(contest, murphy, 600, "A thing in public.")
    stage.vote(contest, proposal, {murphy: "AGAINST", madrid: "FOR"})
    return contest


@pytest.fixture
def reckoned(played: Game) -> Game:
    """The same after the Moment of Reckoning."""
    reckon(played)
    return played


def told(game: Game) -> str:
    """What the command says."""
    said = io.StringIO()
    call_command("verify-dice", game.slug, stdout=said)
    return said.getvalue()


def asked(what: str) -> Any:
    """What the API answers somebody without an account."""
    answer = Client().get(f"/api/v1/games/table/{what}")
    assert answer.status_code == 200
    return json.loads(answer.content)


# By hand


@pytest.mark.thorough
def test_everything_is_checked_from_public_json_alone(reckoned: Game):
    record = {each["seq"]: each for each in asked("record")["entries"]}
    game = record[1]["inputs"]["identity"]
    book = asked("record/opened")["entries"]
    head = isle.sha(f"nomic sealed book aceofspades of {game}".encode())
    for number, entry in enumerate(book, 1):
        assert (entry["book"], entry["number"]) == ("aceofspades", number)
        assert entry["prev_hash"] == head
        head = isle.hash_of(entry, game)
        assert entry["hash"] == head
        assert ["aceofspades", number, head] in record[entry["opened_in"]]["outcome"]["opened"]
        after = record[entry["after"] + 1]
        if entry["tag"] == "anchor":
            assert after["anchors"]["aceofspades"] == head
        if entry["tag"] == "part":
            assert after["outcome"]["part"] == isle.content_of(entry)
            assert after["name"] == entry["outcome"]["of"]
    assert [each["name"] for each in book].count("aceofspades.vote") == 5
    reckoning = next(each for each in record.values() if each["name"] == RECKONING)
    assert head == reckoning["anchors"]["aceofspades"]

    (dice,) = [each for each in asked("dice")["periods"] if each["purpose"] == "the Ace of Spades"]
    assert record[1]["outcome"]["committed"] == {dice["purpose"]: dice["commitment"]}
    assert hashlib.sha256(bytes.fromhex(dice["seed"])).hexdigest() == dice["commitment"]
    assert reckoning["outcome"]["seed"] == dice["seed"]
    for cast in dice["rolls"]:
        value = isle.rolled(dice["seed"], game, (dice["purpose"], dice["number"]), cast)
        assert cast["value"] == value


def test_the_secret_regulations_are_those_of_the_note_that_was_sealed_at_first(reckoned: Game):
    opening = happened(reckoned, "aceofspades.opening")[0]
    named = opening.outcome["note"]
    note = next(each for each in asked("record/opened")["entries"] if each["hash"] == named)
    texts = {each["number"]: each["text"] for each in asked("rules")}
    sealed = note["outcome"]["regulations"]
    assert list(sealed) == ["340", "350", "360", "370", "380", "390", "400"]
    for number, facts in sealed.items():
        assert texts[number] == facts["text"]
    (dice,) = [each for each in asked("dice")["periods"] if each["purpose"] == "the Ace of Spades"]
    drawn = [
        each["options"][each["value"]] for each in dice["rolls"] if each["entry"] == opening.seq
    ]
    assert drawn == [facts["title"] for facts in sealed.values()]
    shown = Client().get("/g/table/aceofspades/proof/").content.decode()
    assert opening.anchors["aceofspades"] in shown


def test_the_programs_of_the_documentation_agree(reckoned: Game):
    assert "WRONG" not in run()


@pytest.mark.thorough
def test_a_contest_with_everything_in_it_is_sound_before_and_after(played: Game):
    assert is_sound(played)
    reckon(played)
    assert is_sound(played)


# By the command


def test_before_it_the_command_says_what_was_committed_to(played: Game):
    said = told(played)
    named = happened(played, "aceofspades.opening")[0].outcome["note"]
    assert f"the hash of its secret regulations, {named};" in said
    assert "of the Ace of Spades: its seed is not published yet" in said


def test_after_it_the_command_checks_all_of_it(reckoned: Game):
    said = told(reckoned)
    opened = reckoned.sealed_entries.filter(opened_in__isnull=False).count()
    assert f"{opened} opened sealed entries are what they were when they were sealed" in said
    assert "its secret regulations are those that the dice drew and a note sealed" in said
    assert "5 votes are those that were sealed" in said
    assert "follow from the hands" in said


FORGERIES = {
    "a sealed vote": (
        "UPDATE record_sealedentry SET inputs = jsonb_set(inputs, '{vote}', '\"AGAINST\"')"
        " WHERE name = 'aceofspades.vote' AND inputs->>'vote' = 'FOR'"
        " AND seq = (SELECT min(seq) FROM record_sealedentry WHERE name = 'aceofspades.vote')",
        "is not what its hash says",
    ),
    "a vote": (
        "UPDATE aceofspades_vote SET way = 'AGAINST' WHERE id ="
        " (SELECT min(id) FROM aceofspades_vote)",
        "Murphy's vote on Proposal 1 is not the one that was sealed",
    ),
    "a roll": (
        "UPDATE dice_roll SET value = (value + 1) % jsonb_array_length(options)"
        " WHERE label = 'card 3 to Murphy'",
        "and the formula gives",
    ),
    "a seed": (
        "UPDATE dice_period SET seed = repeat('0', 64) WHERE purpose = 'the Ace of Spades'",
        "the published seed is not the one that served",
    ),
    "a part": (
        'UPDATE record_sealedentry SET inputs = \'{"text": "Another text."}\''
        " WHERE name = 'record.part' AND inputs ? 'text'",
        "is not what its hash says",
    ),
    "who acted": (
        "UPDATE record_sealedentry AS entry SET actor_id = other.id, actor_name = other.name"
        " FROM games_player AS other"
        " WHERE entry.name = 'aceofspades.offer' AND other.name <> entry.actor_name",
        "is not what its hash says",
    ),
    "the text of a secret regulation": (
        "UPDATE rulebook_ruleversion SET text = 'Something else.' WHERE title = 'Regulation 350'",
        "Regulation 350 is not what the note of the opening has sealed",
    ),
    "what was opened": (
        "UPDATE record_entry SET outcome = outcome - 'opened' WHERE name = 'aceofspades.reckoning'",
        "does not say that it opened sealed entry",
    ),
    "an anchor": (
        "UPDATE record_entry SET anchors = '{}' WHERE name = 'aceofspades.opening'",
        "does not name sealed entry",
    ),
    "a worth": (
        "UPDATE record_entry SET inputs = jsonb_set(inputs, '{prepared,worths,Murphy}', '999')"
        " WHERE name = 'aceofspades.worths'",
        "are others, marked anew",
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("what", FORGERIES)
def test_what_was_changed_behind_the_back_of_the_contest_is_found(reckoned: Game, what: str):
    sql, found = FORGERIES[what]
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(sql)
            assert cursor.rowcount > 0
        with pytest.raises(CommandError, match=found):
            told(reckoned)
        transaction.set_rollback(True)


def test_a_forged_entry_is_marked_on_the_page(reckoned: Game):
    address = "/g/table/aceofspades/proof/"
    assert "refused" not in Client().get(address).content.decode()
    vote = Vote.objects.order_by("pk").first()
    assert vote is not None
    for what in ("a sealed vote", "a roll", "the text of a secret regulation"):
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL session_replication_role = replica")
                cursor.execute(FORGERIES[what][0])
            assert 'class="refused"' in Client().get(address).content.decode()
            transaction.set_rollback(True)


# Nothing of another subgame


@pytest.mark.thorough
def test_nothing_that_the_isle_has_sealed_is_opened(db: None, monkeypatch: pytest.MonkeyPatch):
    """The contest is reckoned while the Thug visits the isle of the same game."""
    both = Preset(
        name="multa",
        title="An isle and a contest",
        about="Both.",
        rulebooks=("proposals/quorum", "settlers", "aceofspades"),
        edition="quorum",
        settings={**PRESETS["multa"].settings, **PRESETS["ace-of-spades"].settings},
    )
    monkeypatch.setitem(PRESETS, "multa", both)
    game = isle.thugs_isle()
    stage.open_the_contest(game)
    for name in ("Murphy", "Madrid"):
        take(game.slug, game.players.get(name=name), "aceofspades.join")
    moment = due(game)
    assert moment is not None
    game.refresh_from_db()
    stage.hours(game, (moment - game.anchor_game).total_seconds() / 3600 - 2)
    isle.act(game, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    isle.act(game, "Murphy", "settlers.bribe", items={"wheat": 7_654_321})
    advance(game.slug, moment)
    assert happened(game, RECKONING)
    bribe = game.sealed_entries.get(name="settlers.bribe")
    assert bribe.opened_in is None
    public = json.dumps([asked("record"), asked("record/opened"), asked("dice")])
    assert not re.search(figure(7_654_321), public)
    assert bribe.hash not in json.dumps(asked("record"))
    names = {each["name"] for each in asked("record/opened")["entries"]}
    assert names == {"record.note", "record.part", "record.anchor", "record.hidden"}
    rules = {each["rule"] for each in asked("record/opened")["entries"] if each["rule"]}
    assert all(rule.startswith("Regulation ") for rule in rules)
    visits = [each for each in asked("dice")["periods"] if each["purpose"].startswith("visit")]
    assert [(each["seed"], each["rolls"]) for each in visits] == [(None, [])] * len(visits)
    assert "WRONG" not in run()
    told(game)
    assert is_sound(game)
