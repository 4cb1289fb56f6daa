"""What the reading rooms say: rules and their versions, the record's feed, dice, reports."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table, glance
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.reports import publications
from nomic.notices.mail import message
from nomic.notices.models import Notice, Outgoing
from nomic.operations.setup import advance
from nomic.record.models import EntryKind
from nomic.web.views import proof
from tests.kit import Take, Visitor, at_the_table, on_one_line, tight

RUN = "The Horses Run"


@pytest.fixture
def amended(game: Game, officer: Player, act: Take) -> str:
    """The address of a rule whose prose an officer has amended."""
    rule = game.rules.get(title=RUN)
    text = rule.text.replace("week", "fortnight", 1)
    act(None, "rulebook.amend", rule=RUN, text=text, reason="as the proposal had it")
    return f"/g/table/rules/the-horses-run-{rule.pk}/"


def test_an_amended_rule_says_what_is_not_carried_out_as_it_reads(
    amended: str, visit: Visitor
) -> None:
    page = on_one_line(visit().get(amended).content.decode())
    assert "fortnight" in page
    assert "6 of 7 sentences" in page
    assert "1 sentence of this rule is not carried out as the rule reads now" in page
    assert page.count("(who: </span>not carried out as it reads") == 1
    assert page.count("(who: </span>built in") == 6
    contents = tight(visit().get("/g/table/rules/").content.decode())
    assert "not carried out as it reads: 1 sentence<" in contents


def test_every_version_of_a_rule_can_be_read(amended: str, visit: Visitor) -> None:
    page = visit().get(f"{amended}?version=1").content.decode()
    assert "fortnight" not in page
    assert "not the newest" in page


def test_the_difference_between_two_versions_marks_the_words(amended: str, visit: Visitor) -> None:
    page = visit().get(f"{amended}?from=1&to=2").content.decode()
    assert "<mark>week</mark>" in page
    assert "<mark>fortnight</mark>" in page
    back = visit().get(f"{amended}?from=2&to=1").content.decode()
    assert back.index("<mark>fortnight</mark>") < back.index("<mark>week</mark>")


def test_what_a_rule_says_is_never_taken_for_markup(
    game: Game, officer: Player, act: Take, visit: Visitor
) -> None:
    rule = game.rules.get(title=RUN)
    evil = rule.text + "\n\n<script>alert(1)</script> <img src=x onerror=alert(1)>\n"
    act(None, "rulebook.amend", rule=RUN, text=evil, reason="<b>bold</b>")
    for path in (f"rules/x-{rule.pk}/", f"rules/x-{rule.pk}/?from=1&to=2", "record/", ""):
        page = visit().get(f"/g/table/{path}").content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "<b>bold" not in page


def test_the_feed_is_atom_and_its_links_are_the_entries(
    player: Player, act: Take, visit: Visitor
) -> None:
    seq = act(player, "horses.gain_dollaries").entry.seq
    feed = ElementTree.fromstring(visit().get("/g/table/record/feed/").content)  # noqa: S314
    atom = {"a": "http://www.w3.org/2005/Atom"}
    first = feed.find("a:entry", atom)
    assert first is not None
    link = first.find("a:link", atom)
    assert link is not None
    assert link.attrib["href"].endswith(f"/g/table/record/{seq}/")


@pytest.mark.parametrize(("length", "is_cut"), [(1500, False), (1501, True), (1_500_000, True)])
def test_of_a_long_entry_the_feed_tells_the_beginning_and_where_the_whole_is(
    game: Game, visit: Visitor, length: int, is_cut: bool
) -> None:
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        table = Table(locked, locked.now(wall_now()), wall_now(), locked=True)
        table.write(EntryKind.SYSTEM, "testing.long", None, {}, Outcome("x" * length))
    page = visit().get("/g/table/record/feed/").content.decode()
    assert ("x" * 1500 in page, "x" * 1501 in page) == (True, False)
    assert ("The whole text: http" in page) is is_cut


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("kind=system", "begins", "Murphy gains"),
        ("player=Murphy", "Murphy gains", "Madrid joins"),
        ("name=games.join", "Madrid joins", "Murphy gains"),
        ("before=3", "Murphy joins", "Murphy gains"),
    ],
)
def test_the_record_is_filtered_by_what_was_asked_for(
    query: str,
    shown: str,
    hidden: str,
    player: Player,
    rival: Player,
    act: Take,
    visit: Visitor,
) -> None:
    act(player, "horses.gain_dollaries")
    page = visit().get(f"/g/table/record/?{query}").content.decode()
    assert shown in page
    assert hidden not in page


@pytest.fixture
def a_week_later(game: Game, player: Player, act: Take) -> None:
    act(player, "horses.motivate")
    advance(game.slug, next_week(game.anchor_game))


@pytest.mark.usefixtures("a_week_later")
def test_the_dice_page_checks_every_roll_whose_seed_is_out(visit: Visitor) -> None:
    page = tight(visit().get("/g/table/dice/").content.decode())
    assert "all as committed" in page
    assert "its seed is secret" in page
    assert page.count("<td>fits</td>") == 2


SECRET_DICE = "What it decides shows when its seed is out."


@pytest.fixture
def feasts(game: Game) -> Game:
    """Two purposes have sealed dice; one has rolled, and nobody can know which."""
    with at_the_table(game) as table:
        for purpose in ("the feast", "the fair"):
            table.dice.open_period(private=True, purpose=purpose)
    with at_the_table(game) as table:
        table.dice.choose("guest", ["Zebulon"] * 7, private=True, purpose="the feast")
    return game


def test_sealed_dice_show_their_commitment_and_nothing_of_what_they_rolled(
    feasts: Game, visit: Visitor
) -> None:
    page = visit().get("/g/table/dice/").content.decode()
    for period in feasts.dice_periods.filter(private=True):
        assert f"Private period 1 of {period.purpose} " in page
        assert period.commitment in page
    assert page.count(SECRET_DICE) == 2
    assert "Zebulon" not in page


def test_sealed_dice_are_checked_roll_by_roll_when_their_seed_is_out(
    feasts: Game, visit: Visitor
) -> None:
    with at_the_table(feasts) as table:
        table.dice.close_period(private=True, purpose="the feast")
    page = tight(visit().get("/g/table/dice/").content.decode())
    assert page.count(SECRET_DICE) == 1
    assert "<td>Zebulon</td><td>7</td><td>fits</td>" in page
    assert page.count("all as committed") == 1


def test_sealed_dice_have_pages_of_their_own(
    game: Game, visit: Visitor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with at_the_table(game) as table:
        for number in range(2 * proof.PERIODS + 1):
            table.dice.open_period(private=True, purpose=f"feast {number}")
    path, seen = "/g/table/dice/", set()
    for _ in range(3):
        with django_assert_max_num_queries(8):
            page = on_one_line(visit().get(path).content.decode())
        assert "> Period 1 <" in page
        found = set(re.findall(r"of feast (\d+) ", page))
        assert found
        assert not found & seen
        seen |= found
        older = re.search(r'href="(\?sealed=\d+)#sealed"', page)
        path = f"/g/table/dice/{older[1]}" if older else ""
    assert (len(seen), path) == (2 * proof.PERIODS + 1, "")


def test_a_period_of_many_rolls_is_checked_whole_and_listed_in_part(
    game: Game, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "MOST_ROLLS", 4)
    with at_the_table(game) as table:
        table.dice.draw_for_each(["Murphy", "Madrid"], [2, 3, 4, 5], 3)
    page = on_one_line(visit().get("/g/table/dice/").content.decode())
    assert len(re.findall("<td>(?:Murphy|Madrid)", page)) == 4
    assert "2 more rolls are in the API’s answer" in page
    advance(game.slug, next_week(game.anchor_game))
    page = tight(visit().get("/g/table/dice/").content.decode())
    assert page.count("<td>fits</td>") == 4
    more = game.dice_periods.get(number=1).rolls.count() - 4
    assert f"{more} more rolls, checked as well, are in the API’s answer" in page


@pytest.mark.usefixtures("a_week_later")
@pytest.mark.parametrize(
    ("form", "kind"),
    [("text", "text/plain"), ("csv", "text/csv"), ("json", "application/json")],
)
def test_a_published_report_comes_in_every_form(form: str, kind: str, visit: Visitor) -> None:
    page = visit().get("/g/table/reports/horsened/").content.decode()
    assert "Fargo" in page
    assert ", by the system, as" in on_one_line(page)
    answer = visit().get(f"/g/table/reports/horsened/?format={form}")
    assert answer["Content-Type"].startswith(kind)
    assert "Fargo" in answer.content.decode()


@pytest.mark.usefixtures("a_week_later")
def test_the_race_page_shows_the_run_and_the_same_facts_as_a_table(
    game: Game, visit: Visitor
) -> None:
    run = game.entries.get(name="horses.run")
    galloper, distance = run.outcome["galloper"], run.outcome["distance"]
    page = visit().get("/g/table/horses/").content.decode()
    rows = re.findall(rf'<th scope="row">{galloper}</th>(.*?)</tr>', page, re.S)
    assert any(f">{distance}<" in row for row in rows)
    assert f"{galloper}, not owned by a player: at {distance}" in page


def test_a_table_that_cannot_be_read_is_said_on_the_race_page(
    game: Game, officer: Player, act: Take, visit: Visitor
) -> None:
    broken = game.rules.get(title="Horse Powers").text.replace("| Sugar | 4 |", "| Sugar | four |")
    act(None, "rulebook.amend", rule="Horse Powers", text=broken, reason="a slip")
    answer = visit(officer).get("/g/table/horses/")
    assert answer.status_code == 200
    assert "four" in answer.content.decode()


@pytest.mark.thorough
@pytest.mark.parametrize("page", ["/g/table/rules/", "rule", "/api/v1/games/table/rules"])
def test_the_rulebook_costs_the_same_with_three_more_rules_and_with_three_hundred(
    amended: str, game: Game, visit: Visitor, page: str
) -> None:
    address = amended if page == "rule" else page

    def queries(rules: int) -> int:
        with at_the_table(game) as table:
            for number in range(rules):
                table.rules.enact(f"Rule {rules}-{number}", "People wave. They sing.\n")
        visit().get(address)
        with CaptureQueriesContext(connection) as seen:
            assert visit().get(address).status_code == 200
        return len(seen)

    assert queries(3) == queries(300)


def test_a_rule_of_thousands_of_sentences_is_marked_where_the_mark_changes(
    game: Game, visit: Visitor
) -> None:
    with at_the_table(game) as table:
        rule = table.rules.enact("Songs", "They sing. " * 5_000)
    page = visit().get(f"/g/table/rules/songs-{rule.pk}/").content.decode()
    assert "0 of 5000 sentences" in page
    assert page.count("(who: </span>not carried out as it reads") == 1


def test_players_are_led_to_the_ends_where_nobody_keeps_the_rulebook(
    amended: str, rival: Player, visit: Visitor
) -> None:
    assert "all players are asked" not in visit().get(amended).content.decode()
    page = visit(rival.user).get(amended).content.decode()
    address = next(url for url in re.findall(r'href="([^"]+)"', page) if "keep_by_hand" in url)
    form = visit(rival.user).get(unescape(address))
    assert form.status_code == 200
    assert "all that wait in it" in form.content.decode()


def test_a_letter_on_a_report_has_its_text(game: Game, player: Player) -> None:
    advance(game.slug, next_week(glance(game).now))
    entry = publications(game).first()
    assert entry is not None
    assert isinstance(player.user, User)
    told = Outgoing.objects.get(game=game, kind="report", about__contains=f"/{entry.seq}/")
    letter = str(message(player.user, [Notice(user=player.user, **told.message)]).body)
    assert entry.outcome["text"][:1500] in letter
