"""What a body of a block is charged for, beside the step that each round or call of it is."""

from __future__ import annotations

import ast
from collections.abc import Iterable

_FREE_WEIGHT = 24  # of a body: so much is done in the time of a step or two
_WEIGHT_A_STEP = 8
_MADE = {
    **dict.fromkeys((ast.List, ast.Tuple, ast.Slice, ast.Call), 8),
    ast.Dict: 32,
    **dict.fromkeys((ast.Lambda, ast.FunctionDef), 400),
}  # by what takes longer to make than a step, or more memory


def charge_of(*nodes: ast.AST) -> int:
    """The steps that a body is charged at its begin, without the bodies within it."""
    weight = sum(map(_weight, nodes))
    return weight // _WEIGHT_A_STEP if weight > _FREE_WEIGHT else 0


def _weight(node: ast.AST) -> int:
    own = _MADE.get(type(node), int(isinstance(node, ast.expr)))
    return own + sum(map(_weight, _outside(node)))


def _outside(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of a statement or expression that are done where it stands, and but once."""
    if isinstance(node, ast.For):
        return (node.iter,)
    if isinstance(node, ast.ListComp | ast.DictComp):
        return (part.iter for part in node.generators)
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        return (default for default in (*node.args.defaults, *node.args.kw_defaults) if default)
    return ast.iter_child_nodes(node)
