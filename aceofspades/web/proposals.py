"""Proposals as the contest's pages show them to one viewer."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from aceofspades.actions.drafts import warnings
from aceofspades.api import status_of
from aceofspades.models import Proposal
from aceofspades.rules import contest
from aceofspades.secrecy.view import View
from nomic.rulebook.charts import unless_broken
from nomic.web.game_page import GamePage

MOST_PAST = 8
_MOST_GIST = 240
_STROKES = re.compile(r"\s*\|[-:|\s]+")

_TONES = {"in force": "good", "adopted": "good", "failed": "bad", "up for vote": "accent"}


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposal: what the viewer may see of it, their own vote, and whether they may vote now.

    `needs_all` where all contestants have to be for it (Regulation 101). `ripe` is the game moment
    from which majorities decide it, `ripe_wall` the wall's. `warnings` say what no regulation would
    decide any more with it, and what nothing would carry out.
    """

    proposal: Proposal
    status: str
    text: str | None
    counts: tuple[int, int] | None
    own: str
    may_vote: bool
    needs_all: bool
    is_ripe: bool
    ripe: datetime | None
    ripe_wall: datetime | None
    warnings: tuple[str, ...] = ()

    @property
    def tone(self) -> str:
        """The style sheet's name for how it stands."""
        return _TONES.get(self.status, "")

    @property
    def history(self) -> list[tuple[str, int]]:
        """In which entry it came to be what it is, step by step."""
        it = self.proposal
        put_up = it.up_in if it.up_in != it.entry else None
        steps = (
            ("Proposed in", it.entry),
            ("up for vote in", put_up),
            ("decided in", it.decided_in),
            ("in force since", it.effective_in),
        )
        return [(words, entry) for words, entry in steps if entry]

    @property
    def gist(self) -> str:
        """The beginning of the prose on one line, and whether a program follows it; of a table what
        its rows say, without its head and its strokes."""
        lines = (self.text or "").partition("\n```")[0].splitlines()
        words: list[str] = []
        for line, below in zip(lines, [*lines[1:], ""], strict=True):
            if not line.lstrip().startswith("|"):
                words.append(line)
            elif not _STROKES.fullmatch(line) and not _STROKES.fullmatch(below):
                words.append(" ".join(map(str.strip, line.strip().strip("|").split("|"))) + ".")
        prose = " ".join(" ".join(words).split())
        cut = prose[:_MOST_GIST].rsplit(" ", 1)[0] + "…" if len(prose) > _MOST_GIST else prose
        return cut or "It has a program and no prose."


def proposal_rows(game_page: GamePage, view: View, among: Iterable[Proposal]) -> list[ProposalRow]:
    """Those proposals as the viewer may see them."""
    return [_row(game_page, view, each) for each in among]


def _row(game_page: GamePage, view: View, row: Proposal) -> ProposalRow:
    ripe = None
    if row.is_up and not view.state.is_over:
        ripe = unless_broken(lambda: view.state.decided_from(row, view.state.told), None)
    own, text = view.own_votes.get(row.number, ""), view.proposal_text(row)
    told: tuple[str, ...] = ()
    if text is not None and row.effective_in is None and row.verdict in ("", "adopted"):
        told = warnings(view.state.table, row.regulation_number, text, row.visibility)
    return ProposalRow(
        proposal=row,
        status=status_of(view.state, row),
        text=text,
        counts=view.counts(row),
        own=own,
        may_vote=row.is_up and view.own is not None and not own and not view.state.is_over,
        needs_all=ripe is not None
        and contest.needs_consent_of_all(row.regulation_number, view.state.told),
        is_ripe=ripe is not None and ripe <= game_page.now,
        ripe=ripe,
        ripe_wall=game_page.wall_of(ripe),
        warnings=told,
    )
