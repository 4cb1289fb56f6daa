"""The sentences of the editions' rules that say numbers, in the sources' words and in ours.

Each in `clauses.toml` stands for a cell of the tables in `terms.py`.
"""

from pathlib import Path

from nomic.rulebook.clauses import clauses_in

CLAUSES = clauses_in(Path(__file__).with_suffix(".toml"))
