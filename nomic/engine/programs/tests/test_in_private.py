"""What programs decide in private acts replays, and nobody else learns of it."""

import pytest

from nomic.engine.actions import _ACTIONS, Inputs, TwoSidedAction
from nomic.engine.effects import Effects, Then
from nomic.engine.models import ProgramState
from nomic.engine.programs import running
from nomic.engine.programs.hooks import all_decisions, decided
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import is_sound
from nomic.engine.table import Table
from nomic.engine.tests.tiny import Whisper
from nomic.games.models import Game, Player
from tests.kit import Take

GAIN = next(each for each in all_decisions() if each.name == "horses.gain")
DECIDE = '@decide("horses.gain")\ndef gain(player: Player) -> int:\n    return 7\n'


def whispered(self: Whisper, table: Table, player: Player, words: str | None) -> Effects:
    def whisper(at: Table) -> str:
        return f"{player} whispers {decided(at, GAIN, 1, player=player.name)}."

    return Effects(Then(whisper))


class _Aside(Whisper, TwoSidedAction):
    """Whisper so that everybody sees it."""

    def is_private(self, table: Table, inputs: Inputs) -> bool:
        return False


@pytest.mark.parametrize("as_a_whole", [True, False])
@pytest.mark.parametrize("late", [True, False])
def test_what_was_late_in_a_private_act_is_so_in_its_replay(
    rich: Game,
    player: Player,
    act: Take,
    adopt: Adopt,
    monkeypatch: pytest.MonkeyPatch,
    as_a_whole: bool,
    late: bool,
) -> None:
    def starved(*_: object, **__: object) -> None:
        raise ProgramWrong(Problem("No worker of the sandbox is free", late=True))

    adopt(DECIDE)
    monkeypatch.setattr(Whisper, "judge", whispered)
    if not as_a_whole:
        monkeypatch.setitem(_ACTIONS, "tiny.whisper", _Aside())
    with monkeypatch.context() as meanwhile:
        if late:
            meanwhile.setattr(running.Programs, "_run", starved)
        receipt = act(player, "tiny.whisper", words="hush")
    assert receipt.entry.text == f"Murphy whispers {1 if late else 7}."
    kept = rich.sealed_entries.order_by("-seq")[0]
    assert ("failed" in kept.outcome["programs"]) is late
    assert not rich.entries.filter(name="tiny.whisper", outcome__has_key="programs").exists()
    assert not ProgramState.objects.exists()
    is_sound(rich)
