"""Declarations in the program of a rule, read from its text and never executed. No Django here."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Any

from nomic.engine.programs.sandbox import MOST_SOURCE, Problem, ProgramWrong, parsed
from nomic.infrastructure.caching.memory import memoized

PERIODS = ("day", "week", "month")
LONGEST_LINE = 200  # characters of a title, a sentence or a text that is filled in
_OPENS = re.compile(r"( *)(`{3,}|~{3,})\s*python\s*")
_CARRIES = re.compile(r"#\s*carries out:\s*(.+)")
_BLANK = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_KINDS = {"int": "number", "str": "text", "bool": "flag", "Player": "player"}
_GIVEN = {"before": ("me", "inputs"), "after": ("me", "inputs", "event")}
_LARGEST = 10**9  # of a number
_MOST_DECLARED = 100
_DECIDE = "decide"

type Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class InputField:
    """One input of an action. `kind` is number, text, flag, player or choice; `default` is None
    where it has to be filled in."""

    name: str
    kind: str
    default: Any = None
    options: tuple[str, ...] | tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclaredAction:
    """`sentence` has a blank for a field in braces; `price` is what the button says."""

    name: str
    sentence: str
    title: str
    price: str
    function: str
    fields: tuple[InputField, ...]


@dataclass(frozen=True, slots=True)
class DeclaredEvent:
    """An event that happens each `every`, of a name of its own in the rule."""

    name: str
    title: str
    every: str


@dataclass(frozen=True, slots=True)
class Hook:
    """A function that is called `when` (before or after) an action or event, or to decide what is
    `of` a subgame, with what it takes."""

    when: str
    of: str
    function: str
    takes: tuple[str, ...]
    place: Place

    @property
    def deciding(self) -> str:
        """What its calls are named in the record, where it decides."""
        return f"{self.function} decides {self.of}"


@dataclass(frozen=True, slots=True)
class DeclaredView:
    title: str
    function: str


@dataclass(frozen=True, slots=True)
class DeclaredAsset:
    """A currency, or a thing of which there is one; `plural` is what several are called."""

    name: str
    plural: str
    is_unique: bool


@dataclass(frozen=True, slots=True)
class Declarations:
    """All that a program adds to its game; nothing where it has a `problem`."""

    actions: tuple[DeclaredAction, ...] = ()
    events: tuple[DeclaredEvent, ...] = ()
    hooks: tuple[Hook, ...] = ()
    views: tuple[DeclaredView, ...] = ()
    decisions: tuple[Hook, ...] = ()
    assets: tuple[DeclaredAsset, ...] = ()
    problem: Problem | None = None

    def only_by_action(self, function: str) -> bool:
        """Whether the function is called by its action alone, and by no hook, decision or view."""
        others = {hook.function for hook in (*self.hooks, *self.decisions)}
        others |= {view.function for view in self.views}
        return function not in others and any(it.function == function for it in self.actions)

    def __bool__(self) -> bool:
        added = (self.actions, self.events, self.hooks, self.views, self.decisions, self.assets)
        return any(added) or self.problem is not None


def constants_in(tree: ast.Module) -> dict[str, str]:
    """The numbers and texts that have a name at the margin, and nothing else ever has it."""
    stored = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    constants: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
            continue
        value = node.value.value
        if type(value) is str or (type(value) is int and value <= _LARGEST):
            named = (target.id for target in node.targets if isinstance(target, ast.Name))
            constants |= {name: str(value) for name in named if stored[name] == 1}
    return constants


class WrittenOut(ast.NodeTransformer):
    """Puts the constants into the f-strings of a declaration where they name nothing else."""

    def __init__(self, constants: dict[str, str]) -> None:
        self._known = constants

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        text = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
                continue
            if not isinstance(part, ast.FormattedValue) or part.conversion != -1:
                return node
            constant = self._known.get(getattr(part.value, "id", ""))
            if part.format_spec or constant is None:
                return node
            text += constant
        return ast.copy_location(ast.Constant(text), node)


@memoized(share=0.04)
def program_in(text: str) -> str:
    """The program of a rule's text: its fenced blocks of Python, each line at its own number.

    Empty where the text has none.
    """
    lines, fence, indent = [], "", 0
    for line in text.split("\n"):
        bare = line.strip()
        if fence:
            ends = bare.startswith(fence) and not bare.strip(fence[0])
            margin = min(indent, len(line) - len(line.lstrip(" ")))
            lines.append("" if ends else line[margin:])
            fence = "" if ends else fence
        else:
            opens = _OPENS.fullmatch(line.rstrip())
            if opens:
                indent, fence = len(opens[1]), opens[2]
            lines.append("")
    return "\n".join(lines) if any(lines) else ""


@memoized(share=0.02)
def carried_in(program: str) -> tuple[tuple[int, str], ...]:
    """The sentences of its rule that the program says it carries out, each with its line.

    A name in braces stands for the number or text that the program calls so.
    """
    lines = enumerate(program.split("\n"), 1)
    matches = ((line, _CARRIES.fullmatch(text.strip())) for line, text in lines)
    sentences = [(line, match[1]) for line, match in matches if match]
    if not any("{" in words for _, words in sentences):
        return tuple(sentences)
    try:
        constants = constants_in(parsed(program))
    except (ProgramWrong, RecursionError):
        constants = {}
    return tuple(
        (line, _BLANK.sub(lambda blank: constants.get(blank[1], blank[0]), words))
        for line, words in sentences
    )


@memoized(share=0.02)
def looked_up_in(program: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The rules of which the program looks up tables, each with the columns that it names, as far
    as these are texts or names of texts."""
    try:
        tree = parsed(program)
    except (ProgramWrong, RecursionError):
        return ()
    constants = constants_in(tree)
    look_ups: list[tuple[str, tuple[str, ...]]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "rule_table":
            continue
        texts = []
        for argument in node.args:
            if isinstance(argument, ast.Constant) and type(argument.value) is str:
                texts.append(argument.value)
            else:
                texts.append(constants.get(getattr(argument, "id", ""), ""))
        if texts:
            look_ups.append((texts[0], tuple(filter(None, texts[1:]))))
    return tuple(look_ups)


@memoized(share=0.04)
def declared_in(program: str) -> Declarations:
    """The declarations of the program, or its problem; a block that declares nothing is none of
    ours."""
    try:
        if len(program.strip()) > MOST_SOURCE:
            raise _wrong(f"The program is longer than {MOST_SOURCE:,} characters", None)
        declarations = list(_declarations_of(parsed(program)))
        if len(declarations) > _MOST_DECLARED:
            raise _wrong(f"A rule declares at most {_MOST_DECLARED} things", None)
        names: set[tuple[type, str]] = set()
        for declaration, place in declarations:
            is_view = isinstance(declaration, DeclaredView)
            name = getattr(declaration, "title" if is_view else "name", "")
            if name and (type(declaration), name) in names:
                raise ProgramWrong(Problem(f"The rule declares “{name}” twice", place))
            names.add((type(declaration), name))
    except ProgramWrong as wrong:
        return Declarations(problem=wrong.problem)
    except RecursionError:
        return Declarations(problem=Problem("A declaration of the program is nested too deeply"))

    def of_kind[Kind: _Declared](kind: type[Kind]) -> tuple[Kind, ...]:
        return tuple(declared for declared, _ in declarations if isinstance(declared, kind))

    return Declarations(
        actions=of_kind(DeclaredAction),
        events=of_kind(DeclaredEvent),
        hooks=tuple(hook for hook in of_kind(Hook) if hook.when != _DECIDE),
        views=of_kind(DeclaredView),
        decisions=tuple(hook for hook in of_kind(Hook) if hook.when == _DECIDE),
        assets=of_kind(DeclaredAsset),
    )


type _Declared = DeclaredAction | DeclaredEvent | Hook | DeclaredView | DeclaredAsset
type _Found = tuple[_Declared, Place]


def _wrong(message: str, node: ast.AST | None) -> ProgramWrong:
    return ProgramWrong(Problem(message, _place(node) if node else None))


def _place(node: ast.AST) -> Place:
    return getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1


def _declarations_of(tree: ast.Module) -> Iterator[_Found]:
    names: set[str] = set()
    written_out = WrittenOut(constants_in(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _ASSETS:
            yield _asset(node, tree), _place(node)
        for decorator in getattr(node, "decorator_list", ()):
            name = getattr(
                decorator.func if isinstance(decorator, ast.Call) else decorator, "id", ""
            )
            reader = _READERS.get(name)
            if reader is None:
                continue
            if not isinstance(node, ast.FunctionDef) or node not in tree.body:
                raise _wrong(f"Only a function at the margin is declared by @{name}", decorator)
            if not isinstance(decorator, ast.Call):
                raise _wrong(f"The declaration @{name} takes something in brackets", decorator)
            if node.name in names and decorator is node.decorator_list[0]:
                raise _wrong(f"There are two functions {node.name}", node)
            names.add(node.name)
            yield reader(name, written_out.visit(decorator), node), _place(decorator)


def _texts(call: ast.Call, required: int, *further: str) -> tuple[list[str], dict[str, str]]:
    """The texts in a declaration's brackets: as many as are `required`, and those with a name."""
    texts = [_constant(argument) for argument in call.args]
    named = {
        argument.arg: _constant(argument.value)
        for argument in call.keywords
        if argument.arg in further
    }
    if not required <= len(texts) <= max(required, 1) or len(named) < len(call.keywords):
        optional = f", and perhaps {', '.join(further)}" if further else ""
        raise _wrong(f"This declaration takes {required} texts in its brackets{optional}", call)
    return texts, named


def _constant(node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(value, str):
        complaint = "What a declaration has in its brackets are texts, as they are"
        raise _wrong(
            f"{complaint}, or f-texts of numbers and texts with a name at the margin", node
        )
    if not value.strip() or len(value) > LONGEST_LINE or not value.isprintable():
        complaint = f"This is one line of text, of at most {LONGEST_LINE} characters"
        raise _wrong(complaint, node)
    return value


def _action(_: str, call: ast.Call, function: ast.FunctionDef) -> DeclaredAction:
    (name, sentence), named = _texts(call, 2, "title", "price")
    if not _NAME.fullmatch(name):
        complaint = "An action's name is small letters, digits and underscores, a letter first"
        raise _wrong(complaint, call.args[0])
    parameters = _parameters(function)
    if not parameters or parameters[0][0].arg != "me":
        raise _wrong("An action's function takes `me` first, the player who acts", function)
    fields = tuple(_field(argument, default) for argument, default in parameters[1:])
    try:
        pieces = [piece for piece in Formatter().parse(sentence) if piece[1] is not None]
    except ValueError:
        raise _wrong("The braces of the sentence do not fit each other", call.args[1]) from None
    if any(form or turn for _, _, form, turn in pieces):
        raise _wrong("A blank of the sentence is a name in braces, and no more", call.args[1])
    blanks = [blank for _, blank, _, _ in pieces]
    for blank in blanks:
        if blank not in {field.name for field in fields}:
            complaint = (
                f"The sentence has a blank {{{blank}}}, and the function takes no such thing"
            )
            raise _wrong(complaint, call.args[1])
    title = named.get("title") or name.replace("_", " ").capitalize()
    return DeclaredAction(name, sentence, title, named.get("price", ""), function.name, fields)


def _parameters(function: ast.FunctionDef) -> list[tuple[ast.arg, ast.expr | None]]:
    """The function's parameters, each with its default, None where it has none. Raises ProgramWrong
    unless all are plain names."""
    takes = function.args
    if takes.vararg or takes.kwarg or takes.posonlyargs or takes.kwonlyargs:
        raise _wrong("What a declared function takes are plain names", function)
    defaults = [None] * (len(takes.args) - len(takes.defaults)) + list(takes.defaults)
    return list(zip(takes.args, defaults, strict=True))


def _field(argument: ast.arg, default: ast.expr | None) -> InputField:
    options: Any = ()
    named = argument.annotation
    if isinstance(named, ast.Subscript) and getattr(named.value, "id", "") == "Literal":
        listed = named.slice.elts if isinstance(named.slice, ast.Tuple) else [named.slice]
        options = tuple(
            option.value if isinstance(option, ast.Constant) else None for option in listed
        )
        if not options or any(type(option) is not int for option in options):
            options = tuple(_constant(option) for option in listed)
    kind = "choice" if options else _KINDS.get(getattr(argument.annotation, "id", ""), "")
    if not kind:
        complaint = f"The type of {argument.arg} is one of {', '.join(_KINDS)} or Literal[...]"
        raise _wrong(complaint, argument)
    if not _NAME.fullmatch(argument.arg) or argument.arg in _TAKEN:
        raise _wrong(f"An input cannot have the name {argument.arg}", argument)
    if default is None:
        return InputField(argument.arg, kind, False if kind == "flag" else None, options)
    value = default.value if isinstance(default, ast.Constant) else None
    fits = {
        "number": type(value) is int and 0 <= value <= _LARGEST,
        "text": isinstance(value, str) and len(value) <= LONGEST_LINE and value.isprintable(),
        "flag": value is False,
        "choice": value in options and type(value) is type(options[0]) if options else False,
    }
    if not fits.get(kind):
        raise _wrong(f"The default of {argument.arg} does not fit its type", default)
    return InputField(argument.arg, kind, value, options)


def _event(_: str, call: ast.Call, function: ast.FunctionDef) -> DeclaredEvent:
    [period], named = _texts(call, 1, "title")
    if period not in PERIODS:
        raise _wrong(f"It happens every {' or every '.join(PERIODS)}", call)
    if _parameters(function) or not _NAME.fullmatch(function.name):
        raise _wrong(
            "What happens by itself is a function in small letters that takes nothing", function
        )
    title = named.get("title") or function.name.replace("_", " ").capitalize()
    return DeclaredEvent(function.name, title, period)


def _hook(when: str, call: ast.Call, function: ast.FunctionDef) -> Hook:
    [of], _named = _texts(call, 1)
    takes = tuple(argument.arg for argument, default in _parameters(function) if default is None)
    # What a decision is given is its subgame's to say, which is not known here.
    odd = [] if when == _DECIDE else [name for name in takes if name not in _GIVEN[when]]
    if odd:
        offered = ", ".join(_GIVEN[when])
        message = f"What is called @{when} something takes {offered}, and not {odd[0]}"
        raise _wrong(message, function)
    return Hook(when, of, function.name, takes, _place(call))


def _asset(call: ast.Call, tree: ast.Module) -> DeclaredAsset:
    kind = getattr(call.func, "id", "")
    if not any(
        isinstance(statement, ast.Expr) and statement.value is call for statement in tree.body
    ):
        raise _wrong(f"What is declared by {kind} stands in a line of its own, at the margin", call)
    names, _named = _texts(call, _ASSETS[kind])
    for name, node in zip(names, call.args, strict=True):
        if not _ASSET.fullmatch(name):
            complaint = (
                "What can be owned is called by at most 40 letters, with spaces between words"
            )
            raise _wrong(complaint, node)
    return DeclaredAsset(names[0], names[-1], kind == "thing")


def _view(_: str, call: ast.Call, function: ast.FunctionDef) -> DeclaredView:
    [title], _named = _texts(call, 1)
    if any(default is None for _, default in _parameters(function)):
        raise _wrong("A view's function takes nothing", function)
    return DeclaredView(title, function.name)


_ASSETS = {"currency": 2, "thing": 1}  # how many names they have
_ASSET = re.compile(r"(?=.{1,40}\Z)[^\W\d_]+(?:[ '-][^\W\d_]+)*")
_TAKEN = frozenset({"me", "key", "back", "confirmed", "csrfmiddlewaretoken"})  # a page's own
_READERS: dict[str, Callable[[str, ast.Call, ast.FunctionDef], _Declared]] = {
    "action": _action,
    "every": _event,
    "before": _hook,
    "after": _hook,
    "view": _view,
    _DECIDE: _hook,
}
