"""One search over rules, proposals, record and talk, and a player's page."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import pytest
from django.db import connection

from nomic.engine.take import take
from nomic.games import search
from nomic.games.models import Game, Player
from nomic.games.search import Hit
from nomic.governance.hosting.talk import delete, say
from nomic.operations.setup import new_game
from nomic.web.views import search as view
from tests.kit import WEDNESDAY, Take, Visitor, at_the_table, user_of


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def spoken(game: Game, player: Player, act: Take) -> Game:
    """A game in which one word stands in everything that can be found."""
    with at_the_table(game) as table:
        table.rules.enact("Whistling", "Each marmot SHALL whistle.\n")
        table.rules.enact("Burrows", "What a marmot digs is secret.\n", visibility="secret")
    with at_the_table(game) as table:
        table.rules.amend("Whistling", "Each groundhog SHALL whistle.\n")
    act(player, "proposals.submit", title="A marmot <b>a day</b>", body="Let there be a marmot.")
    say(player, "I have seen a marmot.", WEDNESDAY, 9)
    return game


def found(visit: Visitor, words: str, where: str = "/g/table/search/") -> str:
    return str(visit().get(where, {"q": words}).content.decode())


def test_a_word_is_found_in_rules_with_their_history_proposals_record_and_talk(
    spoken: Game, visit: Visitor
) -> None:
    shown = found(visit, "marmots")
    for heading in ("Rules", "Proposals", "Record", "Talk"):
        assert f">{heading}</h2>" in shown
    assert "Whistling, version 1" in shown
    assert "I have seen a <mark>marmot</mark>." in shown
    assert "A marmot &lt;b&gt;a day&lt;/b&gt;" in shown
    assert "Burrows" not in shown
    assert "Nothing here says" in found(visit, "digs")
    assert "groundhog" in found(visit, "groundhog whistle")
    everywhere = found(visit, "marmots", "/search/")
    assert "I have seen a <mark>marmot</mark>." in everywhere


def test_accents_make_no_difference(game: Game, player: Player, visit: Visitor) -> None:
    with at_the_table(game) as table:
        table.rules.enact("Café Zoë", "Nobody sings à la carte in Łódź.\n")
    say(player, "A naive resume.", WEDNESDAY, 9)
    for words in ("cafe", "CAFÉ", "zoe", "lodz", "a la carte", '"cafe zoe"', "caf\u0065\u0301"):
        assert "Café Zoë" in found(visit, words), words
    assert "A naive resume." in found(visit, "naïve").replace("<mark>", "").replace("</mark>", "")
    assert "à la <mark>carte</mark> in" in found(visit, "carte lodz")
    assert "Nothing here says" in found(visit, "cafx")


@pytest.mark.parametrize("where", ["/g/table/search/", "/search/"])
def test_a_rule_is_found_by_its_number(game: Game, visit: Visitor, where: str) -> None:
    with at_the_table(game) as table:
        table.rules.enact("Whistling", "Each marmot SHALL whistle.\n", number="2141b")
        table.rules.enact("Burrows", "See rule 2141b.\n", visibility="secret", number="77")
        table.rules.enact("Digging", "As rule 2141b says.\n")
    for words in ("2141b", "rule 2141B", "R2141b", "#2141b", " Rule  2141b "):
        shown = found(visit, words, where)
        assert shown.count("Rule 2141b: Whistling") == 1, words
    assert "Digging" in found(visit, "2141b", where)
    assert "Burrows" not in found(visit, "77", where)
    assert "Whistling" not in found(visit, "2141", where)


def test_of_what_is_said_very_often_the_best_of_the_newest_are_found(
    game: Game, player: Player, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_RANKED", 2)
    for text in ("marmot marmot marmot!", "A marmot?", "This one is no marmot but a mole."):
        say(player, text, WEDNESDAY, 9)
    shown = found(visit, "marmot")
    assert "A <mark>marmot</mark>?" in shown
    assert "no <mark>marmot</mark> but" in shown
    assert "marmot!" not in shown


def test_what_was_deleted_is_found_no_more(spoken: Game, player: Player, visit: Visitor) -> None:
    delete(player.remarks.get(), WEDNESDAY)
    assert "I have seen" not in found(visit, "marmot")


def test_games_that_the_reader_does_not_see_are_not_searched(spoken: Game, visit: Visitor) -> None:
    new_game("attic", "agora", seen_by="link", title="Attic")
    assert "Attic" not in found(visit, "proposal", "/search/")
    assert visit().get("/g/attic/search/?q=proposal").status_code == 404


@pytest.mark.parametrize(
    "words", ["'", '"', "-", "a & | !", "<b>", "\x00", "(" * 100, "the", ":*", "é" * 500, "%s {0}"]
)
def test_whatever_is_typed_is_looked_for_and_breaks_nothing(
    spoken: Game, visit: Visitor, words: str
) -> None:
    for where in ("/g/table/search/", "/search/"):
        assert visit().get(where, {"q": words}).status_code == 200


def test_the_indexes_hold_nothing_that_is_hidden(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%gin%'")
        found = dict(cursor.fetchall())
    assert set(found) >= {"rules_found", "entries_found", "proposals_found", "remarks_found"}
    assert "visibility" in found["rules_found"]


def test_a_players_page_tells_what_everybody_may_know_of_them(
    spoken: Game, player: Player, act: Take, visit: Visitor, django_assert_max_num_queries: object
) -> None:
    shown = visit().get("/g/table/players/Murphy/").content.decode()
    assert "<h1>Murphy</h1>" in shown
    assert "is being voted on" in shown or "waits to be voted on" in shown
    assert "A marmot &lt;b&gt;a day&lt;/b&gt;" in shown
    assert visit().get("/g/table/players/Nobody/").status_code == 404
    assert visit(user_of("juan")).get("/g/table/players/Murphy/").status_code == 200


def test_a_players_page_names_the_other_games_that_the_viewer_sees(
    player: Player, visit: Visitor
) -> None:
    for slug, title in (("attic", "The attic"), ("cellar", "The cellar")):
        other, _ = new_game(slug, "agora", pace="manual", start=WEDNESDAY, title=title)
        take(slug, player.user, "games.join", {"name": f"{title} mouse"})
    other.settings = {**other.settings, "seen_by": "link"}
    other.save(update_fields=["settings"])
    page = visit().get("/g/table/players/Murphy/").content.decode()
    assert 'href="/g/attic/players/The%20attic%20mouse/"' in page
    assert "cellar" not in page
    assert "cellar" in visit(player).get("/g/table/players/Murphy/").content.decode()


def test_a_search_that_takes_too_long_says_what_it_did_not_look_through(
    spoken: Game, visit: Visitor, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    left: list[int] = []  # milliseconds

    def never_ends(*_: Any) -> list[Hit]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'")
            left.extend(*cursor.fetchall())
            cursor.execute("SET LOCAL statement_timeout = 10")  # so that no test waits for it
            cursor.execute("SELECT pg_sleep(60)")
        return []

    monkeypatch.setattr(view, "_entries", never_ends)
    settings.BOUNDS = {"search_seconds": 30}
    page = found(visit, "marmot")
    assert 0 < left[0] <= 30_000
    assert "Not looked through to the end: Record" in page
    assert "Burrows" not in page
    assert "Whistling" in page
    settings.BOUNDS = {"search_seconds": 0}
    page = found(visit, "marmot")
    assert "Not looked through to the end: Rules, " in page
    assert "Nothing here says" not in page


def test_as_many_searches_as_the_site_does_at_once_and_no_more(
    spoken: Game, visit: Visitor, settings: Any
) -> None:
    settings.BOUNDS = {"searches": 2}
    others = [connection.copy(), connection.copy()]
    try:
        for number, other in enumerate(others):
            other.set_autocommit(False)
            with other.cursor() as cursor:
                key = crc32(b"search") - 2**31
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [key, number])
        assert "Many are searching just now" in found(visit, "marmot")
        others[0].close()
        assert "Whistling" in found(visit, "marmot")
    finally:
        for other in others:
            other.close()
