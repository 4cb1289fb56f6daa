"""Private assets, their deck, hidden rules and private rolls are on no page before a disclosure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.books import Ledger
from nomic.ledger.models import AssetVisibility, Holder
from nomic.offices.tests.pages import book_pages
from tests.kit import Visitor, at_the_table, figure, put_in_office

CANARY, NOTHING = "Quetzal", "Dodo"
CARD, PILE = f"{CANARY} card", f"The {CANARY} Pile"
AMOUNT = 918_273_645
HIDDEN_FIGURES = (AMOUNT, 77_345, 77_340)
FIGURES = re.compile("|".join(map(figure, HIDDEN_FIGURES)))
SAID = (CANARY, *map(str, HIDDEN_FIGURES))
G = "/g/table"
APPS = ("horses", "proposals", "settlers", "aceofspades")


@pytest.fixture
def preset() -> str:
    return "demo"


@pytest.fixture
def planted(game: Game, player: Player, rival: Player, officer: Player) -> Game:
    """A game with something private of every kind, made in public entries."""
    with at_the_table(game) as table:
        table.ledger.define(CARD, f"{CARD}s", family="relic", visibility=AssetVisibility.PRIVATE)
        pile = table.ledger.deck(PILE)
        table.ledger.create(pile, AMOUNT, CARD, f"{CANARY} fills it")
        table.ledger.move_several(
            [(pile, player, 77_345, CARD), (None, player, 4_321, "points")], "a bonus"
        )
        table.rules.enact(f"{CANARY} 340", f"{CANARY}.\n", number="77340", visibility="secret")
        table.rules.enact(f"{CANARY} 350", f"{CANARY}.\n", number="77350", visibility="private")
        table.dice.open_period(private=True)
    with at_the_table(game) as table:
        with table.dice.several(private=True) as choose:
            choose(f"{CANARY} of a deal", [CANARY, "other"])
        table.dice.choose(f"{CANARY} of a lot", [f"{CANARY}s"], private=True)
        table.rules.repeal(f"{CANARY} 350")
    return Game.objects.get(pk=game.pk)


def general(game: Game) -> Iterator[str]:
    """The addresses at which everybody may look."""
    yield from ("/", f"{G}/", f"{G}/rules/", f"{G}/dice/")
    yield from (f"{G}/record/", f"{G}/record/feed/", f"{G}/record/?name={CANARY}")
    for seq in range(1, game.last_entry + 1):
        yield f"{G}/record/{seq}/"
        yield f"{G}/record/{seq}/?format=json"
    yield from (f"{G}/motions/", f"{G}/motions/1/")
    yield from (f"{G}/ledger/", f"{G}/ledger/?after=The", f"{G}/ledger/Agora/", f"{G}/reports/")
    for query in ("", f"?asset={CARD}", "?asset=points", "?at=2027-01-01T00:00"):
        yield f"{G}/ledger/Murphy/{query}"
    yield from (f"{G}/{app}/" for app in APPS)
    api = "/api/v1/games/table"
    yield api
    for part in ("actions", "record", "balances", "rules", "dice", *APPS):
        yield f"{api}/{part}"


def desks(game: Game, newest: int) -> Iterator[str]:
    """The addresses of the officers' site, with each book, its search, and of its rows what is
    private and so many of the newest."""
    yield reverse("office:desk", args=[game.slug])
    for act in ("ledger.correct", "rulebook.amend"):
        for said in ("", f"?asset={CARD}&giver={PILE}", f"?rule={CANARY} 340"):
            yield reverse("office:act", args=[game.slug, act]) + said
    yield from book_pages(SAID, newest, CANARY)


def told(client: Client, address: str) -> str:
    """What stands at that address, without what the address itself says."""
    page = client.get(address)
    assert page.status_code in {200, 404}, address
    text = page.content.decode()
    return text.replace(f"={CANARY}", "").replace(f'value="{CANARY}"', "")


@pytest.fixture
def people(player: Player, officer: Player, outsider: User) -> dict[str, Player | User | None]:
    superuser = User.objects.create_superuser("root")
    return {
        "nobody": None,
        "outsider": outsider,
        "player": player,
        "officer": officer,
        "superuser": superuser,
        "host": outsider,
        "newly in every office": player,
        "in every office again": officer,
    }


AT_THE_DESKS = ("superuser", "newly in every office")


@pytest.mark.parametrize(
    ("who", "newest"),
    [
        *(
            pytest.param(who, 0, id=who, marks=pytest.mark.thorough)
            for who in ("nobody", "outsider", "player", "host")
        ),
        pytest.param("superuser", 1, marks=pytest.mark.brief),
        pytest.param("newly in every office", 1, marks=(pytest.mark.brief, pytest.mark.thorough)),
        *(
            pytest.param(who, 8, id=f"{who}, many rows", marks=pytest.mark.slow)
            for who in (*AT_THE_DESKS, "officer", "in every office again")
        ),
    ],
)
def test_nobody_finds_what_is_private(
    who: str, newest: int, planted: Game, people: dict[str, Player | User | None], visit: Visitor
):
    someone = people[who]
    if "every office" in who:
        assert isinstance(someone, Player)
        for office_held in planted.offices.values_list("name", flat=True):
            put_in_office(planted, office_held, None)
            put_in_office(planted, office_held, someone)
        planted.refresh_from_db()
    if who == "host":
        settings = {**planted.settings, "offices": "host"}
        Game.objects.filter(pk=planted.pk).update(host=someone, settings=settings)
    client = visit(someone)
    addresses = [*general(planted)]
    if newest:
        addresses += desks(planted, newest)
        secret = planted.rules.get(number="77340")
        assert reverse("office:rulebook_rule_change", args=[secret.pk]) in addresses
    for address in addresses:
        text = told(client, address)
        assert CANARY not in re.sub(r"(rule|asset|giver)=\S*", "", text), address
        assert not FIGURES.search(text), address
    if who != "nobody":
        assert "4321" in told(client, f"{G}/ledger/Murphy/")


def test_asking_for_it_is_answered_like_asking_for_nothing(
    planted: Game, officer: Player, visit: Visitor
):
    client = visit(officer)
    hidden = planted.rules.get(number="77340").pk
    for address, other in (
        (f"{G}/ledger/{PILE}/", f"{G}/ledger/{PILE.replace(CANARY, NOTHING)}/"),
        (f"{G}/ledger/Murphy/?asset={CARD}", f"{G}/ledger/Murphy/?asset={NOTHING} card"),
        (f"{G}/rules/quetzal-340-{hidden}/", f"{G}/rules/dodo-340-{hidden + 9_999}/"),
        (_desk("rulebook.amend", f"rule={CANARY} 340"), _desk("rulebook.amend", "rule=Dodo 340")),
        (_desk("ledger.correct", f"asset={CARD}"), _desk("ledger.correct", "asset=Dodo card")),
    ):
        assert _plain(client, address) == _plain(client, other), address


def _desk(act: str, said: str) -> str:
    return reverse("office:act", args=["table", act]) + f"?{said}"


def _plain(client: Client, address: str) -> tuple[int, str]:
    page = client.get(address)
    text = page.content.decode().replace(CANARY, NOTHING)
    text = re.sub(r"(quetzal|dodo)(-340-\d+)?", "dodo", text, flags=re.IGNORECASE)
    return page.status_code, re.sub(
        r'(token|nonce|key|Token)"?[:= ]+\S+( value="[^"]*")?', "", text
    )


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("ledger.correct", {"asset": "{} card", "giver": "Mint", "receiver": "Murphy"}),
        ("ledger.correct", {"asset": "points", "giver": "Murphy", "receiver": "The {} Pile"}),
        ("ledger.correct", {"asset": "points", "giver": "The {} Pile", "receiver": "Murphy"}),
        ("rulebook.amend", {"rule": "{} 340", "text": "Other."}),
        ("rulebook.changes_nothing", {"rule": "{} 340", "passage": "0123456789ab"}),
    ],
)
def test_a_correction_takes_what_is_private_for_nothing(
    planted: Game, officer: Player, name: str, inputs: dict[str, str]
):
    more = {"amount": 1} if name == "ledger.correct" else {}

    def answer(word: str) -> str:
        filled = {field: value.format(word) for field, value in inputs.items()}
        with pytest.raises((Malformed, Refused)) as refused:
            take("table", officer, name, {**filled, **more, "reason": "?"})
        found = refused.value
        said = found.refusal if isinstance(found, Refused) else found.errors
        return str(said).replace(word, "?")

    assert answer(CANARY) == answer(NOTHING)


def test_moving_private_things_changes_no_list(planted: Game, player: Player, visit: Visitor):
    client = visit()
    addresses = (f"{G}/ledger/", f"{G}/ledger/Murphy/", "/api/v1/games/table/balances")
    before = [_plain(client, address) for address in addresses]
    with transaction.atomic():
        books = Ledger(planted, planted.last_entry + 1)
        for _ in range(60):
            books.transfer(player, books.deck(PILE), 1, CARD)
        after = [_plain(client, address) for address in addresses]
        transaction.set_rollback(True)  # the entry of these transfers is never written
    assert after == before


def test_pages_of_a_statement_leave_no_gap_for_private_lines(
    game: Game, player: Player, visit: Visitor
):
    with at_the_table(game) as table:
        table.ledger.define(CARD, visibility=AssetVisibility.PRIVATE)
        for number in range(120):
            table.ledger.create(player, 1, CARD)
            table.ledger.create(player, 1, "points", f"line {number}.")
    lines: list[str] = []
    address: str | None = f"{G}/ledger/Murphy/?asset=points"
    sizes = []
    while address:
        page = visit().get(address).content.decode()
        found = re.findall(r"line \d+\.", page)
        sizes.append(len(found))
        lines += found
        older = re.search(r'href="(\?[^"]*before=\d+[^"]*)"', page)
        address = f"{G}/ledger/Murphy/{older[1].replace('&amp;', '&')}" if older else None
    assert lines == [f"line {number}." for number in reversed(range(120))]
    assert sizes == [50, 50, 20]


@pytest.fixture
def disclosed(planted: Game) -> Game:
    """The same game after everything was made public."""
    with at_the_table(planted) as table:
        table.ledger.disclose([CARD])
        hidden = planted.rules.filter(number__in=("77340", "77350"))
        table.rules.disclose(hidden.values_list("pk", flat=True))
        table.dice.close_period(private=True)
    return Game.objects.get(pk=planted.pk)


def test_after_its_disclosure_every_list_has_all_of_it(
    disclosed: Game, officer: Player, visit: Visitor
):
    client, last = visit(officer), disclosed.last_entry
    rule = disclosed.rules.get(number="77340")
    for address, words in (
        (f"{G}/ledger/", (PILE, CARD, "77345")),
        (f"{G}/ledger/{PILE}/?asset={CARD}", (str(AMOUNT), f"{CANARY} fills it", "a bonus")),
        (f"{G}/ledger/Murphy/?at=2027-01-01T00:00", ("77345", "4321")),
        (f"{G}/record/{last - 2}/", (PILE, "77,345|77345", f"{CANARY} 340", "enacted")),
        (f"{G}/record/{last}/", ("made public", f"{CANARY} 340", f"{CANARY} 350")),
        (f"{G}/rules/", (f"{CANARY} 340", f"{CANARY} 350")),
        (f"{G}/rules/x-{rule.pk}/", (f"{CANARY}.", "made public", "enacted")),
        (f"{G}/dice/", (f"{CANARY} of a deal", f"{CANARY} of a lot")),
        ("/api/v1/games/table/balances", (PILE, CARD, "77345")),
        ("/api/v1/games/table/rules", (f"{CANARY} 340",)),
        (_desk("ledger.correct", ""), (CARD, PILE)),
        (reverse("office:ledger_transfer_changelist"), (f"{CANARY} fills it",)),
    ):
        text = client.get(address).content.decode()
        for word in words:
            assert re.search(word, text), (address, word)


def test_the_pile_is_a_holder_in_no_list_but_what_it_holds_in_public(
    planted: Game, visit: Visitor, rival: Player
):
    names: Callable[[], set[str]] = lambda: set(  # noqa: E731 - asked twice
        visit().get("/api/v1/games/table/balances").json()
    )
    assert PILE not in names()
    with at_the_table(planted) as table:
        table.ledger.create(table.ledger.deck(PILE), 2, "points")
    assert PILE in names()
    assert Holder.objects.get(name=PILE).kind == "deck"
