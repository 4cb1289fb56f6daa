"""The vote as a game's home shows it: what is Open, my missing votes first, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from nomic.engine.models import Status as Kept
from nomic.web.game_page import GamePage
from proposals.events.clock import OPENS
from proposals.events.opening import CLOSES, DISTRIBUTED, TIMED_OUT
from proposals.models import Proposal
from proposals.rules.words import AGAINST, FOR
from proposals.state.agenda import Ahead
from proposals.web import drawing
from proposals.web.gist import gists
from proposals.web.voting import Slip, slips

SHOWN = 4
_ALIKE = ("PRESENT", "ABSTAIN")
# The panel is one query, however many proposals and votes there are.
_PANEL = """
WITH waiting AS (
  SELECT p.id, p.status, p.closes_at, p.serial, own.word AS mine
    FROM proposals_proposal p
    LEFT JOIN LATERAL (
      SELECT v.word
        FROM proposals_vote v LEFT JOIN proposals_strike s ON s.vote_id = v.id
       WHERE v.proposal_id = p.id AND v.player_id = %(player)s AND s.id IS NULL
       ORDER BY v.id DESC LIMIT 1) own ON p.status = 'Open'
   WHERE p.game_id = %(game)s AND p.status IN ('Open', 'Pending')
), shown AS (
  SELECT * FROM waiting WHERE status = 'Open'
   ORDER BY mine IS NOT NULL, closes_at NULLS LAST, serial LIMIT %(most)s
), totals AS (
  SELECT count(*) FILTER (WHERE status = 'Open') AS open,
         count(*) FILTER (WHERE status = 'Open' AND mine IS NULL) AS unvoted,
         count(*) FILTER (WHERE status = 'Pending') AS pending
    FROM waiting
), due AS (
  SELECT min(due) FILTER (WHERE kind = ANY(%(opening)s)) AS opens,
         min(due) FILTER (WHERE kind = ANY(%(closing)s)) AS closes
    FROM play_appointment
   WHERE game_id = %(game)s AND status = %(waiting)s
), last AS (
  SELECT DISTINCT ON (v.proposal_id, v.player_id) v.proposal_id, v.word
    FROM proposals_vote v
    JOIN proposals_proposal p ON p.id = v.proposal_id AND NOT p.secret
    JOIN games_player g ON g.id = v.player_id AND g.active
    LEFT JOIN proposals_strike s ON s.vote_id = v.id
   WHERE v.proposal_id IN (SELECT id FROM shown) AND s.id IS NULL
   ORDER BY v.proposal_id, v.player_id, v.id DESC
), counts AS (
  SELECT proposal_id, count(*) AS cast,
         count(*) FILTER (WHERE word = %(for)s) AS votes_for,
         count(*) FILTER (WHERE word = %(against)s) AS against,
         count(*) FILTER (WHERE word = ANY(%(present)s)) AS present
    FROM last GROUP BY proposal_id
)
SELECT totals.open, totals.unvoted, totals.pending, due.opens, due.closes,
       p.id, p.serial, p.number, p.title, p.secret, p.closes_at, author.name, shown.mine,
       COALESCE(c.cast, 0), COALESCE(c.votes_for, 0), COALESCE(c.against, 0),
       COALESCE(c.present, 0), p.version
  FROM totals CROSS JOIN due
  LEFT JOIN shown ON true
  LEFT JOIN proposals_proposal p ON p.id = shown.id
  LEFT JOIN games_player author ON author.id = p.author_id
  LEFT JOIN counts c ON c.proposal_id = p.id
 ORDER BY shown.mine IS NOT NULL, shown.closes_at NULLS LAST, shown.serial
"""


@dataclass(frozen=True, slots=True)
class Row:
    """An Open proposal in small. `bar` is None while its votes are sealed."""

    proposal: Proposal
    author: str
    bar: drawing.Bar | None
    closes: Ahead | None
    slip: Slip | None
    gist: str

    @property
    def name(self) -> str:
        """A word for it in the ids of a page."""
        return f"p{self.proposal.serial}"


@dataclass(frozen=True, slots=True)
class Panel:
    """The vote in small. `unvoted` counts Open proposals that the viewer has not voted on."""

    template: str
    rows: list[Row]
    open: int
    unvoted: int
    pending: int
    opens: Ahead | None
    closes: Ahead | None

    @property
    def more(self) -> int:
        """How many Open proposals are not shown."""
        return self.open - len(self.rows)


def panel(game_page: GamePage) -> Panel:
    """The panel of a game that has proposals. One query."""
    with connection.cursor() as cursor:
        cursor.execute(
            _PANEL,
            {
                "game": game_page.game.pk,
                "player": game_page.player.pk if game_page.player and game_page.seated else None,
                "most": SHOWN,
                "opening": [OPENS, DISTRIBUTED],
                "closing": [CLOSES, TIMED_OUT],
                "waiting": Kept.WAITING,
                "for": FOR,
                "against": AGAINST,
                "present": list(_ALIKE),
            },
        )
        found = cursor.fetchall()
    open_, unvoted, pending, opens, closes = found[0][:5]
    shown = [row[5:] for row in found if row[5] is not None]
    return Panel(
        template="proposals/_panel.html",
        rows=_rows(game_page, shown),
        open=open_,
        unvoted=unvoted if game_page.seated else 0,
        pending=pending,
        opens=_ahead(game_page, "opens", opens) if pending else None,
        closes=_ahead(game_page, "closes", closes) if open_ else None,
    )


def _rows(game_page: GamePage, shown: list[Any]) -> list[Row]:
    proposals = [
        Proposal(
            pk=row[0],
            game=game_page.game,
            serial=row[1],
            number=row[2],
            title=row[3],
            secret=row[4],
            closes_at=row[5],
            version=row[12],
        )
        for row in shown
    ]
    mine = {row[0]: row[7] for row in shown if row[7]}
    own = slips(game_page, proposals, mine)
    lines = gists(proposals)
    voters = len(game_page.table.directory.players)
    return [
        Row(
            proposal=proposal,
            author=row[6],
            bar=None if proposal.secret else _bar(row, voters),
            closes=_ahead(game_page, "closes", proposal.closes_at),
            slip=own.get(proposal.pk),
            gist=lines.get(proposal.pk, ""),
        )
        for proposal, row in zip(proposals, shown, strict=True)
    ]


def _bar(row: Any, voters: int) -> drawing.Bar:
    """The votes by heads. Whom an ENDORSE follows is the tally's to find out, so it has no side."""
    cast, votes_for, against, present = row[8:12]
    elsewhere = cast - votes_for - against - present
    return drawing.bar(votes_for, against, present, voters=max(voters - elsewhere, 0))


def _ahead(game_page: GamePage, what: str, due: datetime | None) -> Ahead | None:
    if due is None:
        return None
    clock = game_page.game.clock
    return Ahead(what, due, clock.wall(due) if clock.rate else None)
