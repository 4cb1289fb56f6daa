"""Decisions that subgames publish: a program takes them over as far as it fits."""

import pytest

from horses.rulebook import shipped_texts
from horses.rules.charts import Charts
from nomic.engine.outcomes import Refused
from nomic.engine.programs.hooks import publish
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from tests.kit import Take

RULE = "Weekly Race Actions"
RACE = Charts.of(shipped_texts())


@pytest.fixture
def preset() -> str:
    return "agora"


def amend(game: Game, program: str) -> None:
    text = game.rules.get(title=RULE).text.partition("\n```python")[0]
    text = f"{text}\n```python\n{program}\n```\n"
    take(game.slug, None, "rulebook.amend", {"rule": RULE, "text": text, "reason": "a test"})
    game.refresh_from_db()


def dollaries(player: Player) -> int:
    return Balance.objects.get(holder=player.holder, asset__name="dollary").amount


def is_sound(game: Game) -> None:
    game.refresh_from_db()
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


def test_what_a_gain_is_a_program_decides(game: Game, player: Player, act: Take) -> None:
    amend(game, '@decide("horses.gain")\ndef gain(player: Player):\n    return len(player)')
    before = dollaries(player)
    entry = act(player, "horses.gain_dollaries").entry
    assert dollaries(player) == before + len("Murphy")
    assert entry.text.startswith("Murphy gains 6 dollaries")
    is_sound(game)


@pytest.mark.parametrize(
    "body",
    [
        "return -1",
        "return 'much'",
        "give(player, 5, 'dollary')\n    return 1",
        "1 / 0",
        *(
            pytest.param(each, marks=pytest.mark.thorough)
            for each in (
                "return 10**9",
                "return True",
                "return roll(6)",
                "say('x')\n    return 1",
                "refuse('No.')",
                "while True: pass",
                "return [[[[1]]]]",
            )
        ),
    ],
)
def test_what_does_not_fit_is_left_out_and_noted(
    game: Game, player: Player, act: Take, body: str
) -> None:
    amend(game, f'@decide("horses.gain")\ndef gain(player: Player):\n    {body}')
    before = dollaries(player)
    entry = act(player, "horses.gain_dollaries").entry
    assert dollaries(player) == before + int(RACE.gain)
    [failed] = entry.outcome["programs"]["failed"]
    assert failed["what"] == "gain decides horses.gain"
    is_sound(game)


def test_a_program_that_returns_nothing_leaves_it_to_the_rule(
    game: Game, player: Player, act: Take
) -> None:
    amend(game, '@decide("horses.gain")\ndef gain(player: Player):\n    return None')
    before = dollaries(player)
    entry = act(player, "horses.gain_dollaries").entry
    assert dollaries(player) == before + int(RACE.gain)
    assert "failed" not in entry.outcome.get("programs", {})
    is_sound(game)


@pytest.mark.thorough
def test_who_proposes_a_program_decides_and_somebody_always_may(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    decide = '@decide("proposals.proposers")\ndef some(players):\n    return '
    amend(game, decide + "players[:1]")
    with pytest.raises(Refused, match="Madrid may submit proposals now"):
        act(player, "proposals.submit", body="Spoons.")
    act(rival, "proposals.submit", body="Spoons.")
    for nobody in ("[]", "['Nobody']", "[1]", "[players]"):
        amend(game, decide + nobody)
        act(player, "proposals.submit", body="Spoons.")
    is_sound(game)


def test_each_decision_is_published_once_and_of_a_known_type() -> None:
    with pytest.raises(ValueError, match="no new decision"):
        publish("horses.gain", "int", "", {})
    with pytest.raises(ValueError, match="no new decision"):
        publish("horses.luck", "float", "", {})


def test_what_is_not_published_is_told(game: Game) -> None:
    from nomic.engine.programs.descriptions import added

    amend(
        game,
        '@decide("horses.luck")\ndef luck():\n    return 1\n'
        '@decide("horses.gain")\ndef gain(horse):\n    return 1',
    )
    found = added(glance(game), game.rules.get(title=RULE).pk)
    assert found is not None
    one, other = found.astray
    assert " decides horses.luck, which no program decides (line " in one.sentence
    assert "takes horse to decide horses.gain: it is given player" in other.sentence
