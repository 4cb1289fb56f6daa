"""The questions that every edition of the proposal rule answers."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

from nomic.games.refusal import Refusal
from nomic.rulebook.charts import cut
from proposals.rules.ballots import Ballot, Electorate, Result, Tally
from proposals.rules.terms import CLOCK, LONGEST_WAIT, PROPOSALS, VOTING, TermCharts, Terms
from proposals.rules.words import FOR, names_in_words, plain_vote, word_of

PENDING = "Pending"
WON, LOST = "Won", "Lost"
DISCARDED, UNDECIDED = "Discarded", "Undecided"
_WITHOUT = {
    PROPOSALS: "nobody makes proposals",
    VOTING: "nobody votes",
    CLOCK: "no vote begins or ends",
}


class Edition[T: Terms](ABC):
    """One edition. `T` is what its tables say.

    `officer` keeps it. `period` says when votes are counted: all proposals of an "nweek" together,
    "each" by itself, or the oldest of a "queue". `words` are the words of a vote that everybody may
    use; ENDORSE stands for ENDORSE and a player's name. `success` gives for each outcome the
    Success that the proposal then has. `charts` are the rules that it is played by, `needs` those
    without which nothing is adopted. `has` says whether votes have
    `strengths`, and proposals need a `quorum`.
    """

    title: str
    officer: str
    period: Literal["nweek", "each", "queue"]
    words: tuple[str, ...]
    success: Mapping[str, str]
    charts: type[TermCharts[T]]
    needs: tuple[str, ...]
    has: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Its name in settings and paths."""
        return self.charts.edition

    @property
    def rules(self) -> tuple[str, ...]:
        """The titles of the rules that it is played by, the main one first."""
        return self.charts.titles

    def terms(self, texts: Mapping[str, str]) -> T:
        """The terms in the tables and sentences of those rule texts (by title); raises
        TableBroken."""
        return self.charts(texts).terms

    @abstractmethod
    def tally(self, ballots: Collection[Ballot], electorate: Electorate, terms: T) -> Tally:
        """The results of the Open ballots, with reasons; the Historical ones are named by links.

        Links to proposals that are not among the ballots have no effect.
        """

    def lacks(self, in_force: Collection[str]) -> str:
        """Which rule is not in force without which no proposal could be adopted; "" if none."""
        for title in self.needs:
            if title not in in_force:
                return f"Without the rule “{title}” {_WITHOUT[title]}."
        return ""

    def impasse(self, electorate: Electorate, terms: T) -> str:
        """Why no proposal could be adopted any more, be all players for it; "" where one could.

        Where there are no players, whoever comes next is taken to be one. All are taken to be
        Vested, as after a vote of all.
        """
        if terms.wait > LONGEST_WAIT:
            return f"A vote would end after {terms.wait:,} hours; {LONGEST_WAIT:,} are the most."
        unanimous = self.with_all_for(electorate, terms, ripe=True)
        return "" if unanimous.passed else f"With every player FOR it: {unanimous.reasons[0]}"

    def with_all_for(self, electorate: Electorate, terms: T, *, ripe: bool) -> Result:
        """The result of a proposal that all are for; `ripe` where its time is over."""
        players = electorate.players if isinstance(electorate.players, frozenset) else ()
        all_for = dict.fromkeys(players or ("somebody",), FOR)
        everybody = replace(electorate, players=frozenset(all_for), vested=frozenset(all_for))
        return self.tally([Ballot(1, all_for, ripe=ripe)], everybody, terms).results[1]

    @property
    def weighs(self) -> bool:
        """Whether votes have strengths, and proposals an index by which they are weighed."""
        return "strengths" in self.has

    @property
    def verdicts(self) -> list[str]:
        """The outcomes of a vote that is decided."""
        return [outcome for outcome in self.success if outcome != PENDING]

    def shipped_terms(self) -> T:
        """The terms in the texts that a game of this edition starts with."""
        return self.terms(self.charts.shipped_texts())

    def words_for(self, voter: str, electorate: Electorate) -> tuple[str, ...]:
        """The words that this voter may use."""
        return self.words

    def vote_refusal(self, word: str, voter: str, electorate: Electorate) -> Refusal | None:
        """Why the voter may not vote so, with the list of words; None where they may."""
        words = self.words_for(voter, electorate)
        sentence = (
            f"“{cut(word)}” is no vote that you can cast here: vote {names_in_words(words, 'or')}."
        )
        is_one = word_of(plain_vote(word)) in words
        return None if is_one else Refusal("no_such_vote", sentence, self.rules[0])
