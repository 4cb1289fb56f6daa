"""What is hidden from players is to a proposal as if it were not there, whatever it names."""

import pytest

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetVisibility, Balance
from nomic.operations.setup import new_game
from proposals.models import Proposal
from proposals.web.preview.preview import preview
from tests.kit import WEDNESDAY, at_the_table, seat

BODIES = {
    "enacting its title": "Enact a rule titled “{title}” with the text: {{ Open. }}",
    "enacting its number": "Enact rule {number} titled “Seals” with the text: {{ Open. }}",
    "retitling to it": "Retitle the rule “Spoons” to “{title}”.",
    "renumbering to it": "Renumber the rule “Spoons” to {number}.",
    "repealing it": "Repeal the rule “{title}”.",
    "repealing its number": "Repeal rule {number}.",
    "replacing its text": "Replace the text of the rule “{title}” with: {{ Open. }}",
    "adding a subrule to it": "Add a subrule titled “Egg” to the rule “{title}”: {{ Open. }}",
    "giving its asset": "Give Murphy 1 {asset}.",
    "taking its asset": "Take 1 {asset} from Murphy.",
    "destroying its asset": "Destroy all {asset}s.",
    "giving it to each": "Give each player 2 {asset}s.",
}
HIDDEN = {"title": "Plotting", "number": "7790", "asset": "bribe"}
NOTHING = {"title": "Knitting", "number": "7791", "asset": "tripe"}


type Room = tuple[Game, Player]


def room(slug: str) -> Room:
    """A game with things in it that its one player does not know."""
    game = new_game(slug, "blognomic", pace="manual", start=WEDNESDAY)[0]
    murphy = seat(game, "Murphy")
    with at_the_table(game) as table:
        hidden = table.rules.enact(
            HIDDEN["title"], "Hidden.\n", number=HIDDEN["number"], visibility="private"
        )
        table.rules.enact("Hidden egg", "Hidden.\n", parent=hidden, visibility="secret")
        table.rules.enact("Spoons", "Spoons are nice.\n")
        table.ledger.define(
            HIDDEN["asset"], f"{HIDDEN['asset']}s", visibility=AssetVisibility.PRIVATE
        )
        table.ledger.create(murphy, 918, HIDDEN["asset"])
    return Game.objects.get(pk=game.pk), murphy


@pytest.fixture
def one_game(db: None) -> Game:
    return room("table")[0]


@pytest.fixture
def two_games(db: None) -> list[Room]:
    """One for what is hidden, and one for what is nothing."""
    return [room("one"), room("two")]


def plain(told: object) -> str:
    """What was told, with one word for either name."""
    said = str(told)
    for hidden, nothing in zip(HIDDEN.values(), NOTHING.values(), strict=True):
        said = said.replace(hidden, nothing)
    return said


def body(which: str, names: dict[str, str]) -> str:
    return BODIES[which].format(**names)


@pytest.mark.parametrize("which", BODIES)
def test_a_preview_tells_of_what_is_hidden_what_it_tells_of_nothing(
    one_game: Game, which: str
) -> None:
    of_hidden = preview(one_game, None, body(which, HIDDEN), {})
    of_nothing = preview(one_game, None, body(which, NOTHING), {})
    assert (of_hidden.count, of_hidden.unreadable) == (1, "")
    assert plain(of_hidden) == plain(of_nothing)


@pytest.mark.parametrize("which", BODIES)
def test_what_passes_does_to_what_is_hidden_what_it_does_to_nothing(
    two_games: list[Room], which: str
) -> None:
    ends = []
    for (game, murphy), names in zip(two_games, (HIDDEN, NOTHING), strict=True):
        take(game.slug, murphy, "proposals.submit", {"body": body(which, names)})
        entry = take(game.slug, murphy, "proposals.vote", {"proposal": 1, "choice": "FOR"}).entry
        proposal = Proposal.objects.get(game=game)
        assert proposal.passed
        errands = proposal.errands.values_list("sentence", "why")
        ends.append(plain([entry.text, proposal.effects, list(errands)]))
        hidden = game.rules.get(title=HIDDEN["title"], visibility="private")
        assert (hidden.text, hidden.number, hidden.repealed_in) == ("Hidden.\n", "7790", None)
        bribes = Balance.objects.get(holder=murphy.holder, asset__name=HIDDEN["asset"])
        assert bribes.amount == 918
    assert ends[0] == ends[1]


def test_a_preview_warns_of_a_title_that_looks_like_another_rule_s(one_game: Game) -> None:
    for title, is_warned in (
        ("Sp\u043e\u043ens", True),
        ("Forks", False),
        ("Pl\u043etting", False),
    ):
        enacting = f"Enact a rule titled “{title}” with the text: {{ Open. }}"
        found = preview(one_game, None, enacting, {})
        assert [each.done for each in found.changes] == [True]
        assert any("look alike: “Spoons”" in each for each in found.warnings) == is_warned
