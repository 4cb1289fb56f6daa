"""Voting in one click: a button for each word of the edition, the viewer's own vote marked."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from nomic.engine.actions import admission, find_action
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.web.game_context import GamePage
from proposals.models import Proposal
from proposals.rules.ballots import Electorate
from proposals.rules.words import ENDORSE, endorsed, word_of
from proposals.state.reading import EMPEROR, State, state_of
from proposals.state.voters import words_for

VOTE = "proposals.vote"
_MANY = 200  # players to choose from


@dataclass(frozen=True, slots=True)
class VoteButton:
    """A button. Each has a key of its own, so that two votes of one page are two votes. `counts_as`
    is the word of the edition as which it counts, where it is another."""

    word: str
    is_mine: bool
    counts_as: str = ""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))


@dataclass(frozen=True, slots=True)
class Slip:
    """A player's choices for one Open proposal, and their vote now ("" without one).

    `endorses`: ENDORSE is a word here. `players` are whom one may endorse, empty where the page
    of the proposal offers that, and where there are too many to choose from: then `writes`.
    `refusal` is why nobody, or this player, can vote now.
    """

    handle: int | str
    label: str
    mine: str
    choices: list[VoteButton]
    endorses: VoteButton | None
    players: list[str]
    refusal: Refusal | None
    writes: bool = False

    @property
    def endorsed(self) -> str:
        """The player whom the voter endorses now; "" for none."""
        return endorsed(self.mine)


def slips(
    game_page: GamePage,
    proposals: Collection[Proposal],
    mine: Mapping[int, str],
    *,
    with_players: bool = False,
) -> dict[int, Slip]:
    """A slip for each of these that is voted on, by proposal (pk); none for those who only look on.

    `mine` are the viewer's own votes by proposal. No query for each proposal. With `with_players`
    the slips name everybody whom one may endorse, which is long where many play.
    """
    if game_page.player is None or not game_page.seated:
        return {}
    refusal = admission(find_action(VOTE), game_page.table, game_page.player)
    state, player = state_of(game_page.table), game_page.player
    players: list[str] = []
    writes = False
    if with_players and any(ENDORSE in words_of(state, player, each) for each in proposals):
        everybody = game_page.table.directory.players
        writes = len(everybody) > _MANY
        fellows = (name for name in everybody if name != player.name)
        players = [] if writes else list(fellows)
    by_proposal = {}
    for proposal in proposals:
        if proposal.awaits_since is None:
            vote, words = mine.get(proposal.pk, ""), words_of(state, player, proposal)
            other = otherwise(state, proposal)
            plain = [
                VoteButton(word, word == vote, other.get(word, ""))
                for word in words
                if word != ENDORSE
            ]
            endorses = VoteButton(ENDORSE, word_of(vote) == ENDORSE) if ENDORSE in words else None
            slip = Slip(
                proposal.handle,
                proposal.label,
                vote,
                plain,
                endorses,
                players if endorses else [],
                refusal,
                writes and endorses is not None,
            )
            by_proposal[proposal.pk] = slip
    return by_proposal


def otherwise(state: State, proposal: Proposal) -> dict[str, str]:
    """The words of a vote on it that count as another one, each with that."""
    vocabulary = state.vocabulary_for(proposal)
    return {word: meant or "neither" for word, meant in vocabulary.items() if meant != word}


def words_of(state: State, player: Player, proposal: Proposal) -> list[str]:
    """The words that the player may use in a vote on it; whether they are the Emperor is all that
    matters beside the law of that vote."""
    emperor = ""
    if state.edition.period == "queue":
        emperor = state.table.directory.offices.get(EMPEROR, "")
    voters = Electorate(emperor=emperor, throne=state.has_throne_for(proposal))
    return words_for(state, player.name, voters, state.vocabulary_for(proposal))
