"""Writes a block's tree down anew as Starlark in which every operation is paid for.

Each part that may fail begins a line of its own, so that the interpreter's lines lead back to
places of the block. A round of a loop and a call are a step by themselves; what else a body
holds is charged at its begin, by its weight. No Django here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from aceofspades.rules.starlark.budgets import BlockWrong, Place
from aceofspades.rules.starlark.expressions import Sheet
from aceofspades.rules.starlark.reading import GUARDED, LEFT_OUT, place_of
from aceofspades.rules.starlark.weights import charge_of

PAID = (
    "paid_for", "paid_weighed", "paid_key", "paid_searched", "paid_sized", "paid_entries",
    "paid_shifted", "paid_place", "paid_added", "paid_times", "paid_modulo", "paid_shift_left",
    "paid_append", "paid_extend", "paid_update", "paid_text", "paid_join", "paid_replace",
    "paid_format", "paid_spread",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """Starlark to be run, and for each of its lines where in the block it comes from."""

    source: str
    places: tuple[Place, ...]


def write(tree: ast.Module) -> Written:
    """The block as Starlark for the interpreter; BlockWrong for what cannot be paid for."""
    writer = _Writer()
    loaded = [f'"{name}"' for name in PAID]
    loaded += [f'{name} = "paid_{name}"' for name in GUARDED]
    loaded += [f'{name} = "paid_refused"' for name in LEFT_OUT]
    writer.put(f'load("prelude", {", ".join(loaded)})')
    for statement in tree.body:
        if not isinstance(statement, ast.Expr | ast.Pass):
            writer.statement(statement, 0)
    return Written("".join(writer.pieces) + "\n", tuple(writer.places))


class _Writer(Sheet):
    """The statements, each in lines of its own."""

    def statement(self, node: ast.stmt, indent: int) -> None:
        self.line(node, indent)
        _STATEMENTS[type(node)](self, node, indent)

    def body(self, nodes: Sequence[ast.stmt], indent: int, charge: int = 0) -> None:
        if charge:
            self.line(nodes[0], indent + 1)
            self.put(f"paid_for({charge})")
        for node in nodes:
            self.statement(node, indent + 1)

    def function(self, node: ast.FunctionDef, indent: int) -> None:
        self.put(f"def {node.name}(")
        self.parameters(node.args)
        self.put("):")
        self.body(node.body, indent, charge_of(*node.body))

    def loop(self, node: ast.For, indent: int) -> None:
        self.put("for ")
        self.target(node.target)
        self.put(" in ")
        self.bracketed(node.iter)
        self.put(":")
        self.body(node.body, indent, charge_of(*node.body))

    def branch(self, node: ast.If, indent: int) -> None:
        self.put("if ")
        self.bracketed(node.test)
        self.put(":")
        self.body(node.body, indent)
        if node.orelse:
            self.line(node.orelse[0], indent)
            self.put("else:")
            self.body(node.orelse, indent)

    def assignment(self, node: ast.Assign, _: int) -> None:
        self.target(node.targets[0])
        self.put(" = ")
        self.bracketed(node.value)

    def change(self, node: ast.AugAssign, indent: int) -> None:
        """What is changed is looked up once, and a list is changed where it is."""
        if isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node.target, ast.Subscript):
            self.put("paid_owner = ")
            self.bracketed(node.target.value)
            self.line(node.target, indent)
            self.put("paid_entry = (")
            self.key(node.target.slice)
            self.put(")")
            self.line(node, indent)
            name = "paid_owner[paid_entry]"
        else:
            raise BlockWrong("Nothing like this can be changed", place_of(node))
        self.put(f"{name} = (")
        if isinstance(node.op, ast.Add):
            self.line(node)
            self.call("paid_added", lambda: self.put(name), lambda: self.expression(node.value))
        else:
            self.operation(node, node.op, lambda: self.put(name), node.value)
        self.put(")")

    def plain(self, node: ast.Expr, _: int) -> None:
        if isinstance(node.value, ast.Constant):
            self.put("pass")
        else:
            self.bracketed(node.value)

    def give_back(self, node: ast.Return, _: int) -> None:
        self.put("return ")
        if node.value is not None:
            self.bracketed(node.value)

    def word(self, node: ast.stmt, _: int) -> None:
        self.put(type(node).__name__.lower())


_STATEMENTS: dict[type[ast.AST], Callable[[_Writer, Any, int], None]] = {
    ast.FunctionDef: _Writer.function,
    ast.For: _Writer.loop,
    ast.If: _Writer.branch,
    ast.Assign: _Writer.assignment,
    ast.AugAssign: _Writer.change,
    ast.Expr: _Writer.plain,
    ast.Return: _Writer.give_back,
    ast.Pass: _Writer.word,
    ast.Break: _Writer.word,
    ast.Continue: _Writer.word,
}
