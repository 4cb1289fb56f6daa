"""What holds of every tally, whatever the ballots."""

import json
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Counts, Electorate, Tally
from proposals.rules.edition import Edition
from proposals.rules.on_paper import result_as_json

NAMES = ("Alice", "Bob", "Carol", "Dave", "Eve")
NUMBERS = st.integers(1, 12)
LINKS = st.frozensets(NUMBERS, max_size=4)
VOTES = st.dictionaries(
    st.sampled_from(NAMES),
    st.sampled_from(["FOR", "AGAINST", "ABSTAIN", "DEFERENTIAL", "VETO", "for ", "MAYBE"])
    | st.sampled_from(NAMES).map("ENDORSE {}".format),
)
COUNTS = st.builds(Counts, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
BALLOTS = st.lists(
    st.builds(
        Ballot,
        number=NUMBERS,
        votes=VOTES | COUNTS,
        conflicts=LINKS,
        dependencies=LINKS,
        index=st.fractions(1, 9, max_denominator=10) | st.decimals(1, 9, places=1),
        status=st.sampled_from(["Open", "Open", "Open", "Lost", "Won"]),
        ripe=st.booleans(),
    ),
    unique_by=lambda ballot: ballot.number,
    max_size=10,
)
PEOPLE = st.builds(
    Electorate,
    players=st.frozensets(st.sampled_from(NAMES)) | st.integers(0, 9),
    vested=st.integers(0, 9) | st.frozensets(st.sampled_from(NAMES)),
    strengths=st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 30)),
    emperor=st.sampled_from(["", *NAMES]),
)
EDITION = st.sampled_from(sorted(EDITIONS)).map(EDITIONS.__getitem__)
B_NOMIC = st.sampled_from([EDITIONS["refresh-2006"], EDITIONS["rule-5e33"]])


def tally(edition: Edition, ballots: list[Ballot], people: Electorate) -> Tally:
    return edition.tally(ballots, people, edition.shipped_terms())


@given(EDITION, BALLOTS, PEOPLE)
def test_every_open_proposal_has_a_result_with_reasons_that_json_can_hold(edition, ballots, people):
    found = tally(edition, ballots, people)
    assert list(found.results) == sorted(own.number for own in ballots if own.status == "Open")
    for result in found.results.values():
        assert result.outcome in edition.success
        assert (edition.success[result.outcome] == "Won") is (result.passed is True)
        assert all(reason.endswith(".") for reason in result.reasons)
        assert result.reasons
        assert result.votes_for + result.votes_against + result.present == result.ballots
        assert result.popularity is None or -1 <= result.popularity <= 1
        assert json.loads(json.dumps(result_as_json(result)))["outcome"] == result.outcome
    assert list(found.passed_in_order) == [
        number for number, result in found.results.items() if result.passed
    ]


@given(EDITION, BALLOTS, PEOPLE, st.randoms())
def test_the_order_in_which_ballots_lie_does_not_matter(edition, ballots, people, chance):
    shuffled = chance.sample(ballots, len(ballots))
    assert tally(edition, shuffled, people) == tally(edition, ballots, people)


@given(B_NOMIC, BALLOTS, PEOPLE)
def test_nothing_passes_beside_its_rival_or_without_what_it_depends_on(edition, ballots, people):
    found = tally(edition, ballots, people)
    passed = set(found.passed_in_order)
    lost = {own.number for own in ballots if own.status == "Lost"}
    lost |= {number for number, own in found.results.items() if own.outcome == "Lost"}
    for own in ballots:
        if own.number in passed:
            assert not (own.conflicts - {own.number}) & passed
            assert not own.dependencies & lost


@given(B_NOMIC, BALLOTS, PEOPLE)
def test_whatever_falls_has_a_cause_that_explains_it(edition, ballots, people):
    found = tally(edition, ballots, people).results
    by_number = {own.number: own for own in ballots}
    for number, result in found.items():
        if "by" not in result.figures:
            continue
        other = by_number[result.figures["by"]]
        if result.figures["cull"] == "dependency":
            assert other.number in by_number[number].dependencies
            assert other.status == "Lost" or found[other.number].outcome == "Lost"
        else:
            assert other.number in by_number[number].conflicts or number in other.conflicts
            assert found[other.number].strength >= result.strength


@given(BALLOTS, PEOPLE)
def test_without_links_refresh_passes_what_has_more_for_than_against(ballots, people):
    plain = [Ballot(own.number, own.votes) for own in ballots]
    for result in tally(EDITIONS["refresh-2006"], plain, people).results.values():
        assert result.passed is (result.votes_for > result.votes_against)


@given(COUNTS, st.fractions(1, 9), st.integers(0, 9))
def test_one_more_vote_for_never_rejects_what_was_adopted(counts, index, quorum):
    edition, people = EDITIONS["adoption-index"], Electorate(quorum=quorum)

    def adopted(votes_for: int) -> bool:
        votes = Counts(votes_for, counts.against, counts.present)
        return tally(edition, [Ballot(1, votes, index=index)], people).results[1].passed is True

    assert adopted(counts.votes_for + 1) >= adopted(counts.votes_for)
    if adopted(counts.votes_for) and counts.against:
        assert Fraction(counts.votes_for, counts.against) >= index


@given(BALLOTS, PEOPLE)
def test_nothing_in_the_queue_is_decided_behind_what_is_not(ballots, people):
    decided = [
        result.passed is not None
        for result in tally(EDITIONS["quorum"], ballots, people).results.values()
    ]
    assert decided == sorted(decided, reverse=True)


@given(BALLOTS, PEOPLE)
def test_a_ripe_proposal_is_always_decided(ballots, people):
    ripe = [Ballot(own.number, own.votes, ripe=True) for own in ballots]
    found = tally(EDITIONS["quorum"], ripe, people)
    assert all(result.passed is not None for result in found.results.values())
