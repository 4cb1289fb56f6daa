"""What programs of rules decide of votes: it counts as far as it can be, and ends no voting."""

from datetime import datetime

import pytest

from nomic.engine.models import AppointmentStatus
from nomic.engine.outcomes import Refused
from nomic.engine.programs.descriptions import added
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.events.clock import OPENS
from proposals.events.opening import CLOSES, TIMED_OUT
from proposals.models import Proposal
from proposals.state.reading import state_of
from tests.kit import Take

CARRIERS = {"agora": "Motivating Horses", "blognomic": "Visitors", "b-nomic-5e33": "The Clock"}


@pytest.fixture
def preset() -> str:
    return "agora"


def decide(game: Game, what: str, body: str, takes: str = "players") -> None:
    """Let a rule's program decide that from now on."""
    rule = game.rules.get(title=CARRIERS[game.preset])
    text = rule.text.partition("\n```python")[0]
    program = f'@decide("proposals.{what}")\ndef it({takes}):\n    return {body}'
    change = {"rule": rule.title, "text": f"{text}\n```python\n{program}\n```\n", "reason": "test"}
    take(game.slug, None, "rulebook.amend", change)
    game.refresh_from_db()


def failures(game: Game) -> list[str]:
    found = added(glance(game), game.rules.get(title=CARRIERS[game.preset]).pk)
    assert found is not None
    return [each.what for each in found.failures]


def due(game: Game, *kinds: str) -> datetime:
    """When the last of those is appointed."""
    return (
        game.appointments.filter(kind__in=kinds, status=AppointmentStatus.WAITING).latest("due").due
    )


def voted(game: Game, act: Take, **votes: str) -> Proposal:
    """A proposal of Murphy's on which these voted so, after its vote."""
    act(game.players.get(name="Murphy"), "proposals.submit", body="Spoons.")
    proposal = Proposal.objects.filter(game=game).latest("serial")
    if game.preset == "b-nomic-5e33":
        advance(game.slug, due(game, OPENS))
        proposal.refresh_from_db()
    for name, word in votes.items():
        if proposal.passed is None:
            voter = game.players.get(name=name)
            act(voter, "proposals.vote", proposal=proposal.handle, choice=word)
            proposal.refresh_from_db()
    if proposal.passed is None:
        game.refresh_from_db()
        advance(game.slug, due(game, CLOSES, TIMED_OUT))
        proposal.refresh_from_db()
    game.refresh_from_db()
    return proposal


def is_sound(game: Game) -> None:
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_who_votes(game: Game, player: Player, rival: Player, act: Take) -> None:
    assert not voted(game, act, Murphy="AGAINST", Madrid="FOR").passed
    decide(game, "voters", 'players[:1] if "Murphy" in players else players')
    act(player, "proposals.submit", body="Forks.")
    with pytest.raises(Refused, match="By a rule's program, Madrid may vote on Proposal 2"):
        act(player, "proposals.vote", proposal=2, choice="FOR")
    passed = voted(game, act, Madrid="FOR")
    assert passed.passed
    assert passed.figures["players"] == 1
    assert failures(game) == []
    is_sound(game)


@pytest.mark.thorough
def test_the_words_of_votes(game: Game, player: Player, rival: Player, act: Take) -> None:
    decide(game, "words", '{"AYE": "FOR", "NAY": "AGAINST"}', takes="words")
    with pytest.raises(Refused, match="vote AYE or NAY"):
        voted(game, act, Murphy="FOR")
    assert voted(game, act, Murphy="AYE", Madrid="AYE").passed
    assert not voted(game, act, Murphy="NAY", Madrid="NAY").passed
    is_sound(game)


@pytest.mark.thorough
def test_how_strong_votes_are(game: Game, player: Player, rival: Player, act: Take) -> None:
    assert not voted(game, act, Murphy="AGAINST", Madrid="FOR").passed
    decide(game, "strengths", '{"Madrid": 5}')
    assert voted(game, act, Murphy="AGAINST", Madrid="FOR").passed
    is_sound(game)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["agora", "blognomic", "b-nomic-5e33"])
def test_how_much_a_proposal_needs(
    game: Game, player: Player, rival: Player, act: Take, preset: str
) -> None:
    decide(game, "quorum", "1")
    assert voted(game, act, Murphy="FOR").passed
    decide(game, "quorum", "len(players)")
    assert not voted(game, act, Murphy="FOR").passed
    assert voted(game, act, Murphy="FOR", Madrid="FOR").passed
    assert failures(game) == []
    is_sound(game)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["agora", "blognomic", "b-nomic-5e33"])
def test_what_votes_come_to(
    game: Game, player: Player, rival: Player, act: Take, preset: str
) -> None:
    decide(game, "outcome", '"fails" if ballot.votes_for else "passes"', takes="ballot")
    passed = voted(game, act, Murphy="AGAINST", Madrid="AGAINST")
    assert passed.passed
    assert passed.reasons[0].endswith(", as the program of a rule decides.")
    assert not voted(game, act, Murphy="FOR", Madrid="AGAINST").passed
    assert voted(game, act, Murphy="FOR", Madrid="FOR").passed, "all are for it"
    assert failures(game) == []
    is_sound(game)


@pytest.mark.thorough
def test_a_recount_keeps_what_a_program_decided(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    decide(game, "outcome", '"passes"', takes="ballot")
    passed = voted(game, act, Murphy="AGAINST", Madrid="FOR")
    assert passed.passed
    given = {"proposal": passed.number, "voter": "Madrid", "reason": "a test"}
    entry = act(None, "proposals.strike_vote", **given).entry
    assert entry.outcome["recount"] == []
    is_sound(game)


NOBODY = {
    "voters": ("[]", '["Nobody"]', "[1]", '"Murphy"'),
    "words": ("{}", '{"NAY": "AGAINST"}', '{"AYE": "SURE"}', '{"two words": "FOR"}', '["FOR"]'),
    "strengths": ('{"Murphy": 0, "Madrid": 0}', '{"Murphy": -1}', '{"Nobody": 1}', "3"),
    "quorum": ("0", "-1", "3", "1000", "'1'", "True"),
    "outcome": ('"maybe"', "True", '["passes"]'),
}


@pytest.mark.thorough
@pytest.mark.parametrize("what", NOBODY)
def test_none_decides_what_cannot_be_nor_that_nothing_is_adopted(
    game: Game, player: Player, rival: Player, act: Take, what: str
) -> None:
    takes = {"words": "words", "outcome": "ballot"}.get(what, "players")
    for body in NOBODY[what]:
        decide(game, what, body, takes=takes)
        assert failures(game) == []
        other = "PRESENT" if what == "outcome" else "FOR"
        assert voted(game, act, Murphy="FOR", Madrid=other).passed, body
        assert failures(game) == [f"it decides proposals.{what}"], body
    state = state_of(glance(game))
    assert state.impasse == ""
    assert sorted(state.electorate.players) == ["Madrid", "Murphy"]
    is_sound(game)


def test_together_they_do_not_end_all_votes_either(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    rule = game.rules.get(title=CARRIERS["agora"])
    program = """
@decide("proposals.voters")
def voters(players):
    return ["Murphy"]

@decide("proposals.strengths")
def strengths(players):
    return {each: 0 for each in players}

@decide("proposals.quorum")
def quorum(players):
    return 2

@decide("proposals.outcome")
def outcome(ballot):
    return "fails"
"""
    text = f"{rule.text}\n```python{program}```\n"
    change = {"rule": rule.title, "text": text, "reason": "a test"}
    act(None, "rulebook.amend", **change)
    game.refresh_from_db()
    assert voted(game, act, Murphy="FOR").passed
    assert failures(game) == [
        "quorum decides proposals.quorum",
        "strengths decides proposals.strengths",
    ]
    is_sound(game)
