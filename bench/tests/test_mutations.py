"""Faults for the suite to find, and where a recorded one stands after the tree has moved."""

import ast
from pathlib import Path

import pytest

from bench.mutants.mutations import Mutant, Site, applied, draw, find, mutations, production, sites

SOURCE = '''
class Stall:
    def price(self, hay, *, free=False):
        """What a horse pays."""
        # Nobody pays for nothing.
        if (
            free
            and hay > 0
        ):
            return 0
        elif not hay:
            raise ValueError(
                "no hay"
            )
        self.count(hay)
        return hay * 3
'''


def tree(root: Path, **modules: str) -> list[Site]:
    for name, source in modules.items():
        place = root / "horses" / f"{name}.py"
        place.parent.mkdir(exist_ok=True)
        place.write_text(source)
    return sites(root, production(root))


def mutant(original: str, mutated: str = "pass", function: str = "Stall.price") -> Mutant:
    return Mutant("h01", "horses", "horses/stall.py", function, "any", original, mutated)


@pytest.mark.parametrize(
    ("statement", "operator", "fault"),
    [
        ("if a < b:", "comparison swapped", "if a <= b:"),
        ("if a is None:", "comparison swapped", "if a is not None:"),
        ("while queue:", "condition negated", "while not queue:"),
        ("x = 1 if a else 2", "condition negated", "x = 1 if not a else 2"),
        ("x = a - b", "arithmetic swapped", "x = a + b"),
        ("x += a", "arithmetic swapped", "x -= a"),
        ("return a and b", "and/or swapped", "return a or b"),
        ("return not a", "not dropped", "return a"),
        ("for n in range(3):", "constant + 1", "for n in range(4):"),
        ("return a[0]", "constant - 1", "return a[-1]"),
        ("return a", "None returned", "return None"),
        ("return True", "truth negated", "return False"),
        ("self.write(row)", "call removed", "pass"),
        ("raise Refused", "raise removed", "pass"),
    ],
)
def test_an_operator_changes_one_thing(statement: str, operator: str, fault: str) -> None:
    assert fault in mutations(statement)[operator]


@pytest.mark.parametrize(
    "statement",
    ["x: Literal[1]", "return None", "log.info(x)", "raise NotImplementedError", "x = 'a' + b"],
)
def test_what_changes_nothing_or_falls_at_once_is_no_fault(statement: str) -> None:
    assert mutations(statement) == {}


@pytest.mark.parametrize(
    ("original", "mutated", "after"),
    [
        ("if free and hay > 0:", "if free or hay > 0:", "        if free or hay > 0:\n"),
        ("if not hay:", "if hay:", "        elif hay:\n"),
        ("raise ValueError('no hay')", "pass", "            pass\n        self.count(hay)\n"),
    ],
)
def test_a_fault_is_put_in_its_statements_place(
    tmp_path: Path, original: str, mutated: str, after: str
) -> None:
    site = find(mutant(original), tree(tmp_path, stall=SOURCE))
    assert isinstance(site, Site)
    told = applied(SOURCE, site, mutated)
    ast.parse(told)
    assert after in told
    assert "return hay * 3" in told


def test_a_statement_is_found_after_a_move_and_in_other_lines(tmp_path: Path) -> None:
    moved = "def price(hay):\n    if hay:\n        return (\n            hay * 3\n        )\n"
    site = find(mutant("return hay * 3"), tree(tmp_path, market=moved))
    assert isinstance(site, Site)
    assert (site.path, site.first, site.last) == (Path("horses/market.py"), 3, 5)


def test_a_function_of_the_same_name_is_told_by_its_module(tmp_path: Path) -> None:
    site = find(mutant("return hay * 3"), tree(tmp_path, market=SOURCE, stall=SOURCE))
    assert isinstance(site, Site)
    assert site.path == Path("horses/stall.py")


def test_a_statement_that_is_no_more_or_stands_twice_is_said_to_be_gone(tmp_path: Path) -> None:
    here = tree(tmp_path, market=SOURCE, meadow=SOURCE)
    assert find(mutant("return hay * 4"), here) == "gone: rewritten"
    assert find(mutant("return hay * 3"), here) == "gone: stands 2 times"


def test_the_same_seed_draws_the_same_faults(tmp_path: Path) -> None:
    tree(tmp_path, stall=SOURCE)
    strata = {"horses": (2, ("horses/*.py",))}
    first, second = (list(draw(tmp_path, strata, 7)) for _ in range(2))
    assert first == second
    assert len({site.head for _, site, _, _ in first}) == 2


def test_what_is_kept_is_not_drawn_again(tmp_path: Path) -> None:
    here = tree(tmp_path, stall=SOURCE)
    strata = {"horses": (len(here), ("horses/*.py",))}
    every = [site for _, site, _, _ in draw(tmp_path, strata, 7)]
    others = [site for _, site, _, _ in draw(tmp_path, strata, 7, every[:1])]
    assert every[0] not in others
    assert others
