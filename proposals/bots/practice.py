"""Sensible acts of a practice player in an assembly: to vote, to say why, to propose."""

import re
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path
from random import Random

from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.governance.bots import shelves
from nomic.rulebook.changes import kinds as kinds
from nomic.rulebook.limits import NoSuchRule
from nomic.simulation.bots import Act, Fact
from nomic.web.templatetags.moments import span
from proposals.models import Comment, Proposal, Status
from proposals.rules.words import AGAINST, FOR
from proposals.state.bodies import changes_of
from proposals.state.reading import State, state_of

_BETWEEN = timedelta(days=3)  # of game time, from one proposal of practice players to the next
_MOST_WAITING = 4  # of their proposals at a time
_MOST_COMMENTS = 2  # of practice players on one proposal
_TALKATIVE = 0.4
_INCLINED = {"words": 0.85, "new": 0.85, "figures": 0.8, "gift": 0.6, "loss": 0.5, "harm": 0.05}
"""How likely one of them is FOR a proposal, by what it is to them."""

_OF_THE_VOTE = re.compile(r"\b(vote|voting|open|close|when|until|what now)", re.IGNORECASE)
_OF_ITS_RESULT = re.compile(r"\b(result|pass|adopt|fail|reject|happen|outcome|last)", re.IGNORECASE)


def facts(table: Table) -> Iterator[Fact]:
    """Which proposal's vote ends next, and what came of the last one."""
    proposals = state_of(table).proposals().order_by("closes_at", "serial")
    is_open = proposals.filter(status=Status.OPEN, awaits_since=None).first()
    if is_open:
        closes = table.game.clock.wall(is_open.closes_at) if is_open.closes_at else None
        seconds = (closes - table.wall).total_seconds() if closes else 0
        until = f" for another {span(round(seconds))}" if seconds > 0 else ""
        yield _OF_THE_VOTE, f"{_named(is_open)} is open to votes{until}."
    decided = proposals.filter(status=Status.HISTORICAL, passed__isnull=False)
    if last := decided.order_by("-closed_in", "-serial").first():
        adopted = "adopted" if last.passed else "not adopted"
        yield _OF_ITS_RESULT, f"{_named(last)} was {adopted}."


def _named(proposal: Proposal) -> str:
    """The proposal with its title, unless that would call somebody by name."""
    title = "" if "@" in proposal.title else proposal.title
    return f"{proposal.label}, “{title}”," if title else proposal.label


def practice(table: Table, player: Player, chance: Random) -> Iterator[Act]:
    """Moves, the best first; which of them are legal is for others to say."""
    state = state_of(table)
    waiting = state.undecided
    yield from _proposal(table, waiting, chance)
    cast = state.votes(state.open) if state.open else {}
    unvoted = [proposal for proposal in state.open if player.name not in cast.get(proposal.pk, {})]
    for proposal in sorted(unvoted, key=lambda proposal: proposal.author.bot):  # people's first
        way = _leaning(state, proposal, player)
        vocabulary = state.vocabulary_for(proposal)
        words = {meaning: word for word, meaning in reversed([*vocabulary.items()])}
        if way in words:
            yield "proposals.vote", {"proposal": proposal.handle, "choice": words[way]}
    if chance.random() >= _TALKATIVE:
        return
    # Why they vote so, where few of them have spoken yet.
    comments = Comment.objects.filter(proposal__in=state.open, player__bot=True)
    spoken = list(comments.values_list("proposal_id", "player_id"))
    for proposal in state.open:
        speakers = {speaker for place, speaker in spoken if place == proposal.pk}
        if player.pk in speakers or len(speakers) >= _MOST_COMMENTS:
            continue
        if proposal.author_id == player.pk or proposal.votes_are_sealed:
            continue
        way, mood = _leaning(state, proposal, player), _mood(proposal, player)
        reasons = _reasons()[_kind(state, proposal)][way]
        yield "proposals.comment", {"proposal": proposal.handle, "text": mood.choice(reasons)}


def _proposal(table: Table, waiting: list[Proposal], chance: Random) -> Iterator[Act]:
    """One from the shelf, so that something is open to vote at any time, and little at once."""
    theirs = [proposal for proposal in waiting if proposal.author.bot]
    newest = max((proposal.submitted_at for proposal in theirs), default=None)
    if len(theirs) >= _MOST_WAITING or (newest and table.now - newest < _BETWEEN):
        return
    titles = {proposal.title for proposal in waiting}
    fitting = [change for change in shelves(table) if change.title not in titles]
    old = set(
        Proposal.objects.filter(game=table.game)
        .order_by("-serial")
        .values_list("title", flat=True)[: len(fitting) // 2]
    )
    fresh = [change for change in fitting if change.title not in old] or fitting
    if fresh:
        change = chance.choice(fresh)
        yield "proposals.submit", {"title": change.title, "body": change.as_proposed()}


def _leaning(state: State, proposal: Proposal, player: Player) -> str:
    """FOR or AGAINST: the same whenever it is asked."""
    if proposal.author_id == player.pk:
        return FOR
    inclined = _INCLINED[_kind(state, proposal)]
    return FOR if _mood(proposal, player).random() < inclined else AGAINST


def _mood(proposal: Proposal, player: Player) -> Random:
    # Of a seed, so that they stay of one mind; nobody gains by guessing it.
    return Random(f"{player.name} {proposal.game.identity} {proposal.serial}")  # noqa: S311


def _kind(state: State, proposal: Proposal) -> str:
    """How they take a proposal: the kind of the worst of its changes."""
    kinds_of_changes = {_kind_of(change, state) for change in changes_of(proposal)}
    return next((kind for kind in reversed(_INCLINED) if kind in kinds_of_changes), "words")


def _kind_of(change: kinds.Change, state: State) -> str:
    """How they take one change."""
    ref = getattr(change, "rule", None)
    try:
        rule = state.table.rules.find_rule(ref.title, ref.number) if ref else None
    except NoSuchRule:
        rule = None
    title = (rule.known_as or rule.title) if rule else ""  # by which it was known first
    if title in state.edition.rules:
        return "harm"  # to how votes are held
    if isinstance(change, kinds.Repeal):
        games = in_play(state.game)
        return "harm" if any(subgame.machinery(state.table, title) for subgame in games) else "loss"
    if isinstance(
        change, kinds.Take | kinds.Destroy | kinds.SetPower | kinds.Renumber | kinds.Retitle
    ):
        return "loss"
    if isinstance(change, kinds.Give | kinds.TransferCurrency):
        return "gift"
    if isinstance(change, kinds.Enact | kinds.AddSubrule):
        return "new"
    return "figures"


@cache
def _reasons() -> dict[str, dict[str, list[str]]]:
    path = Path(__file__).with_name("reasons.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
