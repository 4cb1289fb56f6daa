"""The sentences of regulations that say the numbers of the contest's tables, in the source's words.

A part of the contest is played by the regulation that says it, whichever that is: the titles in
`clauses.toml` are those of the source.
"""

from pathlib import Path

from nomic.rulebook.clauses import clauses_in

CLAUSES = clauses_in(Path(__file__).with_suffix(".toml"))
