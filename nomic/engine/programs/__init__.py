"""Programs that players write: checked without being run, and run in a sandbox. No Django here.

`problem_in(source)` is what is wrong with the syntax and the types of a program; `Sandbox` runs
one within its `Limits`. Both ask a process of pydantic-monty (docs/programs.md).
"""

from nomic.engine.programs.sandbox import (
    ENGINE,
    MOST_SOURCE,
    Limits,
    Problem,
    ProgramWrong,
    Sandbox,
    parsed,
    problem_in,
)

__all__ = [
    "ENGINE",
    "MOST_SOURCE",
    "Limits",
    "Problem",
    "ProgramWrong",
    "Sandbox",
    "parsed",
    "problem_in",
]
