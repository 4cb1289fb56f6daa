"""Each subgame's README says of every rule that it ships where it is played and tested, and what
the pages for newcomers name is there."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from nomic.infrastructure.paths import ROOT
from nomic.rulebook.shipped import shipped_rules
from tests.test_the_house import SUBGAMES, modules

READMES = (*SUBGAMES, "nomic/documents", "nomic/contracts", "nomic/cases", "tests/lottery")
PAGES = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/adding-a-subgame.md")
_RULE, _REGULATION, _WHAT = "Rule", "Regulation", "What"
_RANGE = re.compile(r"\b(\d{3})(?:–| to )(\d{3})\b")
_TOPS = "|".join(("nomic", "tests", "docs", "bench", "templates", *SUBGAMES))
_NAMED = re.compile(
    rf"(?<![\w/.])((?:{_TOPS})/[a-z0-9_./-]*(?:\.[a-z]+|/))(?:: ([A-Za-z_][\w.]*\w)`)?"
)
_CALLED = re.compile(r"`(?:\w+\.)*(\w+)\([^`]*\)`")
_LINK = re.compile(r"\]\(([^):#]+)\)")
_UNTOLD = "library"  # what chance draws secret regulations from has no numbers


@dataclass(frozen=True)
class Named:
    """A file as a cell names it: its path from the README, and perhaps what is defined there."""

    path: str
    name: str

    def file(self, app: str) -> Path:
        """Where it stands: in the subgame, or else in the house."""
        ours = ROOT / app / self.path
        return ours if ours.exists() else ROOT / self.path


@dataclass(frozen=True)
class Row:
    rules: tuple[str, ...]
    played_in: tuple[Named, ...]
    tested_in: tuple[Named, ...]

    def named(self) -> tuple[Named, ...]:
        return self.played_in + self.tested_in


def rows(app: str) -> Iterator[Row]:
    """The rows of all tables of a README; those that are not about rules have none."""
    heading = ""
    for line in (ROOT / app / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or set(cells[0]) == {"-"}:
            continue
        if cells[0] in (_RULE, _REGULATION, _WHAT):
            heading = cells[0]
            continue
        rules = () if heading == _WHAT else _rules(heading, cells[0])
        yield Row(rules, _named(cells[-2]), _named(cells[-1]))


def _rules(heading: str, cell: str) -> tuple[str, ...]:
    return tuple(cell.split(", ")) if heading == _REGULATION else (cell,)


def _named(cell: str) -> tuple[Named, ...]:
    parts = [quoted.partition(": ") for quoted in re.findall(r"`([^`]+)`", cell)]
    return tuple(Named(path, name) for path, _, name in parts)


def shipped(app: str) -> set[str]:
    """What a subgame ships, as its README names it: a number, or a title behind its edition."""
    files = {file.parent for file in (ROOT / app / "rulebook").glob("**/*.md")}
    return {
        f"{folder.name}: {rule.title}" if app == "proposals" else _short(rule.title)
        for folder in files
        if folder.name != _UNTOLD
        for rule in shipped_rules(folder, app)
    }


def _short(title: str) -> str:
    return title.removeprefix("Regulation ")


@cache
def definitions(file: Path) -> frozenset[str]:
    """What a module defines, methods behind their class."""
    found = set()
    for node in ast.parse(file.read_text()).body:
        match node:
            case ast.ClassDef(name=name, body=body):
                methods = (part for part in body if isinstance(part, ast.FunctionDef))
                found |= {name, *(f"{name}.{method.name}" for method in methods)}
            case ast.FunctionDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return frozenset(found)


@cache
def constants(app: str) -> dict[str, frozenset[str]]:
    """The names by which modules call each title: `RUN = "The Horses Run"`."""
    found: dict[str, set[str]] = {}
    for file in (ROOT / app).glob("**/*.py"):
        for node in ast.parse(file.read_text()).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(title))):
                    found.setdefault(title, set()).add(name)
                case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=titles)):
                    for one, title in zip(names, titles, strict=True):
                        if isinstance(one, ast.Name) and isinstance(title, ast.Constant):
                            found.setdefault(str(title.value), set()).add(one.id)
    return {title: frozenset(names) for title, names in found.items()}


def mentions(app: str, file: Path, rule: str) -> bool:
    """Whether a module has the rule's title or number, or the constant that stands for it."""
    text = file.read_text()
    _, _, title = rule.rpartition(": ")
    words = {title, *constants(app).get(title, ()), *constants(app).get(f"Regulation {title}", ())}
    if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in words):
        return True
    bounds = ((int(first), int(last)) for first, last in _RANGE.findall(text))
    return title.isdecimal() and any(first <= int(title) <= last for first, last in bounds)


def where_now(app: str, named: Named) -> str:
    """What helps to mend a row: where that name, or a file called so, stands now."""
    sought = Path(named.path).name
    files = (ROOT / app).glob("**/*.py")
    found = [
        str(file.relative_to(ROOT / app))
        for file in files
        if (named.name in definitions(file) if named.name else file.name == sought)
    ]
    return f"; it is in {', '.join(found)}" if found else ""


@pytest.mark.parametrize("app", READMES)
def test_every_shipped_rule_has_its_row_and_every_row_its_rule(app: str) -> None:
    told = {_short(rule) for row in rows(app) for rule in row.rules}
    assert told - _secret(app) == shipped(app)


def _secret(app: str) -> set[str]:
    """The numbers whose regulations are drawn or written for a contest, and have no file."""
    if app != "aceofspades":
        return set()
    from aceofspades.rulebook import SECRET_NUMBERS

    return {str(number) for number in SECRET_NUMBERS}


@pytest.mark.parametrize("app", READMES)
def test_every_file_and_name_in_a_readme_is_there(app: str) -> None:
    gone = [
        f"{app}/{named.path}: {named.name or '(the file)'} is gone{where_now(app, named)}"
        for row in rows(app)
        for named in row.named()
        if not named.file(app).exists()
        or (named.name and named.name not in definitions(named.file(app)))
    ]
    assert not gone, "\n".join(gone)


@pytest.mark.parametrize("app", READMES)
def test_every_row_says_where_its_rule_is_played_and_tested(app: str) -> None:
    short = [str(row.rules) for row in rows(app) if not row.played_in or not row.tested_in]
    assert not short, "\n".join(short)


@pytest.mark.thorough
@pytest.mark.parametrize("app", READMES)
def test_what_a_readme_names_for_a_rule_mentions_it(app: str) -> None:
    silent = [
        f"{app}/{named.path} says nothing of {' or '.join(row.rules)}"
        for row in rows(app)
        for named in row.named()
        if row.rules
        and named.path.endswith(".py")
        and named.file(app).exists()
        and not any(mentions(app, named.file(app), rule) for rule in row.rules)
    ]
    assert not silent, "\n".join(silent)


def test_what_the_pages_for_newcomers_call_is_defined() -> None:
    beside = (*ROOT.glob("tests/*/*.py"), ROOT / "bench/simulate.py")
    texts = (path.read_text() for path in (*modules(), *beside))
    defined = set(re.findall(r"(?:def|class) (\w+)", "\n".join(texts)))
    called = {page: set(_CALLED.findall((ROOT / page).read_text())) for page in PAGES}
    assert {page: names - defined for page, names in called.items() if names - defined} == {}


def test_the_architecture_names_each_module_of_the_engine() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    files = (file.name for file in ROOT.glob("nomic/engine/*.py"))
    assert {name for name in files if f"`{name}`" not in page} == {"__init__.py"}


def test_what_the_pages_for_newcomers_name_is_there() -> None:
    gone = [
        f"{page}: {path}{f': {name}' if name else ''} is gone"
        for page in PAGES
        for path, name in _NAMED.findall((ROOT / page).read_text())
        if not (ROOT / path).exists() or (name and name not in definitions(ROOT / path))
    ]
    pages = (*PAGES, *(f"{app}/README.md" for app in READMES))
    gone += [
        f"{page}: the link to {link} leads nowhere"
        for page in pages
        for link in _LINK.findall((ROOT / page).read_text())
        if not (ROOT / page).parent.joinpath(link).exists()
    ]
    assert not gone, "\n".join(gone)
