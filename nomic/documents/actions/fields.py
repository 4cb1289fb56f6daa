"""Inputs of what writes a document."""

from nomic.documents.models import LONGEST_TEXT, LONGEST_TITLE
from nomic.documents.state import is_on, state_of
from nomic.engine.forms import ActionForm, Prose, Text, TextChoice
from nomic.engine.table import Table
from nomic.games.models import Player


class KindField(TextChoice):
    """A kind of document that the rule's table has, and that begins sealed or not."""

    noun = "kind of document"

    def __init__(self, *, is_sealed: bool, label: str) -> None:
        self._is_sealed = is_sealed
        super().__init__(label=label)

    def options(self, table: Table, player: Player | None) -> list[str]:
        kinds = state_of(table).charts.kinds.values() if is_on(table) else ()
        return [kind.name for kind in kinds if kind.is_sealed == self._is_sealed]


class Written(ActionForm):
    """What a document says."""

    title = Text(longest=LONGEST_TITLE, label="Title")
    text = Prose("Text", LONGEST_TEXT)
