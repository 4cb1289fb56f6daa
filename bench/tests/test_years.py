"""A year that lived elsewhere, played by its own ballots through the game's doors."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from bench.years.command import Command
from bench.years.counting import Touch, recorded_in_other_words
from bench.years.order import in_order
from bench.years.playing import Played, play_year
from bench.years.reading import BadYear, read_year
from bench.years.values import Distribution, RecordedChange, YearRule
from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, publish
from nomic.operations.replay import replay
from nomic.rulebook.models import Rule
from proposals.models import Errand, Proposal

AGORA = ROOT.parent / "shared/corpora/agora-years/2021"
needs_agora = pytest.mark.skipif(not AGORA.exists(), reason=f"there is no {AGORA}")

type Folder = Callable[..., Path]


def rule(number: int, title: str, text: str, power: float | None = 1) -> dict[str, Any]:
    return {"number": number, "title": title, "power": power, "text": text}


def ballots(**votes: str) -> list[dict[str, Any]]:
    return [{"voter": name, "vote": word, "strength": 3} for name, word in votes.items()]


def proposal(number: int, text: str, **more: Any) -> dict[str, Any]:
    usual = {
        "title": f"No. {number}",
        "ai": "1.0",
        "decision_ai": "1.0",
        "author": "Janet",
        "coauthors": [],
        "class": "ordinary",
        "ballots": ballots(Janet="FOR", Aris="FOR"),
        "outcome": "adopted",
    }
    return {"number": number, "text": text, **usual, **more}


def distribution(*proposals: dict[str, Any], **more: Any) -> dict[str, Any]:
    name = "-".join(str(each["number"]) for each in proposals)
    return {"name": name, "resolved": "2019-01", "quorum": 2, "proposals": proposals, **more}


def step(*rules: dict[str, Any], by: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    told = {"date": "2019-01-05", "recorded": "2019-01-06", "cause": f"Proposal {by}", "gone": []}
    return {**told, "proposals": by, "rules": rules, **more}


BEFORE = [
    rule(101, "The Game", "Agora is a game\nof Nomic.", 4),
    rule(2, "Tea", "Tea is served."),
    rule(3, "Tea", "Tea is not served.", None),
]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder of the year 2019 with these distributions and steps."""

    def made(
        distributions: list[Any], steps: list[Any], before: Any = BEFORE, after: Any = None
    ) -> Path:
        own = tmp_path / "2019"
        own.mkdir(exist_ok=True)
        for name, lines in (("distributions", distributions), ("steps", steps)):
            (own / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
        (own / "rules-before.json").write_text(json.dumps(before))
        if after is not None:
            (own / "rules-after.json").write_text(json.dumps(after))
        return own

    return made


def played(folder: Path) -> tuple[Played, Game]:
    """What came of the year in that folder, and its game, which holds together."""
    found = play_year(read_year(folder), "year")
    game = Game.objects.get(slug="year")
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None
    return found, game


SERVED = "Amend Rule 2 by replacing “served” with “poured”."
POURED = rule(2, "Tea", "Tea is poured.")


@pytest.mark.thorough
def test_what_the_reader_carries_out_goes_by_itself(db: None, folder: Folder):
    enact = "Enact a new rule titled “Milk” with the text: { Milk comes first. }"
    milk = rule(7, "Milk", "Milk comes\nfirst.")
    found, game = played(
        folder(
            [distribution(proposal(8, enact)), distribution(proposal(9, SERVED))],
            [step(milk, by=(8,)), step(POURED, by=(9,))],
            after=[BEFORE[0], POURED, BEFORE[2], milk],
        )
    )
    assert (found.by_itself, found.by_hand, found.misread) == (2, 0, [])
    assert (found.rules_right, found.rules_wrong, found.entries) == (4, [], game.last_entry)
    own = Rule.objects.get(game=game, title="Milk")
    assert (own.number, own.power, own.text) == ("7", 1, "Milk comes first.\n")


@pytest.mark.thorough
def test_what_it_left_is_entered_by_the_officer_as_the_rulekeepor_has_it(db: None, folder: Folder):
    prose = "Tea is poured from now on."
    found, game = played(folder([distribution(proposal(9, prose))], [step(POURED, by=(9,))]))
    assert (found.by_itself, found.by_hand, found.misread) == (0, 1, [])
    assert game.entries.get(name="rulebook.enter").inputs["text"] == "Tea is poured."
    assert not Errand.objects.filter(done_in=None).exists()


@pytest.mark.thorough
def test_what_it_changed_otherwise_is_told_and_entered_rightly(db: None, folder: Folder):
    other = rule(2, "Tea", "Tea is spilled.")
    found, game = played(folder([distribution(proposal(9, SERVED))], [step(other, by=(9,))]))
    (misread,) = found.misread
    assert (misread.proposal, misread.rule) == (9, "2")
    assert misread.why.startswith("It has another text here")
    assert (found.by_itself, found.by_hand, found.rules_wrong) == (0, 0, [])
    assert Rule.objects.get(game=game, number="2").text == "Tea is spilled.\n"


@pytest.mark.thorough
def test_what_was_recorded_in_other_words_than_were_adopted_was_entered_by_hand(
    db: None, folder: Folder
):
    adopted = "Tea is served to whoever asks the Cook for it in good time."
    append = f"Append to rule 2: {{ {adopted} }}"
    recorded = rule(2, "Tea", f"Tea is served. {adopted.replace('the Cook ', '')}")
    found, game = played(folder([distribution(proposal(9, append))], [step(recorded, by=(9,))]))
    assert (found.by_itself, found.by_hand, found.misread) == (0, 1, [])
    entry = game.entries.get(name="rulebook.enter")
    assert entry.inputs["reason"].startswith("Proposal 9 has it in other words.")
    own, was = (YearRule("2", "Tea", None, text) for text in (f"a. {adopted}", "a."))
    for text in ("a. What else?", f"a. {adopted[:20]}", f"{adopted} a.", adopted):
        theirs = YearRule("2", "Tea", None, text)
        assert not recorded_in_other_words(Touch(1, was, 9), own, theirs, append)


@pytest.mark.thorough
def test_what_no_step_records_is_told_and_undone(db: None, folder: Folder):
    found, game = played(folder([distribution(proposal(9, SERVED))], []))
    assert [(each.proposal, each.rule) for each in found.misread] == [(9, "2")]
    assert Rule.objects.get(game=game, number="2").text == "Tea is served.\n"


@pytest.mark.thorough
def test_a_rule_that_ended_by_its_own_text_was_not_misread(db: None, folder: Folder):
    enact = "Enact a new rule titled “Fire” with the text: { It burns. This rule repeals itself. }"
    found, game = played(folder([distribution(proposal(9, enact))], []))
    assert (found.misread, found.rules_wrong) == ([], [])
    assert Rule.objects.get(game=game, title="Fire").repealed_in


def test_what_no_proposal_of_the_year_caused_is_entered_with_its_cause_and_not_counted(
    db: None, folder: Folder
):
    cleaned = step(POURED, cause="G. cleans Rule 2", gone=["3"])
    found, game = played(folder([], [cleaned, step(BEFORE[2], cause="G. finds it again")]))
    assert (found.by_itself, found.by_hand, found.rules_wrong) == (0, 0, [])
    assert game.entries.get(name="rulebook.enter_repeal").text == (
        "Promotor enters that “Tea” is in force no longer: G. cleans Rule 2"
    )
    again = Rule.objects.filter(game=game, number="3").order_by("pk")
    assert [bool(each.repealed_in) for each in again] == [True, False]


@pytest.mark.thorough
def test_ballots_strengths_quorum_and_index_decide_as_they_are_recorded(db: None, folder: Folder):
    votes = [
        {"voter": "Janet", "vote": "FOR", "strength": 5},
        {"voter": "Aris", "vote": "FOR", "strength": 0, "endorses": "Janet"},
        {"voter": "G.", "vote": "FOR", "strength": 2, "conditional": "Resolved: Aris is FOR."},
        {"voter": "nix", "vote": "AGAINST", "strength": 3.5},
        {"voter": "Telna", "vote": "PRESENT", "strength": 3, "endorses": "Nobody of old"},
    ]
    several = [
        proposal(8, SERVED, ballots=votes, ai="2.1", decision_ai="2.1", outcome="rejected"),
        proposal(9, SERVED, ballots=votes, ai="1.999", decision_ai=None),
        proposal(10, SERVED, ballots=votes, ai=None, decision_ai="none", author=None, title=None),
        proposal(11, "", ballots=votes[:2], coauthors=["Oerjan"], outcome="failed quorum"),
    ]
    one = distribution(*several, quorum=3)
    found, _ = played(folder([one], [step(POURED, by=(9, 10))]))
    assert (found.outcomes_right, found.outcomes_otherwise) == (4, {})
    assert Proposal.objects.get(number=9).figures["ratio"] == "14/7"  # in halves
    assert Proposal.objects.get(number=10).author.name == "Promotor"
    assert Proposal.objects.get(number=8).figures["counted"]["G."] == "FOR"


@pytest.mark.thorough
def test_a_decision_that_failed_may_be_made_again(db: None, folder: Folder):
    against = ballots(Janet="AGAINST", Aris="AGAINST")
    first = distribution(proposal(9, SERVED, ballots=against, outcome="rejected"), name="first")
    found, _ = played(
        folder([first, distribution(proposal(9, SERVED), name="then")], [step(POURED, by=(9,))])
    )
    assert (found.outcomes_right, found.by_itself) == (1, 1)


@pytest.mark.thorough
def test_less_power_changes_nothing_and_an_adoption_without_it_is_by_hand(db: None, folder: Folder):
    amend = "Amend Rule 101 by replacing “game” with “joke”."
    joke = rule(101, "The Game", "Agora is a joke of Nomic.", 4)
    found, _ = played(folder([distribution(proposal(9, amend))], [step(joke, by=(9,))]))
    assert (found.by_itself, found.by_hand, found.misread) == (0, 1, [])


@pytest.mark.thorough
def test_a_history_that_nobody_understands_keeps_no_year_from_being_played(
    db: None, folder: Folder
):
    odd = {**BEFORE[1], "category": "Drinks", "history": "long"}
    own = folder([distribution(proposal(9, SERVED))], [step(POURED, by=(9,))], before=[odd])
    assert played(own)[0].by_itself == 1
    assert Rule.objects.get(number="2").category == "Drinks"


@needs_agora
def test_distributions_are_due_before_the_first_step_that_names_their_proposals():
    year = read_year(AGORA)
    due = list(in_order(year))
    assert [each for each in due if isinstance(each, RecordedChange)] == list(year.steps)
    first: dict[int, int] = {}
    for place, each in enumerate(due):
        if isinstance(each, RecordedChange):
            for number in each.caused_by:
                first.setdefault(number, place)
    for place, each in enumerate(due):
        if isinstance(each, Distribution):
            assert all(place < first.get(own.number, len(due)) for own in each.proposals)


BAD: dict[str, tuple[list[Any], list[Any], str]] = {
    "two ballots of one voter": (
        [distribution(proposal(9, "x", ballots=[*ballots(Janet="FOR"), *ballots(Janet="FOR")]))],
        [],
        "distributions.jsonl, line 1: Proposal 9: it has two ballots of Janet.",
    ),
    "a ballot on another proposal": (
        [distribution(proposal(9, "x", ballots=[{"voter": "G.", "vote": "FOR", "proposal": 99}]))],
        [],
        "distributions.jsonl, line 1: Proposal 9: a ballot there is on Proposal 99.",
    ),
    "a word that is none": (
        [distribution(proposal(9, "x", ballots=ballots(Janet="MAYBE")))],
        [],
        "line 1: Proposal 9: the ballot of Janet is none of FOR, AGAINST, PRESENT.",
    ),
    "a distribution twice": (
        [distribution(proposal(9, "x")), distribution(proposal(9, "x"))],
        [],
        "line 2: the distribution “9” stands in distributions.jsonl, line 1 already.",
    ),
    "a proposal adopted twice": (
        [distribution(proposal(9, "x")), distribution(proposal(9, "x"), name="again")],
        [],
        "line 2: Proposal 9 was decided in distributions.jsonl, line 1 already.",
    ),
    "a rule gone that is not there": (
        [distribution(proposal(9, "x"))],
        [step(gone=["77"])],
        "steps.jsonl, line 1: Rule 77 is gone by it, and is not in force.",
    ),
    "a rule without a number": (
        [distribution(proposal(9, "x"))],
        [step({"title": "Tea", "text": "Tea."})],
        "steps.jsonl, line 1: a rule is an object with number, title, power and text.",
    ),
    "a rule twice in one step": (
        [distribution(proposal(9, "x"))],
        [step(POURED, POURED)],
        "steps.jsonl, line 1: Rule 2 stands there twice.",
    ),
    "a line that is no object": ([[1]], [], "distributions.jsonl, line 1: an object belongs here."),
    "a quorum that is none": (
        [distribution(proposal(9, "x"), quorum="many")],
        [],
        "distributions.jsonl, line 1: the quorum: a whole number belongs here.",
    ),
    "a power that is none": (
        [distribution(proposal(9, "x"))],
        [step(rule(2, "Tea", "Tea.", power="3.0.1"))],  # type: ignore[arg-type]
        "steps.jsonl, line 1: Rule 2: its power: a number belongs here.",
    ),
    "nothing at all": ([], [], "2019: nothing in it tells of which year it is."),
}


@pytest.mark.parametrize("why", BAD)
def test_what_is_no_year_is_refused_with_where_and_leaves_nothing(
    db: None, folder: Folder, why: str
):
    distributions, steps, sentence = BAD[why]
    with pytest.raises(CommandError) as refused:
        call_command(Command(), str(folder(distributions, steps)))
    assert str(refused.value).endswith(sentence)
    assert not Game.objects.exists()


def test_a_folder_that_is_none_is_said_so(tmp_path: Path):
    with pytest.raises(BadYear, match="There is no folder"):
        read_year(tmp_path / "2020")
    with pytest.raises(BadYear, match=r"rules-before.json: the folder has no such file."):
        read_year(tmp_path)


@pytest.mark.thorough
def test_what_fails_on_the_way_leaves_nothing_behind(db: None, folder: Folder):
    odd = {**rule(5, "Milk", "It is white."), "number": "5 a"}
    own = folder([distribution(proposal(9, SERVED))], [step(POURED, by=(9,)), step(odd)])
    with pytest.raises(BadYear, match=r"steps.jsonl, line 2: rulebook.enter: .*one word"):
        play_year(read_year(own), "year")
    assert not Game.objects.exists()


def test_told_to_end_it_leaves_nothing_behind(
    db: None, folder: Folder, monkeypatch: pytest.MonkeyPatch
):
    own = folder([distribution(proposal(9, SERVED))], [step(POURED, by=(9,))])
    begun = list[bool]()

    def told_to_end(*_: Any) -> None:
        begun.append(Game.objects.filter(scratch=False).exists())
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr("bench.years.playing._Playing.play", told_to_end)
    monkeypatch.setattr("django.core.management.base.connections.close_all", lambda: None)
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit, match="143"):
            Command().run_from_argv(["python -m", "bench.years", str(own)])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert begun == [True]
    assert not Game.objects.exists()


def test_a_game_that_is_there_already_is_left_alone(db: None, folder: Folder):
    own = folder([distribution(proposal(9, SERVED))], [step(POURED, by=(9,))])
    play_year(read_year(own), "year")
    with pytest.raises(CommandError, match="There is a game “year” already"):
        call_command(Command(), str(own), slug="year")
    assert Game.objects.get(slug="year").last_entry > 10


def test_the_last_line_is_what_came_of_it_as_json(db: None, folder: Folder):
    said = io.StringIO()
    own = folder([distribution(proposal(9, SERVED))], [step(POURED, by=(9,))])
    call_command(Command(), str(own), stdout=said)
    *lines, last = said.getvalue().splitlines()
    told = json.loads(last)
    assert lines[1] == "Outcomes as recorded: 1 of 1."
    assert told.keys() == {
        *("proposals", "outcomes_right", "outcomes_otherwise", "by_itself", "by_hand", "misread"),
        *("rules_right", "rules_wrong", "entries", "seconds"),
    }


def sliced(folder: Path, to: Path, most: int) -> Path:
    """The first so many distributions of a year, with the steps until then."""
    own = to / "2021"
    own.mkdir()
    lines = (folder / "distributions.jsonl").read_text().splitlines()[:most]
    kept = {each["number"] for line in lines for each in json.loads(line)["proposals"]}
    left = {n for each in read_year(folder).steps for n in each.caused_by} - kept
    steps = (folder / "steps.jsonl").read_text().splitlines()
    later = (at for at, line in enumerate(steps) if left & {*json.loads(line)["proposals"]})
    (own / "distributions.jsonl").write_text("\n".join(lines))
    (own / "steps.jsonl").write_text("\n".join(steps[: next(later, len(steps))]))
    (own / "rules-before.json").write_bytes((folder / "rules-before.json").read_bytes())
    return own


@needs_agora
@pytest.mark.thorough
def test_a_slice_of_agoras_year_comes_out_as_it_did(db: None, tmp_path: Path):
    found, _ = played(sliced(AGORA, tmp_path, 3))
    assert (found.proposals, found.outcomes_right) == (11, 11)
    assert (found.misread, found.rules_wrong) == ([], [])
    assert found.by_itself >= 0.6 * (found.by_itself + found.by_hand)


@needs_agora
@pytest.mark.slow
def test_agoras_year_comes_out_as_it_did_and_whoever_has_it_can_verify_it(db: None, tmp_path: Path):
    found, game = played(AGORA)
    assert (found.proposals, found.outcomes_right) == (104, 104)
    assert (found.misread, found.rules_wrong, found.rules_right) == ([], [], 144)
    assert found.by_itself >= 0.6 * (found.by_itself + found.by_hand)
    publish(game.slug, "It is long over.")
    file = tmp_path / "public.jsonl"
    with file.open("w") as out:
        export_game(Game.objects.get(pk=game.pk), out, public=True)
    verified = subprocess.run(
        [sys.executable, ROOT / "docs/verify.py", file], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
