"""Blocks that mean harm: each ends within its limits, everybody's worth is 0, and it says why."""

import pytest

from aceofspades.rules.marks import MarkingProgram, Question, mark
from nomic.engine.programs.sandbox import MOST_SOURCE
from nomic.engine.programs.tests.bodies import AT_THE_MARGIN, FAILS, ODD, REFUSES

pytestmark = pytest.mark.thorough

HANDS = {"Goethe": {"Red": 2, "Black": 1}, "Steve": {"Red": 0, "Black": 3}}
SOON = 0.1  # seconds, for what comes to no end anyway
AMPLE = 10.0  # seconds, for what ends otherwise
MEMORY = "It takes more than 64 MiB of memory"
CALLS = "Functions call each other more than 63 deep (line "
DEEP = "too deeply"
NO_DICT = "The function mark returns a value of type "
UNDEFINED = "It leaves the worth undefined of Goethe, Steve."


def block(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{before}def mark(hands, worth, alliances):\n{lines}"


def again(what: str, start: str = "x = 0", times: int = 10**9) -> str:
    """A block that does it again and again."""
    lines = "\n".join(f"    {line}" for line in what.split("\n"))
    return block(f"{start}\nfor i in range({times}):\n{lines}\nreturn worth")


ENDLESS = {
    "a loop for ever": block("while True:\n    pass"),
    "a loop that swallows its end": block(
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass"
    ),
    "calls that end in more calls": block(
        "return f()", "def f():\n    try:\n        f()\n    finally:\n        f()\n"
    ),
    "a program within": block("exec('while True: pass')"),
    "the sum of a long range": block("return sum(range(10**12))"),
    "the largest of a long range": block("return max(range(10**12))"),
    "printing for ever": block("while True:\n    print('x' * 100)"),
    "names that are not there": block(
        "while True:\n    try:\n        eval('there')\n    except NameError:\n        pass"
    ),
    "numbers shifted": again("x <<= 200", "x = 1"),
    "numbers doubled": again("x += x", "x = 1"),
    "large negative numbers": again("x = -x * x", "x = 3"),
    "keys far apart": again("x[i * 4294967296] = i", "x = {}"),
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
    "lists kept": again("k.append([0] * 90000)", "k = []"),
    "long comparisons": again("s == t\ns == t\ns < t", "s = 'a' * 199\nt = 'a' * 198 + 'a'"),
    "comparing what is large": again("x == y", "x = [[0] * 999] * 99\ny = [[0] * 999] * 99"),
    "spreading arguments": again("f(*x)", "f = lambda *a: 0\nx = [0] * 9999"),
    "a doubled value compared": block(
        "s, t = [1], [1]\nfor i in range(14):\n    s, t = [s] * 8, [t] * 8\nreturn s == t"
    ),
    "a doubled value shown": block(
        "s = [1]\nfor i in range(14):\n    s = [s, s, s, s, s, s]\nreturn str(s)"
    ),
}  # fmt: skip

TOO_MUCH = {
    "a long text": (block('return "x" * 1000000000'), MEMORY),
    "a long text the other way": (block('return 1000000000 * "x"'), MEMORY),
    "a long list": (block("return [0] * 1000000000"), MEMORY),
    "a long tuple": (block("return (0,) * 1000000000"), MEMORY),
    "a list of a range": (block("return list(range(1000000000))"), MEMORY),
    "a sorted range": (block("return sorted(range(1000000000))"), MEMORY),
    "a reversed range": (block("return reversed(range(1000000000))"), MEMORY),
    "a range spread": (block("return max(*range(1000000000))"), MEMORY),
    "texts doubled": (again("x = x + x", "x = 'x'"), MEMORY),
    "texts doubled in place": (again("x += x", "x = 'x'"), MEMORY),
    "lists doubled": (again("x = x + x", "x = [1]"), MEMORY),
    "lists doubled in place": (again("x += x", "x = [1]"), MEMORY),
    "lists extended by themselves": (again("x.extend(x)", "x = [1]"), MEMORY),
    "a list that grows": (again("x.append(i)", "x = []"), MEMORY),
    "a dict that grows": (again("x[i] = i", "x = {}"), MEMORY),
    "a dict that grows by default": (again("x.setdefault(i, i)", "x = {}"), MEMORY),
    "a dict that grows by updates": (again("x.update({i: i})", "x = {}"), MEMORY),
    "a set that grows": (again("x.add(i)", "x = set()"), MEMORY),
    "repeated squaring": (again("x = x * x", "x = 2"), MEMORY),
    "squaring in place": (again("x *= x", "x = 2"), MEMORY),
    "a power of a power": (block("return 10 ** 10 ** 10"), MEMORY),
    "a shift": (block("return 1 << 10 ** 12"), MEMORY),
    "a wide field": (block("return f'{1:>1000000000}'"), MEMORY),
    "a wide field by %": (block("return '%1000000000d' % 1"), MEMORY),
    "a wide field by format": (block("return '{:>1000000000}'.format(1)"), MEMORY),
    "a large replacement": (block("return ('x' * 10**6).replace('x', 'y' * 190)"), MEMORY),
    "a large join": (block("return ('x' * 10**4).join(['a'] * 100000)"), MEMORY),
    "too much, swallowed": (
        block("try:\n    x = [0] * 10**9\nexcept BaseException:\n    pass\nreturn worth"), MEMORY
    ),
    "a comprehension without end": (
        block("return [[[0 for a in range(9999)] for b in range(9999)] for c in range(9999)]"),
        MEMORY,
    ),
    "many digits as a text": (block("return str(10**5000)"), "Exceeds the limit (4300 digits)"),
    "many digits of a text": (block("return int('9' * 5000)"), "Exceeds the limit (4300 digits)"),
    "many digits written": (block("return " + "9" * 9999), "It cannot be read: Exceeds the limit"),
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
    "a deep list compared": (again("x = [x]", times=10**5)[:-13] + "return x == [x]\n", CALLS),
    "a list in itself": (block("x = []\nx.append(x)\nreturn x"), NO_DICT),
    "a dict in itself": (block("x = {}\nx['Goethe'] = x\nreturn x"), UNDEFINED),
    "a doubled value": (
        block("x = (1,)\nfor i in range(60):\n    x = (x, x)\nreturn {n: x for n in hands}"),
        UNDEFINED,
    ),
    "a doubled value as a key": (
        block("x = (1,)\nfor i in range(60):\n    x = (x, x)\nreturn {x: 1}"), UNDEFINED
    ),
    "a doubled value as a hand": (
        block("x = (1,)\nfor i in range(60):\n    x = (x, x)\nreturn worth, {x: {}}"),
        "somebody who is no contestant",
    ),
    "a doubled value as a suit": (
        block("x = (1,)\nfor i in range(60):\n    x = (x, x)\nreturn worth, {'Steve': {x: 1}}"),
        "a suit that is none",
    ),
    "a doubled value raised": (
        block("x = (1,)\nfor i in range(60):\n    x = (x, x)\nraise ValueError(x)"), ""
    ),
    "brackets in the source": ("x = " + "(" * 5000 + "1" + ")" * 5000, "too many nested"),
    "open brackets in the source": ("x = " + "[" * 9999, "too many nested parentheses"),
    "signs in the source": ("x = " + "-" * 15_000 + "1", DEEP),
    "negations in the source": ("x = " + "not " * 4000 + "1", DEEP),
    "a long sum in the source": ("x = " + "1+" * 9000 + "1", DEEP),
    "a long power in the source": ("x = " + "1**" * 6000 + "1", DEEP),
    "a long condition in the source": (block("return " + "worth and " * 999 + "0"), DEEP),
    "a chain of ifs": ("x = " + "1 if 1 else " * 1500 + "1", DEEP),
    "a chain of elifs": (
        block("if 0:\n    return 1\n" + "elif 1:\n    return 1\n" * 400 + "return worth"), DEEP
    ),
    "a chain of calls": (block("return worth" + "()" * 5000), DEEP),
    "a chain of lambdas": ("x = " + "lambda: " * 2000 + "1", DEEP),
    "a huge source": (block("return worth") + "#" * MOST_SOURCE, "longer than 20000 characters"),
    "a generator": (block("yield worth"), "does not read yield"),
    "a class of its own order": (
        block("return sorted([A(), A()])", "class A:\n    def __lt__(self, o):\n        pass\n"),
        "not supported between instances",
    ),
    "walking up the classes": (
        block("return ().__class__.__bases__[0].__subclasses__()"), "no attribute '__class__'"
    ),
    "an attribute of the hands": (block("return hands.__class__"), "no attribute '__class__'"),
    "what a function knows": (block("return mark.__globals__"), "no attribute '__globals__'"),
    "the language's own functions": (
        block("return eval('__builtins__')"), "'__builtins__' is not defined"
    ),
    "what runs it": (block("return eval('program')"), "name 'program' is not defined"),
    "a module that is none": (block("import subprocess"), "No module named 'subprocess'"),
    "an import by name": (block("return __import__('os')"), "'__import__' is not defined"),
    "a file": (block("return open('/etc/passwd').read()"), "Permission denied"),
    "the environment": (block("import os\nreturn os.environ"), "not supported"),
    "the clock": (block("import time\nreturn time.time()"), "not supported"),
    "today": (block("import datetime\nreturn datetime.datetime.now()"), "not supported"),
    "sleep": (block("import time\ntime.sleep(60)"), "not supported"),
    "chance": (block("import random\nreturn random.random()"), "not supported"),
    "more chance": (block("import os\nreturn os.urandom(8)"), "not supported"),
    "the insides of a format": (block("return '{0.a}'.format(hands)"), "no attribute 'a'"),
    "a false alarm": (block("raise MemoryError('none')"), MEMORY),
    "failing": (block("raise ValueError('x' * 10**6)"), "ValueError: xxx"),
}  # fmt: skip


def outcome(source: str, seconds: float = AMPLE):
    return mark(Question(HANDS, (), (MarkingProgram(310, source),)), seconds)


@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_never_end_is_ended_and_says_so(name):
    answer = outcome(ENDLESS[name], SOON)
    assert answer.errors[310].startswith(("It takes longer than", "It takes more than"))
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert answer.tripped == ((310,) if "longer" in answer.errors[310] else ())


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_would_be_too_much_is_refused_alike_each_time(name):
    source, words = TOO_MUCH[name]
    first = outcome(source)
    assert words in first.errors[310]
    assert len(first.errors[310]) < 400
    assert first.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert first.tripped == ()
    assert outcome(source) == first


@pytest.mark.parametrize(
    "body",
    [
        "x = [1]\nfor i in range(14):\n    x = [x, x, x, x]\nreturn {n: x for n in hands}",
        "x = {}\nx['Goethe'] = x\nx['Steve'] = [x]\nreturn x",
        "x = []\nfor i in range(100000):\n    x = [x]\nreturn {n: x for n in hands}",
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
    assert answer.errors == {310: UNDEFINED}


def test_a_worth_that_is_infinite_is_undefined():
    for number in ("1e308 * 10", "1e999", "float('inf')", "float('nan')", "10 ** 31"):
        answer = outcome(block(f"return {{n: {number} for n in hands}}"))
        assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
        assert answer.errors == {310: UNDEFINED}


def test_changing_what_was_given_changes_it_for_nobody_else():
    hostile = block(
        "hands['Goethe']['Red'] = 99\nhands.pop('Steve')\nworth.clear()\nalliances.append(1)\n"
        "return {'Goethe': 1, 'Steve': 2}"
    )
    honest = block(
        "return {n: worth[n] + 10 * hands[n]['Red'] + 100 * len(alliances) for n in hands}"
    )
    programs = (MarkingProgram(310, hostile), MarkingProgram(320, honest))
    answer = mark(Question(HANDS, (("Goethe", "Steve"),), programs))
    assert answer.errors == {}
    assert answer.worths == {"Goethe": 121.0, "Steve": 102.0}
    assert HANDS["Goethe"]["Red"] == 2


def test_a_block_remembers_nothing_of_an_earlier_run():
    source = block(
        "seen.append(1)\nmore.append(1)\nreturn {n: len(seen) + len(more) for n in hands}",
        "seen = []\n",
    ).replace("alliances)", "alliances, more=[])")
    twice = mark(Question(HANDS, (), (MarkingProgram(310, source), MarkingProgram(320, source))))
    assert twice.errors == {}
    assert twice.worths == {"Goethe": 2.0, "Steve": 2.0}


def test_nothing_is_printed(capfd):
    secret = outcome(block("print('Mauve is worth most')\nreturn {n: 1 for n in hands}"))
    assert secret.worths == {"Goethe": 1.0, "Steve": 1.0}
    assert capfd.readouterr().out == ""


def test_whoever_fails_spends_nothing_of_the_next():
    last = MarkingProgram(350, block("return {n: worth[n] + 1 for n in hands}"))
    programs = (
        MarkingProgram(310, ENDLESS["empty loops"]),
        MarkingProgram(320, block("return 1 +")),
        MarkingProgram(330, ENDLESS["large negative numbers"]),
        MarkingProgram(340, TOO_MUCH["a power of a power"][0]),
        last,
    )
    answer = mark(Question(HANDS, (), programs), SOON)
    assert list(answer.errors) == [310, 320, 330, 340]
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    several = (MarkingProgram(310, block("return {n: 5 for n in hands}")), programs[3], last)
    assert mark(Question(HANDS, (), several), SOON).errors.keys() == {340}


@pytest.mark.parametrize(
    "each", [pytest.param(16, marks=pytest.mark.brief), pytest.param(1, marks=pytest.mark.slow)]
)
def test_what_is_hostile_as_a_program_of_a_rule_is_worth_nothing_as_marks(each):
    bodies = {name: block(body) for name, body in {**FAILS, **ODD, **REFUSES}.items()}
    bodies |= {name: block("return worth", f"{body}\n") for name, body in AT_THE_MARGIN.items()}
    found = {}
    for name, source in list(bodies.items())[::each]:
        answer = outcome(source, SOON)
        if not answer.errors.get(310) or set(answer.worths.values()) != {0.0}:
            found[name] = answer
    assert found == {}
