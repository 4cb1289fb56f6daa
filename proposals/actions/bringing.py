"""A proposal that waits where a game comes from, which its host brings as its author's."""

from typing import Any

from nomic.engine.actions import action
from nomic.engine.effects import Effects, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.standard.hosting.bringing import Brings
from proposals.actions import fields
from proposals.actions.players import LONGEST_BODY, Submit
from proposals.models import LONGEST_TITLE
from proposals.state.reading import state_of

_SUBMIT = Submit()


@action
class BringProposal(Brings):
    """Submit a proposal as by the player who had it waiting before. It is voted on here."""

    name = "proposals.bring"
    title = "Bring a proposal from before"
    sentence = "As before, let {author} propose {title}: {body}"
    button = "Submit"

    class Form(ActionForm):
        author = PlayerField(label="Author")
        title = Text(longest=LONGEST_TITLE, required=False)
        body = Text(lines=True, longest=LONGEST_BODY)
        index = fields.IndexField(required=False, label="Adoption index")

        def begin(self, table: Table) -> None:
            if not (table.game.edition and state_of(table).edition.weighs):
                del self.fields["index"]

    def applies(self, table: Table) -> bool:
        return super().applies(table) and _SUBMIT.applies(table)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        if "author" not in data:
            return None
        author, weighs = table.seat(data["author"]), "index" in data
        # The proposal's content as `proposals.submit` takes it.
        content = {"conflicts": [], "dependencies": [], **data}
        content |= {"class": "", "coauthors": []} if weighs else {}
        del content["author"]
        found = _SUBMIT.judge(table, author, **content)
        if not isinstance(found, Effects):
            return found
        from_before = ". That was brought from before this game"
        return _SUBMIT.limit(table, author, content) or found.also(ending=from_before)
