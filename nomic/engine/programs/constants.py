"""Numbers and texts that a program calls by a name, read from its text. No Django here."""

import ast
from collections import Counter

_LARGEST = 10**9


def constants_in(tree: ast.Module) -> dict[str, str]:
    """The numbers and texts that have a name at the margin, and nothing else ever has it."""
    stored = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    found: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
            continue
        value = node.value.value
        if type(value) is str or (type(value) is int and value <= _LARGEST):
            named = (each.id for each in node.targets if isinstance(each, ast.Name))
            found |= {name: str(value) for name in named if stored[name] == 1}
    return found


class WrittenOut(ast.NodeTransformer):
    """Puts the constants into the f-strings of a declaration where they name nothing else."""

    def __init__(self, known: dict[str, str]) -> None:
        self._known = known

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        said = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                said += str(part.value)
                continue
            if not isinstance(part, ast.FormattedValue) or part.conversion != -1:
                return node
            constant = self._known.get(getattr(part.value, "id", ""))
            if part.format_spec or constant is None:
                return node
            said += constant
        return ast.copy_location(ast.Constant(said), node)
