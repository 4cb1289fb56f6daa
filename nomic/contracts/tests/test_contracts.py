"""Contracts (the rule “Contracts”): who is party to one, what its parties consent to, what it
owns."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from nomic.contracts.models import Contract
from nomic.contracts.rules import CONTRACTS, Deed
from nomic.contracts.subgame import THE_CONTRACTS
from nomic.documents.models import Document, DocumentVersion
from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.table import Table, glance
from nomic.games.models import Game, Player
from nomic.notices.models import Outgoing
from tests.kit import Visitor, ask_as_program, at_the_table, on_one_line, seat, sign_in_client

TERMS = "| CONTRACT | SAYS |\n| --- | --- |\n"
POOL = {"title": "A pool", "text": "We share what we win."}


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def pool(act: Any, player: Player) -> Receipt:
    """A contract by the rule's own terms, whose one party is Murphy."""
    made: Receipt = act(player, "contracts.make", **POOL)
    return made


@pytest.fixture
def joint(act: Any, pool: Receipt, rival: Player) -> int:
    """The same with Madrid as its second party; its number."""
    act(rival, "contracts.enter", contract=1)
    number: int = pool.entry.outcome["contract"]
    return number


def with_terms(**ways: str) -> dict[str, str]:
    """A contract that says these ways, by the names of the deeds."""
    rows = "".join(f"| {Deed[name.upper()]} | {way} |\n" for name, way in ways.items())
    return {"title": "A pool", "text": f"We share.\n\n{TERMS}{rows}"}


def give(table: Table, player: Player, amount: int) -> None:
    """Let that player have so many coins."""
    table.ledger.define("coin", "coins")
    table.ledger.create(player, amount, "coin")


def refused(act: Any, actor: Player, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.sentence


def parties(game: Game, number: int = 1) -> list[str]:
    whole = THE_CONTRACTS.item(glance(game), None, str(number))
    assert whole is not None
    return whole["parties"]


def owns(game: Game, number: int = 1) -> dict[str, int]:
    whole = THE_CONTRACTS.item(glance(game), None, str(number))
    assert whole is not None
    return whole["owns"]


def test_who_makes_one_is_its_first_party_and_its_text_is_a_document(
    game: Game, pool: Receipt
) -> None:
    assert pool.entry.text == "Murphy makes Contract 1, “A pool”, and is its first party."
    assert parties(game) == ["Murphy"]
    document = Document.objects.get(game=game)
    assert (document.kind, document.number, document.text) == ("Contract", 1, POOL["text"])


def test_anybody_enters_by_announcement_unless_its_table_says_otherwise(
    game: Game, act: Any, joint: int, rival: Player
) -> None:
    assert parties(game) == ["Murphy", "Madrid"]
    assert "a party of this contract already" in refused(act, rival, "contracts.enter", contract=1)


def test_where_all_parties_let_somebody_in_each_of_them_consents_first(
    game: Game, act: Any, player: Player, rival: Player
) -> None:
    act(player, "contracts.make", **with_terms(enter="all parties"))
    asked = act(rival, "contracts.enter", contract=1)
    assert asked.entry.text == "Madrid asks the parties of Contract 1 to be let in: Request 1."
    assert parties(game) == ["Murphy"]
    assert "Only the parties" in refused(act, rival, "contracts.consent", request=1)
    granted = act(player, "contracts.consent", request=1)
    assert granted.entry.text == (
        "Murphy consents to Request 1 of Contract 1. Madrid becomes a party of Contract 1,"
        " “A pool”."
    )
    assert parties(game) == ["Murphy", "Madrid"]


def test_its_text_changes_when_all_parties_have_consented(
    game: Game, act: Any, joint: int, player: Player, rival: Player
) -> None:
    new = {"contract": 1, "title": "A lake", "text": "We share all."}
    act(player, "contracts.change", **new)
    assert Document.objects.get(game=game).title == "A pool"
    assert "have consented" in refused(act, player, "contracts.consent", request=1)
    act(rival, "contracts.consent", request=1)
    document = Document.objects.get(game=game)
    assert (document.title, document.text, document.version) == ("A lake", "We share all.", 2)
    assert list(DocumentVersion.objects.filter(game=game).values_list("title", flat=True)) == [
        "A pool",
        "A lake",
    ]
    assert "No Request 1" in refused(act, rival, "contracts.consent", request=1)


def test_the_text_of_a_contract_is_changed_as_a_contract_alone(
    act: Any, pool: Receipt, player: Player
) -> None:
    new = {"document": 1, "title": "Mine", "text": "All is mine."}
    sentence = "Document 1 is Contract 1: it is changed there."
    assert refused(act, player, "documents.revise", **new) == sentence
    assert refused(act, player, "documents.withdraw", document=1) == sentence


def test_a_contract_owns_what_is_given_to_it_and_pays_as_its_terms_say(
    game: Game, act: Any, joint: int, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        give(table, player, 5)
    act(player, "contracts.give", contract=1, amount=4, asset="coin")
    assert owns(game) == {"coin": 4}
    payment = {"contract": 1, "asset": "coin", "receiver": "Madrid"}
    assert "has 4 coins" in refused(act, rival, "contracts.pay", amount=5, **payment)
    act(rival, "contracts.pay", amount=3, **payment)
    assert owns(game) == {"coin": 4}
    act(player, "contracts.consent", request=1)
    assert owns(game) == {"coin": 1}
    assert glance(game).ledger.balance(rival, "coin") == 3


def test_what_it_cannot_pay_any_more_waits_until_it_can(
    game: Game, act: Any, joint: int, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        give(table, player, 5)
    act(player, "contracts.give", contract=1, amount=3, asset="coin")
    payment = {"contract": 1, "amount": 2, "asset": "coin", "receiver": "Madrid"}
    act(rival, "contracts.pay", **payment)
    act(rival, "contracts.pay", **payment)
    act(player, "contracts.consent", request=2)
    sentence = "Contract #1 has 1 coin, and cannot give away 2 coins."
    assert refused(act, player, "contracts.consent", request=1) == sentence
    act(player, "contracts.give", contract=1, amount=1, asset="coin")
    act(player, "contracts.consent", request=1)
    assert owns(game) == {}


def test_its_last_party_gets_what_it_owns_and_it_ends(
    game: Game, act: Any, pool: Receipt, player: Player
) -> None:
    with at_the_table(game) as table:
        give(table, player, 2)
    act(player, "contracts.give", contract=1, amount=2, asset="coin")
    left = act(player, "contracts.leave", contract=1)
    assert left.entry.text == (
        "Murphy leaves Contract 1, “A pool”. Contract 1 has no party left and ends. What it owned"
        " goes to Murphy."
    )
    assert glance(game).ledger.balance(player, "coin") == 2
    assert "has ended" in refused(act, player, "contracts.enter", contract=1)


def test_who_leaves_the_game_is_a_party_no_more_and_leaves_what_a_contract_owned_to_the_game(
    game: Game, act: Any, pool: Receipt, player: Player
) -> None:
    with at_the_table(game) as table:
        give(table, player, 2)
    act(player, "contracts.give", contract=1, amount=2, asset="coin")
    act(player, "games.leave")
    game.refresh_from_db()
    table = glance(game)
    assert Contract.objects.get(game=game).ended_in == table.game.last_entry
    assert table.ledger.balance(table.ledger.lost_and_found, "coin") == 2


def test_who_left_while_no_rule_let_contracts_be_is_a_party_no_more_when_one_does_again(
    game: Game, act: Any, joint: int, player: Player
) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(CONTRACTS)
        table.rules.repeal(CONTRACTS)
    act(player, "games.leave")
    with at_the_table(game) as table:
        table.rules.enact(title=CONTRACTS, text=text)
        table.follow_the_rules()
    act(player, "games.join", name="Murphy")
    assert parties(game) == ["Madrid"]


def test_what_the_parties_who_stay_have_consented_to_is_done_when_another_leaves(
    game: Game, act: Any, joint: int, player: Player, rival: Player
) -> None:
    act(player, "contracts.change", contract=1, title="A lake", text="We share all.")
    left = act(rival, "contracts.leave", contract=1)
    assert "Contract 1, “A lake”, has another text: version 2." in left.entry.text
    assert Document.objects.get(game=game).title == "A lake"


def test_a_player_named_in_its_table_pays_alone_and_no_party_does(
    game: Game, act: Any, player: Player, rival: Player
) -> None:
    act(player, "contracts.make", **with_terms(pay="Madrid"))
    with at_the_table(game) as table:
        give(table, player, 1)
    act(player, "contracts.give", contract=1, amount=1, asset="coin")
    payment = {"contract": 1, "amount": 1, "asset": "coin", "receiver": "Madrid"}
    assert "Here Madrid alone does this" in refused(act, player, "contracts.pay", **payment)
    act(rival, "contracts.pay", **payment)
    assert owns(game) == {}


def test_most_parties_are_more_than_half(
    game: Game, act: Any, player: Player, rival: Player
) -> None:
    act(player, "contracts.make", **with_terms(change="most parties", leave="nobody"))
    act(rival, "contracts.enter", contract=1)
    third = seat(game, "juan")
    act(third, "contracts.enter", contract=1)
    assert "nobody" in refused(act, rival, "contracts.leave", contract=1)
    act(player, "contracts.change", contract=1, title="A lake", text="We share all.")
    act(third, "contracts.consent", request=1)
    assert Document.objects.get(game=game).title == "A lake"


def test_what_is_asked_for_is_withdrawn_by_who_asks_for_it(
    act: Any, joint: int, player: Player, rival: Player
) -> None:
    act(player, "contracts.change", contract=1, title="A lake", text="We share all.")
    assert "Only Murphy" in refused(act, rival, "contracts.withdraw", request=1)
    act(player, "contracts.withdraw", request=1)
    assert "No Request 1" in refused(act, rival, "contracts.consent", request=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("   ", "has a text"),
        (f"{TERMS}| Pays by | a miracle |\n", "“a miracle”, which is no way, and no player"),
        (f"{TERMS}| Sung by | nobody |\n", "a row “Sung by”"),
        (f"{TERMS}| Pays by |  |\n", "instead of one of"),
    ],
)
def test_terms_that_cannot_be_read_are_refused(
    act: Any, player: Player, text: str, said: str
) -> None:
    assert said in refused(act, player, "contracts.make", title="A pool", text=text)


def test_without_the_rule_there_are_no_contracts(game: Game, act: Any, player: Player) -> None:
    with at_the_table(game) as table:
        table.rules.repeal(CONTRACTS)
    assert "not in force" in refused(act, player, "contracts.make", **POOL)
    game.refresh_from_db()
    assert THE_CONTRACTS.state(glance(game), None) is None


def test_parties_hear_of_what_they_are_asked_for_and_who_asks_of_what_is_done(
    act: Any, joint: int, player: Player, rival: Player
) -> None:
    act(player, "contracts.change", contract=1, title="A lake", text="We share all.")
    asked = Outgoing.objects.get(text__contains="Request 1", kind="offer")
    assert asked.to == [rival.pk]
    act(rival, "contracts.consent", request=1)
    assert Outgoing.objects.get(kind="answer").to == [player.pk]


def test_parties_hear_of_another_text_that_somebody_else_has_given_it(
    act: Any, player: Player, rival: Player
) -> None:
    text = "We share.\n\n| CONTRACT | SAYS |\n| --- | --- |\n| Changed by | Murphy |"
    act(player, "contracts.make", title="A pool", text=text)
    act(rival, "contracts.enter", contract=1)
    act(player, "contracts.change", contract=1, title="A pool", text=f"{text}\n\nYou pay.")
    told = Outgoing.objects.get(text__startswith="This is about you")
    assert (told.kind, told.to) == ("named", [rival.pk])
    assert "has another text: version 2" in told.text


def test_its_page_shows_its_terms_its_parties_and_what_they_are_asked_for(
    game: Game, act: Any, joint: int, player: Player, rival: Player, client: Client
) -> None:
    act(player, "contracts.change", contract=1, title="A lake", text="We share all.")
    sign_in_client(client, rival.user)
    page = on_one_line(client.get(f"/g/{game.slug}/contracts/1/").content.decode())
    assert "1 of 2 consent: Murphy" in page
    assert f"/g/{game.slug}/act/contracts.consent/?request=1" in page
    assert "<dt>Pays by</dt> <dd>all parties</dd>" in page
    assert "1 · A pool" in on_one_line(client.get(f"/g/{game.slug}/contracts/").content.decode())


def test_a_name_that_reads_as_a_way_lets_nobody_decide_alone(
    game: Game, act: Any, joint: int
) -> None:
    impostor = seat(game, "all parties")
    act(impostor, "contracts.enter", contract=1)
    act(impostor, "contracts.change", contract=1, title="Mine", text="All is mine.")
    assert Document.objects.get(game=game).title == "A pool"


def test_what_was_asked_for_is_not_done_where_the_terms_say_otherwise_by_now(
    game: Game, act: Any, joint: int, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        give(table, player, 1)
    act(player, "contracts.give", contract=1, amount=1, asset="coin")
    payment = {"contract": 1, "amount": 1, "asset": "coin", "receiver": "Madrid"}
    act(rival, "contracts.pay", **payment)
    act(rival, "contracts.change", contract=1, **with_terms(pay="nobody"))
    act(player, "contracts.consent", request=2)
    assert "pays nothing to anybody" in refused(act, player, "contracts.consent", request=1)


def test_nobody_is_paid_who_has_left_since(
    game: Game, act: Any, joint: int, player: Player, rival: Player
) -> None:
    third = seat(game, "juan")
    with at_the_table(game) as table:
        give(table, player, 1)
    act(player, "contracts.give", contract=1, amount=1, asset="coin")
    act(rival, "contracts.pay", contract=1, amount=1, asset="coin", receiver="juan")
    act(third, "games.leave")
    sentence = "juan has left the game, and is paid nothing."
    assert refused(act, player, "contracts.consent", request=1) == sentence


def test_who_asks_to_be_let_in_does_so_once(act: Any, player: Player, rival: Player) -> None:
    act(player, "contracts.make", **with_terms(enter="all parties"))
    act(rival, "contracts.enter", contract=1)
    assert "already, by Request 1" in refused(act, rival, "contracts.enter", contract=1)


def test_a_contract_owes_nothing_though_its_parties_may(
    game: Game, act: Any, pool: Receipt, player: Player
) -> None:
    with at_the_table(game) as table:
        give(table, player, 1)
    game.assets.filter(name="coin").update(may_owe=True)
    payment = {"contract": 1, "amount": 2, "asset": "coin", "receiver": "Murphy"}
    assert "owes nothing" in refused(act, player, "contracts.pay", **payment)
    with at_the_table(game) as table:
        account = Contract.objects.get(game=game).account
        table.ledger.transfer(account, table.ledger.agora, 1, "coin")
    left = act(player, "contracts.leave", contract=1)
    assert "has no party left and ends" in left.entry.text
    assert glance(game).ledger.balance(player, "coin") == 0


def test_the_document_of_a_contract_leads_to_it(
    game: Game, joint: int, rival: Player, client: Client
) -> None:
    sign_in_client(client, rival.user)
    page = on_one_line(client.get(f"/g/{game.slug}/documents/1/").content.decode())
    assert f'href="/g/{game.slug}/contracts/1/">Contract 1</a>' in page


def test_what_is_written_is_kept_as_a_draft_that_nobody_else_sees(
    act: Any, player: Player, rival: Player, visit: Visitor
) -> None:
    mine, other = visit(player), visit(rival)
    written = {"title": "A pool", "text": "We *share*."}
    kept = mine.post("/g/table/contracts/new/", {**written, "do": "save"})
    draft = player.contract_drafts.get()
    assert kept.headers["location"] == f"/g/table/contracts/new/?draft={draft.pk}"
    form = mine.get(kept.headers["location"]).content.decode()
    assert 'value="A pool"' in form
    assert "<em>share</em>" in form
    assert "A pool" in mine.get("/g/table/contracts/").content.decode()
    for place in ("", f"new/?draft={draft.pk}"):
        assert "A pool" not in other.get(f"/g/table/contracts/{place}").content.decode()
    not_theirs = {**written, "draft": draft.pk, "do": "delete"}
    other.post("/g/table/contracts/new/", not_theirs)
    assert "is deleted" not in other.get("/g/table/contracts/").content.decode()
    assert mine.post("/g/table/contracts/new/", {**written, "draft": draft.pk}).status_code == 302
    assert not player.contract_drafts.exists()
    mine.post("/g/table/contracts/1/change/", {"title": "A lake", "text": "", "do": "save"})
    other_text = player.contract_drafts.get()
    assert other_text.subject == "another text of Contract 1"
    (told,) = ask_as_program(player, "GET", "contracts/drafts")
    assert (told["title"], told["contract"], told["number"]) == ("A lake", 1, other_text.pk)
    assert ask_as_program(rival, "GET", "contracts/drafts") == []
    one = f"contracts/drafts/{other_text.pk}"
    ask_as_program(player, "PUT", one, title="A lake", text="We *keep*.", contract=1)
    at = f"/g/table/contracts/1/change/?draft={other_text.pk}"
    assert at in mine.get("/g/table/contracts/").content.decode()
    assert "<em>keep</em>" in mine.get(at).content.decode()
    mine.post(at, {"draft": other_text.pk, "do": "delete"})
    assert not player.contract_drafts.exists()


def test_a_dispute_about_it_is_a_case_from_its_page(
    act: Any, player: Player, rival: Player, visit: Visitor
) -> None:
    act(player, "contracts.make", title="A pool", text="We share.")
    page = unescape(visit(rival).get("/g/table/contracts/1/").content.decode())
    (address,) = re.findall(r'href="(/g/table/cases/new/[^"]*)"', page)
    form = visit(rival).get(address).content.decode()
    assert "A party has broken Contract 1." in form
    assert form.count("checked") == 1, "the entry that made it is its evidence"
