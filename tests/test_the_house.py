"""The rules of this house that no linter knows."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grimp
import networkx
import pytest
from pip_audit._cli import audit
from pip_audit._service import PyPIService
from pip_audit._service.interface import SkippedDependency

from nomic.infrastructure.paths import ROOT

type Nodes = list[ast.AST]

SUBGAMES = ("horses", "proposals", "settlers", "aceofspades")


def modules() -> list[Path]:
    found = [path for top in (*SUBGAMES, "nomic") for path in ROOT.glob(f"{top}/**/*.py")]
    return [p for p in found if not {"tests", "migrations", "__pycache__"} & set(p.parts)]


def called(nodes: Nodes, owner: str, *names: str) -> Iterator[int]:
    """The lines that use `owner.name`."""
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=found), attr=name):
                if found == owner and name in names:
                    yield node.lineno


def imports(nodes: Nodes, *names: str) -> Iterator[int]:
    """The lines that import one of these modules, or from them."""
    for node in nodes:
        if isinstance(node, ast.Import) and {a.name.split(".")[0] for a in node.names} & set(names):
            yield node.lineno
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in names:
            yield node.lineno


def where(found: dict[Path, Iterator[int]]) -> list[str]:
    return [f"{p.relative_to(ROOT)}:{line}" for p, lines in found.items() for line in lines]


@pytest.fixture(scope="module")
def trees() -> dict[Path, Nodes]:
    """What each module consists of, as far as the tests below look at it."""
    kinds = (ast.Attribute, ast.Import, ast.ImportFrom)
    parsed = {path: ast.parse(path.read_text()) for path in modules()}
    return {p: [n for n in ast.walk(tree) if isinstance(n, kinds)] for p, tree in parsed.items()}


def test_only_the_engine_and_operations_open_transactions(trees: dict[Path, Nodes]) -> None:
    opened = where({p: called(t, "transaction", "atomic") for p, t in trees.items()})
    allowed = ("nomic/engine/", "nomic/operations/")
    assert [place for place in opened if not place.startswith(allowed)] == []


def test_the_time_is_read_in_one_place(trees: dict[Path, Nodes]) -> None:
    read = [
        *where({p: called(t, "datetime", "now", "utcnow", "today") for p, t in trees.items()}),
        *where({p: called(t, "timezone", "now", "localtime") for p, t in trees.items()}),
        *where({p: called(t, "time", "time") for p, t in trees.items()}),
    ]
    assert [place.split(":")[0] for place in read] == ["nomic/games/clock.py"]


def test_what_happens_in_a_game_takes_no_chance_but_the_dice(
    trees: dict[Path, Nodes],
) -> None:
    rooms = {"actions", "events", "rules", "state", "secrecy", "governance"}
    inner = {path: tree for path, tree in trees.items() if rooms & set(path.with_suffix("").parts)}
    assert len(inner) > 100
    assert where({p: imports(t, "random", "secrets") for p, t in inner.items()}) == []


def templates() -> dict[str, list[str]]:
    found = ROOT.glob("templates/**/*.html")
    return {str(path.relative_to(ROOT)): path.read_text().splitlines() for path in found}


def test_a_form_that_counts_once_names_the_head_that_its_page_has_shown() -> None:
    texts = {name: "\n".join(lines) for name, lines in templates().items()}
    silent = [
        name for name, text in texts.items() if text.count('name="key"') != text.count('name="saw"')
    ]
    assert silent == []


def test_no_text_of_ours_puts_things_off() -> None:
    later = ("TO" + "DO", "FIX" + "ME", "X" * 3)
    texts = [*modules(), *ROOT.glob("templates/**/*.html"), *ROOT.glob("docs/*.md")]
    assert [str(p) for p in texts if any(word in p.read_text() for word in later)] == []


def test_no_modules_import_each_other_in_a_circle_types_included() -> None:
    found = grimp.build_graph(
        "nomic", *SUBGAMES, exclude_type_checking_imports=False, cache_dir=None
    )
    imports = networkx.DiGraph(
        (module, imported)
        for module in found.modules
        if "tests" not in module.split(".")
        for imported in found.find_modules_directly_imported_by(module)
    )
    circles = [sorted(each) for each in networkx.strongly_connected_components(imports)]
    assert [each for each in circles if len(each) > 1] == []


def test_an_audit_of_the_packages_fails_where_nothing_was_looked_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = subprocess.run(
        ["make", "--dry-run", "--always-make", "audit-packages"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    [command] = [line for line in asked.stdout.splitlines() if "pip-audit" in line]
    pins = tmp_path / "requirements.txt"
    pins.write_text(f"certifi==1 --hash=sha256:{64 * '0'}\n")
    words = command.replace("requirements.txt", str(pins)).split()

    def not_there(_: object, spec: Any) -> Any:
        return SkippedDependency(name=spec.name, skip_reason="not found"), []

    monkeypatch.setattr(PyPIService, "query", not_there)
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        audit()
    assert ended.value.code == 1
