"""The grammar of an instruction, asked token by token what it would take next."""

from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.parsers.lalr_analysis import Shift

from nomic.embedded.places import home

type Words = Tree[Token]


@cache
def _parser() -> Lark:
    """The parser; Lark keeps its tables in the site's own folder, since making them takes long."""
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", cache=str(home().folder / "grammar"))


class Attempt:
    """One instruction that is being read.

    `accepts` tells whether a token of a type may come next, exactly: it follows the reductions that
    the token would cause, on a copy of the states only. Time in proportion to those reductions.
    """

    def __init__(self) -> None:
        self._parser = _parser().parse_interactive()
        self._state: Any = self._parser.parser_state
        self._states: dict[Any, dict[str, tuple[Any, Any]]] = self._state.parse_conf.states

    def accepts(self, kind: str) -> bool:
        """Whether a token of this type may come next."""
        stack = self._state.state_stack
        action, arg = self._states[stack[-1]].get(kind, (None, None))
        if action is None or action is Shift:
            return action is not None
        stack = stack[:]
        while action is not Shift:
            if arg.expansion:
                del stack[-len(arg.expansion) :]
            stack.append(self._states[stack[-1]][arg.origin.name][1])
            if kind == "$END" and stack[-1] == self._state.parse_conf.end_state:
                return True
            action, arg = self._states[stack[-1]].get(kind, (None, None))
            if action is None:
                return False
        return True

    def feed(self, kind: str, start: int, end: int) -> None:
        """Take a token that `accepts` said may come; `start` and `end` are offsets in the body."""
        self._parser.feed_token(Token(kind, "", start_pos=start, end_pos=end))

    def finish(self) -> Words:
        """The tree of the instruction, which must be able to end here."""
        tree: Words = self._parser.feed_token(Token("$END", ""))
        return tree
