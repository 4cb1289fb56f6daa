"""What the text of a contract would let be done, and drafts of contracts, for programs."""

from typing import Any

from django.http import HttpRequest
from ninja import Schema
from pydantic import ConfigDict, Field

from nomic.contracts.models import ContractDraft
from nomic.contracts.trials import foreseen
from nomic.contracts.web.views import contract_or_404
from nomic.documents.models import LONGEST_TEXT, LONGEST_TITLE
from nomic.web.api import shapes
from nomic.web.api.drafts import DraftsOfRoom, add_drafts
from nomic.web.api.messages import sent
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, sends, the_player, the_token
from nomic.web.game_context import GamePage
from nomic.web.record_shapes import Moment

router = room("subgames")


class ContractText(Schema):
    """The text of a contract that is made, or that the one of that number would get."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=LONGEST_TEXT)
    contract: int | None = Field(None, ge=1, le=HIGHEST)


class ContractForeseen(Schema):
    """What a contract's text would let be done, in sentences; what its program adds, and what is
    wrong with that; or why it cannot be a contract's text."""

    powers: list[str]
    adds: shapes.Program | None
    faults: list[str]
    refusal: shapes.Refusal | None


@router.post(
    f"{GAME}/contracts/preview",
    response=reading(ContractForeseen),
    openapi_extra=sends(ContractText),
    auth=the_token,
)
def preview_contract(request: HttpRequest, slug: str) -> dict[str, Any]:
    """What a text would let be done as a contract; nothing is saved."""
    page, player = the_player(request, slug)
    body = sent(request, ContractText)
    changes = contract_or_404(page, body.contract) if body.contract else None
    outlook = foreseen(page.table, player, body.text, changes)
    return {
        "powers": outlook.powers,
        "adds": outlook.added,
        "faults": outlook.faults,
        "refusal": outlook.refusal,
    }


class ContractWritten(Schema):
    """What is written of a contract, as `contracts.make` takes it, or `contracts.change` where
    `contract` is the one that is to get it as its text."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field("", max_length=LONGEST_TITLE)
    text: str = Field("", max_length=LONGEST_TEXT)
    contract: int | None = Field(None, ge=1, le=HIGHEST)


class OwnContractDraft(ContractWritten):
    """A draft, which its author alone is told. `saved_at` is a wall moment."""

    number: int
    saved_at: Moment


def _write(page: GamePage, draft: ContractDraft, written: ContractWritten) -> None:
    draft.title, draft.text = written.title, written.text
    draft.changes = contract_or_404(page, written.contract) if written.contract else None


def _draft_to_dict(draft: ContractDraft) -> dict[str, Any]:
    return {
        "title": draft.title,
        "text": draft.text,
        "contract": draft.changes and draft.changes.number,
        "number": draft.pk,
        "saved_at": draft.saved_at,
    }


add_drafts(
    router,
    DraftsOfRoom(
        name="contract",
        noun="contracts",
        text_shape=ContractWritten,
        draft_shape=OwnContractDraft,
        rows=lambda player: player.contract_drafts.select_related("changes"),
        new=lambda player: ContractDraft(player=player),
        write=_write,
        to_dict=_draft_to_dict,
    ),
)
