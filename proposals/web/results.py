"""The results of a vote as the officer reported them: as a page, as text, as CSV and as JSON."""

import textwrap
from collections.abc import Collection, Iterator
from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from nomic.games.clock import read_moment
from nomic.games.wording import enumerated
from nomic.governance.reports import LINE, Section, aligned, in_csv
from nomic.web.game_context import open_game
from proposals.rules import EDITIONS
from proposals.rules.words import ABSTAIN, AGAINST, FOR, PRESENT
from proposals.state.results import Decided, Results, errands_of, results_of, struck_since


@require_safe
def results(request: HttpRequest, slug: str, seq: int) -> HttpResponse:
    """The results that entry `seq` decided; with `format` text, csv or json, only those. Http404
    where it decided no vote."""
    game_page = open_game(request, slug)
    player = game_page.player
    # No entry has a greater number, and PostgreSQL refuses one that fits no column.
    report = results_of(game_page.game, seq) if game_page.game.edition and seq < 2**31 else None
    if report is None:
        raise Http404(f"Entry {seq} decided no vote.")
    match request.GET.get("format"):
        case "text":
            text = text_of(report)
            return HttpResponse(text, content_type="text/plain; charset=utf-8")
        case "csv":
            named = {"Content-Disposition": f'attachment; filename="results-{seq}.csv"'}
            written = in_csv(csv_rows(report))
            return HttpResponse(written, content_type="text/csv; charset=utf-8", headers=named)
        case "json":
            since = struck_since(game_page.game, seq)
            return JsonResponse({**asdict(report), "struck_since": since})
    edition, errands = EDITIONS[report.edition], errands_of(game_page.game, report.entry)
    words = [word for word in edition.words if word in LETTERS]
    period = edition.period
    return game_page.draw(
        "proposals/results.html",
        results=report,
        title=headline(report),
        resolver=resolver(report),
        at=read_moment(report.at),
        period=period,
        keeps=player is not None and report.officer in game_page.table.directory.held_by(player),
        since=struck_since(game_page.game, seq),
        # Each proposal with its voters by word, and with what was left to be done by hand.
        sections=[
            (
                proposal,
                [(word, proposal.voters(word)) for word in words],
                errands.get(proposal.number, []),
            )
            for proposal in report.proposals
        ],
        formats=("csv", "json", "text"),
        standings=standings(report) if period == "nweek" else None,
        ballot=ballot_rows(report) if period == "nweek" else None,
    )


LETTERS = {FOR: "F", AGAINST: "A", ABSTAIN: "-", PRESENT: "-"}
NO_VOTE, IDLE = ".", "*"
UNTITLED = "untitled"
_LONGEST_TITLE = 34
_MOST_CELLS = 3_000


def text_of(results: Results) -> str:
    """The report as text. Under an adoption index its lines are those of Agora's Assessor."""
    edition = EDITIONS[results.edition]
    form = _admin_lines if edition.period == "queue" else _nweek_lines
    lines = (_assessor_lines if edition.weighs else form)(results)
    return "\n".join(lines).rstrip() + "\n"


def headline(results: Results) -> str:
    """The title of the results: “Results of the vote of nweek 3”, “Results of Proposal 8822”."""
    if results.nweek is not None:
        return f"Results of the vote of nweek {results.nweek}"
    numbers = [str(proposal.number) for proposal in results.proposals]
    return f"Results of Proposal{'s' * (len(numbers) > 1)} {enumerated(numbers)}"


def resolver(results: Results) -> str:
    """Who decided: the system, which keeps the officer's book, at somebody's act or by itself."""
    act = f", at {results.by}'s act" if results.by else ""
    return f"the system for the {results.officer}{act}"


# Agora


def _assessor_lines(results: Results) -> Iterator[str]:
    for proposal in results.proposals:
        # Above the text, the lines that stand above Proposal 8822, and what else is to be said.
        figures = proposal.figures
        yield f"PROPOSAL {proposal.number} ({proposal.title or UNTITLED})"
        yield f"AUTHOR: {proposal.author}"
        yield f"CLASS: {proposal.proposal_class.upper()}"
        for word in (FOR, AGAINST, PRESENT):
            yield _names(word, proposal.voters(word))
        yield f"BALLOTS: {figures['ballots']}"
        yield f"AI (F/A): {figures['ratio']} (AI={figures['adoption_index']})"
        popularity = figures["popularity"]
        yield f"POPULARITY: {'none' if popularity is None else f'{popularity:.3f}'}"
        yield f"OUTCOME: {proposal.outcome}"
        for remark in (*proposal.reasons, *_remarks(proposal)):
            yield from textwrap.wrap(f"[{remark}]", LINE, subsequent_indent=" ")
        yield ""
        yield f"Resolved at: {_moment(results.at)}, entry {results.entry}"
        yield ""
        yield f"ID: {proposal.number}"
        yield f"Title: {proposal.title}"
        yield f"Adoption index: {proposal.index}"
        yield f"Author: {proposal.author}"
        yield f"Co-authors: {', '.join(proposal.coauthors)}"
        yield from ("", "", *proposal.body.splitlines(), "", "")


def _names(word: str, names: Collection[str]) -> str:
    return f"{word} ({len(names)}): {', '.join(names)}"


# BlogNomic


def _admin_lines(results: Results) -> Iterator[str]:
    for proposal in results.proposals:
        yield f"Proposal: {proposal.title or proposal.number}"
        yield f"{proposal.reasons[0]} {proposal.outcome} by {resolver(results)}."
        yield f"Adminned at {read_moment(results.at):%d %b %Y %H:%M:%S} UTC"
        yield from ("", *proposal.body.splitlines(), "")
        yield f"Proposal {proposal.number} by {proposal.author}, entry {results.entry}"
        for word in (FOR, AGAINST):
            yield _names(word, proposal.voters(word))
        if proposal.idle:
            idle = [f"{name} {proposal.votes[name]}" for name in proposal.idle]
            yield _names("NOT COUNTED", idle)
        yield from _wrapped([*proposal.reasons[1:], *_remarks(proposal)])
        yield from ("", "")


# B Nomic


def _nweek_lines(results: Results) -> Iterator[str]:
    yield headline(results).upper()
    yield f"{results.game}, entry {results.entry}, {_moment(results.at)}"
    yield f"Counted under {EDITIONS[results.edition].title} by {resolver(results)}."
    yield ""
    for part in (standings(results), *ballot_blocks(results)):
        yield from (part.title.upper(), *aligned(part), "")
    if signs := legend(results):
        yield ", ".join(f"{sign} {meaning}" for sign, meaning in signs)
    yield from ("", "REASONS")
    for proposal in results.proposals:
        yield from _wrapped([f"{proposal.named}, by {proposal.author}"])
        for sentence in (*proposal.reasons, *_remarks(proposal)):
            yield from textwrap.wrap(sentence, LINE, initial_indent="  ", subsequent_indent="    ")
    passed = ", ".join(str(decided.number) for decided in results.passed)
    yield from ("", f"Passed, in this order: {passed}." if passed else "None passed.")


def standings(results: Results) -> Section:
    """The proposals with their counts, as a table."""
    words = EDITIONS[results.edition].words
    third = [word for word in words if word in (ABSTAIN, PRESENT)]
    rows = [
        (
            proposal.number,
            textwrap.shorten(proposal.title, _LONGEST_TITLE, placeholder="…") or f"({UNTITLED})",
            proposal.author,
            proposal.figures["for"],
            proposal.figures["against"],
            *(proposal.figures["present"] for _ in third),
            proposal.strength,
            proposal.stamina,
            proposal.outcome,
        )
        for proposal in results.proposals
    ]
    columns = ("No.", "Title", "Author", FOR, AGAINST, *third, "Strength", "Stamina", "Result")
    return Section("The proposals", columns, rows, "No proposal was Open.")


def ballot_blocks(results: Results) -> Iterator[Section]:
    """Every vote: a row a voter and a column a proposal, in as many blocks as a line needs.

    However many voters and proposals there are, each line stays readable.
    """
    voters, proposals = results.voters, results.proposals
    longest = max((len("Voter"), *map(len, voters)))
    width = max((len(str(proposal.number)) for proposal in proposals), default=1) + 2
    across = max(1, (LINE - longest) // width)
    for start in range(0, len(proposals), across):
        block = proposals[start : start + across]
        rows = [
            (voter, *(letter(proposal, voter) for proposal in block)) for voter in results.voters
        ]
        columns = ("Voter", *(str(proposal.number) for proposal in block))
        yield Section("The votes", columns, rows, "Nobody voted.")


def letter(proposal: Decided, voter: str) -> str:
    """A vote as one sign: F, A, - (neither), * (counted for nothing), . (did not vote)."""
    if voter in proposal.counted:
        return LETTERS[proposal.counted[voter]]
    return IDLE if voter in proposal.votes else NO_VOTE


def ballot_rows(results: Results) -> list[tuple[str, list[str]]] | None:
    """Every vote in words, a row a voter, for a page; None where they are too many for one."""
    if len(results.voters) * len(results.proposals) > _MOST_CELLS:
        return None
    words = {**meanings_of(results), NO_VOTE: "–"}
    return [
        (voter, [words[letter(proposal, voter)] for proposal in results.proposals])
        for voter in results.voters
    ]


def legend(results: Results) -> list[tuple[str, str]]:
    """The signs that the table of votes has, with what each means."""
    voters = results.voters
    shown = {letter(proposal, voter) for proposal in results.proposals for voter in voters}
    return [(sign, meaning) for sign, meaning in meanings_of(results).items() if sign in shown]


def meanings_of(results: Results) -> dict[str, str]:
    """The meaning of each sign that this edition's report may have, by sign."""
    third = [word for word in EDITIONS[results.edition].words if LETTERS.get(word) == "-"]
    return {
        LETTERS[FOR]: FOR,
        LETTERS[AGAINST]: AGAINST,
        LETTERS[PRESENT]: third[0] if third else PRESENT,
        NO_VOTE: "did not vote",
        IDLE: "counted for nothing",
    }


# What all editions tell alike


def _remarks(proposal: Decided) -> list[str]:
    """The votes that were struck before the count, and the effects of the changes, as sentences."""
    struck = [
        f"Struck before the count (entry {vote.entry}): {vote.vote} of {vote.voter},"
        f" {vote.reason.rstrip('.')}."
        for vote in proposal.struck
    ]
    errands = [f"Left to be carried out by hand: “{sentence}”" for sentence in proposal.by_hand]
    return [*struck, *proposal.effects, *proposal.refused, *errands]


def _wrapped(sentences: Collection[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(sentence, LINE, subsequent_indent="  ")


def _moment(at: str) -> str:
    return f"{at[:16].replace('T', ' ')} UTC"


def csv_rows(results: Results) -> list[list[Any]]:
    """The votes as rows, a vote a row, and each proposal's outcome in a row before its own."""
    rows: list[list[Any]] = [["proposal", "title", "voter", "vote", "counted as", "outcome"]]
    for proposal in results.proposals:
        rows.append([proposal.number, proposal.title, "", "", "", proposal.outcome])
        for voter, vote in proposal.votes.items():
            counted = proposal.counted.get(voter, "nothing")
            rows.append([proposal.number, proposal.title, voter, vote, counted, ""])
        rows += [
            [proposal.number, proposal.title, struck.voter, struck.vote, "struck", ""]
            for struck in proposal.struck
        ]
    return rows
