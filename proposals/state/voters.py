"""Who may submit proposals and vote on them, and with which words, as the rules in force say."""

from itertools import chain

from nomic.engine.programs.hooks import EndsAll, asks_for, decided, publish
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.powers import no_voter_yet, voters
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import cut
from proposals.models import Proposal
from proposals.rules.ballots import Electorate
from proposals.rules.terms import DECISIONS
from proposals.rules.words import CONDITIONAL, Vocabulary, names_in_words, translated, word_of
from proposals.state.decisions import QUORUM, STRENGTHS, VOTERS, WORDS
from proposals.state.reading import MAIN, State


def _unfit_proposers(table: Table, chosen: list[str]) -> str:
    if not chosen:
        return EndsAll("nobody could submit a proposal")
    odd = sorted({*chosen} - {*table.directory.players})
    return f"“{cut(odd[0])}” is no active player" if odd else ""


PROPOSERS = publish(
    "proposals.proposers",
    "list[Player]",
    "Which of the players may submit proposals: at least one of them.",
    {"players": "list[Player]"},
    _unfit_proposers,
)


def not_a_proposer(table: Table, player: Player) -> Refusal | None:
    """Why that player submits nothing, where a program says who does."""
    chosen = _proposers(table)
    if player.name in chosen or chosen == table.directory.players:
        return None
    sentence = f"By a rule's program, {_first_names(chosen)} may submit proposals now."
    return Refusal("not_a_proposer", sentence, MAIN)


def _proposers(table: Table) -> list[str]:
    players = table.directory.players
    return decided(table, PROPOSERS, players, players=players) if players else players


def _electorate(table: Table) -> Electorate | None:
    return State(table).electorate if table.game.edition else None


def _vocabulary(table: Table) -> Vocabulary:
    return State(table).vocabulary if table.game.edition else {}


asks_for(_proposers, PROPOSERS)
asks_for(_vocabulary, WORDS)
asks_for(_electorate, VOTERS, STRENGTHS, QUORUM)


def not_a_voter(state: State, player: Player, proposal: Proposal | None = None) -> Refusal | None:
    """Why that player does not vote on it, where a setting of the game or a program says who does;
    without a proposal, on one that opens now."""
    chosen = state.electorate_for(proposal).players
    if not isinstance(chosen, frozenset) or player.name in chosen or not player.active:
        return None
    game = state.game
    if not voters(game, state.table.now).filter(pk=player.pk).exists():
        return no_voter_yet(game)
    which = f"on {proposal.label}: so it was as its vote began" if proposal else "now"
    names = _first_names(sorted(chosen)) or "nobody who is left"
    return Refusal("not_a_voter", f"By a rule's program, {names} may vote {which}.", MAIN)


def _first_names(names: list[str]) -> str:
    return f"{', '.join(names[:5])}{' and others' if len(names) > 5 else ''}"


def words_for(
    state: State, voter: str, electorate: Electorate, vocabulary: Vocabulary
) -> list[str]:
    """The words of that vocabulary that this voter may use."""
    words = state.edition.words_for(voter, electorate)
    if state.has_decisions:
        words = (*words, CONDITIONAL)
    if not _is_spoken_otherwise(state, vocabulary):
        return list(words)
    spoken = [word for word, meant in vocabulary.items() if meant in {*words, word}]
    return spoken + [word for word in words if word not in state.edition.words]


def _is_spoken_otherwise(state: State, vocabulary: Vocabulary) -> bool:
    """Whether votes have other words than the edition's."""
    return list(vocabulary) != list(state.edition.words)


def words_offered(state: State) -> list[str]:
    """The words in which anybody votes on something that is open, or else by the rules in force."""
    by_law = {proposal.opened_in: proposal for proposal in state.open}.values()
    if not by_law:
        return words_for(state, "anybody", Electorate(throne=state.has_throne), state.vocabulary)
    spoken = (
        words_for(
            state,
            "anybody",
            Electorate(throne=state.has_throne_for(proposal)),
            state.vocabulary_for(proposal),
        )
        for proposal in by_law
    )
    return list(dict.fromkeys(chain.from_iterable(spoken)))


def vote_refusal(
    state: State, vote: str, voter: str, proposal: Proposal | None = None
) -> Refusal | None:
    """Why the voter may not vote on it so, with the list of words; None where they may. Without a
    proposal it is on one that opens now."""
    electorate, vocabulary = state.electorate_for(proposal), state.vocabulary_for(proposal)
    words = words_for(state, voter, electorate, vocabulary)
    if state.has_decisions and word_of(vote) == CONDITIONAL:
        if vote != CONDITIONAL:
            return None
        sentence = f"{CONDITIONAL} needs the condition after it: “{CONDITIONAL} FOR if …”."
        return Refusal("no_condition", sentence, DECISIONS)
    if _is_spoken_otherwise(state, vocabulary) and word_of(vote) not in words:
        sentence = (
            f"“{cut(vote)}” is no vote that you can cast here: vote {names_in_words(words, 'or')}."
        )
        return Refusal("no_such_vote", sentence, state.edition.rules[0])
    return state.edition.vote_refusal(translated(vote, vocabulary), voter, electorate)
