"""A nomic that lived elsewhere is shown as it was understood, and then begins with its rules."""

from __future__ import annotations

import io
import json
import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError

from nomic.engine.actions import find_action, legality
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.subgames import find_subgame, find_switch
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.admission import come_by, token_of
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.governance.hosting.moving_in import (
    BRING_BALANCE,
    BRING_OFFICE,
    BRING_PLAYER,
    CLAIM_SEAT,
    FREE_SEAT,
    TAKE_RULES_BACK,
)
from nomic.operations.exports import export_game, import_game
from nomic.operations.moving_in import read_beginnings
from nomic.operations.replay import replay
from nomic.operations.setup import BadSetup, advance
from nomic.rulebook.changes.kinds import ReplaceText
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import Brought
from nomic.web.hosting.bringing import KEPT, _busy, charge, read_sent
from nomic.web.hosting.tests.test_starting import ASKED
from nomic.web.models import Bringing, Guest
from nomic.web.tasks import forget_brought
from nomic.web.views.downloads import rulebook_of
from tests.kit import Visitor, on_one_line, user_of

EIGHT = "\n\n".join(f"Rule {n}: Title {n}\nPlayers obey rule {n}." for n in range(1, 9))
TOLD = {
    "number": "2451",
    "title": "Executive Orders",
    "power": "3.1",
    "category": "Leaders",
    "text": "The Prime Minister CAN.\n  - once",
    "history": [{"date": "2017-01-02", "change": "enactment", "agent": "proposal 7"}],
    "annotations": [{"date": "2018-01-01", "text": "CFJ 9: once means once."}],
    "versions": [{"date": "2017-01-02", "title": "Orders", "text": "E CAN."}],
}
RULES = [TOLD, {"number": "12", "title": "Orders", "text": "a", "parent": "2451"}]
RULES += [{"number": "13", "title": "Orders", "text": "Two share a title.", "power": "1"}]


@pytest.fixture
def murphy(db: None) -> User:
    return user_of("murphy")


def start(visit: Visitor, user: User, **asked: Any) -> Any:
    """Start a nomic from the form as it stands then."""
    form = visit(user).get("/start/").context["form"]
    kept = {"preset": form["preset"].value(), "rules": form["rules"].value() or ""}
    return visit(user).post("/start/", {**ASKED, **kept, **asked})


def send(visit: Visitor, user: User, words: str = "", file: bytes = b"", name: str = "") -> Any:
    """Send it, and let a worker read what was taken; the page then, or why it was not taken."""
    answer = only_send(visit, user, words, file, name)
    for row in Bringing.objects.filter(user=user, read_at=None):
        read_sent(row.pk, 20.0)
    cache.delete(_busy(user.pk))  # so that no test hangs on how busy the machine is
    return visit(user).get("/start/rules/") if answer.status_code == 302 else answer


def only_send(
    visit: Visitor, user: User, words: str = "", file: bytes = b"", name: str = ""
) -> Any:
    sent: dict[str, Any] = {"words": words}
    if name:
        sent["file"] = SimpleUploadedFile(name, file)
    return visit(user).post("/start/rules/", sent)


def test_what_was_typed_is_shown_rule_by_rule_before_a_game_begins_with_it(
    murphy: User, visit: Visitor
) -> None:
    send(visit, murphy, EIGHT)
    page = visit(murphy).get("/start/rules/").content.decode()
    assert "8 rules in what you typed" in page
    assert "Title 8" in page
    assert "Players obey rule 3." in visit(murphy).get("/start/rules/?rule=3").content.decode()
    assert visit(murphy).get("/start/rules/?rule=9").status_code == 404
    assert not Game.objects.exists(), "nothing is made before it is asked for"
    start(visit, murphy)
    game = Game.objects.get()
    assert game.preset == "nomic"
    rules = glance(game).rules
    assert rules.find_rule(number="8").text == "Players obey rule 8."
    assert visit(murphy).get("/start/").context["draft"] is None
    assert replay(game)[1] is None


def test_what_is_not_understood_is_listed_and_nothing_of_it_is_kept(
    murphy: User, visit: Visitor
) -> None:
    send(visit, murphy, EIGHT)
    rules = [{**TOLD, "power": "-1"}, {**TOLD, "power": "3.0.1", "number": "3"}]
    page = send(visit, murphy, file=json.dumps(rules).encode(), name="rules.json").text
    assert "rules.json, rule 1 (rule 2451): A rule&#x27;s power is a number" in page
    assert "rules.json, rule 2 (rule 3)" in page
    assert "The rules of what you typed, which you brought before, are kept." in " ".join(
        page.split()
    )
    start(visit, murphy)
    assert glance(Game.objects.get()).rules.find_rule(number="8"), "what came before stays"


def test_passages_that_a_kind_of_game_plays_are_offered_and_not_taken(
    murphy: User, visit: Visitor
) -> None:
    known = find_subgame("horses").shipped()[0]
    send(visit, murphy, f"# Ours\n\n{known.text}")
    page = visit(murphy).get("/start/rules/").content.decode()
    assert "the program knows" in page
    one = visit(murphy).get("/start/rules/?rule=1").content.decode()
    assert f"stands in “{known.title}”" in unescape(one)
    start(visit, murphy)
    rule = glance(Game.objects.get()).rules.find_rule("Ours")
    assert rule.by_people, "nobody has voted for it here"


@pytest.mark.parametrize("sent", [{}, {"words": "A", "file": b"B", "name": "b.md"}])
def test_a_file_or_words_are_sent_and_not_both(
    murphy: User, visit: Visitor, sent: dict[str, Any]
) -> None:
    answer = send(visit, murphy, **sent)
    assert answer.status_code == 422
    assert "one of both" in answer.content.decode()


def test_rules_that_are_kept_no_more_begin_no_game(murphy: User, visit: Visitor) -> None:
    send(visit, murphy, EIGHT)
    digest = visit(murphy).get("/start/").context["draft"].digest
    visit(murphy).post("/start/rules/", {"forget": "1"})
    answer = visit(murphy).post("/start/", {**ASKED, "preset": "nomic", "rules": digest})
    assert answer.status_code == 422
    assert "bring them again" in answer.content.decode()
    assert not Game.objects.exists()


def test_rules_come_into_a_nomic_alone(murphy: User, visit: Visitor) -> None:
    send(visit, murphy, EIGHT)
    answer = start(visit, murphy, preset="agora-races")
    assert "choose that" in answer.content.decode()
    assert not Game.objects.exists()


def test_what_is_sent_waits_for_a_worker_and_the_page_says_so(murphy: User, visit: Visitor) -> None:
    assert only_send(visit, murphy, EIGHT).url == "/start/rules/#understood"
    page = visit(murphy).get("/start/rules/").text
    assert "It is being read" in page
    assert 'hx-trigger="every 2s"' in page
    assert "Show what is understood" not in page, "it would be refused"
    assert visit(murphy).get("/start/").context["draft"] is None
    read_sent(Bringing.objects.get().pk, 20.0)
    assert "8 rules in what you typed" in visit(murphy).get("/start/rules/").text
    start(visit, murphy)
    assert not Bringing.objects.exists(), "the bytes are kept no longer than needed"


def test_who_has_something_read_sends_nothing_more_until_it_is_or_is_forgotten(
    murphy: User, visit: Visitor
) -> None:
    only_send(visit, murphy, EIGHT)
    answer = only_send(visit, murphy, EIGHT)
    assert answer.status_code == 429
    assert "is being read still" in answer.text
    waiting = Bringing.objects.get()
    visit(murphy).post("/start/rules/", {"forget": "1"})
    read_sent(waiting.pk, 20.0)
    assert not Bringing.objects.exists(), "what was forgotten stays so"
    assert only_send(visit, murphy, EIGHT).status_code == 302


def test_who_had_a_worker_for_long_waits_for_their_share_of_it(
    murphy: User, visit: Visitor
) -> None:
    send(visit, murphy, EIGHT)
    charge(murphy.pk, 60.0)
    assert re.search(r"Go on in \d+ seconds", start(visit, murphy).text)
    assert not Game.objects.exists()
    visit(murphy).post("/start/rules/", {"forget": "1"})
    answer = only_send(visit, murphy, EIGHT)
    assert answer.status_code == 429
    assert re.search(r"Go on in \d+ seconds", answer.text)
    assert only_send(visit, user_of("snail"), EIGHT).status_code == 302


def test_what_takes_too_long_is_a_fault_with_a_sentence(murphy: User, visit: Visitor) -> None:
    many = "a\n\n" * 900_000  # each a block of the library's
    only_send(visit, murphy, file=many.encode(), name="a.md")
    read_sent(Bringing.objects.get().pk, 0.5)
    assert "takes longer to be read than the 1 seconds" in visit(murphy).get("/start/rules/").text


@pytest.mark.parametrize(
    ("rules", "text", "told"),
    [
        (11, "a" * 190_000, "2,000,000 characters, and here are 2,090,000"),
        (1, "a.\n" * 3_000, "5,000 lines and ends of sentences, and here are 6,001"),
        (8, "a.\n" * 2_000, "30,000 lines and ends of sentences, and here are 32,008"),
    ],
)
def test_what_no_game_has_room_for_is_a_fault_before_one_is_started(
    murphy: User, visit: Visitor, rules: int, text: str, told: str
) -> None:
    facts = [{"title": f"A {number}", "text": text} for number in range(rules)]
    page = send(visit, murphy, file=json.dumps(facts).encode(), name="rules.json").text
    assert told in page


PARTED = "# A\n\na\n\n## Part\n\n- b\n\n# C\n\nc\n"


def say(visit: Visitor, user: User, **said: Any) -> Any:
    """Say what the fields or headings are of what was sent, and let a worker read it again."""
    answer = visit(user).post("/start/rules/", said)
    for row in Bringing.objects.filter(user=user, read_at=None):
        read_sent(row.pk, 20.0)
    cache.delete(_busy(user.pk))
    return visit(user).get("/start/rules/") if answer.status_code == 302 else answer


def test_what_a_heading_is_is_said_on_the_page_and_all_is_read_again(
    murphy: User, visit: Visitor
) -> None:
    send(visit, murphy, file=PARTED.encode(), name="a.md")
    page = visit(murphy).get("/start/rules/?headings=1").text
    assert '<option value="text a.md:5" >' in page
    assert page.count("selected") == 3
    shown = say(
        visit, murphy, say="headings", heading=["rule a.md:1", "text a.md:5", "pope a.md:9"]
    )
    assert "2 rules in a.md" in on_one_line(shown.text)
    assert Bringing.objects.get().choices["headings"] == {"a.md:5": "text"}
    say(visit, murphy, say="headings", heading=["rule a.md:5"])
    start(visit, murphy)
    assert glance(Game.objects.get()).rules.find_rule("Part").parent == "A"


def test_which_field_is_which_is_said_on_the_page_and_all_is_read_again(
    murphy: User, visit: Visitor
) -> None:
    laws = [{"no": 7, "heading": "Cats", "body": "Cats nap."}]
    shown = send(visit, murphy, file=json.dumps(laws).encode(), name="a.json").text
    assert "the rule has no title" in shown
    assert '<option value="heading">heading</option>' in shown
    answer = say(visit, murphy, say="fields", title="pope")
    assert answer.status_code == 422
    assert "The file has no such field" in answer.text
    shown = say(visit, murphy, say="fields", number="no", title="heading", text="body").text
    assert "1 rule in a.json" in on_one_line(shown)
    start(visit, murphy)
    assert glance(Game.objects.get()).rules.find_rule(number="7").text == "Cats nap."


def test_who_has_sent_nothing_says_nothing_of_it(murphy: User, visit: Visitor) -> None:
    answer = say(visit, murphy, say="headings", heading=["rule a.md:5"])
    assert answer.status_code == 409
    assert "send it again" in answer.text
    assert visit(murphy).get("/start/rules/?headings=1").status_code == 200


def test_what_is_not_accounted_for_is_told_line_by_line_before_one_goes_on(
    murphy: User, visit: Visitor
) -> None:
    rules = {"rules": [{"title": "A", "text": "x"}], "motto": "Be <b>bold</b>"}
    page = on_one_line(send(visit, murphy, file=json.dumps(rules).encode(), name="a.json").text)
    lost = page.index("1 line of it is not accounted for")
    assert lost < page.index("a.json, motto: Be &lt;b&gt;bold&lt;/b&gt;") < page.index("Go on:")
    assert "1 of 1 rules" in page
    page = on_one_line(send(visit, murphy, EIGHT).text)
    assert "Every line of it is accounted for" in page
    assert "8 of 8 numbers" in page


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"# A\n" + b"a\n" * 2_500_000, "3,000,000 are the most"),
        (b"a" * 2_900_000, "no heading was found"),
        (b"# A\n\na\n\n" * 3_000, "rule 2,001 begins there"),
        (b"no heading\n\nat all", "no heading was found"),
        (b"# ", "the rule has no title"),
        (b"# A\n\x81", "is not UTF-8"),
    ],
)
def test_what_cannot_come_in_is_told_in_a_sentence(
    murphy: User, visit: Visitor, content: bytes, told: str
) -> None:
    page = send(visit, murphy, file=content, name="a.md")
    assert told in page.text
    assert "Go on" not in page.text
    assert visit(murphy).get("/start/rules/?headings=1").status_code == 200


def test_what_was_brought_hours_ago_is_forgotten(murphy: User, visit: Visitor) -> None:
    send(visit, murphy, EIGHT)
    assert forget_brought() == 0
    Bringing.objects.update(sent_at=wall_now() - KEPT - timedelta(minutes=1))
    assert forget_brought() == 1
    assert "rules in what you typed" not in visit(murphy).get("/start/rules/").text


@pytest.mark.parametrize("title", ["\ud800", "half \ud83d", "a\0"])
def test_characters_that_cannot_be_stored_are_a_fault_and_no_error(
    murphy: User, visit: Visitor, title: str
) -> None:
    for told in (
        {"title": title, "text": "x"},
        {"title": "A", "text": "x", "category": title},
        {"title": "A", "text": "x", "history": [{"change": title}]},
    ):
        page = send(visit, murphy, file=json.dumps([told]).encode(), name="rules.json")
        assert "Not everything was understood" in page.text


def test_somebody_elses_rules_are_not_shown(murphy: User, visit: Visitor) -> None:
    send(visit, murphy, EIGHT)
    other = visit(user_of("snail")).get("/start/rules/")
    assert other.context["newest"] is None


def brought(visit: Visitor, murphy: User) -> Game:
    send(visit, murphy, file=json.dumps(RULES).encode(), name="rules.json")
    start(visit, murphy)
    return Game.objects.get()


def test_a_rules_page_tells_of_before_as_told_and_not_played(murphy: User, visit: Visitor) -> None:
    game = brought(visit, murphy)
    rule = game.rules.get(number="2451")
    page = visit(murphy).get(f"/g/{game.slug}/rules/x-{rule.pk}/").content.decode()
    for said in ("it was not played here", "2017-01-02", "proposal 7", "CFJ 9: once means once."):
        assert said in page
    assert "as before this game" in page
    assert "E CAN." in page, "an earlier text that came with it"


@pytest.mark.parametrize("kind", ["json", "zip"])
def test_what_came_in_goes_out_the_same(murphy: User, visit: Visitor, kind: str) -> None:
    game = brought(visit, murphy)
    sent = visit().get(f"/g/{game.slug}/rulebook.{kind}")
    again = read(sent.content, f"rules.{kind}")
    assert again.faults == ()
    came = read(json.dumps(RULES).encode(), "rules.json")
    own = {rule.title for rule in again.rules} - {rule.title for rule in came.rules}
    shipped = game.rules.exclude(origin="").values_list("title", flat=True)
    assert own == {*shipped}, "those that the program plays by"
    assert tuple(rule for rule in again.rules if rule.title not in own) == came.rules


AGORAS = {
    "config/index": (
        "# kept by hand\n- name: Awards\n  rules: [1367, 4]  # two\n  note: |\n    What is given.\n"
        "- name: 'Rest'\n  rules:\n  - 5\n"
    ),
    "rules/1367": 'id: 1367\nname: "Degrees"\npower: 3.0\n# a remark\ntext: |\n  Degrees are.\n',
    "rules/4": "id: 4\nname: Ribbons\ntext: >\n  Folded\n  words.\n",
    "rules/5": "name: Rest\nid: 5\nhistory: []\ntext: |\n  It rests.\n",
    "rules/9": "id: 8\nname: Gone\ntext: Was.\n",
    "rules/10": "# name: Never\n",
}


def files_in(content: bytes) -> dict[str, str]:
    with ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_files_of_yaml_go_out_byte_by_byte_as_they_came_but_what_was_changed(
    murphy: User, visit: Visitor
) -> None:
    into = io.BytesIO()
    with ZipFile(into, "w") as archive:
        for name, text in AGORAS.items():
            archive.writestr(name, text)
    send(visit, murphy, file=into.getvalue(), name="ruleset.zip")
    start(visit, murphy)
    game = Game.objects.get()
    out = files_in(visit().get(f"/g/{game.slug}/rulebook.zip").content)
    index = out.pop("config/index")
    assert index.startswith(AGORAS["config/index"])
    assert "- name: Played by the program\n  rules:\n  - site-1\n" in index
    assert [name for name in AGORAS if name in out and out[name] != AGORAS[name]] == []
    assert {name[:11] for name in out.keys() - AGORAS.keys()} == {"rules/site-"}
    assert "What is given." in visit().get(f"/g/{game.slug}/rulebook/").text
    markdown = visit().get(f"/g/{game.slug}/rulebook.md").content.decode()
    assert "# Awards\n\nWhat is given.\n\n## Rule 1367" in markdown
    game.rules.filter(number="4").update(power="2")
    out = files_in(visit().get(f"/g/{game.slug}/rulebook.zip").content)
    assert "power: 2\n" in out["rules/4"]
    assert out["rules/1367"] == AGORAS["rules/1367"]


def test_a_class_that_was_told_is_shown_and_goes_out_and_binds_nobody(
    murphy: User, visit: Visitor
) -> None:
    send(visit, murphy, file=b"# R\n\n## 101 (IMMUTABLE)\n\na\n\n## 102\n\nb", name="a.md")
    assert '<span class="pill">immutable</span>' in visit(murphy).get("/start/rules/").text
    start(visit, murphy)
    game = Game.objects.get()
    rule = game.rules.get(number="101")
    page = visit(murphy).get(f"/g/{game.slug}/rules/x-{rule.pk}/")
    assert '<span class="pill">immutable</span>' in page.text
    assert page.context["amends"]
    told = visit().get(f"/g/{game.slug}/rulebook.json").json()["rules"][0]
    assert (told["number"], told["rule_class"]) == ("101", "immutable")
    markdown = visit().get(f"/g/{game.slug}/rulebook.md").content.decode()
    assert "## Rule 101 (immutable): Rule 101" in markdown


@pytest.mark.parametrize(("name", "is_wiki"), [("a.wiki", True), ("a.md", False)])
def test_whether_rules_are_of_a_wiki_is_decided_once_for_all_of_them(
    murphy: User, visit: Visitor, name: str, is_wiki: bool
) -> None:
    pages = {
        "a.wiki": "== A ==\n# one\n== B ==\n'''x'''",
        "a.md": "# A\n\n'''not bold''' and [[this]]\n",
    }
    send(visit, murphy, file=pages[name].encode(), name=name)
    start(visit, murphy)
    game = Game.objects.get()
    for address in (f"rules/x-{game.rules.get(title='A').pk}/", "rulebook/"):
        shown = visit(murphy).get(f"/g/{game.slug}/{address}").text
        assert ("<li>one</li>" in shown) is is_wiki
        assert "<strong>not bold</strong>" not in shown


def test_in_markdown_the_texts_go_out(murphy: User, visit: Visitor) -> None:
    game = brought(visit, murphy)
    text = visit().get(f"/g/{game.slug}/rulebook.md").content.decode()
    assert "# Leaders\n\n## Rule 2451 (power 3.1): Executive Orders\n\nThe Prime" in text
    assert visit().get(f"/g/{game.slug}/rulebook.exe").status_code == 404


def test_the_whole_rulebook_stands_on_one_page_short_and_full(murphy: User, visit: Visitor) -> None:
    game = brought(visit, murphy)
    contents = visit(murphy).get(f"/g/{game.slug}/rules/").content.decode()
    assert "<h2>Leaders</h2>" in contents
    short = visit().get(f"/g/{game.slug}/rulebook/").content.decode()
    assert "The Prime Minister CAN." in short
    headings = re.findall("<h2>([^<]*)</h2>", short)
    assert headings == ["Played by the program", "Leaders", "Kept by people"]
    assert "CFJ 9" not in short
    full = visit().get(f"/g/{game.slug}/rulebook/?full=1").content.decode()
    assert "CFJ 9: once means once. (2018-01-01)" in full
    assert "2017-01-02 enactment, proposal 7" in full


@pytest.mark.parametrize("number", ["2451", "12", "13"])
def test_an_amendment_begun_from_a_rules_page_reads_as_its_text(
    murphy: User, visit: Visitor, number: str
) -> None:
    game = brought(visit, murphy)
    rule = game.rules.get(number=number)
    page = visit(murphy).get(f"/g/{game.slug}/rules/x-{rule.pk}/")
    composer = visit(murphy).get(page.context["amends"])
    body = composer.context["form"]["body"].value()
    assert rule.text in body
    (change,) = read_changes(body.replace(f"{rule.text}\n}}", f"{rule.text} More.\n}}")).changes
    assert isinstance(change, ReplaceText)
    assert change.text == f"{rule.text} More."
    assert change.rule.number == rule.number or change.rule.title == rule.title


@pytest.mark.parametrize(
    "text", ["A { brace.\n\nMore }}.  \n- a {", "a } b { c", "> quoted {", "```\n}\n```\n/* {"]
)
def test_an_amendment_of_a_text_with_an_open_brace_reads_as_its_text(
    murphy: User, visit: Visitor, text: str
) -> None:
    send(visit, murphy, file=json.dumps([{"title": "A", "text": text}]).encode(), name="a.json")
    start(visit, murphy)
    game = Game.objects.get()
    page = visit(murphy).get(f"/g/{game.slug}/rules/x-{game.rules.get(title='A').pk}/")
    body = visit(murphy).get(page.context["amends"]).context["form"]["body"].value()
    (change,) = read_changes(body).changes
    assert isinstance(change, ReplaceText)
    assert change.text == text


def test_a_dry_run_prints_what_is_understood_and_makes_nothing(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(EIGHT)
    call_command("newgame", "moved", preset="nomic", rules=path, dry_run=True)
    told = json.loads(capsys.readouterr().out)
    assert [rule["number"] for rule in told["rules"]] == [str(n) for n in range(1, 9)]
    assert told["faults"] == []
    assert {"kind": "rules", "stands": 8, "came": 8} in told["accounting"]["counts"]
    assert (told["accounting"]["lines"], told["accounting"]["missing"]) == ([], 0)
    path.write_text("nothing")
    with pytest.raises(CommandError, match="Not everything was understood"):
        call_command("newgame", "moved", preset="nomic", rules=path, dry_run=True)
    with pytest.raises(CommandError, match="no heading was found"):
        call_command("newgame", "moved", preset="nomic", rules=path)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("newgame", "moved", preset="nomic", rules=tmp_path / "none")
    assert not Game.objects.exists()


def test_by_the_command_one_says_what_fields_and_headings_are(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text(PARTED)
    call_command("newgame", "m", "--preset=nomic", f"--rules={tmp_path}/a.md", "--heading=5=text",
                 "--dry-run")  # fmt: skip
    assert len(json.loads(capsys.readouterr().out)["rules"]) == 2
    (tmp_path / "a.json").write_text('[{"no": 7, "h=1": "Cats", "text": "x"}]')
    call_command("newgame", "m", "--preset=nomic", f"--rules={tmp_path}/a.json",
                 "--field=number=no", "--field=title=h=1", "--dry-run")  # fmt: skip
    assert json.loads(capsys.readouterr().out)["rules"][0]["title"] == "Cats"
    for wrong in ("--field=pope=no", "--field=number", "--heading=5=pope", "--heading=text"):
        with pytest.raises(CommandError, match=r"write (OURS=THEIRS|LINE=KIND), and for"):
            call_command("newgame", "m", "--preset=nomic", f"--rules={tmp_path}/a.md", wrong)
    with pytest.raises(CommandError, match="give that too"):
        call_command("newgame", "m", "--preset=nomic", "--heading=5=text")


def test_by_the_command_rules_come_in_too(tmp_path: Path, db: None) -> None:
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(RULES))
    call_command("newgame", "moved", preset="nomic", rules=path, law="blognomic")
    game = Game.objects.get(slug="moved")
    assert game.edition == "quorum"
    assert isinstance(rulebook_of(game), Brought)
    assert glance(game).rules.find_rule(number="12").parent == "Executive Orders"


def test_the_host_takes_the_rules_back_in_one_act_until_a_vote_is_closed(
    murphy: User, visit: Visitor
) -> None:
    game = brought(visit, murphy)
    take(game.slug, murphy, TAKE_RULES_BACK)
    game.refresh_from_db()
    assert not [rule for rule in glance(game).rules.public if rule.by_people]
    with pytest.raises((Refused, Malformed)):
        take(game.slug, murphy, TAKE_RULES_BACK)
    assert replay(game)[1] is None


def test_once_a_vote_is_closed_the_rules_are_the_players_own(murphy: User, visit: Visitor) -> None:
    game = brought(visit, murphy)
    seat = game.players.get(name="Murphy")
    take(game.slug, seat, "proposals.submit", {"title": "T", "body": "Repeal rule 13."})
    Game.objects.filter(pk=game.pk).update(pace="manual", rate=0)
    advance(game.slug, glance(game).now + timedelta(days=30))
    game.refresh_from_db()
    refused = legality(find_action(TAKE_RULES_BACK), glance(game), None, {}, operator=True)
    assert refused is not None
    assert refused.code == "decided"


BEGINNINGS = """
[[player]]
name = "Aris"
[[player]]
name = "G."
[[office]]
office = "Assessor"
player = "Aris"
[[balance]]
player = "G."
amount = 7
asset = "coin"
[[switch]]
switch = "Voting Strength"
of = "Aris"
value = "4"
[[proposal]]
author = "G."
title = "Begun before"
body = "Repeal rule 13."
"""


def begun(tmp_path: Path, beginnings: str) -> Game | None:
    for name, text in {"rules.json": json.dumps(RULES), "with.toml": beginnings}.items():
        (tmp_path / name).write_text(text)
    paths = {"rules": tmp_path / "rules.json", "beginnings": tmp_path / "with.toml"}
    call_command("newgame", "moved", preset="nomic", **paths)
    return Game.objects.filter(slug="moved").first()


def test_players_offices_balances_and_proposals_come_from_a_file_each_an_entry(
    tmp_path: Path, db: None
) -> None:
    game = begun(tmp_path, BEGINNINGS)
    assert game is not None
    assert glance(game).directory.offices["Assessor"] == "Aris"
    assert glance(game).ledger.balance(game.players.get(name="G."), "coin") == 7
    assert game.proposals.get().title == "Begun before"
    texts = game.entries.filter(name__startswith="games.bring_").values_list("text", flat=True)
    assert len(texts) == 6, "the rules' entry, and one each"
    brought_proposal = game.entries.get(name="proposals.bring").text
    assert brought_proposal.startswith("G. submits")
    assert brought_proposal.endswith("That was brought from before this game.")
    assert sum("brought from before this game" in text for text in texts) == 5
    assert find_switch("Voting Strength").value(glance(game), "Aris") == "4"
    assert find_switch("Voting Strength").value(glance(game), "G.") == "3"
    assert replay(game)[1] is None
    file = io.StringIO()
    export_game(game, file)
    there = import_game(file.getvalue().splitlines(), slug="there")
    assert find_switch("Voting Strength").value(glance(there), "Aris") == "4"


OF_CSV = """what,name,office,player,amount,asset,switch,of,value,author,title,body
proposal,,,,,,,,,G.,Begun before,Repeal rule 13.
player,Aris
player,G.
office,,Assessor,Aris
balance,,,G.,7,coin
switch,,,,,,Voting Strength,Aris,4
"""


def padded(rows: str) -> str:
    """With as many cells in each row as there are columns."""
    most = rows.splitlines()[0].count(",")
    return "".join(f"{row}{',' * (most - row.count(','))}\n" for row in rows.splitlines())


def test_a_csv_says_the_same_as_toml(tmp_path: Path) -> None:
    (tmp_path / "with.toml").write_text(BEGINNINGS)
    (tmp_path / "with.csv").write_text(padded(OF_CSV), encoding="utf-8-sig")
    of_csv, of_toml = (read_beginnings(tmp_path / f"with.{kind}") for kind in ("csv", "toml"))
    assert [row[1:] for row in of_csv] == [row[1:] for row in of_toml]
    assert of_csv[-1][0] == "with.csv, line 2"


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (padded(OF_CSV.replace("what", "kind")), "line 1: the columns are of what, name"),
        (padded(OF_CSV.replace("coin", '"coin')), "line 7: "),
        (padded(OF_CSV).replace("player,Aris,", "player,Aris"), "line 3: it has 12 cells"),
        (padded(OF_CSV.replace("player,Aris", "pope,Aris")), "line 3: there is no “pope”"),
        (padded(OF_CSV.replace("7", "many")), "line 6: it has `player`"),
        (padded(OF_CSV.replace("player,Aris", "player,Aris,Assessor")), "line 3: it has `name`"),
        ("", "line 1: the columns"),
    ],
)
def test_a_csv_that_does_not_fit_is_told_by_its_line(
    tmp_path: Path, broken: str, told: str
) -> None:
    (tmp_path / "with.csv").write_text(broken)
    with pytest.raises(BadSetup, match=re.escape(told)):
        read_beginnings(tmp_path / "with.csv")


def test_an_office_that_is_new_here_comes_with_its_holder_or_vacant_and_is_filled_as_others(
    murphy: User, visit: Visitor
) -> None:
    game = brought(visit, murphy)
    take(game.slug, murphy, BRING_PLAYER, {"name": "Aris"})
    take(game.slug, murphy, BRING_OFFICE, {"office": "Herald", "player": "Aris"})
    take(game.slug, murphy, BRING_OFFICE, {"office": "Tailor", "player": ""})
    told = take(game.slug, murphy, BRING_OFFICE, {"office": "herald", "player": "Murphy"})
    assert told.entry.text == "Murphy is Herald. That was brought from before this game."
    offices = glance(game).directory.offices
    assert (offices["Herald"], offices["Tailor"]) == ("Murphy", "")
    take(game.slug, game.players.get(name="Aris"), "games.stand", {"office": "Tailor"})
    with pytest.raises(Refused, match="reads as “Aris”"):
        take(game.slug, murphy, BRING_OFFICE, {"office": "Aris", "player": ""})
    assert visit(murphy).get(f"/office/g/{game.slug}/").status_code == 200
    game.refresh_from_db()
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_whoever_opens_the_link_to_a_seat_from_before_plays_on_in_it_and_nobody_else(
    murphy: User, visit: Visitor
) -> None:
    game = brought(visit, murphy)
    take(game.slug, murphy, BRING_PLAYER, {"name": "Aris"})
    take(game.slug, murphy, BRING_BALANCE, {"player": "Aris", "amount": 7, "asset": "coin"})
    invite, claim = f"/g/{game.slug}/host/invite/", f"/g/{game.slug}/act/{CLAIM_SEAT}/"
    assert visit(murphy).post(invite, {"seat": "Murphy"}).status_code == 404
    visit(murphy).post(invite, {"seat": "Aris"})
    address = f"/i/{token_of(game.invitations.get(seat__name='Aris'))}/"
    assert address in visit(murphy).get(f"/g/{game.slug}/host/").content.decode()
    aris, other, guest = user_of("aris"), user_of("other"), user_of("guest")
    Guest.objects.create(user=guest, place="x", made_at=wall_now())
    assert "A guest plays in the demonstration only" in (
        visit(guest).post(claim, {"name": "Aris"}).content.decode()
    )
    refused = visit(other).post(claim, {"name": "Aris"})
    assert "Ask the game’s host for the link to the seat of Aris." in unescape(
        refused.content.decode()
    )
    assert "The seat of Aris is kept for you" in visit(aris).get(address).content.decode()
    assert visit(aris).post(address).url == f"/g/{game.slug}/"
    assert game.players.get(name="Aris").user == aris
    assert visit(other).post(address).status_code == 410
    assert visit(other).post(claim, {"name": "Aris"}).status_code == 409
    take(game.slug, murphy, FREE_SEAT, {"player": "Aris"})
    assert game.players.get(name="Aris").user is None
    assert visit(aris).post(claim, {"name": "Aris"}).status_code == 409
    visit(murphy).post(invite, {"seat": "Aris"})
    link = game.invitations.get(seat__name="Aris", withdrawn_at=None)
    come_by(link, aris, wall_now())
    assert "has kept the seat of Aris" in visit(aris).get(f"/g/{game.slug}/join/").content.decode()
    take(game.slug, aris, CLAIM_SEAT, {"name": "Aris"})
    take(game.slug, aris, "proposals.submit", {"title": "T", "body": "Repeal rule 13."})
    with pytest.raises(Refused, match="Aris has acted here"):
        take(game.slug, murphy, FREE_SEAT, {"player": "Aris"})
    game.refresh_from_db()
    assert replay(game)[1] is None


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (BEGINNINGS.replace("7", "-7"), "with.toml, balance 1: "),
        (BEGINNINGS.replace("7", '"x"'), "with.toml, balance 1: it has `player`"),
        (BEGINNINGS.replace('"G."\namount', '"Nobody"\namount'), "with.toml, balance 1: "),
        (BEGINNINGS.replace('"Assessor"', '"G."'), "with.toml, office 1: “G.” reads as “G.”"),
        (BEGINNINGS.replace('name = "G."', 'name = "Aris"'), "with.toml, player 2: "),
        (BEGINNINGS.replace('"coin"', '"Aris"'), "reads as “Aris”"),
        (
            BEGINNINGS.replace('author = "G."', 'author = "H"'),
            "proposal 1: author: “H” is not",
        ),
        (BEGINNINGS.replace('"4"', '"many"'), "switch 1: A voting strength is a whole number"),
        (BEGINNINGS.replace('"Voting Strength"', '"Vested"'), "This game has no Vested"),
        (BEGINNINGS.replace('"Voting Strength"', '"Charm"'), "keeps no switch “Charm”"),
        (BEGINNINGS.replace('of = "Aris"', 'of = "H"'), "“H” has no Voting Strength"),
        ("[[pope]]\n", r"there is no \[\[pope\]\]"),
        ("x", "with.toml is not TOML"),
    ],
)
def test_of_beginnings_that_do_not_fit_nothing_is_made(
    tmp_path: Path, db: None, broken: str, told: str
) -> None:
    with pytest.raises(CommandError, match=told):
        begun(tmp_path, broken)
    assert not Game.objects.exists()


def test_what_is_too_large_is_refused_with_how_much_it_is(murphy: User, visit: Visitor) -> None:
    answer = send(visit, murphy, file=b"x" * 10_000_001, name="large.md")
    assert answer.status_code == 422
    assert "It has 10,000,001 bytes; 10,000,000 are the most." in answer.text
    answer = send(visit, murphy, file=b"x" * 12_000_000, name="large.md")
    assert answer.status_code == 413
    assert "more than 11 MB" in answer.text
    answer = send(visit, murphy, words="# A\n" + "x" * 1_500_000)
    assert answer.status_code == 422
    assert "at most 1500000 characters" in answer.content.decode()
    assert send(visit, murphy, words="x" * 3_000_000).status_code == 400
