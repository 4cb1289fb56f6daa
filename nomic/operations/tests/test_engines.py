"""What a newer sandbox does otherwise is told apart from what somebody has changed."""

import io

import pytest

from nomic.engine.models import ProgramState
from nomic.engine.programs import running
from nomic.engine.programs.host_functions import Questions
from nomic.engine.programs.sandbox import ENGINE, Problem, ProgramWrong
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import replay
from tests.kit import Take

OLD = "another 0.1"
NOTE = f"programs of rules ran in {OLD} then, and in {ENGINE} now"
RULE = "Weekly Race Actions"
PROGRAM = """
@action("go", "Go")
def go(me: Player):
    give(me, 2, "hoof")
    state["n"] = state.get("n", 0) + 1
    say("Somebody goes.")
"""


@pytest.fixture
def preset() -> str:
    return "agora-races"


@pytest.fixture
def played(game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game in which a program ran in an older engine."""
    text = f"{game.rules.get(title=RULE).text}\n```python{PROGRAM}```\n"
    act(None, "rulebook.amend", rule=RULE, text=text, reason="a test")
    with monkeypatch.context() as patch:
        patch.setattr(running, "ENGINE", OLD)
        entry = act(player, "rule.weekly-race-actions.go").entry
    assert entry.outcome["programs"]["engine"] == OLD
    return Game.objects.get(pk=game.pk)


def exported(game: Game) -> io.StringIO:
    file = io.StringIO()
    export_game(game, file)
    file.seek(0)
    return file


def test_where_both_engines_do_alike_nothing_is_told(played: Game) -> None:
    assert [finding for finding in audit(played) if finding.wrong] == []
    assert replay(played)[1] is None
    assert import_game(exported(played), slug="elsewhere").last_entry == played.last_entry


def says_otherwise(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("nomic.engine.programs.host_functions.line_of", lambda said: str(said).upper())


def fails(patch: pytest.MonkeyPatch) -> None:
    def answer(self: Questions, *what: object) -> object:
        raise ProgramWrong(Problem("It is no more"))

    patch.setattr(Questions, "answer", answer)


def moves_otherwise(patch: pytest.MonkeyPatch) -> None:
    read_result = running.read_result

    def meddled(returned: object) -> object:
        done = read_result(returned)
        done.moves[:] = [(source, target, 3, asset) for source, target, _, asset in done.moves]
        return done

    patch.setattr(running, "read_result", meddled)


def keeps_otherwise(patch: pytest.MonkeyPatch) -> None:
    read_result = running.read_result

    def meddled(returned: object) -> object:
        done = read_result(returned)
        done.states[""] = '{"n": 7}'
        return done

    patch.setattr(running, "read_result", meddled)


@pytest.mark.parametrize("newer", [says_otherwise, fails, moves_otherwise, keeps_otherwise])
def test_what_a_newer_engine_does_otherwise_names_both_engines(
    played: Game, monkeypatch: pytest.MonkeyPatch, newer: object
) -> None:
    assert callable(newer)
    file = exported(played)
    assert [finding for finding in audit(played) if finding.wrong] == []
    newer(monkeypatch)
    assert NOTE in str(replay(played)[1])
    if newer in (says_otherwise, fails):
        with pytest.raises(BadRecording, match=NOTE.replace(".", r"\.")):
            import_game(file, slug="elsewhere")


@pytest.mark.usefixtures("player")
def test_what_somebody_has_changed_is_told_without_a_word_of_engines(
    game: Game, player: Player, act: Take
) -> None:
    text = f"{game.rules.get(title=RULE).text}\n```python{PROGRAM}```\n"
    act(None, "rulebook.amend", rule=RULE, text=text, reason="a test")
    act(player, "rule.weekly-race-actions.go")
    ProgramState.objects.update(state='{"n": 7}')
    told = str(replay(Game.objects.get(pk=game.pk))[1])
    assert "every entry agrees, but" in told
    assert "ran in" not in told


def test_a_file_in_which_somebody_has_changed_the_engine_is_found_out(played: Game) -> None:
    lines = exported(played).getvalue().replace(OLD, ENGINE)
    with pytest.raises(BadRecording, match="hash"):
        import_game(io.StringIO(lines), slug="elsewhere")
