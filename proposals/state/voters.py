"""Who may submit proposals and vote on them, and with which words, as the rules in force say."""

from nomic.engine.programs.hooks import EndsAll, asks_for, decided, publish
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.powers import no_voter_yet, voters
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import cut
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


def not_a_voter(state: State, player: Player) -> Refusal | None:
    """Why that player does not vote, where a setting of the game or a program says who does."""
    chosen = state.electorate.players
    if not isinstance(chosen, frozenset) or player.name in chosen or not player.active:
        return None
    game = state.game
    if not voters(game, state.table.now).filter(pk=player.pk).exists():
        return no_voter_yet(game)
    sentence = f"By a rule's program, {_first_names(sorted(chosen))} may vote now."
    return Refusal("not_a_voter", sentence, MAIN)


def _first_names(names: list[str]) -> str:
    return f"{', '.join(names[:5])}{' and others' if len(names) > 5 else ''}"


def words_for(state: State, voter: str, electorate: Electorate) -> list[str]:
    """The words that this voter may use."""
    words = state.edition.words_for(voter, electorate)
    if state.has_decisions:
        words = (*words, CONDITIONAL)
    if not state.is_spoken_otherwise:
        return list(words)
    spoken = [word for word, meant in state.vocabulary.items() if meant in {*words, word}]
    return spoken + [word for word in words if word not in state.edition.words]


def vote_refusal(state: State, vote: str, voter: str) -> Refusal | None:
    """Why the voter may not vote so, with the list of words; None where they may."""
    words = words_for(state, voter, state.electorate)
    if state.has_decisions and word_of(vote) == CONDITIONAL:
        if vote != CONDITIONAL:
            return None
        sentence = f"{CONDITIONAL} needs the condition after it: “{CONDITIONAL} FOR if …”."
        return Refusal("no_condition", sentence, DECISIONS)
    if state.is_spoken_otherwise and word_of(vote) not in words:
        sentence = (
            f"“{cut(vote)}” is no vote that you can cast here: vote {names_in_words(words, 'or')}."
        )
        return Refusal("no_such_vote", sentence, state.edition.rules[0])
    return state.edition.vote_refusal(translated(vote, state.vocabulary), voter, state.electorate)
