"""Small faults that could stand in a function, and where a recorded one stands now.

A mutant is one statement of a function, or the head of one (`if …:`, `for …:`), before and after.
Both are kept as `ast.unparse` writes them, so that neither a move to another module nor another
line break hides the statement; the name of its function tells it from others that read alike.

mutmut and cosmic-ray were looked at. Both number the faults of a module, by function (mutmut) or
by operator (cosmic-ray), in the order in which they stand there: a sample drawn by either means
other faults as soon as a line is added above or a module is renamed.
"""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

NOT_PRODUCTION = {"tests", "migrations", "bench", "var", ".venv", "__pycache__"}
MOST_OF_A_FUNCTION = 3
SELDOM = {"None returned": 0.3}  # the easiest to find, and the most common
_LOGS = {"log", "logger", "logging"}

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
_SIMPLE = (ast.Expr, ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Raise)
_WITH_BODY = (ast.If, ast.While, ast.For, ast.With)

# An operator's name, and what it leaves in a node's place.
Change = tuple[str, Callable[[ast.AST], ast.AST]]


@dataclass(frozen=True, slots=True)
class Site:
    """A statement of a function that could be mutated, and the lines that its head takes."""

    path: Path
    function: str
    head: str
    first: int  # lines, from 1
    last: int


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault. `module` is where it stood when the list was last brought up to date."""

    id: str
    area: str
    module: str
    function: str
    operator: str
    original: str
    mutated: str


def production(root: Path) -> list[Path]:
    """Every module that is neither a test, a migration nor a bench, relative to `root`."""
    found = (path.relative_to(root) for path in root.glob("*/**/*.py"))
    return sorted(path for path in found if not NOT_PRODUCTION & set(path.parts))


def sites(root: Path, paths: Iterable[Path]) -> list[Site]:
    """All statements of all functions that could be mutated, in the order of the tree."""
    return [
        site
        for path in paths
        for site in _of_a_body(path, ast.parse((root / path).read_text()).body, "", inside=False)
    ]


def _of_a_body(path: Path, body: list[ast.stmt], name: str, *, inside: bool) -> Iterator[Site]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{name}.{statement.name}" if name else statement.name
            is_function = not isinstance(statement, ast.ClassDef)
            yield from _of_a_body(path, statement.body, inner, inside=is_function)
            continue
        if inside and isinstance(statement, _SIMPLE + _WITH_BODY):
            last = statement.end_lineno or statement.lineno
            if isinstance(statement, _WITH_BODY):
                last = max(statement.lineno, _first_line(statement.body[0]) - 1)
            yield Site(path, name, head(statement), statement.lineno, last)
        for _, value in ast.iter_fields(statement):
            for part in value if isinstance(value, list) else ():
                if isinstance(part, ast.stmt):
                    yield from _of_a_body(path, [part], name, inside=inside)
                elif isinstance(part, ast.ExceptHandler | ast.match_case):
                    yield from _of_a_body(path, part.body, name, inside=inside)


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)])


def head(statement: ast.stmt) -> str:
    """The statement in its normal form, without what stands below its colon."""
    if not isinstance(statement, _WITH_BODY):
        return ast.unparse(statement)
    fields = dict(ast.iter_fields(statement)) | {"body": [ast.Pass()]}
    if "orelse" in fields:
        fields["orelse"] = []
    alone = ast.copy_location(type(statement)(**fields), statement)
    return ast.unparse(alone).removesuffix("\n    pass")


def _read(head: str) -> ast.stmt:
    return ast.parse(f"{head} pass" if head.endswith(":") else head).body[0]


def mutations(original: str) -> dict[str, list[str]]:
    """By operator, every fault that could stand in a statement's place."""
    found: dict[str, list[str]] = {}
    statement = _read(original)
    left_out = _left_out(statement)
    for number, node in enumerate(ast.walk(statement)):
        if id(node) in left_out:
            continue
        for operator, change in _changes(node):
            changed = _changed(original, number, change)
            if changed != original:
                found.setdefault(operator, []).append(changed)
    return found


def _left_out(statement: ast.stmt) -> set[int]:
    """Nodes that say nothing of what happens: annotations, formats, sums of texts or of lists."""
    parts: list[ast.AST] = []
    for node in ast.walk(statement):
        match node:
            case ast.AnnAssign(annotation=annotation):
                parts += ast.walk(annotation)
            case ast.FormattedValue(format_spec=ast.AST() as spec):
                parts += ast.walk(spec)
            case ast.keyword(arg="strict"):
                parts += ast.walk(node)
            case ast.BinOp(left=left, right=right) if _joins(left) or _joins(right):
                parts.append(node)
    return {id(part) for part in parts}


def _joins(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)


def _changes(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            for place, sign in enumerate(ops):
                if type(sign) in _SWAPS:
                    yield "comparison swapped", partial(_swap_comparison, place)
        case ast.BinOp(op=sign) | ast.AugAssign(op=sign) if type(sign) in _SWAPS:
            yield "arithmetic swapped", _swap
        case ast.BoolOp():
            yield "and/or swapped", _swap
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", _without_not
        case ast.Constant(value=bool()):
            yield "truth negated", lambda node: ast.Constant(not node.value)  # type: ignore[attr-defined]
        case ast.Constant(value=int()):
            yield "constant + 1", partial(_more, 1)
            yield "constant - 1", partial(_more, -1)
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield "None returned", lambda _: ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call(func=called)) if not _LOGS & set(
            ast.unparse(called).split(".")
        ):
            yield "call removed", lambda _: ast.Pass()
        case ast.Raise(exc=ast.expr() as error) if ast.unparse(error) != "NotImplementedError":
            yield "raise removed", lambda _: ast.Pass()
    yield from _negations(node)


def _negations(node: ast.AST) -> Iterator[Change]:
    """What a condition is, turned round; comparisons and `not` have operators of their own."""
    test = getattr(node, "test", None)
    if isinstance(test, ast.expr) and not isinstance(test, ast.Compare | ast.UnaryOp):
        yield "condition negated", _negate


def _negate(node: ast.AST) -> ast.AST:
    node.test = ast.UnaryOp(ast.Not(), node.test)  # type: ignore[attr-defined]
    return node


def _swap_comparison(place: int, node: ast.AST) -> ast.AST:
    node.ops[place] = _SWAPS[type(node.ops[place])]()  # type: ignore[attr-defined]
    return node


def _swap(node: ast.AST) -> ast.AST:
    node.op = _SWAPS[type(node.op)]()  # type: ignore[attr-defined]
    return node


def _without_not(node: ast.AST) -> ast.AST:
    return node.operand  # type: ignore[attr-defined, no-any-return]


def _more(by: int, node: ast.AST) -> ast.AST:
    return ast.Constant(node.value + by)  # type: ignore[attr-defined]


def _changed(original: str, number: int, change: Callable[[ast.AST], ast.AST]) -> str:
    """The statement with its so-manieth node changed."""
    statement = _read(original)
    module = ast.Module([statement], [])
    node = list(ast.walk(statement))[number]
    new = change(node)
    for parent in ast.walk(module):
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, new)
            elif isinstance(value, list):
                setattr(parent, name, [new if each is node else each for each in value])
    return head(module.body[0])


def draw(
    root: Path,
    strata: dict[str, tuple[int, tuple[str, ...]]],
    seed: int,
    kept: Collection[Site] = (),
) -> Iterator[tuple[str, Site, str, str]]:
    """So many of each stratum's statements, each with one fault: stratum, site, operator, fault.

    A statement is drawn only if no other of a function of that name reads alike, and if it is not
    among those `kept`.
    """
    everywhere = sites(root, production(root))
    alike = Counter((site.function, site.head) for site in everywhere)
    for name, (count, patterns) in strata.items():
        chance = random.Random(f"{seed} {name}")
        at_hand = [site for site in everywhere if any(site.path.match(each) for each in patterns)]
        chance.shuffle(at_hand)
        taken = Counter((site.path, site.function) for site in kept)
        most = taken.total() + count
        for site in at_hand:
            faults = mutations(site.head)
            function = (site.path, site.function)
            unique = alike[site.function, site.head] == 1 and site not in kept
            if not faults or not unique or taken[function] >= MOST_OF_A_FUNCTION:
                continue
            if taken.total() == most:
                break
            operator = chance.choice(sorted(faults))
            if chance.random() >= SELDOM.get(operator, 1):
                continue
            taken[function] += 1
            yield name, site, operator, chance.choice(faults[operator])


def find(mutant: Mutant, tree: list[Site]) -> Site | str:
    """Where the statement stands now, or why nobody can say."""
    alike = [site for site in tree if site.head == mutant.original]
    short = mutant.function.rpartition(".")[2]
    for found in (
        [site for site in alike if site.function == mutant.function],
        [site for site in alike if site.function.rpartition(".")[2] == short],
        alike,
    ):
        if len(found) > 1:
            found = [site for site in found if site.path.stem == Path(mutant.module).stem] or found
        if len(found) == 1:
            return found[0]
        if found:
            return f"gone: stands {len(found)} times"
    return "gone: rewritten"


def applied(source: str, site: Site, mutated: str) -> str:
    """The module with the fault in it."""
    lines = source.splitlines(keepends=True)
    before = lines[site.first - 1]
    indent = before[: len(before) - len(before.lstrip())]
    word = "el" if before.lstrip().startswith("elif ") else ""
    lines[site.first - 1 : site.last] = [f"{indent}{word}{mutated}\n"]
    return "".join(lines)
