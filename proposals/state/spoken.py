"""Who may vote with which words, as the rules in force list them."""

from nomic.games.refusal import Refusal
from nomic.rulebook.charts import cut
from proposals.rules.ballots import Electorate
from proposals.rules.vocabulary import translated
from proposals.rules.words import listed, word_of
from proposals.state.reading import State


def words_for(state: State, voter: str, electorate: Electorate) -> list[str]:
    """The words that this voter may use."""
    own = state.edition.words_for(voter, electorate)
    if not state.is_spoken_otherwise:
        return list(own)
    spoken = [word for word, meant in state.vocabulary.items() if meant in {*own, word}]
    return spoken + [word for word in own if word not in state.edition.words]


def vote_refusal(state: State, vote: str, voter: str) -> Refusal | None:
    """Why the voter may not vote so, with the list of words; None where they may."""
    words = words_for(state, voter, state.electorate)
    if state.is_spoken_otherwise and word_of(vote) not in words:
        said = f"“{cut(vote)}” is no vote that you can cast here: vote {listed(words, 'or')}."
        return Refusal("no_such_vote", said, state.edition.rules[0])
    return state.edition.vote_refusal(translated(vote, state.vocabulary), voter, state.electorate)
