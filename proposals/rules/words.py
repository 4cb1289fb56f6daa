"""The words of votes, as the rules have them, and what a ballot's votes come to by heads."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from nomic.games import wording
from nomic.rulebook.clauses import Clause, cells_of
from proposals.rules.ballots import Ballot, Counts, Electorate, Json, Result
from proposals.rules.terms import PROPOSALS, VOTING

type Vocabulary = Mapping[str, str]

FOR = "FOR"
AGAINST = "AGAINST"
PRESENT = "PRESENT"
ABSTAIN = "ABSTAIN"
ENDORSE = "ENDORSE"
CONDITIONAL = "CONDITIONAL"
DEFERENTIAL = "DEFERENTIAL"
VETO = "VETO"
_LONGEST_LIST = 20


def plain_vote(vote: str) -> str:
    """The vote as it is kept: the word in capitals, and what stands after it."""
    words = vote.split()
    return " ".join([words[0].upper(), *words[1:]]) if words else ""


def word_of(vote: str) -> str:
    """The word of a plain vote, without the name that ENDORSE has, or the condition of another."""
    return vote.partition(" ")[0] if vote.startswith((f"{ENDORSE} ", f"{CONDITIONAL} ")) else vote


def endorsed(vote: str) -> str:
    """The player whom a plain vote endorses; "" where it endorses none."""
    return vote.partition(" ")[2] if word_of(vote) == ENDORSE else ""


def names_in_words(names: Collection[str], last: str = "and") -> str:
    """The names in their order as part of a sentence: "FOR, AGAINST and ABSTAIN"."""
    shown = list(names)
    if len(shown) > _LONGEST_LIST:
        shown = [*shown[:_LONGEST_LIST], f"{len(shown) - _LONGEST_LIST} more"]
    return wording.enumerated(shown, last)


def with_full_stop(sentence: str) -> str:
    """The sentence with a full stop, unless the name that it ends with has one."""
    return sentence if sentence.endswith(".") else f"{sentence}."


def signed(number: int) -> str:
    """A number as a sentence has it, with a minus sign where it is negative."""
    return str(number).replace("-", "−")


def votes_in_words(number: int) -> str:
    """ "1 vote", "2 votes"."""
    return f"{number} vote" if number == 1 else f"{number} votes"


@dataclass(slots=True)
class Heads:
    """A ballot's votes by heads, and what has to be said of those that count for nothing.

    `counted` has each voter's word as it counts, by name in order, where names are known.
    """

    votes_for: int = 0
    against: int = 0
    present: int = 0
    counted: Mapping[str, str] | None = None
    remarks: list[str] = field(default_factory=list)

    @property
    def strength(self) -> int:
        return self.votes_for - self.against

    @property
    def stamina(self) -> int:
        return self.votes_for + self.against

    @property
    def ballots(self) -> int:
        return self.stamina + self.present

    def result(self, outcome: str, passed: bool | None, *reasons: str, **figures: Json) -> Result:
        """These counts with an outcome and its reasons, the remarks after them."""
        return Result(
            outcome=outcome,
            passed=passed,
            strength=self.strength,
            stamina=self.stamina,
            votes_for=self.votes_for,
            votes_against=self.against,
            present=self.present,
            ballots=self.ballots,
            figures=figures if self.counted is None else {**figures, "counted": self.counted},
            reasons=(*reasons, *self.remarks),
        )


def neither_of(words: Collection[str]) -> str:
    """Which of these words counts for neither side; "" where none does."""
    return next((word for word in (PRESENT, ABSTAIN) if word in words), "")


def valid_votes(
    ballot: Ballot, electorate: Electorate, words: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """The votes by name that are in one of `words`, in order of name, and remarks on the others.

    PRESENT and ABSTAIN are the same thing, and stand here as the one of them that is in `words`.
    """
    assert not isinstance(ballot.votes, Counts)
    valid: dict[str, str] = {}
    foreign: dict[str, list[str]] = {}
    outside = []
    neutral = neither_of(words)
    for voter in sorted(ballot.votes):
        vote = plain_vote(ballot.votes[voter])
        vote = neutral if neutral and vote in (PRESENT, ABSTAIN) else vote
        if not electorate.may_vote(voter):
            outside.append(voter)
        elif word_of(vote) in words:
            valid[voter] = vote
        else:
            foreign.setdefault(word_of(vote), []).append(voter)
    remarks = [
        with_full_stop(
            f"{word} is no word of this edition, so it counts for nothing: {names_in_words(voters)}"
        )
        for word, voters in foreign.items()
    ]
    if outside:
        remarks.append(
            with_full_stop(
                f"Not of active players, so not counted: the votes of {names_in_words(outside)}"
            )
        )
    return valid, remarks


def by_heads(counted: Mapping[str, str], remarks: list[str]) -> Heads:
    """The heads of votes by name, all of them FOR, AGAINST, PRESENT or ABSTAIN."""
    heads = Heads(counted=dict(counted), remarks=remarks)
    for word in counted.values():
        if word == FOR:
            heads.votes_for += 1
        elif word == AGAINST:
            heads.against += 1
        else:
            heads.present += 1
    return heads


def heads_of(ballot: Ballot, electorate: Electorate, words: Collection[str]) -> Heads:
    """A ballot's heads where votes need no resolving; `words` are those that count."""
    if not isinstance(ballot.votes, Counts):
        return by_heads(*valid_votes(ballot, electorate, words))
    counts = ballot.votes
    heads = Heads(counts.votes_for, counts.against, counts.present)
    if counts.present and not {PRESENT, ABSTAIN} & set(words):
        heads.present = 0
        heads.remarks.append(
            f"{PRESENT} is no word of this edition, so {votes_in_words(counts.present)} of it"
            " counted for nothing."
        )
    return heads


def heads_of_each(
    ballots: Iterable[Ballot], electorate: Electorate, words: Collection[str]
) -> dict[int, Heads]:
    """The heads of each Open ballot, by its number."""
    return {
        ballot.number: heads_of(ballot, ballot.electorate(electorate), words)
        for ballot in ballots
        if ballot.status == "Open"
    }


# As the rules have them

_LISTS = (
    "(can|may) vote {word/w*} on each",
    "with {word/w*} and no other word",
    "a vote on a proposal is {word/w*}",
    "1 of the words {word/w*}",
    "valid votes are {{word/w*}}",
    "can vote {word/w*}, or endorse another player",
    "can vote {word/w*}",
)
_ENDORSES = ("or endorse another player",)


def _clause(rule: str, wordings: tuple[str, ...], row: str) -> Clause:
    return Clause(rule, "WORDS", row, "WORD", wordings, row)


WORDS = tuple(_clause(rule, _LISTS, "{word}") for rule in (PROPOSALS, VOTING))


def vocabulary(edition_words: tuple[str, ...], texts: Mapping[str, str]) -> dict[str, str]:
    """The meaning of each word of a vote, in the order in which the words are offered.

    `edition_words` are those that the edition counts. In the sentence that lists them in a text,
    a word that the edition counts keeps its meaning, and others take in order the places of those
    that are not there any more; one too many counts as neither FOR nor AGAINST. Without such a
    sentence, which has them in capitals, the edition's words go on.
    """
    for title, text in texts.items():
        spoken = [word.upper() for word, _ in cells_of(text, [_clause(title, _LISTS, "{word}")])]
        if len(spoken) > 1 and all(word in text for word in spoken):
            ends = bool(cells_of(text, [_clause(title, _ENDORSES, ENDORSE)]))
            offered = spoken + [ENDORSE] * ends
            unspoken = [word for word in edition_words if word not in offered and word != ENDORSE]
            foreign = [word for word in offered if word not in edition_words]
            free = unspoken[: len(foreign)]
            meanings = dict(zip_longest(foreign, free, fillvalue=neither_of(edition_words)))
            return {word: meanings.get(word, word) or word for word in offered}
    return {word: word for word in edition_words}


def translated(vote: str, words: Vocabulary) -> str:
    """The vote as the edition counts it; ENDORSE keeps the name after it."""
    word = word_of(vote)
    return words.get(word, word) + vote.removeprefix(word)
