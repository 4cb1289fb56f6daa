"""Blocks that mean harm: each ends within its budgets, everybody's worth is 0, and it says why."""

import pytest

from aceofspades.rules.marks import Program, Question, mark
from aceofspades.rules.starlark import running
from aceofspades.rules.starlark.budgets import MOST_SOURCE, MOST_STEPS

HANDS = {"Goethe": {"Red": 2, "Black": 1}, "Steve": {"Red": 0, "Black": 3}}
STEPS = "It takes more than 500,000 steps (line "
MANY = "elements are too many for a value, which may have 100000 (line "
REPEATED = "A value would be repeated until it had 1000000000 elements (line 2, column 12)."
LONG = "A text may have no more than 200 letters (line "
LARGE = "A number became larger than the limit, or smaller than its negative (line "
BITS = "A number of more than 32 bits can be no key of a dict (line "
INFINITE = "A number became infinite, or none (line "
DEEP = "Values are nested more than 16 levels deep (line "
CALLS = "Functions call each other more than about 60 deep (line "
PARTS = "An expression or statement has more than 48 parts within each other"


def block(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{before}def mark(hands, worth, alliances):\n{lines}"


def again(what: str, start: str = "x = 0", times: int = 10**9) -> str:
    """A block that does it again and again."""
    lines = "\n".join(f"    {line}" for line in what.split("\n"))
    return block(f"{start}\nfor i in range({times}):\n{lines}\nreturn worth")


ENDLESS = {
    "nested loops": again("for j in range(1000000000):\n    x += 1"),
    "empty loops": again("for j in []:\n    pass"),
    "a comprehension": block("return [0 for a in range(1000000000)]"),
    "nested comprehensions": block(
        "return [0 for a in range(100000) for b in range(100000) if a == b for c in range(1000)]"
    ),
    "comprehensions within comprehensions": block(
        "return [[[c for c in range(900)] for b in range(900)] for a in range(900)]"
    ),
    "nothing found": block("return [0 for a in range(1000000000) if a < 0]"),
    "many calls": again("f()", "def f():\n    return 1"),
    "a lambda called": again("f(i)", "f = lambda i: i"),
    "functions made": again("f = lambda: i"),
    "floats made": again("x = x + 1.0", "x = 1.5"),
    "lists made": again("[[], [], {}, []]"),
    "dicts made": again("{1: 2}"),
    "texts made": again("str(i)"),
    "slices": again("x[1:]", "x = list(range(100000))"),
    "lists of entries": again("x.items()", "x = {i: i for i in range(50000)}"),
    "a search": again("-1 in x", "x = list(range(99999))"),
    "a search by index": again("x.index(99998)", "x = list(range(99999))"),
    "sorting": again("x = sorted(x, reverse = True)", "x = list(range(100000))"),
    "sorting by key": again("sorted(x, key = lambda y: -y)", "x = list(range(10000))"),
    "reversing": again("x = reversed(x)", "x = list(range(100000))"),
    "the largest": again("max(x)", "x = list(range(100000))"),
    "zips": again("zip(x, x, x)", "x = list(range(100000))"),
    "joins": again("''.join(['a'] * 200)"),
    "splits": again("('x ' * 90).split()"),
    "replacements": again("('x' * 190).replace('y', 'z')"),
    "formats": again("'{} {}'.format('x' * 50, i)"),
    "percents": again("'%s %s' % ('x' * 50, i)"),
    "taking from the front": again("x.insert(0, x.pop(0))", "x = list(range(90000))"),
    "taking from a dict": again("x.pop(i)\nx[i] = 1", "x = {i: i for i in range(90000)}", 90000),
    "lists kept": again("k.append([0] * 90000)", "k = []"),
    "wide bodies": again(" or ".join(["i == s"] * 300), "s = 'a' * 190"),
    "wide conditions": block("return [0 for a in range(1000000000) if " + "a and " * 999 + "0]"),
    "wide lambdas": again("f(i)", "f = lambda a: " + "a or " * 999 + "0"),
    "long comparisons": again("s == t\ns == t\ns < t", "s = 'a' * 199\nt = 'a' * 198 + 'a'"),
    "comparing what is large": again("x == y", "x = [[0] * 999] * 99\ny = [[0] * 999] * 99"),
    "spreading arguments": again("f(*x)", "f = lambda *a: 0\nx = [0] * 9999"),
    "a doubled value compared": block(
        "s, t = [1], [1]\nfor i in range(14):\n    s, t = [s] * 8, [t] * 8\nreturn s == t"
    ),
    "a doubled tuple as a key": block(
        "s = (1,)\nfor i in range(14):\n    s = (s, s, s, s, s, s)\nreturn {s: 1}"
    ),
    "a doubled value shown": block(
        "s = [1]\nfor i in range(14):\n    s = [s, s, s, s, s, s]\nreturn str(s)"
    ),
}  # fmt: skip

TOO_MUCH = {
    "a long text": (block('return "x" * 1000000000'), REPEATED),
    "a long text the other way": (block('return 1000000000 * "x"'), REPEATED),
    "a long list": (block("return [0] * 1000000000"), REPEATED),
    "a long tuple": (block("return (0,) * 1000000000"), REPEATED),
    "a list of a range": (block("return list(range(1000000000))"), MANY),
    "a sorted range": (block("return sorted(range(1000000000))"), MANY),
    "a reversed range": (block("return reversed(range(1000000000))"), MANY),
    "a range spread": (block("return max(*range(1000000000))"), MANY),
    "texts doubled": (again("x = x + x", "x = 'x'"), LONG),
    "texts doubled in place": (again("x += x", "x = 'x'"), LONG),
    "lists doubled": (again("x = x + x", "x = [1]"), MANY),
    "lists doubled in place": (again("x += x", "x = [1]"), MANY),
    "lists extended by themselves": (again("x.extend(x)", "x = [1]"), MANY),
    "a list extended by a range": (block("x = []\nx += range(1000000000)"), MANY),
    "a list that grows": (again("x.append(i)", "x = []"), MANY),
    "a dict that grows": (again("x[i] = i", "x = {}"), MANY),
    "a dict that grows by default": (again("x.setdefault(i, i)", "x = {}"), MANY),
    "a dict that grows by updates": (again("x.update({i: i})", "x = {}"), MANY),
    "a large comprehension": (block("return {i: i for i in range(200000)}"), MANY),
    "keys that collide": (again("x[i * 4294967296] = i", "x = {}"), BITS),
    "colliding pairs": (block("return dict([(4294967296, 1)])"), BITS),
    "colliding tuples": (block("return {(1, (4294967296,)): 1}"), BITS),
    "a large replacement": (block("return ('x' * 190).replace('x', 'y' * 190)"), LONG),
    "a replacement of nothing": (block("return ('x' * 190).replace('', 'y' * 190)"), LONG),
    "a large join": (block("return ('x' * 190).join(['a'] * 100000)"), LONG),
    "a large format": (block("return ('{0}' * 66).format('x' * 190)"), LONG),
    "a large percent": (block("return ('%s' * 99) % tuple(['x' * 190] * 99)"), LONG),
    "a large value shown": (block("return str(list(range(100000)))"), LONG),
    "repeated squaring": (again("x = x * x", "x = 2"), LARGE),
    "squaring in place": (again("x *= x", "x = 2"), LARGE),
    "a shift": (block("return 1 << 1000000"), LARGE),
    "shifts": (again("x <<= 200", "x = 1"), LARGE),
    "doubled numbers": (again("x += x", "x = 1"), LARGE),
    "large negative numbers": (again("x = -x * x", "x = 3"), LARGE),
    "a large float as a whole": (block("return int(1e300)"), LARGE),
    "many digits": (block("return int('9' * 99)"), LARGE),
    "many digits written": (block("return " + "9" * 40), "A number is larger than the limit"),
    "endless digits written": (block("return " + "9" * 9999), "It cannot be read"),
    "an infinite float": (block("return {n: 1e308 * 10 for n in hands}"), INFINITE),
    "an infinite constant": (block("return 1e999"), "A number is infinite (line 2, column 12)."),
    "infinity by name": (block("return float('inf')"), INFINITE),
    "no number by name": (block("return float('nan')"), INFINITE),
    "division by zero": (block("return {n: 1 / 0 for n in hands}"), "division by zero"),
    "recursion": (block("return f(1)", "def f(n):\n    return f(n + 1)\n"), CALLS),
    "mutual recursion": (
        block("return f(1)", "def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\n"), CALLS
    ),
    "recursion of lambdas": (block("f = lambda f: f(f)\nreturn f(f)"), CALLS),
    "recursion of mark": (block("return mark(hands, worth, alliances)"), CALLS),
    "recursion in a sort": (
        block("return f(1)", "def f(n):\n    return sorted([1, 2], key = f)\n"), CALLS
    ),
    "a list in itself compared": (block("x = []\nx.append(x)\nreturn x == [x]"), DEEP),
    "a list in itself shown": (block("x = []\nx.append(x)\nreturn str(x)"), DEEP),
    "a deep list compared": (again("x = [x]", times=10**5)[:-13] + "return x == [x]\n", DEEP),
    "doubled zips as a key": (
        block("x = [1]\nfor i in range(30):\n    x = zip(x, x)\nreturn {x[0]: 1}"), DEEP
    ),
    "brackets in the source": ("x = " + "(" * 5000 + "1" + ")" * 5000, "More than 24 brackets"),
    "open brackets in the source": ("x = " + "[" * 9999, "More than 24 brackets"),
    "signs in the source": ("x = " + "-" * 15_000 + "1", PARTS),
    "negations in the source": ("x = " + "not " * 4000 + "1", PARTS),
    "a long sum in the source": ("x = " + "1+" * 9000 + "1", PARTS),
    "a long power in the source": ("x = " + "1**" * 6000 + "1", PARTS),
    "a chain of ifs": ("x = " + "1 if 1 else " * 1500 + "1", PARTS),
    "a chain of elifs": (
        block("if 0:\n    return 1\n" + "elif 1:\n    return 1\n" * 400 + "return worth"), PARTS
    ),
    "a chain of calls": (block("return worth" + "()" * 5000), PARTS),
    "a chain of lambdas": ("x = " + "lambda: " * 2000 + "1", PARTS),
    "indents in the source": (
        "".join(" " * depth + "if 1:\n" for depth in range(99)) + " " * 99 + "pass",
        "More than 12 indents",
    ),
    "a huge source": (block("return worth") + "#" * MOST_SOURCE, "longer than 20000 characters"),
    "a long text in the source": (
        block(f"return '{'a' * 5000}' == '{'a' * 5000}'"), "A text is longer than 1000 letters"
    ),
    "walking up the classes": (
        block("return ().__class__.__bases__[0].__subclasses__()"), "There is no method"
    ),
    "an attribute of the hands": (block("return hands.__class__"), "A method is only called"),
    "another module": (
        block("return worth", 'load("prelude", "paid_for")\n'), "Outside of a function"
    ),
    "an import": (block("import os\nreturn os"), "Starlark has nothing like import (line 2"),
    "an import by name": (block("return __import__('os')"), "Variable `__import__` not found"),
    "a file": (block("return open('/etc/passwd')"), "Variable `open` not found"),
    "an evaluation": (block("return eval('1')"), "Variable `eval` not found"),
    "the insides of a format": (block("return '{0.a}'.format(hands)"), "(line 2, column 12)"),
    "the clock": (block("return time()"), "Variable `time` not found"),
    "printing": (block("print(hands)\nreturn worth"), "print is of no use to a regulation"),
    "what the prelude has": (block("return hands_in_order([], [], [])"), "Variable `hands_in_"),
    "the limits": (block("return MOST_STEPS"), "Variable `MOST_STEPS` not found"),
    "failing": (block("fail('x' * 190)"), "The block says: xxx"),
}  # fmt: skip


def outcome(source: str):
    return mark(Question(HANDS, (), (Program(310, source),)))


@pytest.fixture
def fewer_steps(monkeypatch):
    """A tenth of the site's, since all of these take all that they get."""
    monkeypatch.setattr(running, "MOST_STEPS", MOST_STEPS // 10)


@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_never_end_ends_by_its_steps_at_the_same_place_each_time(name, fewer_steps):
    first = outcome(ENDLESS[name])
    assert first.errors[310].startswith(STEPS)
    assert first.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert first.tripped == ()
    assert outcome(ENDLESS[name]) == first


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_would_be_too_much_is_refused_at_its_place(name):
    source, words = TOO_MUCH[name]
    first = outcome(source)
    assert words in first.errors[310]
    assert first.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert first.tripped == ()
    assert outcome(source) == first


@pytest.mark.parametrize(
    "body",
    [
        "x = [1]\nfor i in range(14):\n    x = [x, x, x, x]\nreturn {n: x for n in hands}",
        "x = {}\nx['Goethe'] = x\nx['Steve'] = [x]\nreturn x",
        "x = []\nfor i in range(1000000):\n    x = [x]\nreturn {n: x for n in hands}",
        "return {n: True for n in hands}",
        "return {n: '3' for n in hands}",
        "return {n: None for n in hands}",
        "return {n: mark for n in hands}",
        "return {}",
        "return {str(i): i for i in range(90000)}",
        "return hands",
    ],
)
def test_a_worth_that_is_no_number_is_undefined(body):
    answer = outcome(block(body))
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert answer.errors == {310: "It leaves the worth undefined of Goethe, Steve."}


def test_the_site_gives_a_block_five_million_steps():
    assert (
        outcome(ENDLESS["empty loops"])
        .errors[310]
        .startswith("It takes more than 5,000,000 steps (line 3, column 5)")
    )


def test_changing_what_was_given_changes_it_for_nobody_else():
    hostile = block(
        "hands['Goethe']['Red'] = 99\nhands.pop('Steve')\nworth.clear()\nalliances.append(1)\n"
        "return {'Goethe': 1, 'Steve': 2}"
    )
    honest = block(
        "return {n: worth[n] + 10 * hands[n]['Red'] + 100 * len(alliances) for n in hands}"
    )
    programs = (Program(310, hostile), Program(320, honest))
    answer = mark(Question(HANDS, (("Goethe", "Steve"),), programs))
    assert answer.errors == {}
    assert answer.worths == {"Goethe": 121.0, "Steve": 102.0}
    assert HANDS["Goethe"]["Red"] == 2


def test_a_block_remembers_nothing_of_an_earlier_run():
    source = block("seen.append(1)\nreturn {n: len(seen) for n in hands}", "seen = []\n")
    assert "Immutable" in outcome(source).errors[310]
    source = block("x.append(1)\nreturn {n: len(x) for n in hands}").replace(
        "alliances)", "alliances, x = [])"
    )
    assert outcome(source) == outcome(source)


def test_whoever_fails_spends_nothing_of_the_next():
    programs = (Program(310, ENDLESS["empty loops"]), Program(320, block("return 1 +")))
    last = Program(330, block("return {n: worth[n] + 1 for n in hands}"))
    answer = mark(Question(HANDS, (), (*programs, last)))
    assert set(answer.errors) == {310, 320}
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
