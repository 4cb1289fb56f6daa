"""The sandbox: what a program is given, what it may use, and what is told where it goes wrong."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from nomic.engine.programs import sandbox
from nomic.engine.programs.sandbox import (
    Limits,
    Meter,
    Problem,
    ProgramWrong,
    Sandbox,
    problem_in,
    types_in,
)

CALL = "scope = {}\nexec(program, scope)\nscope['act'](*given)\n"
AMPLE = Limits(seconds=10.0)


@pytest.fixture(autouse=True)
def _no_other_workers() -> None:
    sandbox.close_shared()


def run(program: str, *given: object, limits: Limits = AMPLE) -> object:
    with Sandbox() as box:
        return box.run(CALL, program, {"given": given}, limits)


def complaint(program: str, limits: Limits = AMPLE) -> Problem:
    with pytest.raises(ProgramWrong) as wrong:
        run(f"def act():\n    {program}\n", limits=limits)
    return wrong.value.problem


@pytest.mark.parametrize("value", [3, 0.1, 5e-324, -(2**70), "é", None, True, [1, {"a": (2,)}]])
def test_what_is_given_comes_through_and_back(value):
    assert run("def act(given):\n    return given\n", value) == value


def test_a_program_changes_nothing_of_what_it_was_given():
    hands = {"Steve": {"Red": 1}}
    assert run("def act(hands):\n    hands['Steve'].clear()\n    return hands\n", hands) == {
        "Steve": {}
    }
    assert hands == {"Steve": {"Red": 1}}


def test_a_run_knows_nothing_of_the_one_before():
    program = "seen = []\ndef act():\n    seen.append(1)\n    return len(seen)\n"
    with Sandbox() as box:
        assert [box.run(CALL, program, {"given": []}) for _ in range(3)] == [1, 1, 1]


def test_what_it_gives_is_alike_each_time():
    program = "def act():\n    return list({'a', 'b', 'Hearts'}), hash('a'), id([]) > 0\n"
    assert run(program) == run(program)


def test_what_goes_wrong_is_a_sentence_with_its_place():
    assert complaint("return 1 // 0") == Problem("ZeroDivisionError: division by zero", (2, 12))
    assert str(complaint("return 1 // 0")).endswith("division by zero (line 2, column 12).")


def test_memory_and_depth_end_a_program_at_the_same_place_each_time():
    wide = Limits(10.0, memory=4 * 2**20)
    growing = "x = []\n    while True:\n        x.append(1.5)"
    assert complaint(growing, wide) == complaint(growing, wide)
    assert complaint(growing, wide).message == "It takes more than 4 MiB of memory"
    assert not complaint(growing, wide).late
    deep = complaint("return act()", Limits(10.0, depth=20))
    assert deep == Problem("Functions call each other more than 19 deep", (2, 12))


def test_what_comes_to_no_end_is_late():
    late = complaint("while True:\n        pass", Limits(0.05))
    assert late == Problem("It takes longer than 0.05 s", late=True)


def test_what_it_uses_of_a_processor_is_metered_and_waiting_is_not():
    def metered(body: str) -> float:
        meter = Meter()
        with Sandbox() as box, suppress(ProgramWrong):
            box.run(CALL, f"def act():\n    {body}\n", {"given": []}, Limits(0.3), meter=meter)
        return meter.seconds

    assert 0 < metered("pass") < metered("while True: pass")


def test_no_folder_is_looked_through_at_a_question(monkeypatch):
    sought = []

    class Finder:
        find_spec = staticmethod(lambda name, *where: sought.append(name))

    with Sandbox() as box:
        for _ in range(2):
            assert box.run("one() + one()", "", {}, AMPLE, calls={"one": lambda: 1}) == 2
            monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    assert sought == []


def test_a_false_alarm_is_not_late():
    assert complaint("raise TimeoutError('feed time limit exceeded')").late is False


def test_a_worker_that_dies_is_told_and_the_next_run_has_another(monkeypatch):
    def kill(stream: str, text: str) -> None:
        os.kill(psutil.Process().children()[0].pid, signal.SIGKILL)

    monkeypatch.setattr(sandbox, "_unheard", kill)
    dying = "def act():\n    while True:\n        print('x')\n"
    with Sandbox() as box:
        with pytest.raises(ProgramWrong) as wrong:
            box.run(CALL, dying, {"given": []}, AMPLE)
        assert wrong.value.problem == Problem("The sandbox could not go on with it", late=True)
        assert box.run(CALL, "def act():\n    return 7\n", {"given": []}) == 7


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the worker where Linux shows it")
def test_a_worker_has_limits_and_nothing_of_the_sites_environment(monkeypatch):
    seen = []

    def look(stream: str, text: str) -> None:
        [worker] = psutil.Process().children()
        environment = Path(f"/proc/{worker.pid}/environ").read_text()
        seen.append((environment, worker.rlimit(psutil.RLIMIT_AS)))

    monkeypatch.setenv("NOMIC_SECRET_KEY", "secret")
    monkeypatch.setattr(sandbox, "_unheard", look)
    run("def act():\n    print('x')\n")
    assert seen == [("", (2**30, 2**30))]


def test_a_sandbox_leaves_no_process_behind():
    run("def act():\n    return 1\n")
    assert psutil.Process().children() == []


# Checked without being run


@pytest.mark.parametrize("source", ["", "x = 1", "while True:\n    pass\n", "10 ** 10 ** 10"])
def test_what_can_be_read_is_right_and_nothing_of_it_is_run(source):
    assert problem_in(source) is None
    assert types_in(source) is None


@pytest.mark.parametrize(
    ("source", "place"), [("x = (", (1, 5)), ("x = 1\nyield x", (2, 1)), ("\n\ndef f(:", (3, 7))]
)
def test_a_wrong_syntax_is_told_with_its_place(source, place):
    problem = problem_in(source)
    assert problem is not None
    assert problem.place == place
    assert str(problem).startswith("It cannot be read: ")


def test_types_and_names_that_do_not_fit_are_advice():
    source = "x = 1\ny = x + 'é'\nz = unknown\n"
    assert problem_in(source) is None
    advice = types_in(source)
    assert advice is not None
    assert advice.place == (2, 5)
    assert "unknown" in str(types_in("z = unknown\n"))


HARD = {
    "many branches": "def f(x):\n" + "    if x: x = [x, 1]\n" * 900 + "    return x\n",
    "many patterns": "def f(x):\n    match x:\n"
    + "".join(f"        case [{number}, *_]: pass\n" for number in range(600)),
    "many loops": "def f(a):\n"
    + "".join("    " + " " * n + f"for x{n} in a:\n" for n in range(90))
    + " " * 94 + "a = [a, x3]\n",
    "growing tuples": "x = (1,)\n" + "x = (x, x)\n" * 1500,
    "turning tuples": "def f(a, b):\n    while a:\n        a, b = (b, b), (a, a)\n",
}  # fmt: skip


@pytest.mark.parametrize("name", HARD)
def test_what_is_hard_to_check_is_no_reason_to_refuse_it(name):
    assert problem_in(HARD[name]) is None
    assert types_in(HARD[name]) is None
