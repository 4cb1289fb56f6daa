"""The sentences of the seven rules that say their numbers, in the source's words and in ours.

Each in `clauses.toml` stands for a cell of the tables in `charts.py`.
"""

from pathlib import Path

from nomic.rulebook.clauses import clauses_in

CLAUSES = clauses_in(Path(__file__).with_suffix(".toml"))
