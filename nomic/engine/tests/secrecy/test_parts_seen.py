"""Public acts with a private side: who sees what of them, before a disclosure and after."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.engine.outcomes import Receipt
from nomic.engine.tests.sides import WORD, is_right
from nomic.games.models import Game, Player
from tests.kit import Take, on_one_line, tight

pytestmark = pytest.mark.usefixtures("acts_with_a_private_side")


def test_a_disclosure_opens_parts_and_has_one_of_its_own(
    game: Game, player: Player, rival: Player, act: Take, buried: Receipt
) -> None:
    told = act(rival, "tiny.dig").entry
    first, second = game.sealed_entries.order_by("seq")
    assert told.text == f"It lies at {WORD}."
    assert told.outcome == {
        "opened": [["tiny", first.number, first.hash]],
        "part": second.content_hash,
    }
    assert (first.opened_in, second.opened_in) == (told.seq, None)
    assert is_right(game)


def test_nobody_finds_what_is_hidden_before_it_is_opened(
    game: Game, player: Player, rival: Player, act: Take, client: Client, buried: Receipt
) -> None:
    given = act(player, "tiny.give", to="Madrid", nameless=True).entry
    client.force_login(rival.user)
    here, api = f"/g/{game.slug}/", f"/api/v1/games/{game.slug}/"
    addresses = [
        *(here, f"{here}record/", f"{here}record/?player=Murphy", f"{here}record/feed/"),
        *(f"{here}record/{seq}/" for seq in (buried.entry.seq, given.seq)),
        *(f"{here}record/{seq}/?format=json" for seq in (buried.entry.seq, given.seq)),
        *(f"{api}record", f"{api}record/opened", f"{api}balances"),
    ]
    pages = {address: client.get(address) for address in addresses}
    assert {address: page.status_code for address, page in pages.items()} == dict.fromkeys(
        addresses, 200
    )
    assert not [address for address, page in pages.items() if WORD in page.content.decode()]
    by_murphy = pages[f"{here}record/?player=Murphy"].content.decode()
    assert "Murphy buries a box." in by_murphy
    assert "have a coin" not in by_murphy
    assert "Murphy" not in pages[f"{here}record/{given.seq}/?format=json"].content.decode()
    entries = pages[f"{api}record"].json()["entries"]
    assert [entry["actor"] for entry in entries if entry["name"] == "tiny.give"] == [None]


def test_once_it_is_open_the_pages_show_what_was_hidden_and_the_act_it_belongs_to(
    game: Game, player: Player, rival: Player, act: Take, client: Client, buried: Receipt
) -> None:
    given = act(player, "tiny.give", to="Madrid", nameless=True).entry
    page = f"/g/{game.slug}/record/{given.seq}/"
    assert "<dt>Who</dt><dd>sealed</dd>" in tight(client.get(page).text)
    told = act(rival, "tiny.dig").entry
    shown = client.get(page).content.decode()
    said = f'Murphy, as was sealed until <a href="/g/table/record/{told.seq}/">'
    assert said in on_one_line(shown)
    with CaptureQueriesContext(connection) as queries:
        where = client.get(f"/g/{game.slug}/record/{buried.entry.seq}/").content.decode()
    assert len(queries) <= 12
    assert f"<dt>place</dt><dd>{WORD}</dd>" in tight(where)
    opened = client.get(f"/api/v1/games/{game.slug}/record/opened").json()["entries"]
    assert [(each["after"] + 1, each["outcome"]["of"]) for each in opened] == [
        (buried.entry.seq, "tiny.bury"),
        (given.seq, "tiny.give"),
    ]


def test_the_actor_reads_the_private_sentence_in_the_receipt(
    game: Game, player: Player, client: Client
) -> None:
    client.force_login(player.user)
    sent = {"thing": "a box", "place": WORD, "key": "k1"}
    page = client.post(f"/g/{game.slug}/act/tiny.bury/", sent, headers={"HX-Request": "true"})
    assert f"Murphy buries a box. For you alone: It lies at {WORD}." in page.content.decode()
    page = client.post(f"/g/{game.slug}/act/tiny.bury/", sent, follow=True)
    assert f"For you alone: It lies at {WORD}." in page.content.decode()


def test_what_an_address_gives_for_a_hidden_blank_is_not_shown(
    game: Game, player: Player, client: Client
) -> None:
    client.force_login(player.user)
    form = f"/g/{game.slug}/act/tiny.bury/"
    assert "a box" in client.get(f"{form}?thing=a+box").content.decode()
    assert WORD not in client.get(f"{form}?thing=a+box&place={WORD}").content.decode()
    said = client.post(f"/g/{game.slug}/say/", {"words": f"I bury a box at {WORD}"})
    assert (said.status_code, WORD in said.content.decode()) == (200, True)
