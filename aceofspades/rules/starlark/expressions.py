"""Writes the expressions of a block down anew, with every operation paid for. No Django here."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from aceofspades.rules.starlark.budgets import LONGEST_CONSTANT, BlockWrong, Place
from aceofspades.rules.starlark.reading import place_of
from aceofspades.rules.starlark.weights import charge_of

_PLAIN_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Div: "/", ast.FloorDiv: "//", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_CALLED_SIGNS: dict[type[ast.AST], str] = {
    ast.Mult: "paid_times", ast.Mod: "paid_modulo", ast.LShift: "paid_shift_left",
}  # fmt: skip
_COMPARISONS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_UNARY: dict[type[ast.AST], str] = {
    ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not ",
}  # fmt: skip

_PAID_METHODS = {
    "append": "paid_append", "extend": "paid_extend", "update": "paid_update",
    "join": "paid_join", "replace": "paid_replace", "format": "paid_format",
}  # fmt: skip
_TEXT_METHODS = (
    "capitalize", "count", "endswith", "find", "isalnum", "isalpha", "isdigit", "islower",
    "isspace", "istitle", "isupper", "lower", "lstrip", "partition", "removeprefix",
    "removesuffix", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "splitlines",
    "startswith", "strip", "title", "upper",
)  # fmt: skip
_OWNERS = {
    **dict.fromkeys(_TEXT_METHODS, "paid_text"),
    **dict.fromkeys(("items", "keys", "values"), "paid_entries"),
    **dict.fromkeys(("remove", "index"), "paid_searched"),
    **dict.fromkeys(("insert", "pop", "popitem"), "paid_shifted"),
    **dict.fromkeys(("get", "clear"), ""),
    "setdefault": "paid_place",
}


@dataclass(slots=True)
class Sheet:
    """What is written so far. `places` has, for each line of it, where in the block it is from."""

    pieces: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=lambda: [Place(1, 1)])

    def put(self, text: str) -> None:
        self.pieces.append(text)

    def line(self, node: ast.AST, indent: int = 0) -> None:
        """Begin a line that comes from there; within an expression, brackets have to be open."""
        self.places.append(place_of(node))
        self.put("\n" + " " * indent)

    def target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self.put(node.id)
        elif isinstance(node, ast.Tuple | ast.List) and node.elts:
            self.put("(")
            for each in node.elts:
                self.target(each)
                self.put(", ")
            self.put(")")
        elif isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            self.put("paid_place(")
            self.expression(node.value)
            self.put(")[")
            self.key(node.slice)
            self.put("]")
        else:
            raise BlockWrong("Nothing can be assigned to this", place_of(node))

    def parameters(self, given: ast.arguments) -> None:
        without = len(given.args) - len(given.defaults)
        defaults: list[ast.expr | None] = [None] * without + list(given.defaults)
        for parameter, default in zip(given.args, defaults, strict=True):
            self.parameter(parameter.arg, default)
        if given.vararg or given.kwonlyargs:
            self.put(f"*{given.vararg.arg if given.vararg else ''}, ")
        for parameter, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            self.parameter(parameter.arg, default)
        if given.kwarg:
            self.put(f"**{given.kwarg.arg}, ")

    def parameter(self, name: str, default: ast.expr | None) -> None:
        self.put(name)
        if default is not None:
            self.put(" = ")
            self.expression(default)
        self.put(", ")

    def bracketed(self, node: ast.expr) -> None:
        self.put("(")
        self.expression(node)
        self.put(")")

    def expression(self, node: ast.expr) -> None:
        _EXPRESSIONS[type(node)](self, node)

    def each(self, nodes: Sequence[ast.expr]) -> None:
        for node in nodes:
            self.expression(node)
            self.put(", ")

    def call(self, name: str, *arguments: Callable[[], None]) -> None:
        self.put(f"{name}(")
        for argument in arguments:
            argument()
            self.put(", ")
        self.put(")")

    def key(self, node: ast.expr) -> None:
        """What is looked up in a dict, or is an entry's key."""
        if isinstance(node, ast.Name):
            self.put(f'({node.id} if type({node.id}) == "string" else paid_key({node.id}))')
        elif isinstance(node, ast.Constant):
            self.expression(node)
        else:
            self.call("paid_key", lambda: self.expression(node))

    def compared(self, node: ast.expr, *, freely: bool) -> None:
        """One side of a comparison, which is soon done where the other is a constant."""
        if freely:
            self.bracketed(node)
        else:
            self.call("paid_weighed", lambda: self.expression(node))

    def constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, str) and len(value) > LONGEST_CONSTANT:
            raise BlockWrong(f"A text is longer than {LONGEST_CONSTANT} letters", place_of(node))
        self.put(_quoted(value) if isinstance(value, str) else repr(value))

    def name(self, node: ast.Name) -> None:
        self.line(node)
        self.put(node.id)

    def operation(
        self, node: ast.AST, sign: ast.operator, left: Callable[[], None], right: ast.expr
    ) -> None:
        self.line(node)
        if type(sign) in _CALLED_SIGNS:
            self.call(_CALLED_SIGNS[type(sign)], left, lambda: self.expression(right))
            return
        self.put("paid_sized((")
        left()
        self.put(f") {_PLAIN_SIGNS[type(sign)]} (")
        self.expression(right)
        self.put("))")

    def binary(self, node: ast.BinOp) -> None:
        self.operation(node, node.op, lambda: self.expression(node.left), node.right)

    def unary(self, node: ast.UnaryOp) -> None:
        self.line(node)
        inside = "" if isinstance(node.op, ast.Not) else "paid_sized"
        self.put(f"{inside}({_UNARY[type(node.op)]}")
        self.bracketed(node.operand)
        self.put(")")

    def either(self, node: ast.BoolOp) -> None:
        sign = " and " if isinstance(node.op, ast.And) else " or "
        self.put("(")
        for place, value in enumerate(node.values):
            self.put(sign if place else "")
            self.bracketed(value)
        self.put(")")

    def choice(self, node: ast.IfExp) -> None:
        self.put("(")
        self.bracketed(node.body)
        self.put(" if ")
        self.bracketed(node.test)
        self.put(" else ")
        self.bracketed(node.orelse)
        self.put(")")

    def comparison(self, node: ast.Compare) -> None:
        sign, right = node.ops[0], node.comparators[0]
        self.line(node)
        self.put("(")
        within = isinstance(sign, ast.In | ast.NotIn)
        plain = isinstance(node.left, ast.Constant)
        freely = plain or (isinstance(right, ast.Constant) and not within)
        self.compared(node.left, freely=freely)
        self.put(f" {_COMPARISONS[type(sign)]} ")
        if within:
            self.call("paid_searched", lambda: self.expression(right))
        else:
            self.compared(right, freely=freely)
        self.put(")")

    def items(self, node: ast.List | ast.Tuple) -> None:
        left, right = "[]" if isinstance(node, ast.List) else "()"
        self.put(left)
        self.each(node.elts)
        self.put(right)

    def entries(self, node: ast.Dict) -> None:
        self.put("{")
        for key, value in zip(node.keys, node.values, strict=True):
            assert key is not None  # reading.py refuses **
            self.key(key)
            self.put(": ")
            self.expression(value)
            self.put(", ")
        self.put("}")

    def comprehension(self, node: ast.ListComp | ast.DictComp) -> None:
        self.line(node)
        if isinstance(node, ast.ListComp):
            self.put("paid_entries([")
            self.bracketed(node.elt)
            charge = charge_of(node.elt, *node.generators)
        else:
            self.put("paid_entries({")
            self.key(node.key)
            self.put(": ")
            self.bracketed(node.value)
            charge = charge_of(node.key, node.value, *node.generators)
        for part in node.generators:
            self.put(" for ")
            self.target(part.target)
            self.put(" in ")
            self.bracketed(part.iter)
            self.put(f" if not paid_for({charge})" if charge else "")
            for test in part.ifs:
                self.put(" if ")
                self.bracketed(test)
        self.put("])" if isinstance(node, ast.ListComp) else "})")

    def anonymous(self, node: ast.Lambda) -> None:
        charge = charge_of(node.body)
        self.put("(lambda ")
        self.parameters(node.args)
        self.put(f": paid_for({charge}) or " if charge else ": ")
        self.bracketed(node.body)
        self.put(")")

    def subscript(self, node: ast.Subscript) -> None:
        self.line(node)
        if not isinstance(node.slice, ast.Slice):
            self.bracketed(node.value)
            self.put("[")
            self.key(node.slice)
            self.put("]")
            return
        self.put("paid_sized(")
        self.bracketed(node.value)
        self.put("[")
        for place, bound in enumerate((node.slice.lower, node.slice.upper, node.slice.step)):
            if place < 2 or bound is not None:
                self.put(":" if place else "")
            if bound is not None:
                self.bracketed(bound)
        self.put("])")

    def called(self, node: ast.Call) -> None:
        self.line(node)
        if isinstance(node.func, ast.Attribute):
            self.method(node, node.func)
        else:
            self.bracketed(node.func)
            self.put("(")
            self.arguments(node)

    def method(self, node: ast.Call, func: ast.Attribute) -> None:
        name = func.attr
        if name in _PAID_METHODS:
            self.put(f"{_PAID_METHODS[name]}(")
            self.expression(func.value)
            self.put(", ")
            self.arguments(node)
            return
        if name not in _OWNERS:
            raise BlockWrong(f"There is no method {name}", place_of(node))
        plain = not _OWNERS[name] or (name == "pop" and not node.args)
        self.put("(" if plain else f"{_OWNERS[name]}(")
        self.expression(func.value)
        self.put(f").{name}(")
        self.arguments(node, keys=name in ("get", "setdefault", "pop"))

    def arguments(self, node: ast.Call, *, keys: bool = False) -> None:
        for place, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                self.put("*")
                self.spread(argument.value)
            elif keys and not place:
                self.key(argument)
            else:
                self.expression(argument)
            self.put(", ")
        for keyword in node.keywords:
            if keyword.arg is None:
                self.put("**")
                self.spread(keyword.value)
            else:
                self.put(f"{keyword.arg} = ")
                self.expression(keyword.value)
            self.put(", ")
        self.put(")")

    def spread(self, node: ast.expr) -> None:
        self.call("paid_spread", lambda: self.expression(node))

    def refused(self, node: ast.expr) -> None:
        what = "A method is only called" if isinstance(node, ast.Attribute) else "This has no place"
        raise BlockWrong(what, place_of(node))


def _quoted(text: str) -> str:
    return '"' + "".join(map(_letter, text)) + '"'


def _letter(letter: str) -> str:
    if " " <= letter <= "~" and letter not in '"\\':
        return letter
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_EXPRESSIONS: dict[type[ast.AST], Callable[[Sheet, Any], None]] = {
    ast.Constant: Sheet.constant,
    ast.Name: Sheet.name,
    ast.BinOp: Sheet.binary,
    ast.UnaryOp: Sheet.unary,
    ast.BoolOp: Sheet.either,
    ast.IfExp: Sheet.choice,
    ast.Compare: Sheet.comparison,
    ast.List: Sheet.items,
    ast.Tuple: Sheet.items,
    ast.Dict: Sheet.entries,
    ast.ListComp: Sheet.comprehension,
    ast.DictComp: Sheet.comprehension,
    ast.Lambda: Sheet.anonymous,
    ast.Subscript: Sheet.subscript,
    ast.Call: Sheet.called,
    ast.Attribute: Sheet.refused,
    ast.Starred: Sheet.refused,
    ast.Slice: Sheet.refused,
}
