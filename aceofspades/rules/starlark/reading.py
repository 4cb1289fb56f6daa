"""Reads a block: Python's own reader, then a refusal of all that is not Starlark. No Django here.

Starlark's grammar is a part of Python's, so what is left after the refusals is a tree that
`writing.py` can write down anew, with every operation paid for.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from aceofspades.rules.starlark.budgets import (
    DEEPEST,
    LARGEST,
    MOST_BRACKETS,
    MOST_INDENTS,
    MOST_SOURCE,
    BlockWrong,
    Place,
)

GUARDED = (
    "all", "any", "dict", "enumerate", "fail", "float", "int", "list", "max", "min", "repr",
    "reversed", "sorted", "str", "sum", "tuple", "zip",
)  # fmt: skip
UNGUARDED = ("abs", "bool", "chr", "len", "ord", "range", "type")
LEFT_OUT = ("dir", "getattr", "hasattr", "hash", "print", "eval_type")
OURS = "paid_"  # what begins so is the prelude's

_STATEMENTS = {
    ast.FunctionDef, ast.For, ast.If, ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Pass,
    ast.Break, ast.Continue,
}  # fmt: skip
_EXPRESSIONS = {
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.ListComp,
    ast.DictComp, ast.Compare, ast.Call, ast.Constant, ast.Attribute, ast.Subscript, ast.Name,
    ast.List, ast.Tuple, ast.Slice, ast.Starred,
}  # fmt: skip
_WORDS = {
    ast.While: "while", ast.With: "with", ast.Try: "try", ast.Raise: "raise",
    ast.Import: "import", ast.ImportFrom: "import", ast.ClassDef: "class", ast.Global: "global",
    ast.Nonlocal: "nonlocal", ast.Delete: "del", ast.Assert: "assert", ast.Yield: "yield",
    ast.YieldFrom: "yield", ast.Await: "await", ast.AsyncFunctionDef: "async",
    ast.AsyncFor: "async", ast.AsyncWith: "async", ast.Match: "match",
    ast.JoinedStr: "a text with f before it", ast.Set: "a set", ast.SetComp: "a set",
    ast.GeneratorExp: "a generator", ast.NamedExpr: ":=", ast.AnnAssign: "an annotation",
}  # fmt: skip
_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|(0|[1-9][0-9]*)|[0-9]*\.?[0-9]*([eE][+-]?[0-9]+)?"
)
_ESCAPE = re.compile(r"\\(?!\n|[\\'\"abfnrtv0-7]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")
_OPEN, _CLOSED = "([{", ")]}"


def read(source: str) -> ast.Module:
    """The tree of the block, all of it Starlark that `writing.py` can write; BlockWrong if not.

    Its nodes' columns are counted in characters from 0, not in bytes.
    """
    _check_characters(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they would show lines of a secret block
        _check_tokens(source)
        tree = _parsed(source)
    _count_columns_in_characters(tree, source)
    _check_depth(tree)
    for statement in tree.body:
        _check_top(statement)
    for node in ast.walk(tree):
        _check_node(node)
    _check_names(tree)
    return tree


def place_of(node: ast.AST) -> Place:
    """Where a statement or expression begins."""
    return Place(getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


def _check_characters(source: str) -> None:
    if len(source) > MOST_SOURCE:
        raise BlockWrong(f"The block is longer than {MOST_SOURCE} characters")
    for number, line in enumerate(source.split("\n"), 1):
        for column, letter in enumerate(line, 1):
            if letter != "\t" and not letter.isprintable() and not letter.isspace():
                raise BlockWrong("There is a character that cannot be shown", Place(number, column))
            if letter in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
                raise BlockWrong("There is a line break of another kind", Place(number, column))


def _check_tokens(source: str) -> None:
    """BlockWrong for what Python's tree would hide: odd names, numbers and texts, and depth."""
    brackets = indents = 0
    before = None
    for token in _tokens(source):
        place = Place(token.start[0], token.start[1] + 1)
        brackets += (token.string in _OPEN) - (token.string in _CLOSED) if token.string else 0
        indents += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if brackets > MOST_BRACKETS:
            raise BlockWrong(f"More than {MOST_BRACKETS} brackets stand within each other", place)
        if indents > MOST_INDENTS:
            raise BlockWrong(f"More than {MOST_INDENTS} indents stand within each other", place)
        if token.type == tokenize.NAME and not token.string.isascii():
            raise BlockWrong(f"A name has other letters than a to z: {_cut(token.string)}", place)
        if token.type == tokenize.NUMBER and not _NUMBER.fullmatch(token.string):
            raise BlockWrong(f"{_cut(token.string)} is no number of Starlark", place)
        if token.type == tokenize.STRING:
            if before == tokenize.STRING:
                raise BlockWrong("Two texts stand side by side; a + belongs between them", place)
            _check_text(token.string, place)
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(source).readline)
    except tokenize.TokenError as wrong:
        _parsed(source)  # which says better what is wrong
        what, (line, column) = wrong.args
        raise BlockWrong(f"It cannot be read: {what}", Place(line, max(1, column))) from None
    except SyntaxError as wrong:
        raise _unread(wrong) from None
    except (ValueError, RecursionError, MemoryError):
        raise BlockWrong("It cannot be read") from None


def _check_text(text: str, place: Place) -> None:
    prefix = text[: len(text) - len(text.lstrip("rRbBuUfFtT"))]
    if prefix not in ("", "r"):
        raise BlockWrong(f"A text cannot have {prefix} before it", place)
    if not prefix and _ESCAPE.search(text.replace("\\\\", "")):
        raise BlockWrong("A text has a backslash before a character that needs none", place)


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source, "block")
    except SyntaxError as wrong:
        raise _unread(wrong) from None
    except (ValueError, RecursionError, MemoryError):
        raise _too_deep() from None


def _unread(wrong: SyntaxError) -> BlockWrong:
    place = Place(wrong.lineno, max(1, wrong.offset or 1)) if wrong.lineno else None
    return BlockWrong(f"It cannot be read: {_cut(str(wrong.msg).rstrip('.'), 160)}", place)


def _too_deep(node: ast.AST | None = None) -> BlockWrong:
    what = f"An expression or statement has more than {DEEPEST} parts within each other"
    return BlockWrong(
        what, place_of(node) if node is not None and hasattr(node, "lineno") else None
    )


def _count_columns_in_characters(tree: ast.Module, source: str) -> None:
    lines = source.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.arg) and node.lineno <= len(lines):
            line = lines[node.lineno - 1]
            if not line.isascii():
                node.col_offset = len(line.encode()[: node.col_offset].decode(errors="ignore"))


def _check_depth(tree: ast.Module) -> None:
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [inner for node in level for inner in ast.iter_child_nodes(node)]
        if not level:
            return
    raise _too_deep(next((node for node in level if hasattr(node, "lineno")), None))


def _check_top(statement: ast.stmt) -> None:
    """Outside of functions there are functions and constants, which nothing can change later."""
    if isinstance(statement, ast.FunctionDef | ast.Pass):
        return
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return
    if not isinstance(statement, ast.Assign):
        if type(statement) in _STATEMENTS:
            raise BlockWrong(
                "Outside of a function only functions and constants can stand", place_of(statement)
            )
        raise _no_starlark(statement)
    for node in ast.walk(statement.value):
        if isinstance(node, ast.Call | ast.Lambda | ast.ListComp | ast.DictComp):
            raise BlockWrong("A constant outside of a function calls nothing", place_of(node))


def _check_node(node: ast.AST) -> None:
    if isinstance(node, ast.stmt | ast.expr) and type(node) not in _STATEMENTS | _EXPRESSIONS:
        raise _no_starlark(node)
    check = _CHECKS.get(type(node))
    if check:
        check(node)


def _no_starlark(node: ast.AST) -> BlockWrong:
    what = _WORDS.get(type(node), "this")
    return BlockWrong(f"Starlark has nothing like {what}", place_of(node))


def _check_function(node: ast.FunctionDef) -> None:
    if node.decorator_list or node.returns or getattr(node, "type_params", None):
        raise BlockWrong("A function has no decorators, types or annotations", place_of(node))


def _check_arguments(node: ast.arguments) -> None:
    if node.posonlyargs:
        raise BlockWrong("A / stands among the parameters", place_of(node.posonlyargs[0]))
    for each in (*node.args, *node.kwonlyargs, node.vararg, node.kwarg):
        if each and each.annotation:
            raise BlockWrong("A parameter has no annotation", place_of(each))


def _check_loop(node: ast.For) -> None:
    if node.orelse:
        raise BlockWrong("A loop has no else", place_of(node))


def _check_comprehension(node: ast.comprehension) -> None:
    if node.is_async:
        raise BlockWrong("Starlark has nothing like async", place_of(node.target))


def _check_operator(node: ast.BinOp | ast.AugAssign) -> None:
    if isinstance(node.op, ast.Pow | ast.MatMult):
        sign = "**" if isinstance(node.op, ast.Pow) else "@"
        raise BlockWrong(f"Starlark has nothing like {sign}", place_of(node))


def _check_comparison(node: ast.Compare) -> None:
    if len(node.ops) > 1:
        raise BlockWrong(
            "A comparison cannot follow another; write a < b and b < c", place_of(node)
        )
    if isinstance(node.ops[0], ast.Is | ast.IsNot):
        raise BlockWrong("Starlark has nothing like is; write ==", place_of(node))


def _check_constant(node: ast.Constant) -> None:
    value = node.value
    if isinstance(value, bytes | complex) or value is Ellipsis:
        raise BlockWrong("Starlark has no such constant", place_of(node))
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise BlockWrong("A number is infinite", place_of(node))
    if isinstance(value, int) and value > LARGEST:
        raise BlockWrong("A number is larger than the limit", place_of(node))
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise BlockWrong("A text has a letter that is none", place_of(node))


def _check_dict(node: ast.Dict) -> None:
    if None in node.keys:
        raise BlockWrong("Starlark has nothing like ** within { }", place_of(node))


def _check_display(node: ast.List | ast.Tuple) -> None:
    for each in node.elts:
        if isinstance(each, ast.Starred):
            raise BlockWrong("A * stands only in a call", place_of(each))


def _check_assignment(node: ast.Assign) -> None:
    if len(node.targets) > 1:
        raise BlockWrong("One assignment cannot follow another in a line", place_of(node))
    if isinstance(node.targets[0], ast.Starred):
        raise BlockWrong("A * stands only in a call", place_of(node))


_CHECKS: dict[type[ast.AST], Callable[[Any], None]] = {
    ast.FunctionDef: _check_function,
    ast.arguments: _check_arguments,
    ast.For: _check_loop,
    ast.comprehension: _check_comprehension,
    ast.BinOp: _check_operator,
    ast.AugAssign: _check_operator,
    ast.Compare: _check_comparison,
    ast.Constant: _check_constant,
    ast.Dict: _check_dict,
    ast.List: _check_display,
    ast.Tuple: _check_display,
    ast.Assign: _check_assignment,
}


def _check_names(tree: ast.Module) -> None:
    """BlockWrong for names of the prelude, and for functions of the language that are left out."""
    bound = set()
    for name, node in _bound(tree):
        bound.add(name)
        if name.startswith(OURS) or name in ("load", "type"):
            raise BlockWrong(f"{_cut(name)} cannot be a name here", place_of(node))
    for statement in tree.body:
        for name, node in _bound(statement, inside=False):
            if name in GUARDED + UNGUARDED + LEFT_OUT:
                raise BlockWrong(f"{name} is a function of the language", place_of(node))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        if node.id == "load" or (node.id in LEFT_OUT and node.id not in bound):
            raise BlockWrong(f"{node.id} is of no use to a regulation and left out", place_of(node))
        if node.id.startswith(OURS):
            raise BlockWrong(f"{_cut(node.id)} cannot be a name here", place_of(node))


def _bound(top: ast.AST, *, inside: bool = True) -> Iterator[tuple[str, ast.AST]]:
    """The names that are given by a definition, a parameter or an assignment."""
    nodes = ast.walk(top) if inside else iter((top, *getattr(top, "targets", ())))
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.arg):
            yield node.arg, node
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node


def _cut(text: str, length: int = 40) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
