"""Rulebooks from elsewhere: what is understood, and a sentence for what is not."""

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from nomic.rulebook.formats import reader_process
from nomic.rulebook.formats.checking import Findings
from nomic.rulebook.formats.folders import LARGEST
from nomic.rulebook.formats.reader_process import read_apart
from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import (
    Annotation,
    Brought,
    BroughtRule,
    Category,
    EarlierText,
    FileChoices,
    PastChange,
)
from nomic.rulebook.formats.writing import as_json, as_markdown, as_zip, files_of

YEAR = Path(__file__).parents[5] / "shared" / "corpora" / "agora-years" / "2021"
RULE = """\
name: Degrees
id: 1367
rev: 19
power: 3.0
history:
- change:
    type: enactment
  date: 1995-01-05
  agent:
    proposal: "1367"
- change:
    type: power-change
    old-power: 1
    new-power: 3
  date:
    around: 1996-04-01
text: |
  Degrees are titles.

    - Bachelor of Nomic
annotations:
- cfjs:
  - id: "24"
    called: 1996-05-01
  text: |
    Degrees are honest.
"""
INDEX = "- name: Awards\n  rules:\n  - 1367 # Degrees\n"


def packed(**files: str | bytes) -> bytes:
    into = BytesIO()
    with ZipFile(into, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return into.getvalue()


def of_agora(rule: str = RULE, index: str = INDEX, **more: str | bytes) -> Brought:
    files = {"ruleset/config/index": index, "ruleset/rules/1367": rule, **more}
    return read(packed(**files), "ruleset.zip")


def test_a_rule_of_agoras_comes_with_power_category_history_and_annotations() -> None:
    found = of_agora()
    assert found.faults == ()
    (rule,) = found.rules
    assert (rule.number, rule.title, rule.power) == ("1367", "Degrees", "3")
    assert rule.category == "Awards"
    assert rule.text == "Degrees are titles.\n\n  - Bachelor of Nomic"
    enacted, powered = rule.history
    assert (enacted.date, enacted.change, enacted.agent) == (
        "1995-01-05",
        "enactment",
        "proposal 1367",
    )
    assert powered.date == "around 1996-04-01"
    assert powered.change == "power-change (old-power 1, new-power 3)"
    assert (rule.annotations[0].date, rule.annotations[0].text) == (
        "1996-05-01",
        "CFJ 24: Degrees are honest.",
    )
    assert json.loads(rule.more) == {"rev": 19}


def test_a_rule_that_the_index_leaves_out_is_repealed(tmp_path: Path) -> None:
    for name, text in {"config/index": INDEX, "rules/1367": RULE, "rules/4": "x"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "rules" / "4").write_text(RULE.replace("1367", "4", 1).replace("Degrees", "Old"))
    found = read(tmp_path)
    assert found.faults == ()
    assert [rule.title for rule in found.rules] == ["Degrees"]
    assert [rule.title for rule in found.repealed] == ["Old"]


def test_what_a_repealed_rule_lacks_or_contradicts_is_noted_and_hinders_nobody() -> None:
    history = "history:\n- change: enactment\n- change: enactment\n"
    found = of_agora(**{"rules/9": f"id: 9\n{history}"})
    assert found.faults == ()
    assert [(rule.title, rule.text) for rule in found.repealed] == [("Rule 9", "")]
    assert [note.partition(":")[2] for note in found.notes] == [
        " the repealed rule has no title.",
        " the repealed rule has no text.",
        " enactment of a rule that is in force then; its history says so. It is kept as told.",
    ]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (RULE.replace("3.0", "3.0.1"), "rules/1367: A rule's power is a number from 0 to 999"),
        (RULE.replace("3.0", "-1"), "“-1” is none"),
        (RULE + "other: &a [1]\nmore: *a\n", "rules/1367, line 27: anchors and aliases"),
        (RULE + "more: !!python/object:os.system x\n", "rules/1367, line 27: this is not YAML"),
        (RULE + "more: " + "[" * 30 + "]" * 30 + "\n", "line 27: this is nested more than 20 deep"),
        (RULE + "name: Again\n", "rules/1367, line 1: this is not YAML: a key stands there twice"),
        (RULE.replace("id: 1367", "id: 7"), "its id is 7, which is not its file's name"),
        (RULE.replace("1995-01-05", "1995-02-30"), "history 1: 1995-02-30 is no day"),
        (RULE.replace("type: power-change", "type: enactment"), "history 2: enactment of a rule"),
        (RULE.replace("name: Degrees", "heading: D"), "rules/1367: the rule has no title"),
        (
            RULE.replace("  Degrees are t", "  " + "x" * 1_000_000),
            "200,000 are the most. Nothing behind it was read.",
        ),
        ("- 1\n", "rules/1367: a rule is a mapping of fields, and this is a list"),
        ("\t: [", "rules/1367, line 1: this is not YAML"),
    ],
)
def test_a_file_that_cannot_be_understood_is_named_with_its_line(broken: str, told: str) -> None:
    found = of_agora(broken)
    assert any(told in fault for fault in found.faults), found.faults


def test_a_text_in_latin_1_is_read_and_noted_with_its_line() -> None:
    told = (
        "line 1: the byte 0xE9 is not UTF-8. The file was read as Windows-1252: look at the"
        " letters beyond A to Z."
    )
    named = "name: Caf\xe9\ntext: x\n".encode("latin-1")
    found = read(packed(**{"config/index": INDEX, "rules/1367": named}), "a.zip")
    assert (found.faults, found.notes) == ((), (f"rules/1367, {told}",))
    assert found.rules[0].title == "Caf\xe9"
    found = of_agora(**{"ruleset/rules/9": named})
    assert (found.faults, found.notes) == ((), (f"rules/9, {told}",))
    assert found.repealed[0].title == "Caf\xe9"


@pytest.mark.parametrize("broken", [b"# A\n\x81", b"# A\n\xe9\0", b"\xff\xfea"])
def test_what_is_no_text_in_any_letters_is_refused(broken: bytes) -> None:
    (fault,) = read(broken, "a.md").faults
    assert fault.endswith("is not UTF-8. Save the file as UTF-8 first.")


SLIPS = {
    "name: A\nid: 7\ntext: a": ("A", "its id is 7, which is not its file's name. It is kept as"),
    "name: A\nhistory:\n- change: enactment\n  date: 2023-05-32\ntext: a": ("A", "is no day"),
    "# name: A\n# text: |\n#   a": ("Rule 9", "is kept as its file stands"),
    "name: A\ntext: a\nname: B": ("Rule 9", "a key stands there twice. The repealed rule is kept"),
    "name: A\npower: high\ntext: a": ("Rule 9", "is kept as its file stands"),
    "name: A\ntext: a\nannotations:\n- none": ("Rule 9", "is kept as its file stands"),
    "\t: [": ("Rule 9", "this is not YAML"),
}


@pytest.mark.parametrize("file", SLIPS)
def test_a_slip_in_a_repealed_rule_is_a_note_and_no_locked_door(file: str) -> None:
    title, told = SLIPS[file]
    found = of_agora(**{"ruleset/rules/9": file})
    assert found.faults == ()
    assert [(rule.number, rule.title) for rule in found.repealed] == [("9", title)]
    assert any(note.startswith("rules/9") and told in note for note in found.notes)
    assert found.account.lines == ()
    assert dict(files_of(found))["rules/9"] == file, "it goes out as it came"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"config/index": INDEX, "rules/1": RULE}, "config/index names rule 1367, and there is no"),
        ({"config/index": INDEX + "  - 1367\n", "rules/1367": RULE}, "names rule 1367 twice"),
        ({"config/index": "5", "rules/1367": RULE}, "config/index is a list of categories"),
        ({"../rules/1": RULE}, "“../rules/1” leads out of the archive"),
        ({"/etc/rules/1": RULE}, "leads out of the archive"),
        ({"rules/1": b"\0" * 3_000_000}, "rules/1 has 3,000,000 bytes; 2,000,000 are the most"),
        ({"a/rules/1": RULE, "b/rules/1": RULE}, "holds rules/1 twice"),
        ({"readme": "x"}, "There is no folder rules/"),
        ({f"{n}": "" for n in range(20_001)}, "holds 20,001 files; 20,000 are the most"),
    ],
)
def test_an_archive_that_is_none_of_a_rulebook_is_refused(
    files: dict[str, str | bytes], told: str
) -> None:
    found = read(packed(**files), "a.zip")
    assert any(told in fault for fault in found.faults), found.faults


@pytest.mark.parametrize(
    ("given", "name", "told"),
    [
        (b"x" * (LARGEST + 1), "a.md", "a.md has 10,000,001 bytes"),
        (b"PK\x03\x04 nothing", "a.zip", "a.zip is no zip archive"),
        (b"[" * 100_000, "a.json", "a.json is nested too deeply"),
        (b"{}", "a.json", "has “nomic rulebook 1”"),
        (b"", "a.md", "a.md is empty"),
        (b"no heading", "", "The text: no heading was found"),
    ],
)
def test_a_file_of_no_shape_is_refused(given: bytes, name: str, told: str) -> None:
    (fault,) = read(given, name).faults
    assert told in fault


def test_of_two_rules_of_one_number_the_second_comes_in_without_it_and_is_noted() -> None:
    rules = [{"number": 1, "title": title, "text": ""} for title in ("A", "B")]
    found = read(json.dumps(rules).encode(), "a.json")
    assert found.faults == ()
    assert [(rule.number, rule.title) for rule in found.rules] == [("1", "A"), ("", "B")]
    assert found.notes == (
        "a.json, rule 2: “A” has the number 1 before it. “B” comes in without a number.",
    )
    assert read(as_zip(found), "a.zip").rules == found.rules
    rules[1]["number"] = "1.0"
    assert read(json.dumps(rules).encode(), "a.json").rules[1].number == "1.0"


def test_what_stands_under_the_second_rule_of_a_number_stands_under_that_rule() -> None:
    found = read(b"## 1 - A\n\na\n\n## 1 - B\n\nb\n\n### 1.1 - C\n\nc", "a.md")
    assert [(rule.number, rule.title, rule.parent) for rule in found.rules] == [
        ("1", "A", ""),
        ("", "B", ""),
        ("1.1", "C", "B"),
    ]


def test_dates_that_run_backwards_are_kept_and_noted() -> None:
    history = [{"date": "2020-01-02", "change": "enactment"}]
    history.append({"date": "2020-01-01", "change": "amendment"})
    rules = [{"title": "A", "text": "", "history": history}]
    found = read(json.dumps(rules).encode(), "a.json")
    assert found.faults == ()
    assert "history 2: 2020-01-01 comes after 2020-01-02" in found.notes[0]


def test_a_wiki_pages_headings_are_rules_under_one_another() -> None:
    page = (
        "A line before.\n== Core Rules ==\n=== Ruleset ===\nAll [[players]] {{obey}} it.\n<pre>\n"
        "== no heading ==\n</pre>\n==== '''Orphans''' ====\n* One\n\n=== Rule 12: Last ===\nx\n"
    )
    found = read(page.encode(), "")
    assert found.faults == ()
    assert [(r.number, r.title, r.category, r.parent) for r in found.rules] == [
        ("", "Ruleset", "Core Rules", ""),
        ("", "Orphans", "Core Rules", "Ruleset"),
        ("12", "Last", "Core Rules", ""),
    ]
    assert found.rules[0].text == "All [[players]] {{obey}} it.\n<pre>\n== no heading ==\n</pre>"
    assert found.notes == (
        "The text, line 1: no rule, and kept as what stands before all of them: A line before.",
    )


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Rule 1: Tea\n```\n# a remark\n```\n\nRule 2: Milk\nFirst.", ["Tea", "Milk"]),
        ("== Tea ==\n# hot\n# black\n# now\n== Milk ==\n# first", ["Tea", "Milk"]),
    ],
)
def test_what_looks_like_a_heading_of_markdown_elsewhere_is_none(
    text: str, titles: list[str]
) -> None:
    assert [rule.title for rule in read(text.encode(), "").rules] == titles


def test_markdown_headings_are_rules_and_what_is_fenced_is_not() -> None:
    text = "# The Rules\n\nWelcome.\n\n## 1. First\n\nA\n```\n# no\n```\n\n### 1.1 Under it\n\nB\n"
    found = read(text.encode(), "rules.md")
    assert [(r.number, r.title, r.parent, r.text) for r in found.rules] == [
        ("1", "First", "", "A\n```\n# no\n```"),
        ("1.1", "Under it", "1", "B"),
    ]
    assert found.notes == (
        "rules.md, line 1: the title of all, “The Rules”",
        "rules.md, below the title “The Rules”: no rule, and kept with it: Welcome.",
    )
    assert found.categories == (Category("", "The Rules\n\nWelcome."),)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (
            "101. All must abide by the rules,\nalways.\n\n102. Ends.\n\n103. A Title\nText\n",
            [
                ("101", "Rule 101", "All must abide by the rules,\nalways."),
                ("102", "Rule 102", "Ends."),
                ("103", "A Title", "Text"),
            ],
        ),
        (
            "Rule 101/3 (Power=3)\nThe Game\n\n  Text.\n\nRule 102: Players\n 1. it\n\n 2. or\n",
            [("101", "The Game", "  Text."), ("102", "Players", " 1. it\n\n 2. or")],
        ),
        ("One\n===\na\n\nTwo\n===\nb\n", [("", "One", "a"), ("", "Two", "b")]),
    ],
)
def test_plain_text_has_its_rules_by_numbers_or_underlined_titles(
    text: str, rules: list[tuple[str, str, str]]
) -> None:
    found = read(text.encode(), "rules.txt")
    assert [(each.number, each.title, each.text) for each in found.rules] == rules


def test_a_number_that_does_not_rise_is_told_of_as_part_of_the_rule_above_it() -> None:
    found = read(b"4. Votes\nMore than half.\n\n3. Twice\nno\n", "rules.txt")
    assert [rule.title for rule in found.rules] == ["Votes"]
    assert found.notes == (
        "rules.txt, line 4: taken as part of the rule above it, since 3 does not come after that"
        " rule's number.",
    )


def everything() -> Brought:
    history = (PastChange("1993-06-30", "enactment", "proposal 1"), PastChange("2020", "amendment"))
    rule = BroughtRule(
        number="308.10",
        title="Café: “quoted”",
        text="  indented\n\n# - no list \ntrailing \n\n",
        power="1.5",
        category="A & B",
        history=history,
        annotations=(Annotation("2001-02-03", "CFJ 7: it is."),),
        versions=(EarlierText("1993-06-30", "Old", "was\n"),),
        more='{"rev":3,"yes":true,"none":null}',
    )
    under = BroughtRule("007", "Yes", "null", parent="308.10", category="A & B")
    return Brought((rule, under, BroughtRule("", "Yes", "")), (replace(under, parent=""),))


@pytest.mark.parametrize(("write", "name"), [(as_json, "a.json"), (as_zip, "a.zip")])
def test_what_comes_in_goes_out_the_same(write: object, name: str) -> None:
    written = write(everything())  # type: ignore[operator]
    again = read(written.encode() if isinstance(written, str) else written, name)
    assert again == everything()


def test_in_markdown_the_rules_in_force_go_out_without_their_histories() -> None:
    plain = [
        BroughtRule("1", "First", "A\n\n- b", "2", "Core"),
        BroughtRule("1.1", "Under", "C\n---\nd", category="Core", parent="1"),
        BroughtRule("", "Last", "E", category="Other"),
    ]
    assert read(as_markdown(Brought(tuple(plain))).encode(), "a.md") == Brought(tuple(plain))


def test_in_markdown_texts_with_headings_of_their_own_come_back_whole() -> None:
    rules = (
        BroughtRule("1", "First", "A\n\n# Rule 7: B\n\nc\n\n## Third\n\nd", category="Core"),
        BroughtRule("2", "Second", "**1.** a\n\n**2.** b\n\n## C <!-- rule -->", category="Core"),
        BroughtRule("2.1", "Under", "# D <!-- rule. -->", category="Core", parent="2"),
        BroughtRule("", "Last", "", category="Other"),
    )
    written = as_markdown(Brought(rules))
    assert "## Rule 1: First <!-- rule.. -->\n" in written
    found = read(written.encode(), "a.md")
    assert (found.rules, found.faults, found.account.lines) == (rules, (), ())
    chosen = read(written.encode(), "a.md", FileChoices(headings={"a.md:7": "rule"}))
    assert [rule.title for rule in chosen.rules][:2] == ["First", "B"]
    plain = as_markdown(Brought((BroughtRule("1", "First", "A", category="Core"),)))
    assert "<!--" not in plain


@pytest.mark.thorough
@pytest.mark.skipif(not YEAR.exists(), reason="the corpus of Agora's years is not there")
def test_agoras_rules_come_in_whole_and_go_out_in_every_shape_the_same() -> None:
    brought = read(YEAR / "rules-before.json")
    assert (len(brought.rules), brought.faults) == (152, ())
    assert sum(len(rule.history) for rule in brought.rules) == 1926
    assert sum(len(rule.annotations) for rule in brought.rules) == 218
    assert read(as_zip(brought), "a.zip").rules == brought.rules
    assert read(as_json(brought).encode(), "a.json").rules == brought.rules
    bare = [replace(each, history=(), annotations=()) for each in brought.rules]
    assert list(read(as_markdown(brought).encode(), "a.md").rules) == bare
    degrees = dict(files_of(brought))["rules/1367"]
    assert degrees.startswith("name: Degrees\nid: 1367\npower: 3\nhistory:\n- change:\n")


def test_a_history_that_contradicts_itself_is_kept_where_it_is_taken_as_told() -> None:
    history = [{"date": "2020", "change": "enactment"}] * 2
    findings = Findings(as_told=True)
    findings.add({"title": "A", "text": "", "history": history}, "rules.json, rule 1")
    told = findings.brought()
    assert told.faults == ()
    assert len(told.rules[0].history) == 2
    assert told.notes[0].startswith("rules.json, rule 1, history 2: enactment of a rule that is")


MANY = 200_000


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ("# a\n" * MANY, "", "line 4001: heading 4,001 stands there"),
        ("a\n===\n\n" * 9_000, "a.txt", "heading 4,001 stands there"),
        ("== a ==\n" * 90_000, "", "line 4001: heading 4,001 stands there"),
        ("".join(f"Rule {n}: a\n\n" for n in range(150_000)), "", "heading 4,001 stands there"),
        ("# a\n" * 3_000, "", "line 2001: rule 2,001 begins there, and 2,000 are the most"),
        ("# a\n" + "- b\n" * MANY, "", "its text has 200,004 characters, and 200,000 are"),
        ("== a ==\n" + "*#:;" * MANY, "", "its text has 800,000 characters, and 200,000 are"),
        ("== a ==\n" + "{{" * MANY, "a.wiki", "its text has 400,000 characters"),
        ("== a ==\n" + "<!--<pre><nowiki>" * 50_000, "a.wiki", "its text has 850,000"),
        ("# a\nb" + "\n" * 900_000 + "c", "", "its text has 900,005 characters"),
    ],
)
def test_reading_ends_where_a_bound_is_met_however_much_is_sent(
    text: str, name: str, told: str
) -> None:
    # Within the processor's seconds that a site gives it: the square of any of these takes minutes.
    (fault,) = read_apart(text.encode(), name, 30).faults
    assert told in fault


def test_of_faults_and_notes_so_many_are_told_as_one_reads() -> None:
    rules = json.dumps([{"title": "A"}] * 300)
    faults = read(rules.encode(), "a.json").faults
    assert len(faults) == 201
    assert faults[199].startswith("a.json, rule 200: ")
    assert faults[200].startswith("These are 200 faults, which is the most that are told.")
    notes = read(b"a\n" * 5_000 + b"# A\nb", "a.md").notes
    assert len(notes) == 301
    assert notes[300] == "And 4,700 lines more of that kind."


def test_repealed_rules_are_bounded_as_well() -> None:
    rules = [{"title": "A", "text": "x"}] * 5_001
    told = {"format": "nomic rulebook 1", "rules": [], "repealed": rules}
    (fault,) = read(json.dumps(told).encode(), "a.json").faults
    assert "repealed rule 5,001 begins there, and 5,000 are the most" in fault


def test_what_takes_more_memory_than_there_is_for_it_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader_process, "_ADDRESSES", 2**27)
    (fault,) = reader_process.read_apart(b"[" + b"{}," * 3_300_000 + b"{}]", "a.json", 30).faults
    assert fault.startswith("a.json takes more memory to be read than this site has for it.")


def test_on_a_wiki_page_what_hides_a_heading_does_so_and_what_does_not_end_hides_none() -> None:
    page = (
        "= A =\n<!--\n= no =\n-->\n{{box|\n= no =\n{{x}}\n= no =\n}}\n<nowiki />\n"
        "= B = <!-- b -->\nb\n"
        "<NoWiki>\n= no =\n</nowiki >\n<div>\n== C ==\nc\n</div>\n{{open <pre> <!--\n=D=\nd"
    )
    assert [rule.title for rule in read(page.encode(), "a.wiki").rules] == ["A", "B", "C", "D"]
