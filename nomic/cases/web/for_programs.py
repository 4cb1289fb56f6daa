"""Drafts of what players write about cases, for programs."""

from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from nomic.cases.fields import ChosenField
from nomic.cases.models import CaseDraft
from nomic.cases.web.views import case_or_404
from nomic.engine.actions import find_action
from nomic.engine.forms import ActionForm
from nomic.engine.outcomes import Malformed
from nomic.web.api.drafts import DraftsOfRoom, add_drafts
from nomic.web.api.messages import WrongShape, complaint, wrong_inputs
from nomic.web.api.rooms import HIGHEST, room
from nomic.web.game_context import GamePage
from nomic.web.record_shapes import Moment

router = room("subgames")
_ABOUT = "case"  # the field of what it is about


class CaseText(Schema):
    """What is written about a case, as the action `act` takes it: its `inputs` but for the `case`
    that it is about, which is null for one that is to be called. What is missing comes later."""

    model_config = ConfigDict(extra="forbid")

    act: Literal["cases.call", "cases.argue", "cases.judge"]
    case: int | None = Field(None, ge=1, le=HIGHEST)
    inputs: dict[str, Any] = {}


class OwnCaseDraft(CaseText):
    """A draft, which its author alone is told. `saved_at` is a wall moment."""

    number: int
    saved_at: Moment


def _write(page: GamePage, draft: CaseDraft, text: CaseText) -> None:
    draft.act, draft.case = text.act, case_or_404(page, text.case) if text.case else None
    action = find_action(text.act)
    if (text.case is None) is (_ABOUT in action.Form.base_fields):
        sentence = "names no case" if text.case else "names its case"
        raise WrongShape(complaint(f"A draft of {text.act} {sentence}.", "body", _ABOUT))
    form = action.Form(page.table, page.player, text.inputs)
    try:
        if _ABOUT in text.inputs:
            raise Malformed({_ABOUT: ["It stands beside the inputs."]})
        form.must_be_typed()
        # What is missing can be kept, what does not fit cannot.
        wrong = {
            name: fault.messages
            for name, faults in form.errors.as_data().items()
            for fault in faults
            if fault.code != "required"
        }
        if wrong:
            raise Malformed(wrong)
    except Malformed as malformed:
        raise wrong_inputs(malformed, "inputs") from None
    chooses = _chooses(form)
    names = form.fields.keys() - {_ABOUT, chooses}
    draft.fields = {name: form[name].value() or "" for name in names}
    draft.chosen = form.cleaned_data.get(chooses) or []


def _draft_to_dict(draft: CaseDraft) -> dict[str, Any]:
    written = {name: words for name, words in draft.fields.items() if words}
    chooses = _chooses(find_action(draft.act).Form)
    return {
        "act": draft.act,
        "case": draft.case and draft.case.number,
        "inputs": {**written, **({chooses: draft.chosen} if draft.chosen else {})},
        "number": draft.pk,
        "saved_at": draft.saved_at,
    }


def _chooses(form: ActionForm | type[ActionForm]) -> str:
    """The field in which things are named that were found."""
    fields = form.base_fields.items()
    return next(name for name, field in fields if isinstance(field, ChosenField))


add_drafts(
    router,
    DraftsOfRoom(
        name="case",
        noun="cases",
        text_shape=CaseText,
        draft_shape=OwnCaseDraft,
        rows=lambda player: player.case_drafts.select_related("case"),
        new=lambda player: CaseDraft(player=player),
        write=_write,
        to_dict=_draft_to_dict,
    ),
)
