"""Rules whose programs refuse all that is done: the players mend the game by a vote."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from nomic.engine.actions import NeededAction, find_action, offers
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.programs.descriptions import hookable_names
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.tests.events.test_programs import adopt, with_program
from proposals.web.preview.preview import preview
from tests.kit import Take

MARKUP = "<script>alert(1)</script>"
REFUSING = '@before("{of}")\ndef b{n}():\n    refuse("Never again.")\n'
LOOPING = '@before("{of}")\ndef b{n}():\n    while True: pass\n'
LATE = '@after("{of}")\ndef a{n}():\n    refuse("Never again.")\n'


@pytest.fixture
def preset() -> str:
    return "agora"


def at_everything(game: Game, hook: str) -> str:
    """A proposal of rules that stand at all that programs may stand at, and at what they may not,
    with the officers' acts."""
    places = [*hookable_names(glance(game)), "rulebook.amend", "games.resume", "ledger.correct"]
    return "\n".join(
        with_program(
            f"Silence {first}",
            "".join(
                hook.format(of=of, n=n) for n, of in enumerate(places[first : first + 40])
            ),
        )
        for first in range(0, len(places), 40)
    )  # fmt: skip


def repealing(game: Game) -> str:
    titles = game.rules.filter(title__startswith="Silence", repealed_in=None)
    return "\n".join(f"Repeal the rule “{rule.title}”." for rule in titles)


@pytest.mark.thorough
@pytest.mark.parametrize("hook", [REFUSING, LOOPING, LATE], ids=["refuses", "loops", "late"])
def test_whatever_refuses_every_act_is_repealed_by_a_vote(
    game: Game, player: Player, rival: Player, act: Take, hook: str
) -> None:
    both = (player, rival)
    adopt(game, both, act, at_everything(game, hook))
    if hook == REFUSING:
        with pytest.raises(Refused, match=r"Never again\."):
            act(player, "horses.gain_dollaries")
    adopt(game, both, act, repealing(game))
    assert repealing(game) == ""
    assert game.state == "running"
    advance(game.slug, game.last_at + timedelta(days=8))
    act(player, "horses.gain_dollaries")
    game.refresh_from_db()
    assert [each for each in audit(game) if each.wrong] == []
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_no_act_that_mends_a_game_is_refused_by_a_program(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    adopt(game, (player, rival, officer), act, at_everything(game, REFUSING))
    refused = set()
    for who in (player, officer):
        offered = [offer.action.name for offer in offers(glance(game), who)]
        for name in (*(each for each in offered if each != "games.leave"), "games.leave"):
            try:
                act(who, name)
            except Refused as found:
                if "Never again." in found.refusal.sentence:
                    refused.add(name)
            except Malformed:
                pass
    assert refused
    assert [name for name in refused if isinstance(find_action(name), NeededAction)] == []
    assert [name for name in refused if find_action(name).office] == []


def test_the_preview_tells_names_with_markup_as_text_and_who_else_stands_there(
    game: Game, player: Player, rival: Player, act: Take, client: Client
) -> None:
    hook = '@before("horses.gain_dollaries")\ndef no():\n    refuse("No.")\n'
    adopt(game, (player, rival), act, with_program("Eleven", hook, "11"))
    named = (
        f'@action("go", "{MARKUP}", title="{MARKUP}")\ndef go(me: Player):\n    pass\n'
        f'@every("week", title="{MARKUP}")\ndef week():\n    raise ValueError("{MARKUP}")\n'
        f'@view("{MARKUP}")\ndef shown():\n    return table(["{MARKUP}"], [])\n'
    )
    body = with_program("Ten", hook + named, "10")
    told = [each.sentence for each in preview(game, player, body, {}).consequences]
    order = "Before horses.gain_dollaries come, in this order: “Ten”, “Eleven”."
    assert order in told
    assert player.user is not None
    client.force_login(player.user)
    page = client.post(reverse("proposal_preview", args=[game.slug]), {"body": body})
    assert page.status_code == 200
    html = page.content.decode()
    assert MARKUP not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "in this order: “Ten”, “Eleven”" in html
