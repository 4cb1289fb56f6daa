"""A proposal that waits where a game comes from, which its host brings as its author's."""

from typing import Any

from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm, PlayerField, Text
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
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

    def no_such(self, table: Table, data: Inputs) -> Refusal | None:
        if "author" not in data:
            return None
        author, content = table.seat(data["author"]), _content(data)
        return _SUBMIT.refusal(table, author, content) or _SUBMIT.limit(table, author, content)

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        done = _SUBMIT.perform(table, table.seat(data["author"]), _content(data))
        return Outcome(f"{done.text} That was brought from before this game.", done.figures)


def _content(data: Inputs) -> dict[str, Any]:
    """The proposal's content as `proposals.submit` takes it."""
    weighs = {"class": "", "coauthors": []} if "index" in data else {}
    own = {name: value for name, value in data.items() if name != "author"}
    return {"conflicts": [], "dependencies": [], **weighs, **own}
