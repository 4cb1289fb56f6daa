"""The tools on paper: `manage.py race`, `bribes`, `marks` and `tally`.

One table has what comes of cases, another what is said of those that are wrong: what stands at a
place in a case that is right, and the sentence. What is true of every tool is tried at every one.
"""

import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from aceofspades.rules.on_paper import MOST_CARDS, marks
from horses.rules.on_paper import race
from nomic.games.on_paper import WrongOnPaper
from nomic.infrastructure.paths import ROOT
from proposals.rules import EDITIONS
from proposals.rules.on_paper import tally
from settlers.rules.on_paper import MOST_ITEMS, bribes

TOOLS: dict[str, Callable[[str], str]] = {
    "race": race,
    "bribes": bribes,
    "marks": marks,
    **{f"tally --edition={edition}": partial(tally, edition) for edition in EDITIONS},
}
INDEX, REFRESH = "tally --edition=adoption-index", "tally --edition=refresh-2006"
VESTED, QUORUM = "tally --edition=rule-5e33", "tally --edition=quorum"
TALLIES = [f"tally --edition={edition}" for edition in EDITIONS]

REDS = "def mark(hands, worth, _): return {n: worth[n] + h['Red'] for n, h in hands.items()}"
HALF = "def mark(hands, worth, alliances):\n    return {'Goethe': worth['Goethe'], 'Steve': 1 / 2}"
BLACKS = "def mark(hands, worth, _): return {n: h['Black'] + len(h) for n, h in hands.items()}"
OF_EACH = "def mark_hand(n, h, w, a): return 0.1 * 3 / h[n]['Red'] * h[n]['Red']"
BALLOTS = {
    "vested": 6,
    "quorum": 3,
    "proposals": [
        {
            "number": 1,
            "for": 3,
            "against": 1,
            "present": 0,
            "index": 1.0,
            "conflicts": [2],
            "dependencies": [],
            "status": "Open",
        },
        {
            "number": 2,
            "votes": {"snail": "FOR", "Murphy": "FOR", "juan": "AGAINST", "Jason": "AGAINST"},
            "strengths": {"snail": 7},
        },
    ],
}
COURT = {
    "players": ["Kevan", "Josh", "Brendan", "Lulu"],
    "emperor": "Kevan",
    "proposals": [
        {"number": 1, "votes": {"Kevan": "FOR", "Josh": "DEFERENTIAL"}, "ripe": True},
        {"number": 2, "votes": {"Kevan": "VETO", "Zoe": "FOR"}},
    ],
}
LOST = {"number": 1, "status": "Lost"}
LINKED = {"proposals": [LOST, {"number": 2, "for": 2, "dependencies": [1]}]}


def marked(source: str, hands: dict | None = None) -> dict:
    """Hands, marked by one regulation."""
    hands = {"Goethe": {"Red": 2}, "Steve": {}} if hands is None else hands
    return {"hands": hands, "regulations": [{"number": 310, "python": source}]}


def one(**fields: object) -> dict:
    """Ballots on one proposal."""
    return {"proposals": [{"number": 1, **fields}]}


CASES: dict[str, tuple[str, dict, dict[str, object]]] = {
    # what is tried: the tool, the case, what stands in the result at these places
    "a run is told move by move": (
        "race",
        {
            "horses": {"Fargo": {"position": 14, "place": None, "pulls": ["Sugar", "Alexia"]}},
            "runs": [["Fargo", 3]],
        },
        {
            "runs": [
                {
                    "moves": [["Fargo", 14, 16], ["Alexia", 0, 1], ["Sugar", 0, 1]],
                    "crossed": [["Fargo", 1]],
                    "race_ended": False,
                }
            ],
            "final.Fargo": {"position": 16, "place": 1},
            "final.Baxter": {"position": 0, "place": None},
        },
    ),
    "after the end the race starts anew with the pulls of the table": (
        "race",
        {
            "horses": {
                "Alexia": {"position": 16, "place": 1},
                "Baxter": {"position": 16, "place": 2},
                "Sugar": {"position": 15, "pulls": []},
            },
            "runs": [["Sugar", 1], ["Sugar", 1]],
        },
        {
            "runs[0].race_ended": True,
            "runs[1].moves": [["Sugar", 0, 1], ["Baxter", 0, 1], ["Destructor", 0, 1]],
            "final.Alexia": {"position": 0, "place": None},
        },
    ),
    "bribes are valued, paid, taken from stockpiles, and have targets": (
        "bribes",
        {
            "settlers": {
                "Kevan": {"stockpile": {"wheat": 4, "brick": 1}, "bribe": {"wheat": 3}},
                "Josh": {"stockpile": {"wood": 2, "stone": 1}, "bribe": {"wood": 3, "stone": 1}},
                "Raven": {"stockpile": {"wood": 1}},
                "Brendan": {"bribe": {"wood": 1}},
            }
        },
        {
            "": {
                "values": {"Kevan": 3, "Josh": 0, "Raven": 0, "Brendan": 0},
                "paid": {
                    "Kevan": {"wheat": 3},
                    "Josh": {"wood": 2, "stone": 1},
                    "Raven": {},
                    "Brendan": {},
                },
                "stockpiles": {
                    "Kevan": {"wheat": 1, "brick": 1},
                    "Josh": {"wood": 0, "stone": 0},
                    "Raven": {"wood": 1},
                    "Brendan": {},
                },
                "targets": ["Raven"],
            }
        },
    ),
    "an isle without settlers has no targets": (
        "bribes",
        {"settlers": {}},
        {"": {"values": {}, "paid": {}, "stockpiles": {}, "targets": []}},
    ),
    "the largest amounts are reckoned exactly": (
        "bribes",
        {
            "settlers": {
                "Josh": {"stockpile": {"wood": MOST_ITEMS}, "bribe": {"wood": MOST_ITEMS - 1}}
            }
        },
        {"stockpiles.Josh": {"wood": 1}, "values.Josh": 3},
    ),
    "names may have any letters": (
        "bribes",
        {"settlers": {"Ö“y\u202e": {"stockpile": {"wood": 1}}, "*": {}}},
        {"targets": ["Ö“y\u202e"]},
    ),
    "hands are marked by regulations in their order, from the worths given": (
        "marks",
        {
            "hands": {"Goethe": {"Red": 2}, "Steve": {"Red": 1, "Mauve": 4}},
            "alliances": [["Goethe", "Steve"]],
            "regulations": [{"number": 320, "python": HALF}, {"number": 310, "python": REDS}],
            "worths": {"Goethe": 1.5},
        },
        {"": {"worths": {"Goethe": 3.5, "Steve": 0.5}, "errors": {}}},
    ),
    "a program is called python": (
        "marks",
        marked(REDS),
        {"": {"worths": {"Goethe": 2.0, "Steve": 0.0}, "errors": {}}},
    ),
    "a regulation that fails is told by number and place": (
        "marks",
        marked("def mark(a, b, c): return 1 // 0"),
        {
            "worths": {"Goethe": 0.0, "Steve": 0.0},
            "errors": {"310": "ZeroDivisionError: division by zero (line 1, column 27)."},
        },
    ),
    "a regulation of each hand fails for that hand, and worths are told as they are compared": (
        "marks",
        marked(OF_EACH),
        {
            "worths": {"Goethe": 0.3, "Steve": 0.0},
            "errors.310": re.compile("It leaves the worth undefined of Steve: .+"),
        },
    ),
    "a block that cannot be read is a result and no bad input": (
        "marks",
        marked("def"),
        {"errors.310": re.compile(".*It cannot be read.*")},
    ),
    "hands and regulations may be none": (
        "marks",
        {"hands": {}, "regulations": []},
        {"": {"worths": {}, "errors": {}}},
    ),
    **{
        f"regulation 205: suits are there unless the hands are of others: {hand}": (
            "marks",
            marked(BLACKS, {"Goethe": hand}),
            {"": {"worths": {"Goethe": worth}, "errors": {}}},
        )
        for hand, worth in (
            *(({"Red": 2}, 5.0), ({}, 5.0)),
            *(({"Black": 1, "Mauve": 1}, 6.0), ({"Black": 1, "Coins": 1}, 3.0)),
        )
    },
    **{
        f"one file is counted under every edition: {tool}": (
            tool,
            BALLOTS,
            {"results.1.outcome": first, "results.2.outcome": second, "passed_in_order": passed},
        )
        for tool, first, second, passed in (
            (REFRESH, "Won", "Lost", [1]),
            (VESTED, "Won", "Lost", [1]),
            (INDEX, "ADOPTED", "ADOPTED", [1, 2]),
            (QUORUM, "Enacted", "Pending", [1]),
        )
    },
    "a result tells its figures and its reasons": (
        INDEX,
        BALLOTS,
        {
            "results.2": {
                "outcome": "ADOPTED",
                "passed": True,
                "strength": 0,
                "stamina": 4,
                "for": 2,
                "against": 2,
                "present": 0,
                "ballots": 4,
                "popularity": 0.0,
                "figures": {
                    "for_strength": 10,
                    "against_strength": 6,
                    "ratio": "10/6",
                    "adoption_index": "1.0",
                    "quorum": 3,
                    "counted": {
                        "Jason": "AGAINST",
                        "Murphy": "FOR",
                        "juan": "AGAINST",
                        "snail": "FOR",
                    },
                },
                "reasons": ["Adopted: F/A is 10/6 and the adoption index 1.0."],
            }
        },
    ),
    "proposal 8822 is twelve to six and a third": (
        INDEX,
        {"proposals": [{"number": 8822, "for": 4, "against": 2, "index": 1.0}]},
        {
            "results.8822.outcome": "ADOPTED",
            "results.8822.popularity": 0.333,
            "results.8822.figures.ratio": "12/6",
        },
    ),
    "without a ballot there is no popularity": (REFRESH, one(), {"results.1.popularity": None}),
    "a historical proposal is only there to be linked to": (
        REFRESH,
        LINKED,
        {"results.2.reasons": ["Lost: depends on 1, which is Lost."], "passed_in_order": []},
    ),
    "players, emperor and ripeness may be told": (
        QUORUM,
        COURT,
        {
            "results.1.reasons[0]": "Enacted when its time was over, with 2 votes to 0.",
            "results.2.outcome": "Failed",
        },
    ),
    "the digits of an index are taken as they stand": (
        INDEX,
        {"quorum": 0, **one(**{"for": 11, "against": 10, "index": 1.1})},
        {"results.1.outcome": "ADOPTED"},
    ),
}

SHAPES = {
    "race": {"runs", "final"},
    "bribes": {"values", "paid", "stockpiles", "targets"},
    "marks": {"worths", "errors"},
    **{tool: {"results", "passed_in_order"} for tool in TALLIES},
}
RIGHT: dict[str, dict[str, Any]] = {
    "race": {"horses": {"Fargo": {}}, "runs": [["Fargo", 1], ["Fargo", 1]]},
    "bribes": {"settlers": {"Josh": {"stockpile": {"wood": 1}, "bribe": {"wood": 1}}}},
    "marks": marked(REDS),
    **{tool: {"vested": 1, "quorum": 1, **one()} for tool in TALLIES},
}
MISSING = object()
HUGE = 10**4000
NAN, INFINITE = float("nan"), float("inf")

type Wrong = tuple[str, list[Any], str]
"""A place in a case that is right; what stands there instead, one after the other; what is said,
after the place's own name where it begins with a colon."""

RACE: list[Wrong] = [
    ("horses", [MISSING], ": it is missing"),
    ("runs", [MISSING], ": it is missing"),
    ("horses", [[]], ": an object"),
    ("horses", [{"Pegasus": {}}], ': "Pegasus" is no horse'),
    ("horses", [{"fargo": {}}], ': "fargo" is no horse'),
    ("horses.Fargo", [3], ": a horse has to be an object"),
    ("horses.Fargo.colour", ["red"], '"colour" is no field of a horse'),
    ("horses.Fargo.position", [17, -1, True, 1.5, "3", None, HUGE, NAN], ": a whole number from 0"),
    ("horses.Fargo.position", [17], ": a whole number from 0 to 16"),
    ("horses.Fargo.place", [4, True, "first"], ": 1, 2, 3 or null"),
    ("horses.Fargo.pulls", ["Alexia"], ": a list"),
    ("horses.Fargo.pulls", [["Pegasus"]], ': "Pegasus" is no horse'),
    ("horses.Fargo.pulls", [[["Alexia"]]], ": a list is no horse"),
    ("horses.Fargo.pulls", [["Alexia", "Alexia"]], "Alexia stands twice"),
    ("horses", [{"Fargo": {"place": 2}, "Sugar": {"place": 2}}],
     ".Sugar.place: Fargo is second already"),
    ("runs", [{}], ": a list"),
    ("runs[0]", ["Fargo"], ": a galloper and a distance"),
    ("runs[0]", [["Fargo"]], "runs[0][1]: it is missing"),
    ("runs[1][1]", [4, 0, True], ": a distance"),
    ("runs[0][0]", ["Pegasus"], ': "Pegasus" is no horse'),
]  # fmt: skip
BRIBES: list[Wrong] = [
    ("settlers", [MISSING], ": it is missing"),
    ("settlers", [[]], ": an object with the Settlers by name belongs here, not a list"),
    ("settlers", [None], ": an object"),
    ("settlers", [{"": {}}], ': "" is no name'),
    ("settlers", [{" ": {}}], ': " " is no name'),
    ("settlers.Josh", [3, None], ": a Settler has to be an object"),
    ("settlers", [{"J" * 9_999: 3}], "a Settler has to be an object"),
    ("settlers.Josh.bribes", [{}], '"bribes" is no field of a Settler'),
    ("settlers.Josh.bribe", [[], None, 1], ": an object with amounts by resource"),
    ("settlers.Josh.stockpile", ["3 wood"], ": an object with amounts"),
    ("settlers.Josh.bribe", [{"gold": 1}], ': "gold" is no resource; they are wheat, sheep'),
    ("settlers.Josh.bribe", [{"Wood": 1}], '"Wood" is no resource'),
    ("settlers.Josh.bribe", [{"": 1}], '"" is no resource'),
    ("settlers.Josh.stockpile", [{"w" * 9_999: 1}], "is no resource"),
    ("settlers.Josh.stockpile.wood", [-1], ": a whole number from 0"),
    ("settlers.Josh.bribe.wood", [-1, 1.5, 2.0, 1e300, NAN, INFINITE], ": a whole number from 0"),
    ("settlers.Josh.bribe.wood", [True, False, None, "3", [3]], ": a whole number from 0"),
    ("settlers.Josh.bribe.wood", [10**12 + 1], ": a whole number from 0 to 1000"),
    ("settlers.Josh.bribe.wood", [HUGE], "not a huge number"),
]  # fmt: skip
MARKS: list[Wrong] = [
    ("hands", [MISSING], ": it is missing"),
    ("regulations", [MISSING], ": it is missing"),
    ("hands", [[]], ": an object with the hands by contestant belongs here, not a list"),
    ("hands", [{"": {}}], ': "" is no name'),
    ("hands", [{"\ud800": {}}], "is no name"),
    ("hands.Goethe", [3], ": an object with numbers of cards by suit"),
    ("hands.Goethe", [{"": 1}], ': "" is no name'),
    ("hands.Goethe.Red", [-1, 1.0, True, None], ": a whole number from 0"),
    ("hands.Goethe.Red", [MOST_CARDS + 1], "not a huge number"),
    ("alliances", [{}], ": a list of lists"),
    ("alliances", [["Goethe"]], "alliances[0]: a list of contestants"),
    ("alliances", [[[], ["Nobody"]]], 'alliances[1]: "Nobody" is no contestant'),
    ("alliances", [[[3]]], "alliances[0]: 3 is no contestant"),
    ("alliances", [[[["Goethe"]]]], "a list is no contestant"),
    ("alliances", [[["Goethe", "Goethe"]]], "stands in it twice"),
    ("regulations", [{}], ": a list of regulations"),
    ("regulations[0]", [3], ": a regulation has to be an object"),
    ("regulations[0].number", [MISSING], ": it is missing"),
    ("regulations[0].number", ["310", -1, True, 310.0], ": a whole number from 0"),
    ("regulations[0].python", [MISSING], ": it is missing"),
    ("regulations[0].python", [None], ": a text belongs here, not null"),
    ("regulations[0].text", [""], '"text" is no field of a regulation'),
    ("regulations", [[{"number": 3, "python": ""}] * 2], "[1].number: 3 stands twice"),
    ("worths", [[]], ": an object with worths by contestant"),
    ("worths", [{"Nobody": 1}], ': "Nobody" is no contestant'),
    ("worths", [{"Goethe": each} for each in ("1", True, NAN, 1e300)], ".Goethe: a number from"),
]  # fmt: skip
TALLY: list[Wrong] = [
    ("proposals", [MISSING], ": it is missing"),
    ("proposals", [{}], ": a list"),
    ("proposals[0]", ["1"], ": a proposal has to be an object"),
    ("proposals[0].number", [MISSING], ": it is missing"),
    ("proposals[0].number", [-1, "1", None], ": a whole number"),
    ("vested", [-1], ": a whole number from 0"),
    ("vested", [True, 1.0, "six"], ": a whole number"),
    ("vested", [[1]], ": 1 is no name"),
    ("quorum", [10**9, None], ": a whole number"),
    ("players", [{}], ": a whole number from 0 to 1000000 or a list of names"),
    ("players", [["a", None]], ": null is no name"),
    ("emperor", [3], ": a name"),
    ("strengths", [[]], ": an object"),
    ("strengths", [{"snail": 16}], "strengths.snail: a whole number from 0 to 15"),
    ("proposals[0].colour", ["red"], '"colour" is no field of a proposal'),
    ("proposals[0].for", [-1, True, 2.5], ": a whole number from 0"),
    ("proposals[0].against", [HUGE, 10**7], ": a whole number from 0"),
    ("proposals[0].present", ["1", None], ": a whole number from 0"),
    ("proposals[0].votes", [[]], ": an object"),
    ("proposals[0].votes", [{"snail": "MAYBE"}], '.snail: "MAYBE" is no vote; vote FOR, '),
    ("proposals[0].votes", [{"snail": "ENDORSE"}], '.snail: "ENDORSE" is no vote'),
    ("proposals[0].votes", [{"snail": None}], ".snail: null is no vote"),
    ("proposals[0].votes", [{"s" * 999: 1}], ".sss"),
    ("proposals[0]", [{"number": 1, "votes": {}, "for": 1}], ".for: the votes stand here by name"),
    ("proposals[0].strengths", [{"snail": 3}], ": they belong to votes by name"),
    ("proposals[0]", [{"number": 1, "votes": {}, "strengths": {"snail": -1}}], ".strengths.snail"),
    ("proposals[0].index", [-1, 1001, NAN], ": a number from 0 to 1000 belongs here, not"),
    ("proposals[0].index", ["1.0", True, 10**300, INFINITE], ": a number from 0"),
    ("proposals[0].index", [1e-300], ": 1e-300 has more than 20 decimals"),
    ("proposals[0].conflicts", [1], ": a list"),
    ("proposals[0].conflicts", [["1"]], ': "1" is no number'),
    ("proposals[0].conflicts", [[True]], ": true is no number"),
    ("proposals[0].conflicts", [[1]], ": 1 is the proposal itself"),
    ("proposals[0].conflicts", [[10**30]], f": {10**30} is no number of a proposal here"),
    ("proposals[0].dependencies", [[1]], ": 1 is the proposal itself"),
    ("proposals[0].dependencies", [[7]], ": 7 is no number of a proposal here"),
    ("proposals[0].status", ["Pending", ["Open"]], ': "Open", "Lost" or "Won"'),
    ("proposals[0].ripe", [1], ": true or false"),
    ("proposals[0].author", [1], ": a text"),
    ("proposals", [[{"number": 1}, {"number": 2}, {"number": 1}]], "proposals[2].number: 1 is"),
]  # fmt: skip
WRONG: dict[str, list[Wrong]] = {
    "race": RACE,
    "bribes": BRIBES,
    "marks": MARKS,
    REFRESH: TALLY,
    INDEX: TALLY,
    VESTED: [("vested", [MISSING], ": it is missing")],
    QUORUM: [
        ("quorum", [MISSING], ": it is missing"),
        ("quorum", [0], ": a whole number from 1"),
        ("players", [0, []], "quorum: 1 is more than there are players, 0."),
    ],
}


def steps(place: str) -> list[str | int]:
    """The way to a place: `runs[1].moves` is runs, 1, moves."""
    found = re.findall(r"\[(\d+)\]|([^.\[\]]+)", place)
    return [int(number) if number else name for number, name in found]


def at(value: Any, place: str) -> Any:
    """What stands at that place of a result."""
    for step in steps(place):
        value = value[step]
    return value


def with_at(case: dict[str, Any], place: str, value: object) -> dict[str, Any]:
    """The case with that value at that place, or with nothing there."""
    case = deepcopy(case)
    *way, last = steps(place)
    inner: Any = case
    for step in way:
        inner = inner[step]
    if value is MISSING:
        del inner[last]
    else:
        inner[last] = value
    return case


def said_of(tool: str, source: str) -> str:
    """The sentence that refuses it."""
    with pytest.raises(WrongOnPaper) as wrong:
        TOOLS[tool](source)
    return str(wrong.value)


@pytest.mark.parametrize(("tool", "case", "expected"), CASES.values(), ids=CASES)
def test_what_comes_of_a_case(tool, case, expected):
    found = json.loads(TOOLS[tool](json.dumps(case)))
    assert found.keys() == SHAPES[tool]
    for place, value in expected.items():
        there = at(found, place)
        assert value.match(there) if isinstance(value, re.Pattern) else there == value, place


def test_only_what_is_open_is_counted():
    assert json.loads(TOOLS[REFRESH](json.dumps(LINKED)))["results"].keys() == {"2"}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_list_of_cases_gives_a_list_of_results(tool):
    case, resolve = RIGHT[tool], TOOLS[tool]
    assert (
        json.loads(resolve(json.dumps([case, case]))) == [json.loads(resolve(json.dumps(case)))] * 2
    )
    assert json.loads(resolve("[]")) == []


@pytest.mark.parametrize(
    ("tool", "place", "values", "words"),
    [(tool, *row) for tool, rows in WRONG.items() for row in rows],
)
def test_bad_input_is_a_sentence_that_names_the_field(tool, place, values, words):
    words = f"{place}{words}" if words[0] in ":." else words
    for value in values:
        said = said_of(tool, json.dumps(with_at(RIGHT[tool], place, value)))
        assert words in said
        assert len(said) < 400


@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_wrong_with_any_case_is_told_by_every_tool(tool):
    right = json.dumps(RIGHT[tool])
    field = next(iter(RIGHT[tool]))
    twice = right.replace("{", f'{{"{field}": 0, ', 1)
    wrong = {
        **dict.fromkeys(("", "{", '{"number": ' + "9" * 5000 + "}"), "not JSON"),
        **dict.fromkeys(("null", "7", "true", '"text"'), "the case has to be an object"),
        right.replace("{", '{"races": 1, ', 1): '"races" is no field of the case',
        twice: f'"{field}" stands twice',
        f"[{right}, {{}}]": "case 2: ",
        f'[{right}, {{"races": 1}}]': 'case 2: "races" is no field',
        "[[]]": "case 1: the case has to be an object",
        "[" * 200_000: "nested too deeply",
    }
    for source, words in wrong.items():
        said = said_of(tool, source)
        assert words in said
        assert len(said) < 400


def test_a_name_stands_once_in_an_inner_object_too():
    josh = '{"settlers": {"Josh": {"bribe": {"wood": 1, "wood": 2}}}}'
    assert '"wood" stands twice' in said_of("bribes", josh)
    assert '"Josh" stands twice' in said_of("bribes", '{"settlers": {"Josh": {}, "Josh": {}}}')
    assert '"a" stands twice' in said_of("marks", '{"hands": {"a": {}, "a": {}}}')


@pytest.mark.parametrize("edition", ["nomic", ""])
def test_an_edition_that_there_is_not_is_told_which_there_are(edition):
    with pytest.raises(
        WrongOnPaper, match=f'edition: "{edition}" is none; the editions are refresh'
    ):
        tally(edition, '{"proposals": []}')


@pytest.mark.thorough
def test_ten_thousand_proposals_with_links_are_read_at_once():
    numbers = range(1, 10_001)
    links = {number: [number % 10_000 + 1] for number in numbers}
    many = [
        {"number": n, "for": 1, "conflicts": links[n], "dependencies": links[n]} for n in numbers
    ]
    since = time.process_time()
    found = json.loads(TOOLS[REFRESH](json.dumps({"proposals": many})))
    assert time.process_time() - since < 2
    assert len(found["results"]) == 10_000


NAMES = [
    *("horses", "runs", "settlers", "stockpile", "bribe", "wood", "hands", "regulations", "number"),
    *("python", "proposals", "votes", "index", "conflicts", "status", "for", "strengths"),
]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(NAMES), inner),
)


@pytest.mark.parametrize("tool", TOOLS)
@given(value=ANYTHING)
def test_whatever_json_comes_the_answer_is_a_result_or_a_sentence(tool, value):
    with suppress(WrongOnPaper):
        found = json.loads(TOOLS[tool](json.dumps(value)))
        for result in found if isinstance(found, list) else [found]:
            assert result.keys() == SHAPES[tool]


@given(ANYTHING, st.sampled_from(["votes", "index", "conflicts", "status", "for", "strengths"]))
def test_whatever_stands_in_a_field_the_answer_is_json_or_a_sentence(value, field):
    with suppress(WrongOnPaper):
        json.loads(TOOLS[INDEX](json.dumps(one(**{field: value}))))


@pytest.mark.parametrize("tool", TOOLS)
def test_the_command_reads_a_file(tmp_path, tool):
    file, told = tmp_path / "case.json", io.StringIO()
    file.write_text(json.dumps(RIGHT[tool]), encoding="utf-8-sig")
    call_command(*tool.split(), str(file), stdout=told)
    assert json.loads(told.getvalue()) == json.loads(TOOLS[tool](json.dumps(RIGHT[tool])))


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), (b"\xff\xfe{}", "not text in UTF-8"), (b"[1]", "case 1: ")],
)
def test_the_command_says_what_is_wrong_with_a_file(tmp_path, tool, content, words):
    file = tmp_path / "case.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError) as wrong:
        call_command(*tool.split(), str(file), stdout=io.StringIO())
    assert words in str(wrong.value)
    assert wrong.value.returncode == 2


# Each of these commands in one process, in which neither a database nor a broker can be reached.
RUNS = """
import io, json, runpy, sys
from contextlib import redirect_stderr, redirect_stdout

told = []
for arguments, given in json.load(sys.stdin):
    sys.argv = ["manage.py", *arguments]
    sys.stdin, out, err = io.TextIOWrapper(io.BytesIO(given.encode())), io.StringIO(), io.StringIO()
    code = None
    with redirect_stdout(out), redirect_stderr(err):
        try:
            runpy.run_path("manage.py", run_name="__main__")
        except SystemExit as end:
            code = end.code
    told.append((code or 0, out.getvalue(), err.getvalue()))
print(json.dumps(told))
"""
NOWHERE = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1",
}
GOOD = ["race", "bribes", "marks", REFRESH]
BAD = {
    "race -": "horses: it is missing",
    "bribes -": "settlers: it is missing",
    "marks -": "hands: it is missing",
    f"{REFRESH} -": "proposals: it is missing",
    REFRESH: "FILE: it is missing",
    "tally --edition agora -": 'edition: "agora" is none',
    "tally -": 'edition: "" is none',
}


@pytest.fixture(scope="module")
def told():
    """What each good and bad command ends with: its code, and what it writes."""
    asked = [(f"{tool} -", json.dumps(RIGHT[tool])) for tool in GOOD] + [(bad, "{}") for bad in BAD]
    done = subprocess.run(
        [sys.executable, "-c", RUNS],
        input=json.dumps([(command.split(), given) for command, given in asked]),
        cwd=ROOT,
        env=NOWHERE,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    return dict(zip(asked, json.loads(done.stdout), strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize("tool", GOOD)
def test_the_command_needs_neither_database_nor_broker(told, tool):
    code, out, err = told[f"{tool} -", json.dumps(RIGHT[tool])]
    assert (code, err) == (0, "")
    assert json.loads(out).keys() == SHAPES[tool]


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "words"), BAD.items())
def test_bad_input_ends_with_two_and_one_sentence(told, command, words):
    code, out, err = told[command, "{}"]
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1
