"""The language of the blocks: what it has, what it lacks, and where it says that it is wrong."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aceofspades.rules.marks import Program, Question, mark, problem_in
from nomic.testing import examples

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
    return mark(Question(HANDS, (("Goethe", "Steve"),), (Program(300, source),)))


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
def test_an_expression_has_the_worth_that_starlark_gives_it(expression, worth):
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
def test_statements_do_what_starlark_does(body, worth):
    answer = run(block(f"{body}\nreturn {{name: x for name in hands}}"))
    assert answer.errors == {}
    assert answer.worths["Steve"] == worth


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "has to define mark"),
        ("x = 1\n", "has to define mark"),
        (block("return worth") * 2, "has to define mark(hands, worth, alliances), once (line 3"),
        ("def mark():\n    return 1\n", "has to take hands, worth, alliances (line 1, column 1)"),
        ("def mark(a, b, c, *, d):\n    return 1\n", "has to take hands"),
        (block("return worth +"), "It cannot be read: invalid syntax (line 2, column 19)"),
        (block("return (worth"), "was never closed (line 2"),
        (block("while True:\n    pass"), "Starlark has nothing like while (line 2, column 5)"),
        ("import os\n" + block("return worth"), "nothing like import (line 1, column 1)"),
        ("from os import *\n" + block("return worth"), "nothing like import"),
        ("class A:\n    pass\n", "nothing like class"),
        (block("try:\n    pass\nexcept:\n    pass"), "nothing like try"),
        (block("with worth:\n    pass"), "nothing like with"),
        (block("global x"), "nothing like global"),
        (block("yield worth"), "nothing like yield"),
        (block("return 2 ** 3"), "nothing like ** (line 2, column 12)"),
        (block("return 1 < 2 < 3"), "comparison cannot follow another"),
        (block("return worth is None"), "write =="),
        (block("return {1, 2}"), "nothing like a set"),
        (block("return max(x for x in hands)"), "nothing like a generator"),
        (block("return f'{worth}'"), "nothing like a text with f before it (line 2, column 12)"),
        (block("return b'a'"), "cannot have b before it"),
        (block("return 'a' 'b'"), "side by side"),
        (block("return 1_000"), "1_000 is no number of Starlark"),
        (block("return 2j"), "2j is no number"),
        (block("return '\\d'"), "backslash"),
        (block("if (x := 1):\n    pass"), "nothing like :="),
        (block("x: int = 1"), "nothing like an annotation"),
        (block("x = y = 1"), "One assignment cannot follow another"),
        (block("hands.x = 1"), "Nothing can be assigned to this"),
        (block("hands.x += 1"), "Nothing like this can be changed"),
        (block("a, *b = [1, 2]"), "A * stands only in a call"),
        (block("for x in []:\n    pass\nelse:\n    pass"), "A loop has no else"),
        ("@mark\n" + block("return worth"), "no decorators"),
        ("def mark(hands: int, worth, alliances):\n    return worth\n", "no annotation"),
        ("for x in []:\n    pass\n", "Outside of a function only"),
        ("x = list(range(9))\n", "calls nothing (line 1, column 5)"),
        ("x = 1\nx += 1\n", "Outside of a function only"),
        ("def max(a):\n    return a\n", "max is a function of the language"),
        (block("print(1)"), "print is of no use"),
        (block("return getattr(hands, 'get')"), "getattr is of no use"),
        (block("x = type = 1"), "One assignment"),
        (block("type = 1"), "type cannot be a name here"),
        (block("paid_for = 1"), "paid_for cannot be a name here"),
        (block("return paid_for"), "paid_for cannot be a name here"),
        ("load('prelude', 'x')\n", "Outside of a function only"),
        (block("return load('prelude')"), "load is of no use"),
        (block("return unknown"), "Variable `unknown` not found (line 2, column 12)"),
        (block("return hands.get"), "A method is only called (line 2, column 12)"),
        (block("return hands.foo()"), "There is no method foo (line 2, column 12)"),
        (block("return worth  # \u202e"), "cannot be shown (line 2, column 21)"),
        ("def ｍark(hands, worth, alliances):\n    return worth\n", "other letters than a to z"),
        (block("return worth\x0c"), "line break of another kind"),
        ("\0", "cannot be shown"),
        ("\ud800", "cannot be shown"),
        ("# " + "x" * 30_000, "longer than 20000 characters"),
    ],
)  # fmt: skip
def test_what_is_not_starlark_is_refused_with_its_place(source, words):
    problem = problem_in(f"```starlark\n{source}\n```")
    assert problem is not None
    assert words in problem
    assert complaint(f"{source}\n") == problem


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return hands['Nobody']", 'Key `"Nobody"` was not found (line 2, column 12).'),
        ("x = 1\nreturn [1, 2][x + 4]", "Index `5` is out of bound (line 3, column 12)."),
        ("return 1 // 0", "Floor division by zero: 1 // 0 (line 2, column 12)."),
        ("return {n: 1 % 0 for n in hands}", "Modulo by zero: 1 % 0 (line 2, column 16)."),
        ("return 1 + 'a'", "Operation `+` not supported for types `int` and `string` (line 2"),
        ("é = 1", "other letters"),
        ("x = 'é' + 1", "(line 2, column 9)."),
        ("x = ['éé', 1 + 'a']", "(line 2, column 16)."),
        ("x = x + 1", "Local variable `x` referenced before assignment (line 2, column 9)."),
        ("a, b = [1]", "Unpacked 1 values but expected 2 (line 2, column 5)."),
        ("return min([])", "(line 2, column 12)."),
        ("return hash('a')\nhash = 1", "referenced before assignment (line 2"),
        ("fail('no', 1)", 'The block says: ("no", 1) (line 2, column 5).'),
        ("return worth.append(1)", "append"),
        ("return 5", "Mark returns a value of type int, not a dict of worths."),
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
    assert "-->" not in told
    assert "paid_" not in told


def test_a_failure_in_another_function_is_told_where_it_is():
    source = block("return half(worth)", "def half(x):\n    return x / 2\n\n")
    assert complaint(source).endswith("(line 2, column 12).")


def test_constants_outside_of_functions_cannot_be_changed():
    assert "Immutable" in complaint(block("kept.append(1)\nreturn worth", "kept = []\n"))


def test_a_docstring_and_comments_change_nothing():
    source = block('"""It\'s {odd} \\u00e9."""\n# no\nreturn {n: 1 for n in hands}', '"""Top."""\n')
    assert run(source).worths == {"Goethe": 1.0, "Steve": 1.0}


def test_reading_a_block_writes_no_line_of_it_anywhere():
    """Python warns of odd escapes and numbers on standard error, which is a log."""
    source = block("return {n: 1if 0else'\\d' for n in hands}")
    text = f"```starlark\n{source}```"
    script = f"from aceofspades.marks import problem_in; print(problem_in({text!r}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    assert "cannot" in done.stdout or "backslash" in done.stdout


@given(st.text(max_size=300))
@settings(max_examples=examples(300))
def test_any_text_is_a_block_or_refused_in_a_sentence(text):
    for source in (text, block(text.replace("\n", "\n    "))):
        found = problem_in(f"```starlark\n{source}\n```")
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
