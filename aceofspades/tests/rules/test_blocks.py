"""The language of the blocks, a part of Python: what it has, what it lacks, where it is wrong."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aceofspades.rules.marks import MarkingProgram, Question, mark, problem_in
from nomic.engine.programs.sandbox import types_in
from tests.kit import examples

HANDS = {"Goethe": {"Red": 2, "Black": 1}, "Steve": {"Red": 0, "Black": 3}}


def block(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{before}def mark(hands, worth, alliances):\n{lines}"


def value(expression: str) -> float:
    """What the expression is worth to everybody."""
    answer = run(block(f"x = {expression}\nreturn {{name: x for name in hands}}"))
    assert answer.errors == {}
    return answer.worths["Goethe"]


def run(source: str):
    return mark(Question(HANDS, (("Goethe", "Steve"),), (MarkingProgram(300, source),)))


def complaint(source: str) -> str:
    answer = run(source)
    assert set(answer.worths.values()) == {0.0}
    assert answer.tripped == ()
    return answer.errors[300]


@pytest.mark.parametrize(
    ("expression", "worth"),
    [
        ("1 + 2 * 3 - 4", 3), ("7 // 2", 3), ("-7 // 2", -4), ("7 % 4", 3), ("-7 % 4", 1),
        ("7 / 2", 3.5), ("0.1 + 0.2", 0.1 + 0.2), ("1 << 4", 16), ("17 >> 2", 4), ("6 & 3", 2),
        ("6 | 3", 7), ("6 ^ 3", 5), ("~5", -6), ("+5", 5), ("-(3)", -3), ("0x1F", 31),
        ("1 if 2 > 1 else 0", 1), ("len([1, 2, 3])", 3), ("[1, 2, 3][1:][0]", 2),
        ("[1, 2, 3][::-1][0]", 3), ("[1, 2, 3][-1]", 3), ("{'a': 5}['a']", 5), ("(1, 2)[1]", 2),
        ("len('ab' + 'c')", 3), ("len('ab' * 3)", 6), ("len([0] * 4)", 4), ("len(4 * (1,))", 4),
        ("max(3, 1, 2)", 3), ("min([3, 1, 2])", 1), ("max([[1, 'a'], [0, 'b']])[0]", 1),
        ("max(['a', 'ccc', 'bb'], key = len).count('c')", 3), ("min([4, -5], key = abs)", 4),
        ("sorted([3, 1, 2])[0]", 1), ("sorted([3, 1, 2], reverse = True)[0]", 3),
        ("sorted(['bbb', 'a'], key = lambda s: len(s))[0].count('a')", 1),
        ("sum([1, 2, 3])", 6), ("sum([0.5], 1)", 1.5), ("abs(-2.5)", 2.5), ("int('12')", 12),
        ("int(3.9)", 3), ("float('2.5')", 2.5), ("len(str(1234))", 4), ("len(repr('a'))", 3),
        ("len(range(2, 9, 3))", 3), ("list(enumerate(['a'], 4))[0][0]", 4),
        ("zip([1], [2])[0][1]", 2), ("reversed([1, 2])[0]", 2), ("tuple([4])[0]", 4),
        ("dict([('a', 2)], b = 3)['b']", 3), ("1 if any([0, 1]) and not all([0, 1]) else 0", 1),
        ("len([x for x in range(10) if x % 2 if x > 3])", 3),
        ("len({x: y for x in range(3) for y in range(2)})", 3),
        ("1 if 'b' in 'abc' and 2 in [1, 2] and 'x' not in {} else 0", 1),
        ("1 if [1, (2, 3)] == [1, (2, 3)] and (1, 2) < (1, 3) else 0", 1),
        ("1 if None == None and True != False else 0", 1), ("(lambda a, b = 2: a * b)(4)", 8),
        ("len('%s and %d' % ('a', 3))", 7), ("len('{} {a}'.format('b', a = 1))", 3),
        ("len('-'.join(['a', 'b']))", 3), ("len('aXbX'.replace('X', 'yy'))", 6),
        ("len('a b'.split(' '))", 2), ("1 if 'Ab'.lower() == 'ab' else 0", 1),
        ("{'a': 1}.get('b', 7)", 7), ("len({'a': 1}.items())", 1), ("[4, 5].index(5)", 1),
        ("len(r'\\d')", 2), ("len('\\u00e9\\n')", 2), ("max(*[1, 2])", 2),
        ("dict(**{'a': 1})['a']", 1),
    ],
)  # fmt: skip
def test_an_expression_has_its_worth(expression, worth):
    assert value(expression) == worth


@pytest.mark.parametrize(
    ("body", "worth"),
    [
        ("x = 0\nfor i in range(5):\n    if i == 3:\n        break\n    x += i", 3),
        ("x = 0\nfor i in range(5):\n    if i % 2:\n        continue\n    x += i", 6),
        ("x = 1\nif x == 0:\n    x = 5\nelif x == 1:\n    x = 6\nelse:\n    x = 7", 6),
        ("a, (b, c) = 1, (2, 3)\nx = a + b + c", 6),
        ("d = {}\nd['a'] = 1\nd['a'] += 4\nd['a'] *= 2\nx = d['a']", 10),
        ("a = [1]\nb = a\nb += [2]\nx = len(a)", 2),
        ("a = [1]\nb = a\nb = b + [2]\nx = len(a)", 1),
        ("a = [[1]]\na[0] += [2, 3]\nx = len(a[0])", 3),
        ("l = []\nl.append(4)\nl.extend((5, 6))\nl.insert(0, 3)\nl.remove(5)\nx = sum(l)", 13),
        ("l = [1, 2, 3]\nx = l.pop() + l.pop(0)\nl.clear()\nx += len(l)", 4),
        ("d = {'a': 1}\nd.update({'b': 2}, c = 3)\nd.pop('a')\nx = sum(d.values())", 5),
        ("d = {}\nx = d.setdefault('a', 3) + d.setdefault('a', 9)", 6),
        ("def f(a, *m, b = 2, **k):\n    return a + len(m) + b + len(k)\nx = f(1, 5, c = 1)", 5),
        ("i = [0]\ndef f():\n    i[0] += 1\n    return 0\nd = [1]\nd[f()] += 5\nx = d[0] + i[0]",
         7),
        ("max = 3\nx = max", 3),
    ],
)  # fmt: skip
def test_statements_do_what_python_says(body, worth):
    answer = run(block(f"{body}\nreturn {{name: x for name in hands}}"))
    assert answer.errors == {}
    assert answer.worths["Steve"] == worth


@pytest.mark.parametrize(
    ("body", "worth"),
    [
        ("x = 8\nwhile x > 3:\n    x -= 2", 2), ("x = 2 ** 3 if 1 < 2 < 3 else 0", 8),
        ("x = sum(c for h in hands.values() for c in h.values())", 6),
        ("x = len({'a', 'b', 'a'})", 2), ("x = len(f'{2 / 3:.2f}')", 4), ("x: int = 1_000", 1000),
        ("import math\nx = math.isqrt(17)", 4), ("x = y = 3", 3), ("a, *x = [1, 2]\nx = x[0]", 2),
        ("try:\n    x = 1 // 0\nexcept ZeroDivisionError:\n    x = 5", 5),
        ("for x in [7]:\n    pass\nelse:\n    x = 9", 9), ("x = [*[1], 2][-1]", 2),
        ("class A:\n    x = 4\nx = A.x", 4), ("if (x := 6) is not None:\n    pass", 6),
    ],
)  # fmt: skip
def test_what_a_block_may_use_beside(body, worth):
    source = block(f"{body}\nreturn {{name: x for name in hands}}")
    assert problem_in(f"```python\n{source}```") is None
    assert run(source).worths["Steve"] == worth


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "has to define mark"),
        ("x = 1\n", "has to define mark"),
        (block("return worth") * 2, "has to define mark(hands, worth, alliances), once (line 3"),
        ("def mark():\n    return 1\n", "has to take hands, worth, alliances (line 1, column 1)"),
        ("def mark(a, b, c, *, d):\n    return 1\n", "has to take hands"),
        ("class A:\n    pass\n", "has to define mark"),
        (block("return worth +"), "It cannot be read: invalid syntax (line 2, column 19)"),
        (block("return (worth"), "was never closed (line 2"),
        ("from os import *\n" + block("return worth"), "are not supported (line 1, column 1)"),
        (block("yield worth"), "the sandbox does not read yield expressions (line 2, column 5)"),
        (block("del worth['Steve']"), "the sandbox does not read the 'del' statement"),
        (block("return worth  # \u202e"), "cannot be shown (line 2, column 21)"),
        (block("return worth\x0c"), "cannot be shown"),
        ("\0", "cannot be shown"),
        ("\ud800", "cannot be shown"),
        ("# " + "x" * 30_000, "longer than 20000 characters"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_place(source, words):
    problem = problem_in(f"```python\n{source}\n```")
    assert problem is not None
    assert words in problem
    assert complaint(f"{source}\n") == problem


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (block("return unknown"), "The name unknown stands for nothing (line 2, column 12)."),
        (block("return later\nmore('no')"), "The name later stands for nothing (line 2"),
        (block("return load('prelude')"), "The name load stands for nothing"),
        (block("fail('no', 1)"), "The name fail stands for nothing (line 2, column 5)."),
        (block("return paid_for"), "The name paid_for stands for nothing"),
    ],
)
def test_a_name_that_stands_for_nothing_is_refused_with_its_place(source, words):
    problem = problem_in(f"```python\n{source}\n```")
    assert problem is not None
    assert words in problem
    assert complaint(source) == problem


@pytest.mark.parametrize(
    "body",
    [
        "for a, (b, c) in []:\n    x = a + b + c\nreturn d",
        "import math, os.path as d\nfrom json import loads as m\nreturn [math, d, m]",
        "try:\n    f = open\nexcept ValueError as d:\n    return d\nreturn lambda *x, **y: [x, y]",
        "def d(e, *, f=1):\n    return [e, f, g]\ng = 3\nreturn d",
        "match worth:\n    case [d, *e]:\n        return d, e\n    case {**f}:\n        return f",
        "return [d for e in hands if (d := e)]",
    ],
)
def test_a_name_is_given_in_many_ways(body):
    assert problem_in(f"```python\n{block(body, 'd = 1' + chr(10))}```") is None


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (block("return 1 + 'a'"), "Operator `+` is not supported between objects of type"),
        (block("x = ['éé', 1 + 'a']"), "(line 2, column 16)."),
        (block("a, b = [1]"), "Not enough values to unpack: Expected 2 (line 2, column 5)."),
        (block("x: int = 'a'"), "is not assignable to `int` (line 2, column 14)."),
        (block("return half(1, 2)", "def half(x):\n    return x / 2\n"), "Too many positional"),
    ],
)
def test_types_that_do_not_fit_are_told_as_advice(source, words):
    assert problem_in(f"```python\n{source}\n```") is None
    assert words in str(types_in(source))
    assert complaint(source).endswith(".")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return hands['Nobody']", "KeyError: Nobody (line 2, column 12)."),
        ("x = 1\nreturn [1, 2][x + 4]", "IndexError: list index out of range (line 3, column 12)."),
        ("return 1 // 0", "ZeroDivisionError: division by zero (line 2, column 12)."),
        ("return {n: 1 % 0 for n in hands}", "division by zero (line 2, column 16)."),
        ("x = 'é' + 1", "(line 2, column 9)."),
        ("return min([])", "(line 2, column 12)."),
        ("raise ValueError('no')", "ValueError: no (line 2, column 11)."),
        ("return worth.append(1)", "no attribute 'append'"),
        ("return 5", "The function mark returns a value of type int, not a dict of worths."),
        ("return (worth, 5)", "The hands that mark returns are of type int, not a dict."),
        ("return (worth, {'Nobody': {}})", "no contestant"),
        ("return (worth, {'Goethe': []})", "a hand of type list"),
        ("return (worth, {'Goethe': {'Blue': 1}})", "a suit that is none"),
        ("return (worth, {'Goethe': {'Red': -1}})", "a number of cards that is none"),
        ("return (worth, {'Goethe': {'Red': 1.0}})", "a number of cards that is none"),
        ("return (worth, {'Goethe': {'Red': True}})", "a number of cards that is none"),
    ],
)  # fmt: skip
def test_a_failure_is_a_sentence_with_its_place(body, words):
    told = complaint(block(body))
    assert words in told
    assert told.endswith(".")


def test_a_failure_in_another_function_is_told_where_it_is():
    source = block("return half(worth)", "def half(x):\n    return x / 2\n\n")
    assert complaint(source).endswith("(line 2, column 12).")


def test_a_docstring_and_comments_change_nothing():
    source = block('"""It\'s {odd} \\u00e9."""\n# no\nreturn {n: 1 for n in hands}', '"""Top."""\n')
    assert run(source).worths == {"Goethe": 1.0, "Steve": 1.0}


def test_reading_a_block_runs_nothing_of_it():
    source = "while True:\n    pass\n" + block("return worth")
    assert problem_in(f"```python\n{source}```") is None


def test_reading_a_block_writes_no_line_of_it_anywhere():
    """Python warns of odd escapes and numbers on standard error, which is a log."""
    source = block("return {n: 1if 0else'\\d' for n in hands}")
    text = f"```python\n{source}```"
    script = f"from aceofspades.rules.marks import problem_in; print(problem_in({text!r}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("None\n", "")


@given(st.text(max_size=300))
@settings(max_examples=examples(300))
def test_any_text_is_a_block_or_refused_in_a_sentence(text):
    for source in (text, block(text.replace("\n", "\n    "))):
        found = problem_in(f"```python\n{source}\n```")
        assert found is None or found.endswith(".")


LETTERS = [
    *"abx01.,:()[]{}+-*/%<>=!'\"\\ \n#",
    "for ", " in ", "if ", "else", "lambda ", "return ", "def ", "not ",
    "\n    ", "\n        ",
    "hands", "worth", "range(9)", ".append(", ".items()", "'Red'", "**", "<<", "max(",
    "sorted(",
]  # fmt: skip


@given(st.lists(st.sampled_from(LETTERS), max_size=40))
@settings(max_examples=examples(400))
def test_any_tokens_run_or_are_refused_in_a_sentence(tokens):
    answer = run(block("".join(tokens)))
    assert set(answer.worths) == set(HANDS)
    assert all(why.endswith(".") for why in answer.errors.values())
