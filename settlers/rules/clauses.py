"""The sentences of the isle's rules that say numbers: those of the Thug (Protection Money)."""

from pathlib import Path

from nomic.rulebook.clauses import clauses_in

CLAUSES = clauses_in(Path(__file__).with_suffix(".toml"))
