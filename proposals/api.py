"""How the proposals stand, as plain values: what the API answers and reports are made from."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from itertools import chain
from typing import Any, Literal, cast

from django.db.models import Case, Q, SmallIntegerField, When
from django.db.models.expressions import RawSQL

from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.models import Game, Player
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.rulebook.changes.kinds import LONGEST_QUOTE
from nomic.rulebook.charts import cut, unless_broken
from proposals.events.effects import OFFICER
from proposals.events.opening import ends_of_votes
from proposals.models import Link, LinkKind, Proposal, Status, Vote
from proposals.rules.ballots import Result
from proposals.rules.each_votes import FAILED_QUORUM
from proposals.shapes import (
    ChangeShape,
    ComingShape,
    ExecutorShape,
    PreviewShape,
    ProposalShape,
    ToldStatus,
    ToldSuccess,
    UnitShape,
    WholeProposalShape,
)
from proposals.state.bodies import changes_of
from proposals.state.reading import MAIN, Handle, State, state_of
from proposals.state.retally import prepared_result
from proposals.web.preview.preview import preview
from proposals.web.preview.told import BodyPreview

MOST_LINKS = 60
_ADDED = ("actions", "appointments", "hooks", "decisions", "views")
_FIRST = """
SELECT * FROM (SELECT id FROM proposals_proposal WHERE game_id = %s AND status = 'Open'
                ORDER BY serial LIMIT %s) AS first
"""
_BOUND = """
WITH RECURSIVE bound (id) AS (
  {seeds}
  UNION
  SELECT p.id
    FROM bound
   CROSS JOIN LATERAL (
     SELECT other_id AS id FROM proposals_link WHERE proposal_id = bound.id
     UNION ALL
     SELECT proposal_id FROM proposals_link WHERE other_id = bound.id) AS linked
    JOIN proposals_proposal p ON p.id = linked.id AND p.status = 'Open'
)
SELECT id FROM bound
"""
_ABOVE_A_RESULT = (
    *("present", "ballots", "for_strength", "against_strength"),
    *("ratio", "quorum", "popularity"),
)
_END = ("serial", "number", "title", "status", "success", "outcome")


def proposals_state(table: Table) -> list[ProposalShape]:
    """All proposals of the game, oldest first, those that are Open with their votes so far."""
    state = state_of(table)
    proposals = list(state.proposals().order_by("serial"))
    links, ends = links_of(proposals), ends_of_votes(table, proposals)
    running = running_results(
        state, [proposal for proposal in proposals if proposal.status == Status.OPEN]
    )
    return [
        _to_dict(state, proposal, links[proposal.pk], running.get(proposal.pk), ends)
        for proposal in proposals
    ]


def proposal_to_dict(table: Table, proposal: Proposal) -> WholeProposalShape:
    """One proposal with its text, its versions, its changes and what they would do, and its votes
    as far as visible."""
    state = state_of(table)
    is_open = proposal.status == Status.OPEN
    running = running_results(state, [proposal]) if is_open else {}
    return {
        **_to_dict(
            state,
            proposal,
            links_of([proposal])[proposal.pk],
            running.get(proposal.pk),
            ends_of_votes(table, [proposal]),
        ),
        "body": proposal.body,
        "remarks": proposal.remarks,
        "versions": list(proposal.versions.values("number", "title", "entry")),
        "changes": changes_to_dicts(proposal),
        "preview": preview_to_dict(table, proposal),
        "votes": {} if proposal.votes_are_sealed else state.votes([proposal]).get(proposal.pk, {}),
    }


def preview_to_dict(table: Table, proposal: Proposal) -> PreviewShape:
    """What the changes would do if it passed now; of a Historical one, what they did.

    Each change has a sentence, whether it would be done, and the rule or balances that it touches.
    `units` are the passages that its author has confirmed of what it counts or names, "" for one
    that is the officer's. `executors` tells who carries out each sentence: the program, an officer,
    or nobody where it is a remark or cannot be done, with why. `unplayed` are the sentences that
    would be in force and not carried out as they read, or be gone and carried out still, `claimed`
    those that programs of their rules say they carry out, which nobody has checked. `next_adoption`
    is the game moment at which the next proposal could at the earliest be adopted after it, null
    where that cannot be told. `adds` is what programs of rules would add, by its kind; `errors` is
    what is wrong with these programs, and `costs` what it costs that things happen by themselves.
    `busy` is a sentence where the answer has to be asked for again, and empty otherwise; while a
    worker is at the rest, `worked_out` is false. It `meets` what others change of the same rules.
    """
    if proposal.status == Status.HISTORICAL:
        body_preview = BodyPreview(is_tried=True)
        effects = [
            {**effect, "old": effect["before"], "new": effect["after"]}
            for effect in proposal.effects
        ]
    else:
        written = proposal.remarks, proposal.units
        body_preview = preview(table.game, None, proposal.body, {}, proposal, *written)
        effects = _effects(body_preview)
    executors = executors_of(proposal) or [*body_preview.executors]
    return _previewed_to_dict(body_preview, effects, executors, proposal.units)


def written_preview_to_dict(body_preview: BodyPreview) -> PreviewShape:
    """The same of a text that is not submitted: its `units` are those that its author has sent, or
    that the site would take what it counts for."""
    units = [{"rule": unit.rule, **unit.to_dict()} for unit in body_preview.units]
    return _previewed_to_dict(
        body_preview, _effects(body_preview), [*body_preview.executors], units
    )


def _effects(body_preview: BodyPreview) -> list[dict[str, Any]]:
    return [
        {**change.facts(), "old": change.old, "new": change.new} for change in body_preview.changes
    ]


def _previewed_to_dict(
    body_preview: BodyPreview,
    effects: Sequence[Mapping[str, Any]],
    executors: list[ExecutorShape],
    units: Sequence[Mapping[str, str]],
) -> PreviewShape:
    names = ("sentence", "done", "rule", "old", "new", "shifts")
    changes: list[Any] = [{name: effect[name] for name in names} for effect in effects]
    errors: list[Any] = [asdict(fault) for fault in body_preview.errors]
    adds: dict[str, list[str | ComingShape]] = {kind: [] for kind in _ADDED}
    for coming in body_preview.adds:
        name = coming.name
        adds[coming.kind].append({"name": name, "due": iso(coming.due)} if coming.due else name)
    return {
        "changes": changes,
        "more": body_preview.more,
        "consequences": [consequence.sentence for consequence in body_preview.consequences],
        "figures": [list(figure) for figure in body_preview.figures],
        "warnings": [*body_preview.warnings],
        "worked_out": body_preview.is_worked_out,
        "executors": executors,
        "units": [*map(_unit_to_dict, units)],
        "meets": [
            {
                "proposal": met.proposal,
                "rule": met.rule,
                "passage": met.passage,
                "together": met.together,
            }
            for met in body_preview.meets
        ],
        "unplayed": [*body_preview.unplayed],
        "claimed": [*body_preview.claimed],
        "next_adoption": iso(body_preview.next.due)
        if body_preview.next and body_preview.next.due
        else None,
        "adds": adds,
        "errors": errors,
        "costs": [*body_preview.costs],
        "unreadable": body_preview.unreadable,
        "busy": body_preview.busy,
    }


def _unit_to_dict(unit: Mapping[str, str]) -> UnitShape:
    return {"sentence": unit["sentence"], "passage": unit["passage"], "rule": unit["rule"]}


def executors_of(proposal: Proposal) -> list[ExecutorShape]:
    """Who carries out each sentence of a proposal that passed, as the entry says in which it did.

    What the officer has taken up since is the officer's; where no entry tells, since it is of an
    earlier version, it is what was left to them.
    """
    if not proposal.passed or proposal.closed_at is None:
        return []
    # Events of others that happen at the same moment have results of another shape.
    by_proposals = Q(name__startswith="proposals.") | Q(outcome__has_key="left")
    entries = proposal.game.entries.filter(
        by_proposals, seq__gte=proposal.closed_in or 0, at=proposal.closed_at
    )
    told_in = ("outcome__took_effect", "outcome__left", "outcome__results")
    rows = entries.values_list(*told_in).order_by("seq")
    stored: Iterator[list[ExecutorShape]] = (
        decided["executors"]
        for row in rows
        for decided in chain.from_iterable(filter(None, row))
        if decided["number"] == proposal.number and "executors" in decided
    )
    # A dict for the errands' order, which is that of the body.
    taken_up = {
        cut(errand.sentence, LONGEST_QUOTE): errand.why for errand in proposal.errands.all()
    }
    executors = next(stored, None) or [
        ExecutorShape(sentence=sentence, by=OFFICER, why=why)
        if why
        else ExecutorShape(sentence=sentence, by=OFFICER)
        for sentence, why in taken_up.items()
    ]
    return [
        {**executor, "by": OFFICER} if executor["sentence"] in taken_up else executor
        for executor in executors
    ]


def changes_to_dicts(proposal: Proposal) -> list[ChangeShape]:
    """The changes that a body asks for: verb, target, whether it was parsed, the sentence."""
    return [
        {
            "verb": change.verb,
            "target": str(change.target),
            "parsed": change.verb != "by hand",
            "sentence": change.sentence,
        }
        for change in changes_of(proposal)
    ]


def running_results(state: State, proposals: Collection[Proposal]) -> dict[int, Result]:
    """By proposal, the result that these Open ones would have if their vote ended now, or that was
    counted where it has ended.

    Without those whose votes nobody may see yet, and empty where the rule is not in force or its
    tables cannot be read. Those without a number are counted as if the next numbers were theirs.
    """
    in_force = state.table.rules.in_force(MAIN)
    counted = {
        proposal.pk: prepared_result(proposal) for proposal in proposals if proposal.awaits_since
    }
    proposals = [
        proposal
        for proposal in proposals
        if in_force and not proposal.votes_are_sealed and proposal.pk not in counted
    ]
    with numbered(proposals):
        results = unless_broken(lambda: state.tally(proposals).results, {}) if proposals else {}
        return counted | {
            proposal.pk: results[proposal.number or 0] for proposal in proposals if results
        }


def bound_together(game: Game, first: int = 0, *, to: Proposal | None = None) -> RawSQL:
    """The Open proposals that links bind to the `first` so many, or to one, these among them.

    As a subquery of their primary keys: culls reach no further, however many are Open.
    """
    seeds, params = (_FIRST, [game.pk, first]) if to is None else ("SELECT %s::bigint", [to.pk])
    return RawSQL(_BOUND.format(seeds=seeds), params)  # noqa: S611 - both texts stand above


@contextmanager
def numbered(proposals: Collection[Proposal]) -> Iterator[None]:
    """Within the block each proposal has a number, those without one the next after the others."""
    unnumbered = [proposal for proposal in proposals if proposal.number is None]
    beyond = max((proposal.number or 0 for proposal in proposals), default=0)
    for number, proposal in enumerate(unnumbered, beyond + 1):
        proposal.number = number
    try:
        yield
    finally:
        for proposal in unnumbered:
            proposal.number = None


def links_of(proposals: Collection[Proposal]) -> dict[int, dict[str, list[Handle]]]:
    """By proposal the handles of its Conflicts and Dependencies; one query for all."""
    handles: dict[int, dict[str, list[Handle]]] = {
        proposal.pk: {LinkKind.CONFLICT: [], LinkKind.DEPENDENCY: []} for proposal in proposals
    }
    rows = Link.objects.filter(proposal__in=list(handles)).order_by("other__serial")
    for proposal, kind, number, serial in rows.values_list(
        "proposal_id", "kind", "other__number", "other__serial"
    ):
        handles[proposal][kind].append(number if number is not None else f"p{serial}")
    return handles


def links_around(proposal: Proposal) -> list[Link]:
    """The links of a proposal and of those next to it, both ways, with both of their ends.

    Its own come first; at most `MOST_LINKS` and one. One query.
    """
    targets = Link.objects.filter(proposal=proposal).values("other")
    sources = Link.objects.filter(other=proposal).values("proposal")
    touching = Q(proposal=proposal) | Q(other=proposal)
    further = (
        Q(proposal__in=targets)
        | Q(other__in=targets)
        | Q(proposal__in=sources)
        | Q(other__in=sources)
    )
    links = Link.objects.filter(touching | further).annotate(
        distance=Case(When(touching, then=0), default=1, output_field=SmallIntegerField())
    )
    ends = [f"{end}__{name}" for end in ("proposal", "other") for name in _END]
    return list(
        links.select_related("proposal", "other")
        .only("kind", *ends)
        .order_by("distance", "kind", "proposal__serial", "other__serial")[: MOST_LINKS + 1]
    )


def _to_dict(
    state: State,
    proposal: Proposal,
    links: Mapping[str, list[Handle]],
    running: Result | None,
    ends: Mapping[int, datetime],
) -> ProposalShape:
    closes_at = ends.get(proposal.pk)
    closes_wall = state.table.game.clock.wall(closes_at) if closes_at else None
    shape: ProposalShape = {
        "number": proposal.number,
        "id": f"p{proposal.serial}",
        "title": proposal.title,
        "author": proposal.author.name,
        "status": cast(ToldStatus, proposal.status),
        "closes_at": iso(closes_at) if closes_at else None,
        "closes_wall": iso(closes_wall) if closes_wall else None,
        "outcome": _outcome(proposal),
        "success": cast(ToldSuccess, proposal.success),
        "passed": proposal.passed,
        "strength": running.strength if running else proposal.strength,
        "stamina": running.stamina if running else proposal.stamina,
        "for": running.votes_for if running else proposal.figures.get("for"),
        "against": running.votes_against if running else proposal.figures.get("against"),
        "conflicts": links[LinkKind.CONFLICT],
        "dependencies": links[LinkKind.DEPENDENCY],
        "reasons": proposal.reasons,
    }
    if proposal.awaits_since:
        shape["awaits_since"] = iso(proposal.awaits_since)
    if state.edition.weighs:
        counted = {**running.counts, **running.figures} if running else proposal.figures
        of_the_index: Any = {
            "index": float(proposal.index),
            "class": proposal.proposal_class,
            "coauthors": proposal.coauthors,
        }
        shape |= of_the_index | {name: counted.get(name) for name in _ABOVE_A_RESULT}
    return shape


def _outcome(proposal: Proposal) -> Literal["adopted", "rejected", "failed quorum"] | None:
    """The outcome, in one word for all editions; None while it is not decided."""
    if proposal.passed is None:
        return None
    if proposal.outcome == FAILED_QUORUM:
        return "failed quorum"
    return "adopted" if proposal.passed else "rejected"


_STANDING_VOTES = CompiledValues(
    lambda player: (
        Vote.objects.filter(proposal__status=Status.OPEN, proposal__awaits_since=None)
        .filter(player=player)
        .final()
        .values_list("proposal_id", "word")
    )
)


def viewer_votes(player: Player | None) -> dict[int, str]:
    """The viewer's own final votes on what is voted on, by proposal (pk); they may see those."""
    if player is None:
        return {}
    return dict(_STANDING_VOTES.all(player=player.pk))
