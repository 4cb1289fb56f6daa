"""Questions and answers come back from their JSON, and marks agree with plain Python."""

import math
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from aceofspades.rules.marks import (
    ANSWERS,
    QUESTIONS,
    Answer,
    MarkingProgram,
    Question,
    mark,
)
from tests.kit import examples

HANDS = {"Goethe": {"Red": 2, "Mauve": 1}, "Steve": {"Black": 3}}


def program(number: int, returned: str) -> MarkingProgram:
    return MarkingProgram(number, f"def mark(hands, worth, alliances):\n    return {returned}\n")


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
numbers = st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)
questions = st.builds(
    Question,
    st.dictionaries(names, st.dictionaries(names, st.integers(0, 99))),
    st.lists(st.lists(names).map(tuple)).map(tuple),
    st.lists(
        st.builds(
            MarkingProgram,
            st.integers(0, 999),
            st.text(st.characters(exclude_categories=["Cs"])),
        ),
        unique_by=lambda each: each.number,
    ).map(lambda each: tuple(sorted(each, key=lambda one: one.number))),
    st.dictionaries(names, numbers),
)


@given(questions)
def test_a_question_comes_back_from_its_json(question):
    again = QUESTIONS.validate_json(QUESTIONS.dump_json(question))
    assert again == question
    assert again.fingerprint == question.fingerprint
    assert list(again.hands) == list(question.hands)


def test_whatever_changes_the_question_changes_its_fingerprint():
    programs = (program(310, "worth"), program(320, "worth"))
    base = Question(HANDS, (("Goethe", "Steve"),), programs)
    others = [
        Question({**HANDS, "Steve": {"Black": 4}}, base.alliances, programs),
        Question(dict(reversed(HANDS.items())), base.alliances, programs),
        Question(HANDS, (), programs),
        Question(HANDS, base.alliances, programs[:1]),
        Question(HANDS, base.alliances, programs, {"Goethe": 1}),
    ]
    found = {each.fingerprint for each in [base, *others]}
    assert len(found) == 6
    assert Question(HANDS, base.alliances, programs[::-1]).fingerprint == base.fingerprint


@given(
    st.dictionaries(names, st.floats(allow_nan=False, allow_infinity=False)),
    st.dictionaries(st.integers(0, 999), st.text(st.characters(exclude_categories=["Cs"]))),
    st.lists(st.integers()).map(tuple),
)
def test_an_answer_comes_back_from_its_json(found, errors, tripped):
    answer = Answer(found, errors, tripped)
    assert ANSWERS.validate_json(ANSWERS.dump_json(answer)) == answer


SUITS = ("Red", "Black", "Mauve")
suits = st.sampled_from(SUITS).map(repr)
atoms = st.one_of(
    st.integers(-5, 9).map(str),
    st.floats(-4, 4, allow_nan=False).map(repr),
    st.just("worth[n]"),
    suits.map(lambda suit: f"hands[n][{suit}]"),
    suits.map(lambda suit: f"hands[n].get({suit}, 0)"),
    st.just("len(alliances)"),
    st.sampled_from(["min", "max", "sum"]).map(lambda f: f"{f}(hands[n].values())"),
    st.just("min(worth.values())"),
    st.just("len([m for m in hands if worth[m] < worth[n]])"),
)


def composed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(pair, st.sampled_from(["+", "-", "*", "/", "//", "%"])).map(
            lambda x: f"({x[0][0]} {x[1]} {x[0][1]})"
        ),
        st.tuples(pair, inner, st.sampled_from(["<", "<=", "==", "!=", ">"])).map(
            lambda x: f"({x[1]} if {x[0][0]} {x[2]} {x[0][1]} else {x[0][0]})"
        ),
        pair.map(lambda x: f"max({x[0]}, {x[1]})"),
        pair.map(lambda x: f"sorted([{x[0]}, {x[1]}], reverse = True)[0]"),
        pair.map(lambda x: f"(({x[0]}) or ({x[1]}))"),
        inner.map(lambda x: f"abs({x})"),
        inner.map(lambda x: f"(-{x})"),
    )


expressions = st.recursive(atoms, composed, max_leaves=8)
bodies = st.one_of(
    expressions.map(lambda e: f"    return {{n: {e} for n in hands}}\n"),
    st.tuples(expressions, expressions, st.sampled_from(["+=", "-=", "*="])).map(
        lambda x: (
            f"    made = dict(worth)\n    for n in hands:\n        made[n] = {x[0]}\n"
            f"        for suit, count in hands[n].items():\n            made[n] {x[2]} {x[1]}\n"
            "    return made\n"
        )
    ),
    expressions.map(
        lambda e: f"    f = lambda n: {e}\n    return {{n: f(n) for n in hands if f(n) > 0}}\n"
    ),
)  # fmt: skip
dealt = st.dictionaries(
    st.sampled_from("abcdefg"),
    st.fixed_dictionaries({suit: st.integers(0, 5) for suit in SUITS}),
    min_size=1,
)


def plain(question: Question) -> dict[str, float]:
    """What Python makes of it, by the words of Regulations 118 and 119."""
    worth: dict = dict.fromkeys(question.hands, 0)
    undefined: set[str] = set()
    stays_out: set[str] = set()
    for each in question.programs:
        scope: dict = {}
        exec(each.source, scope)  # noqa: S102
        found = {}
        for name in question.hands if "mark_hand" in scope else [""]:
            hands = {name: dict(hand) for name, hand in question.hands.items()}
            given = (hands, dict(worth), [list(a) for a in question.alliances])
            with suppress(ArithmeticError, ValueError):
                if name:
                    found[name] = scope["mark_hand"](name, *given)
                else:
                    found = scope["mark"](*given)
        left_out = {name for name in question.hands if name not in found}
        undefined |= left_out
        stays_out |= left_out if "mark_hand" in scope else set()
        worth = {name: found.get(name, 0) for name in question.hands}
        worth |= dict.fromkeys(stays_out, 0)
    return {name: 0.0 if name in undefined else float(value) for name, value in worth.items()}


blocks = bodies.map("def mark(hands, worth, alliances):\n{}".format) | expressions.map(
    "def mark_hand(n, hands, worth, alliances):\n    return {}\n".format
)


@given(dealt, st.lists(blocks, min_size=1, max_size=3), st.booleans())
@settings(max_examples=examples(300))
def test_ordinary_blocks_are_worth_what_plain_python_makes_of_them(hands, several, allied):
    programs = tuple(MarkingProgram(300 + at, source) for at, source in enumerate(several))
    question = Question(hands, (tuple(hands),) if allied else (), programs)
    answer = mark(question)
    expected = plain(question)
    limits = ("number became", "overflow")
    if not any(limit in why for why in answer.errors.values() for limit in limits):
        assert answer.worths.keys() == expected.keys()
        for name, worth in answer.worths.items():
            assert math.isclose(worth, expected[name], rel_tol=1e-12, abs_tol=1e-12)
