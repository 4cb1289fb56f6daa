"""The contracts of a game, and each of them with its terms, parties and account."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from nomic.contracts.actions import (
    CONSENT,
    ChangeContract,
    EnterContract,
    GiveToContract,
    LeaveContract,
    MakeContract,
    PayFromContract,
    WithdrawRequest,
)
from nomic.contracts.api import holdings
from nomic.contracts.deeds import empowers, needed
from nomic.contracts.models import Contract, ContractDraft, Request
from nomic.contracts.powers import empowered_by, in_words
from nomic.contracts.rules import Deed, Provisions, Terms, provisions_of
from nomic.contracts.state import consenting_parties, is_on, parties_of, state_of
from nomic.engine.actions import find_action
from nomic.engine.forms import LAST_NUMBER
from nomic.engine.programs.descriptions import added_beside
from nomic.engine.programs.views import drawings
from nomic.games.models import Game
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.rendering.diff import Differences
from nomic.rulebook.rendering.markdown import part_of, render_part
from nomic.web.action_forms import by_programs
from nomic.web.game_context import GamePage, act_url, open_game
from nomic.web.hosting.talk import beside
from nomic.web.paging import newest_before, number_asked

_SHOWN = 40
_BUTTONS = {
    EnterContract.name: "Enter it",
    GiveToContract.name: "Give to it",
    PayFromContract.name: "Let it pay",
    LeaveContract.name: "Leave it",
}


@require_safe
def contracts(request: HttpRequest, slug: str) -> HttpResponse:
    """All contracts, the newest first, each with its parties."""
    game_page = open_game(request, slug)
    rows = state_of(game_page.table).contracts
    if not is_on(game_page.table) and not rows.exists():
        raise Http404("No rule of this game lets contracts be.")
    shown, older = newest_before(rows, "number", number_asked(request, "before"), _SHOWN)
    return game_page.draw(
        "contracts/page.html",
        contracts=[(row, parties_of(row)) for row in shown],
        older=older,
        drafts=[
            (draft, f"{form_address(game_page, draft.changes)}?draft={draft.pk}")
            for draft in drafts_of(game_page)
        ],
        may_make=game_page.may(MakeContract.name),
    )


@require_safe
def contract(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A contract as it reads now: its text, how it is entered, left, changed and pays, who is party
    to it, what it owns, and what its parties are asked for."""
    game_page = open_game(request, slug)
    row = contract_or_404(game_page, number)
    state = state_of(game_page.table)
    terms = unless_broken(lambda: state.terms(row), None)
    part = part_of(row.document.text, number_asked(request, "part") or 1)
    inputs = {"contract": row.number}
    inputs_of_page = {EnterContract.name: {"version": row.document.version}}
    goes_on = row.ended_in is None and is_on(game_page.table)
    has_power = empowered_by(row) if goes_on else None
    program = has_power.program if has_power else None
    is_party = game_page.player in parties_of(row)
    assets = game_page.table.ledger.asset
    return game_page.draw(
        "contracts/contract.html",
        contract=row,
        text=render_part(row.document.text, part),
        part=part,
        terms=terms.ways.items() if terms else (),
        parties=parties_of(row),
        owns=[
            assets(name).amount(amount) for name, amount in holdings(game_page.table, row).items()
        ],
        requests=_requests(game_page, row, terms) if terms else (),
        links=[
            (button, address)
            for name, button in _BUTTONS.items()
            if (address := game_page.way(name, **inputs, **inputs_of_page.get(name, {})))
        ],
        powers=in_words(has_power.provisions) if has_power else (),
        added=added_beside(game_page.table, [program])[0] if program else None,
        drawings=drawings(game_page.table, -row.number) if program else (),
        choices=by_programs(game_page, str(row), "By its program") if program and is_party else (),
        may_change=game_page.may(ChangeContract.name, **inputs),
        dispute_url=game_page.dispute_url(row.entry, f"A party has broken {row}."),
        **beside(game_page, f"contract {row.number}"),
    )


def _requests(game_page: GamePage, row: Contract, terms: Terms) -> list[dict[str, Any]]:
    """What its parties are asked for, each with who has consented, and what the viewer may do."""
    parties, viewer = parties_of(row), game_page.player
    rows = []
    # Asked of each act once: of each request it follows from who asks and who has consented.
    permissions = {name: game_page.may(name) for name in (CONSENT, WithdrawRequest.name)}
    for request in state_of(game_page.table).open_requests.filter(contract=row):
        consenting = consenting_parties(request, parties)
        is_open = {
            CONSENT: viewer in parties and viewer not in consenting,
            WithdrawRequest.name: request.player == viewer,
        }
        rows.append(
            {
                "request": request,
                "asks": _asks(game_page, row, request),
                "powers": _other_powers(row, request),
                "consenting": consenting,
                "needed": needed(
                    game_page.table, row, Deed(request.deed), request.inputs, len(parties)
                ),
                "links": [
                    (find_action(name).button, _address(game_page, name, request.number))
                    for name, is_theirs in is_open.items()
                    if is_theirs and permissions[name]
                ],
            }
        )
    return rows


def _address(game_page: GamePage, name: str, request: int) -> str:
    """The page of that act's form, which begins with the request."""
    return act_url(game_page.game.slug, name, request=request, back=game_page.path)


def _other_powers(row: Contract, request: Request) -> list[str]:
    """What the contract may do by the text that is asked for, where that is something else."""
    if request.deed != Deed.CHANGE or not empowers(row, request.inputs):
        return []
    provisions = unless_broken(lambda: provisions_of(request.inputs["text"]), Provisions())
    return in_words(provisions) or ["It acts for nobody then, and carries no program."]


def _asks(game_page: GamePage, row: Contract, request: Request) -> Any:
    """What it comes to: words, or for another text how that differs from the one there is."""
    inputs = request.inputs
    if request.deed == Deed.CHANGE:
        return Differences().show(row.document.text, inputs["text"])
    if request.deed == Deed.PAY:
        amount = game_page.table.ledger.asset(inputs["asset"]).amount(inputs["amount"])
        return f"The contract pays {amount} to {inputs['receiver']}."
    verb = "becomes a party" if request.deed == Deed.ENTER else "leaves the contract"
    return f"{request.player} {verb}."


def drafts_of(game_page: GamePage) -> QuerySet[ContractDraft]:
    """The viewer's own drafts, the newest first. Nobody else's are ever asked for."""
    return ContractDraft.objects.filter(player=game_page.player).select_related("changes")


def form_address(game_page: GamePage, changes: Contract | None) -> str:
    """The page on which a contract is made, or that one gets another text."""
    slug = game_page.game.slug
    if changes:
        return reverse("contract_change", args=[slug, changes.number])
    return reverse("contract_new", args=[slug])


def contract_or_404(game_page: GamePage, number: int) -> Contract:
    """The contract of that number; raises Http404."""
    row = state_of(game_page.table).contract(min(number, LAST_NUMBER))
    if row is None:
        raise Http404(f"This game has no contract {number}.")
    return row


def is_contract(game: Game, number: int) -> bool:
    """Whether the game has a contract of that number."""
    return Contract.objects.filter(game=game, number=number).exists()
