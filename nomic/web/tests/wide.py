"""A game that has as much of everything as its bounds let be, and longer lists than anybody reads.

Its texts are of a sign that takes five bytes where a page escapes it.
"""

from __future__ import annotations

from typing import Any

from django.db import connection

from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import BODY, RULE
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.models import Complaint, Motion, RecordedReport, Remark
from nomic.ledger.models import Holder, HolderKind
from nomic.notices.models import Notice
from nomic.record.models import EntryKind
from nomic.rulebook.models import Rule, RuleVersion
from proposals.models import Comment, Draft, Errand, Link, Proposal, Version, Vote
from tests.kit import at_the_table

MANY, LINES = 1_000, 2_000  # players, rules
TITLE = "&" * 100
REMARK = "&" * 2000
WIDE = """
@view("Everything")
def everything():
    return table(["a"] * 12, [["&" * 60] * 12] * 100)

@action("wave", "Wave")
def wave(me: Player, words: str):
    say(f"{me} waves.")
"""


def widen(game: Game, player: Player, part: int = 1) -> None:
    """Give the game all of that, or so small a part of it, in rows as thousands of acts would leave
    them."""
    players = _people(game, part)
    _rules(game, part)
    _entries(game, part)
    _proposals(game, player, players, part)
    _talk(game, player, part)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # else it plans for empty tables


def _people(game: Game, part: int) -> list[Player]:
    players = Player.objects.bulk_create(
        Player(game=game, name=f"voter {number:030}", joined_at=game.anchor_game, vested=True)
        for number in range(MANY // part)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=each.name, player=each) for each in players
    )
    return players


def _rules(game: Game, part: int) -> None:
    program = f"```python\n{WIDE}```\n"
    line = "&" * 99 + "\n"
    wide = program + line * ((RULE.most // part - len(program)) // len(line))
    prose = "'Tis | so.\n\n" * (RULE.most // part // 12)
    with at_the_table(game) as table:
        table.rules.enact("Wide", "It begins.")
        table.rules.enact("Prose", prose)
    with at_the_table(game) as table:
        table.rules.amend("Wide", wide)
    rule = game.rules.get(title="Wide")
    RuleVersion.objects.bulk_create(
        RuleVersion(rule=rule, number=number, title="Wide", text=wide, enacted_in=1)
        for number in range(3, 40)
    )
    short = {"game": game, "text": "It says little.", "enacted_in": 1, "position": 9_999}
    many = Rule.objects.bulk_create(
        Rule(title=f"{TITLE} {number}", **short) for number in range(LINES // part)
    )
    few = many[0]
    RuleVersion.objects.bulk_create(
        RuleVersion(rule=rule, number=1, title=rule.title, text=rule.text, enacted_in=1)
        for rule in many
    )
    RuleVersion.objects.bulk_create(
        RuleVersion(rule=few, number=number, title=few.title, text="x", enacted_in=1)
        for number in range(2, 3_000 // part)
    )
    Rule.objects.bulk_create(
        Rule(title=f"{TITLE} was {number}", repealed_in=1, **short)
        for number in range(LINES // part)
    )


def _entries(game: Game, part: int) -> None:
    long = {"read": [REMARK] * (200 // part)}
    for _ in range(60 // part + 1):
        with locked_game(pk=game.pk) as locked:
            assert locked is not None
            table = Table(locked, locked.now(wall_now()), wall_now(), locked=True)
            table.write(
                EntryKind.SYSTEM,
                "testing.prepare",
                None,
                long,
                Outcome("&" * (100_000 // part), long),
            )


def _proposals(game: Game, player: Player, players: list[Player], part: int) -> None:
    line = "&" * 99 + "\n"
    body = line * (BODY.most // part // len(line))
    effects = [
        {"verb": "amend", "done": True, "rule": TITLE, "sentence": REMARK[:500], "shifts": [],
         "before": REMARK, "after": line * 20}
        for _ in range(500 // part)
    ]  # fmt: skip
    said: dict[str, Any] = {"author": player, "submitted_at": game.anchor_game, "submitted_in": 1}
    long = (1, 101, 201)

    def each(serial: int) -> Proposal:
        status = ("Pending", "Open", "Historical")[(serial - 1) // 100]
        opened = {"opened_in": 1, "opened_at": game.anchor_game, "number": serial}
        over = {"closed_in": 1, "closed_at": game.anchor_game, "success": "Won", "passed": True,
                "effects": effects if serial in long else effects[:1],
                "figures": {"for": 3, "against": 1}, "reasons": [REMARK[:300]] * 5}  # fmt: skip
        return Proposal(
            game=game, serial=serial, status=status, title=TITLE,
            body=body if serial in long else "It says little.",
            **said, **(opened if status != "Pending" else {}),
            **(over if status == "Historical" else {}),
        )  # fmt: skip

    serials = [serial for serial in range(1, 301) if (serial - 1) % 100 < 100 // part]
    proposals = Proposal.objects.bulk_create(map(each, serials))
    full = [proposals[serials.index(number)] for number in long]
    for proposal in full:
        _fill(proposal, players, proposals[: 100 // part], part)
    Errand.objects.bulk_create(
        Errand(proposal=full[-1], place=place, sentence=REMARK, why=REMARK, made_in=1)
        for place in range(1, 500 // part)
    )
    now = wall_now()
    Draft.objects.bulk_create(
        Draft(player=player, title=TITLE, body=body, saved_at=now) for _ in range(50 // part + 1)
    )


def _fill(proposal: Proposal, players: list[Player], others: list[Proposal], part: int) -> None:
    """Let it have versions, comments, votes of all players and links to the others."""
    at = proposal.game.anchor_game
    Version.objects.bulk_create(
        Version(proposal=proposal, number=turn, title=TITLE, body=proposal.body, index=1, entry=1)
        for turn in range(1, 21 if part == 1 else 3)
    )
    Comment.objects.bulk_create(
        Comment(proposal=proposal, player=proposal.author, text=REMARK, at=at, entry=1)
        for _ in range(300 // part)
    )
    Vote.objects.bulk_create(
        Vote(proposal=proposal, player=each, word="FOR", at=at, entry=1) for each in players
    )
    Link.objects.bulk_create(
        Link(proposal=proposal, other=other, kind="conflict")
        for other in others
        if other != proposal
    )


def _talk(game: Game, player: Player, part: int) -> None:
    now = wall_now()
    Remark.objects.bulk_create(
        Remark(game=game, number=number, player=player, text=REMARK, at=now)
        for number in range(1, 500 // part)
    )
    Complaint.objects.bulk_create(
        Complaint(
            game=game, by=player.user, about=player, quoted=REMARK, words=REMARK[:1000], at=now
        )
        for _ in range(300 // part)
    )
    Motion.objects.bulk_create(
        Motion(
            game=game, number=number, entry=1, action="rulebook.amend", by=player, at=now,
            inputs={"rule": "Prose", "text": '&' * (50_000 // part), "reason": REMARK[:300]},
        )
        for number in range(1, 300 // part)
    )  # fmt: skip
    RecordedReport.objects.bulk_create(
        RecordedReport(
            game=game, hash=f"{number:064}", text="&" * (200_000 // part), revised=1, entry=1
        )
        for number in range(1, 50 // part + 1)
    )
    Notice.objects.bulk_create(
        Notice(
            game=game, user=player.user, kind="talk", text='&' * 400, url="/" * 300, at=now,
            about=str(number),
        )
        for number in range(1_000 // part)
    )  # fmt: skip
