"""What a proposal would change, told before anyone votes: the same that passing then does."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from hypothesis import given, settings
from hypothesis import strategies as st

from horses.rulebook import shipped_texts
from horses.rules.charts import TITLES
from nomic.engine import watch
from nomic.engine.digest import state_of as state_of_game
from nomic.engine.dry_run import imagined
from nomic.engine.outcomes import Busy
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.operations.setup import advance, new_game
from nomic.record.models import Entry
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.rendering.diff import Differences
from proposals.models import Draft, LinkKind, Proposal
from proposals.web.preview import preview as room
from proposals.web.preview.preview import BUSY, preview
from proposals.web.preview.told import BodyPreview, changed_passages
from tests.kit import WEDNESDAY, Take, Visitor, examples, seat

PAGE = "/g/table/proposals/1/changes/"
SPOONS = "Enact a new rule titled “Silver Spoons” with the following text:\n{\nSpoons shine.\n}\n"
CHANGES = (
    SPOONS,
    "In the rule “Silver Spoons”, replace “shine” with “glow”.\n",
    "Replace the text of the rule “Silver Spoons” with:\n{\nForks.\n\n* One\n}\n",
    "To the bullet list in the rule “Silver Spoons”, add the following:\n* Two\n",
    "Retitle the rule “Silver Spoons” to “Golden Spoons”.\n",
    "Add a subrule to the rule “Silver Spoons” titled “Tea Spoons” with the text:\n{\nTea.\n}\n",
    "Renumber the rule “Silver Spoons” to 7.\n",
    "Repeal the rule “Silver Spoons”.\n",
    "Give Murphy 5 dollaries.\n",
    "Give each player 1 hoof.\n",
    "Take 100 dollaries from Murphy.\n",
    "Transfer 2 dollaries from Madrid to Murphy.\n",
    "Set Alexia's Race Position to 3.\n",
    "Set Alexia's Race Position to 300.\n",
    "Repeal the rule “Horse Victory”.\n",
    "[The moon is made of cheese.]\n",
    "Increase the joy of all players by 3.\n",
)


@pytest.fixture
def preset() -> str:
    return "agora"


Look = Callable[..., BodyPreview]


@pytest.fixture
def look(game: Game) -> Look:
    """The preview of a body in the game as it is now."""

    def look(body: str, own: Proposal | None = None, **links: Any) -> BodyPreview:
        return preview(Game.objects.get(pk=game.pk), None, body, links, own)

    return look


def everything(game: Game) -> Any:
    """All that a preview could have left behind."""
    game.refresh_from_db()
    return (
        state_of_game(game),
        game.last_entry,
        game.rulebook_at,
        Entry.objects.count(),
        Rule.objects.count(),
        RuleVersion.objects.count(),
        sorted(Balance.objects.values_list("holder", "asset", "amount")),
        sorted(game.appointments.values_list("kind", "due", "status")),
        watch.mark(game.pk),
    )


def test_a_preview_leaves_nothing_behind(
    game: Game, player: Player, rival: Player, look: Look
) -> None:
    before = everything(game)
    found = look("".join(CHANGES))
    assert found.count == len(CHANGES) - 1
    assert everything(game) == before
    assert not Draft.objects.exists()


@pytest.mark.django_db
@settings(max_examples=examples(15))
@given(picked=st.lists(st.integers(0, len(CHANGES) - 1), min_size=1, max_size=7))
def test_passing_does_what_the_preview_told(picked: list[int]) -> None:
    body = "".join(CHANGES[number] for number in picked)
    slug = f"foretold-{Game.objects.count()}"
    game = new_game(slug, "agora", pace="manual", start=WEDNESDAY)[0]
    voters = [seat(game, name) for name in ("Murphy", "Madrid")]
    take(slug, voters[0], "proposals.submit", {"body": body})
    for voter in voters:
        take(slug, voter, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    # Before the horses run, so that nothing but the vote moves anything.
    soon = WEDNESDAY + timedelta(days=1)
    Proposal.objects.filter(game=game).update(closes_at=soon)
    game.appointments.filter(kind="proposals.voting_closes").update(due=soon)
    Game.objects.filter(pk=game.pk).update(next_due=soon, wakes_at=None)

    own = Proposal.objects.select_related("author").get(game=game)
    told = preview(Game.objects.get(pk=game.pk), None, body, {}, own)
    advance(slug, soon + timedelta(hours=1))
    own.refresh_from_db()
    assert own.passed
    assert [(each.sentence, each.done) for each in told.changes] == [
        (each["sentence"], each["done"]) for each in own.effects
    ]
    assert [[vars_of(shift) for shift in each.shifts] for each in told.changes] == [
        each["shifts"] for each in own.effects
    ]


def vars_of(shift: Any) -> dict[str, Any]:
    return {name: getattr(shift, name) for name in ("holder", "asset", "before", "after")}


def test_each_change_is_told_with_what_it_does(player: Player, look: Look) -> None:
    found = look(SPOONS + "Give Murphy 5 dollaries.\nSet Alexia's Race Position to 3.\n")
    spoons, gift, position = found.changes
    assert "Spoons shine." in spoons.law
    assert [vars_of(shift) for shift in gift.shifts] == [
        {"holder": "Murphy", "asset": "dollary", "before": 10, "after": 15}
    ]
    assert (position.before, position.after) == ("0", "3")
    assert ("horses · Alexia · position", "0", "3") in found.figures
    assert ("The races: Alexia, position", "0", "3") in found.figures_in_words


def test_what_cannot_be_read_or_done_is_left_to_the_officer_with_the_reason(look: Look) -> None:
    found = look("Take 100 dollaries from Murphy. Repeal the rule “Forks”.")
    assert found.officer == "Assessor"
    assert [each.done for each in found.changes] == [False, False]
    assert found.by_hand == 2
    assert found.changes[1].sentence == "No rule “Forks” is in force."
    assert found.changes[1].change.sentence == "Repeal the rule “Forks”."


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("In the rule “Horses”, replace “No such words” with “x”.", "No such words"),
        ("In the rule “Horses”, replace “horse” with “pony”.", "quote more of it"),
        ("Enact a new rule titled “Horses” with the following text: { x }", "in force already"),
    ],
)
def test_what_stands_nowhere_or_twice_or_is_taken_is_told(body: str, said: str, look: Look) -> None:
    (change,) = look(body).changes
    assert not change.done
    assert said in change.sentence


def test_a_switch_that_is_raised_is_told_by_its_values(look: Look) -> None:
    (change,) = look("Increase Alexia's Race Position by 3.").changes
    assert (change.done, change.before, change.after) == (True, "0", "3")
    assert not change.passages


def test_a_table_that_could_no_longer_be_played_by_is_warned_of(look: Look) -> None:
    found = look("In the rule “Horse Multiplier”, replace “Alexia” with “Alexandra”.")
    assert any("no row for Alexia" in warning for warning in found.warnings)
    terms = look("In the rule “Voting”, replace “| At least | 3 |” with “| At least | many |”.")
    assert terms.changes[0].done or "“many”" in terms.changes[0].sentence


def test_a_sentence_that_would_not_be_carried_out_is_told_with_what_goes_on(look: Look) -> None:
    said = "to gain dollaries by announcement"
    poor = f"{said}, if e has fewer than 5"
    found = look(f"In the rule “Weekly Race Actions”, replace “{said}” with “{poor}”.")
    assert found.unplayed == (f"{poor}.",)
    assert found.warnings == (
        f"Not carried out as it reads, in “Weekly Race Actions”, “{poor}.”: the program goes on"
        " with “Gain dollaries” as before, until an officer or another vote ends that.",
    )
    gone = look(f"In the rule “Weekly Race Actions”, replace “- {said}.” with “”.")
    assert gone.unplayed == (f"{said}.",)
    assert "a sentence that does not stand there any more" in gone.warnings[0]
    assert look(SPOONS).unplayed == ("Spoons shine.",)


def test_a_change_after_which_nothing_could_be_adopted_is_seen_to_be_left_undone(
    look: Look,
) -> None:
    found = look("Repeal the rule “Voting”.\n" + SPOONS)
    assert [(change.done, change.refused) for change in found.changes] == [
        (False, True),
        (True, False),
    ]
    assert found.changes[0].sentence == (
        "This is left undone: after it nothing could be adopted any more. Without the rule “Voting”"
        " nobody votes."
    )
    assert (found.by_hand, found.refused) == (0, 1)


def test_another_proposal_that_changes_the_same_rule_is_named(
    game: Game, player: Player, act: Take, look: Look
) -> None:
    act(player, "proposals.submit", title="An end", body="Repeal the rule “Horses”.")
    body = "In the rule “Horses”, replace “x” with “y”.\n" + SPOONS
    *_, warning = look(body).warnings
    assert "Proposal 1 “An end” (Open) changes the rule “Horses” as well." in warning
    own = Proposal.objects.get(game=game)
    assert not any("as well" in each for each in look(own.body, own).warnings)
    act(player, "proposals.submit", body=SPOONS.replace("Silver Spoons", "silver spoons"))
    assert any("the new rule “Silver Spoons”" in each for each in look(SPOONS).warnings)


def test_links_are_told_with_what_became_of_them(
    game: Game, player: Player, act: Take, look: Look
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    found = look("x", **{LinkKind.CONFLICT: [1], LinkKind.DEPENDENCY: [99, "p7"]})
    assert [(each.does, each.label, each.status) for each in found.links] == [
        ("Conflicts with", "Proposal 1 “Spoons”", "Open"),
        ("Depends on", "There is no proposal 99 in this game.", ""),
        ("Depends on", "There is no proposal p7 in this game.", ""),
    ]


class TestBeforeTheRaces:
    @pytest.fixture
    def preset(self) -> str:
        return "agora-proposals"

    def test_the_races_that_a_proposal_brings_are_foretold(
        self, player: Player, look: Look
    ) -> None:
        texts = shipped_texts()
        body = "".join(
            f"Enact a new rule titled “{title}” with the text:\n{{{{\n{texts[title]}\n}}}}\n"
            for title in TITLES
        )
        told = [each.sentence for each in look(body).consequences]
        assert "The races begin." in told
        assert "There is an office “Horsened”, vacant at first." in told
        assert "“The horses run” is appointed" in told
        assert "Dollaries can be owned." in told


# What cannot be read at all


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Enact { x", "Line 1, column 7"),
        ("one\ntwo }", "Line 2, column 5"),
        ("{" * 1_000 + "}" * 1_000, "100 braces deep"),
        ("x" * 1_000_000, "1,000,000 characters"),
        ("{ " * 99_000, "braces"),
    ],
)
def test_a_hostile_body_is_answered_with_a_sentence(body: str, said: str, look: Look) -> None:
    found = look(body)
    assert said in found.unreadable
    assert not found.changes


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))"],
)
def test_nothing_that_is_written_becomes_a_script(
    text: str, game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    body = SPOONS.replace("shine", text) + f"In the rule “Horses”, replace “horse” with “{text}”."
    act(player, "proposals.submit", title=text, body=body)
    page = visit().get(PAGE).content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert 'href="javascript' not in page


# Pages, the cache, a busy game


def test_everybody_sees_the_changes_as_a_page_and_as_a_part(
    player: Player, act: Take, visit: Visitor, htmx: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body=SPOONS)
    page = visit().get(PAGE).content.decode()
    assert "What Proposal 1 “Spoons” would change" in page
    assert "The rule “Silver Spoons” is enacted." in page
    part = htmx().get(PAGE).content.decode()
    assert "The rule “Silver Spoons” is enacted." in part
    assert "<html" not in part
    assert visit().get("/g/table/proposals/2/changes/").status_code == 404


def test_of_a_historical_proposal_the_recorded_effects_are_shown(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", body=SPOONS + "Repeal the rule “Forks”.")
    for voter in (player, rival):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance("table", WEDNESDAY + timedelta(days=7))
    assert Proposal.objects.get(game=game).passed
    page = visit().get(PAGE).content.decode()
    assert "What Proposal 1 changed" in page
    assert "The rule “Silver Spoons” is enacted." in page
    assert "This sentence was left to the Assessor:" in page
    assert "Repeal the rule “Forks”." in page


def test_a_preview_is_computed_once_for_all_readers_and_anew_when_the_game_moved(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch, visit: Visitor
) -> None:
    counted: list[Game] = []
    imagine = imagined

    def count(game: Game, **limits: float) -> Any:
        counted.append(game)
        return imagine(game, **limits)

    monkeypatch.setattr(room, "imagined", count)
    act(player, "proposals.submit", body=SPOONS)
    for _ in range(3):
        assert "is enacted" in visit().get(PAGE).content.decode()
    assert len(counted) == 1
    act(player, "proposals.comment", proposal=1, text="Well.")
    visit().get(PAGE)
    assert len(counted) == 2


def test_what_somebody_is_writing_is_kept_nowhere(player: Player, look: Look) -> None:
    look(SPOONS.replace("shine", "canary"))
    kept = [cache.get(key) for key in cache.keys("*")]  # type: ignore[attr-defined]
    assert "canary" not in repr(kept)


def test_whoever_comes_while_a_preview_is_computed_waits_for_it(
    game: Game, player: Player, act: Take, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(player, "proposals.submit", body=SPOONS)
    own = Proposal.objects.get(game=game)
    answers = []
    imagine = imagined

    def others_come(game: Game, **limits: float) -> Any:
        answers.append(look(own.body, own))
        return imagine(game, **limits)

    monkeypatch.setattr(room, "imagined", others_come)
    assert look(own.body, own).changes
    assert [each.busy for each in answers] == [BUSY]


def test_while_the_game_is_busy_the_page_says_that_the_preview_follows(
    player: Player, act: Take, visit: Visitor, htmx: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(game: Game, **limits: float) -> Any:
        raise Busy

    act(player, "proposals.submit", body=SPOONS)
    with monkeypatch.context() as patch:
        patch.setattr(room, "imagined", busy)
        answer = htmx().get(PAGE)
        assert answer.status_code == 200
        assert BUSY in answer.content.decode()
        assert 'hx-trigger="load delay' in answer.content.decode()
    assert "is enacted" in visit().get(PAGE).content.decode()


def test_a_difference_shows_what_changed_and_little_around_it() -> None:
    old = "\n".join(f"line {number}" for number in range(100))
    new = old.replace("line 10\n", "line ten\n").replace("line 90\n", "")
    passages, more = changed_passages(old, new, Differences())
    assert [passage.skipped for passage in passages] == [8, 75]
    assert more == 0
    assert "line 50" not in "".join(passage.html for passage in passages)
    _, more = changed_passages("", old * 3, Differences())
    assert more == 298 - 150
