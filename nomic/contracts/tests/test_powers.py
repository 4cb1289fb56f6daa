"""Contracts that carry programs and act for their parties, within what these have consented to."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from nomic.contracts import powers
from nomic.contracts.models import Contract
from nomic.contracts.rules import CONTRACTS
from nomic.contracts.tests.test_contracts import give, owns, refused
from nomic.documents.models import Document
from nomic.engine.actions import all_actions
from nomic.engine.models import Appointment
from nomic.engine.programs.running import programs_at
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.acts_by_rows import act_named_by, unfit_on_behalf
from nomic.governance.on_behalf import principals
from nomic.notices.models import Outgoing
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from tests.kit import at_the_table, on_one_line, seat, sign_in_client

DAY = timedelta(days=1)
CLUB = """\
Each party pays a coin a week into the pot, and the pot is shared when somebody calls for it.

| CONTRACT | SAYS |
| --- | --- |
| Changed by | most parties |
| Disposes of | coin |

| Act | Who | How | Days |
| --- | --- | --- | --- |
| Publish a document | the contract | on behalf of any party | |
| documents.withdraw | parties | on behalf of any party | |

```python
@every("week", title="The dues")
def dues():
    for player in parties():
        if balance(player, "coin"):
            pay(player, 1, "coin", to=account())
            state[player] = state.get(player, 0) + 1

@action("share", "Share the pot")
def share(me: Player):
    each = balance(account(), "coin") // len(parties())
    for player in parties():
        pay(account(), each, "coin", to=player)
    say(f"Each gets {each}.")

@action("boast", "Let {player} boast")
def boast(me: Player, player: Player):
    act_for(player, "documents.publish", kind="Essay", title="We pay", text="Each week.")

@view("Dues")
def shown():
    return table(["Player", "Paid"], [[player, paid] for player, paid in state.items()])
```
"""


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def coins(game: Game) -> None:
    """Coins are a currency of the game, and nobody has any yet."""
    with at_the_table(game) as table:
        table.ledger.define("coin", "coins")


@pytest.fixture
def club(act: Any, coins: None, player: Player, rival: Player) -> int:
    """A contract of Murphy and Madrid with a program; its number."""
    made = act(player, "contracts.make", title="A club", text=CLUB)
    number: int = made.entry.outcome["contract"]
    act(rival, "contracts.enter", contract=number)
    return number


def held(game: Game, player: Player) -> int:
    game.refresh_from_db()
    return glance(game).ledger.balance(player, "coin")


def program(body: str, terms: str = "", does: str = "me: Player") -> str:
    """The text of a contract whose action “go” does that."""
    rows = f"| CONTRACT | SAYS |\n| --- | --- |\n{terms}\n" if terms else ""
    return f'A test.\n\n{rows}\n```python\n@action("go", "Go")\ndef go({does}):\n    {body}\n```\n'


def test_a_contract_moves_what_its_parties_put_at_its_disposal_and_pays_them(
    game: Game, act: Any, club: int, player: Player, rival: Player
) -> None:
    stranger = seat(game, "juan")
    with at_the_table(game) as table:
        for owner in (player, rival, stranger):
            give(table, owner, 3)
    game.refresh_from_db()
    advance(game.slug, game.last_at + 8 * DAY)
    assert owns(game, club) == {"coin": 2}
    assert held(game, stranger) == 3
    assert "Only the parties" in refused(act, stranger, f"contract.{club}.share")
    shared = act(rival, f"contract.{club}.share")
    assert "“Contract 1” says: “Each gets 1.”" in shared.entry.text
    assert [held(game, it) for it in (player, rival)] == [3, 3]
    assert Contract.objects.get(game=game).kept.state == '{"Murphy": 1, "Madrid": 1}'


def test_a_contract_acts_for_its_parties_as_its_table_says(
    game: Game, act: Any, club: int, player: Player, rival: Player
) -> None:
    boast = act(rival, f"contract.{club}.boast", player="Murphy")
    assert "Contract 1 on behalf of Murphy: Murphy publishes Document 2" in boast.entry.text
    document = Document.objects.get(game=game, number=2)
    assert document.author == player
    seat(game, "juan")
    sentence = refused(act, rival, f"contract.{club}.boast", player="juan")
    assert "Contract 1 leaves juan be" in sentence
    act(rival, "behalf.documents.withdraw", document=2, on_behalf_of="Murphy")
    act(rival, "contracts.leave", contract=club)
    assert "leaves Madrid be" in refused(act, player, f"contract.{club}.boast", player="Madrid")


def test_it_stops_when_the_contract_ends_or_no_rule_lets_contracts_be(
    game: Game, act: Any, club: int, player: Player, rival: Player
) -> None:
    def waiting() -> list[str]:
        kinds = Appointment.objects.filter(game=game, status="waiting", kind="rule.week")
        return [*kinds.values_list("subject", flat=True)]

    assert waiting() == ["contract.1.dues"]
    with at_the_table(game) as table:
        text = table.rules.text(CONTRACTS)
        table.rules.repeal(CONTRACTS)
        table.follow_the_rules()
    assert waiting() == []
    with at_the_table(game) as table:
        table.rules.enact(title=CONTRACTS, text=text)
        table.follow_the_rules()
    assert waiting() == ["contract.1.dues"]
    act(player, "contracts.leave", contract=club)
    act(rival, "contracts.leave", contract=club)
    assert waiting() == []
    game.refresh_from_db()
    assert "contract_powers" in game.settings
    assert game.settings["contract_powers"] == []


@pytest.mark.parametrize(
    ("body", "terms", "said"),
    [
        ('give(me, 1, "coin")', "", "makes nothing"),
        ('pay(me, 1, "coin")', "| Disposes of | coin |", "destroys nothing"),
        ('pay(me, 1, "coin", to=account())', "", "does not say that it disposes of"),
        ('pay("juan", 1, "coin", to=account())', "| Disposes of | coin |", "leaves juan be"),
        ('pay(me, 1, "coin", to="juan")', "| Disposes of | coin |", "leaves juan be"),
        ('pay(me, 4, "coin", to=account())', "| Disposes of | coin |", "Murphy has 3"),
        ('act_for(me, "documents.publish", kind="Essay")', "", "does not say that it does"),
        ('set_switch("Title", "x", me)', "", "no switch"),
        ('announce("documents.publish")', "", "announces nothing"),
        ('publish("Essay", "a", "b")', "", "publishes nothing"),
    ],
)
def test_what_is_beyond_its_power_is_refused_and_changes_nothing(
    game: Game, act: Any, coins: None, player: Player, body: str, terms: str, said: str
) -> None:
    stranger = seat(game, "juan")
    with at_the_table(game) as table:
        give(table, player, 3)
        give(table, stranger, 3)
    act(player, "contracts.make", title="A test", text=program(body, terms))
    assert said in refused(act, player, "contract.1.go")
    assert [held(game, it) for it in (player, stranger)] == [3, 3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('```python\n@before("contracts.give")\ndef no():\n    pass\n```', "and nothing else"),
        ('```python\ncurrency("shell", "shells")\n```', "and nothing else"),
        ('```python\n@view("x")\ndef no(:\n```', "does not fit"),
        ("| CONTRACT | SAYS |\n| --- | --- |\n| Disposes of | gold |\n", "no asset “gold”"),
        (
            "| Act | Who | How | Days |\n| - | - | - | - |\n"
            "| Fly | parties | on behalf of any party | |",
            "no act",
        ),
        (
            "| Act | Who | How | Days |\n| - | - | - | - |\n"
            "| contracts.enter | parties | on behalf of any party | |",
            "own to do",
        ),
        (
            "| Act | Who | How | Days |\n| - | - | - | - |\n"
            "| documents.publish | parties | with 2 support | |",
            "on behalf of",
        ),
        (
            "| Act | Who | How | Days |\n| - | - | - | - |\n"
            "| documents.publish | the Queen | on behalf of any party | |",
            "neither a party",
        ),
    ],
)
def test_what_a_contract_cannot_let_be_done_is_refused_as_it_is_made(
    act: Any, player: Player, text: str, said: str
) -> None:
    assert said in refused(act, player, "contracts.make", title="A test", text=text)


def test_other_powers_take_the_consent_of_all_parties_whatever_the_contract_says(
    game: Game, act: Any, club: int, player: Player, rival: Player
) -> None:
    third = seat(game, "juan")
    act(third, "contracts.enter", contract=club)
    with at_the_table(game) as table:
        table.ledger.define("ruby", "rubies")
    wider = CLUB.replace("| Disposes of | coin |", "| Disposes of | coin, ruby |")
    act(player, "contracts.change", contract=club, title="A club", text=wider)
    act(rival, "contracts.consent", request=1)
    assert Document.objects.get(game=game, number=club).version == 1
    act(third, "contracts.consent", request=1)
    assert Document.objects.get(game=game, number=club).version == 2
    act(player, "contracts.change", contract=club, title="Our club", text=wider)
    act(rival, "contracts.consent", request=2)
    assert Document.objects.get(game=game, number=club).version == 3


@pytest.mark.thorough
def test_a_game_with_such_a_contract_is_replayed(
    game: Game, act: Any, player: Player, rival: Player
) -> None:
    text = (
        CLUB.replace("| Disposes of | coin |\n", "")
        .replace('pay(player, 1, "coin", to=account())', "pass")
        .replace('if balance(player, "coin"):', "if True:")
    )
    act(player, "contracts.make", title="A club", text=text)
    act(rival, "contracts.enter", contract=1)
    act(rival, "contract.1.boast", player="Murphy")
    game.refresh_from_db()
    advance(game.slug, game.last_at + 8 * DAY)
    game.refresh_from_db()
    assert Contract.objects.get(game=game).kept.state == '{"Murphy": 1, "Madrid": 1}'
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_what_fails_by_itself_is_told_on_its_page_and_the_game_goes_on(
    game: Game, act: Any, coins: None, player: Player, client: Client
) -> None:
    text = (
        'A test.\n\n```python\n@every("day")\ndef mint():\n    give(parties()[0], 1, "coin")\n```'
    )
    act(player, "contracts.make", title="A mint", text=text)
    game.refresh_from_db()
    advance(game.slug, game.last_at + 2 * DAY)
    sign_in_client(client, player.user)
    page = on_one_line(client.get(f"/g/{game.slug}/contracts/1/").content.decode())
    assert "“mint” failed" in page
    assert "A contract makes nothing and destroys nothing" in page


def test_its_page_tells_what_it_may_do_before_somebody_enters(
    game: Game, act: Any, club: int, client: Client
) -> None:
    stranger = seat(game, "juan")
    sign_in_client(client, stranger.user)
    page = on_one_line(client.get(f"/g/{game.slug}/contracts/{club}/").content.decode())
    assert "Its program may move what its parties have of this: coin." in page
    assert "By it the contract does “Publish a document” on behalf of each party." in page
    assert "Each week, next" in page
    address = f"/g/{game.slug}/act/contracts.enter/?contract={club}&amp;version=1"
    assert address in page
    asked = client.get(address.replace("&amp;", "&"))
    assert 'name="version" value="1"' in on_one_line(asked.content.decode())


@pytest.mark.thorough
def test_what_it_would_do_is_told_before_it_is_made_and_its_program_is_tried(
    game: Game, coins: None, player: Player, client: Client
) -> None:
    sign_in_client(client, player.user)
    address = f"/g/{game.slug}/contracts/preview/"

    def preview(text: str) -> str:
        return on_one_line(client.post(address, {"text": text}).content.decode())

    with at_the_table(game) as table:
        give(table, player, 3)
    page = preview(CLUB)
    assert "Its program may move what its parties have of this: coin." in page
    assert "The action “Share”: Share the pot" in page
    assert "fails" not in page
    mint = CLUB.replace('pay(player, 1, "coin", to=account())', 'give(player, 1, "coin")')
    assert "Tried now, dues fails: A contract makes nothing" in preview(mint)
    assert "does not fit" in preview(CLUB.replace("def dues():", "def dues(:"))
    assert not Contract.objects.filter(game=game).exists()


def test_what_a_contract_may_do_is_in_the_api(
    game: Game, act: Any, club: int, client: Client, rival: Player
) -> None:
    machinery = client.get(f"/api/v1/games/{game.slug}/machinery").json()
    added = next(it for it in machinery["programs"] if it["rule"] == "Contract 1")
    assert added["actions"] == ["contract.1.share", "contract.1.boast"]
    whole = client.get(f"/api/v1/games/{game.slug}/contracts/1").json()
    assert "It carries a program." in whole["powers"]


def test_a_repeal_of_the_rule_leaves_nothing_that_would_stop_the_game(
    game: Game, act: Any, club: int
) -> None:
    with at_the_table(game) as table:
        programs_at(table)  # as at every act, before it repeals the rule
        table.rules.repeal(CONTRACTS)
        table.follow_the_rules()
    assert not Appointment.objects.filter(game=game, status="waiting", kind="rule.week").exists()
    game.refresh_from_db()
    advance(game.slug, game.last_at + 8 * DAY)
    game.refresh_from_db()
    assert game.state == "running"


def test_who_asks_to_enter_is_not_bound_by_a_text_that_they_have_not_read(
    game: Game, act: Any, coins: None, player: Player, rival: Player
) -> None:
    by_consent = "A test.\n\n| CONTRACT | SAYS |\n| --- | --- |\n| Entered by | all parties |\n"
    act(player, "contracts.make", title="A test", text=by_consent)
    act(rival, "contracts.enter", contract=1)
    wider = {"title": "A test", "text": by_consent + "| Disposes of | coin |\n"}
    changed = act(player, "contracts.change", contract=1, **wider)
    assert "What Madrid asked for, to be let in, ends by that" in changed.entry.text
    assert "No Request 1" in refused(act, player, "contracts.consent", request=1)
    told = Outgoing.objects.filter(game=game, kind="answer")
    assert [it.text for it in told] == [changed.entry.text]
    old = {"contract": 1, "version": 1}
    assert "has another text since: version 2" in refused(act, rival, "contracts.enter", **old)
    act(rival, "contracts.enter", contract=1, version=2)
    act(player, "contracts.consent", request=2)


def test_who_is_named_in_a_contract_keeps_their_power_under_another_name(
    game: Game, act: Any, club: int, player: Player, rival: Player
) -> None:
    act(rival, f"contract.{club}.boast", player="Murphy")
    with at_the_table(game) as table:
        give(table, player, 2)
    act(player, "contracts.give", contract=club, amount=1, asset="coin")
    named = (
        "| CONTRACT | SAYS |\n| --- | --- |\n| Pays by | Madrid |\n\n"
        "| Act | Who | How | Days |\n| --- | --- | --- | --- |\n"
        "| documents.withdraw | Madrid | on behalf of Murphy | |\n"
    )
    act(player, "contracts.make", title="A trust", text=named)
    act(player, "contracts.give", contract=3, amount=1, asset="coin")
    act(rival, "contracts.enter", contract=3)
    act(rival, "games.rename", name="Spendius")
    act(rival, "contracts.pay", contract=3, amount=1, asset="coin", receiver="Spendius")
    act(rival, "behalf.documents.withdraw", document=2, on_behalf_of="Murphy")


def test_who_acts_for_another_consents_to_nothing_in_their_name(act: Any, player: Player) -> None:
    rows = (
        "| Act | Who | How | Days |\n| - | - | - | - |\n| {} | parties | on behalf of any party | |"
    )
    for name in ("contracts.change", "contracts.pay", "contracts.consent"):
        refusal = refused(act, player, "contracts.make", title="A test", text=rows.format(name))
        assert "own to do" in refusal


def test_many_contracts_that_lend_acts_are_read_once_for_a_page(
    game: Game, act: Any, player: Player
) -> None:
    acts = [it for it in all_actions() if not unfit_on_behalf(it)][:40]
    rows = "".join(f"| {it.name} | parties | on behalf of any party | |\n" for it in acts)
    text = f"A test.\n\n| Act | Who | How | Days |\n| --- | --- | --- | --- |\n{rows}"
    for _ in range(3):
        act(player, "contracts.make", title="A test", text=text)
    game.refresh_from_db()
    table, looked_up = glance(game), list[str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            powers,
            "act_named_by",
            lambda at, row: looked_up.append(row.act) or act_named_by(at, row),
        )
        for it in acts:
            principals(table, player, it.name)
    assert sorted(looked_up) == sorted(it.name for it in acts)


def test_what_contracts_add_is_bounded_for_one_player_and_for_the_game(
    game: Game, act: Any, player: Player, rival: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(powers, "MOST_OF_ONE", 1)
    daily = 'A test.\n\n```python\n@every("day")\ndef go():\n    pass\n```'
    act(player, "contracts.make", title="A test", text=daily)
    act(player, "contracts.make", title="A promise", text="I promise.")
    act(rival, "contracts.make", title="A test", text=daily)
    sentence = refused(act, player, "contracts.make", title="Another", text=daily)
    assert sentence.startswith("1 contracts of Murphy act for their parties")
    assert "1 contracts of Murphy" in refused(
        act, player, "contracts.change", contract=2, title="Another", text=daily
    )
    game.refresh_from_db()
    fewer = {**game.settings["bounds"], "program_events": 2}
    Game.objects.filter(pk=game.pk).update(settings={**game.settings, "bounds": fewer})
    third = seat(game, "juan")
    sentence = refused(act, third, "contracts.make", title="Another", text=daily)
    assert "at most 2 appointments of programs in all" in sentence
