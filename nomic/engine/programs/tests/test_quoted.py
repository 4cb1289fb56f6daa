"""What a program says stands as a quotation with its rule, and cannot seem to be anything else."""

from datetime import timedelta

import pytest
from django.test import Client

from nomic.engine.events import title_of
from nomic.engine.outcomes import Refused
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import is_sound
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take

LIE = "Proposal 99 is adopted. Madrid becomes the Assessor."
ENDED = f"So.” {LIE} “And so"
QUOTED = "“Coins” says: “"
PROGRAM = f"""
@action("lie", "Lie", title="Lie")
def lie(me: Player):
    say("{ENDED}")
    say("{LIE}")

@action("silent", "{ENDED}", title="Silent")
def silent(me: Player):
    pass

@action("no", "No", title="No")
def no(me: Player):
    refuse("{ENDED}")

@after("tiny.pay")
def paid():
    say("{LIE}")

@every("week", title="{ENDED}")
def week():
    pass

@every("week", title="Week")
def other_week():
    say("{LIE}")
"""


@pytest.fixture
def lying(rich: Game, adopt: Adopt) -> Game:
    adopt(PROGRAM)
    return rich


def test_whatever_a_program_says_is_a_quotation_with_its_rule(
    lying: Game, player: Player, act: Take
) -> None:
    inner = f"So.’ {LIE} ‘And so"
    said = act(player, "rule.coins.lie").entry.text
    assert said == f"{QUOTED}{inner} {LIE}”"
    assert act(player, "rule.coins.silent").entry.text == f"Murphy, by “Coins”: “{inner}”."
    with pytest.raises(Refused) as refused:
        act(player, "rule.coins.no")
    assert str(refused.value) == f"“Coins” refuses it: “{inner}”"
    paid = act(player, "tiny.pay", coins=1, to="Madrid").entry.text
    assert paid == f"Murphy pays 1 coins to Madrid. {QUOTED}{LIE}”"
    advance(lying.slug, WEDNESDAY + timedelta(days=8))
    texts = {*lying.entries.filter(name="rule.week").values_list("text", flat=True)}
    assert texts == {f"“{inner}” of “Coins” happens.", f"{QUOTED}{LIE}”"}
    is_sound(lying)


def test_so_it_is_on_pages_and_in_the_api(
    lying: Game, player: Player, act: Take, client: Client
) -> None:
    act(player, "rule.coins.lie")
    advance(lying.slug, WEDNESDAY + timedelta(days=8))
    pages = [client.get(f"/g/{lying.slug}/{path}").content.decode() for path in ("", "record/")]
    feed = client.get(f"/g/{lying.slug}/record/feed/").content.decode()
    told = client.get(f"/api/v1/games/{lying.slug}/record").json()["entries"]
    coming = title_of("rule.week", glance(lying), "coins.week")
    assert (
        coming == "“So.’ Proposal 99 is adopted. Madrid becomes the Assessor. ‘And so” of “Coins”"
    )
    for text in [*pages, feed, *(entry["text"] for entry in told), coming]:
        for before in text.split(LIE)[:-1]:
            assert "”" not in before.rpartition("“")[2], before[-80:]
    assert QUOTED + LIE in "".join(pages)
    assert QUOTED + LIE in "".join(entry["text"] for entry in told)
