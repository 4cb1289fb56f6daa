"""What docs/scaling.md tells of bounds is what stands in the code, and is what a game meets."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.dice.models import Master
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.take import take
from nomic.games.bounds import game_bounds, usual_bounds
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS
from nomic.infrastructure.caching.memory import all_caches
from nomic.infrastructure.paths import ROOT
from nomic.offices.management.commands.bounds import tables
from nomic.operations.exports import import_game
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.record.chain import text_of
from nomic.record.game_file import lines_of
from nomic.record.models import Entry
from nomic.rulebook.passages import pieces_in
from nomic.rulebook.text_cache import committed_rules
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, seat

_BEGIN, _END = "<!-- manage.py bounds -->\n", "\n<!-- end of bounds -->"


def test_the_table_of_bounds_is_the_one_that_the_command_prints():
    page = (ROOT / "docs" / "scaling.md").read_text()
    told = page.partition(_BEGIN)[2].partition(_END)[0]
    assert told.strip() == tables(), "write what `manage.py bounds` prints into docs/scaling.md"


# Each bound met exactly, passed by one and a thousand times, lowered; by each way into a game

PLAIN = "Horse Victory"  # a rule in prose
PROGRAM = """
currency("coina", "coinas")
currency("coinb", "coinbs")
currency("coinc", "coincs")
currency("coind", "coinds")
currency("coine", "coines")

@action("moves", "Move")
def moves(me: Player, words: str):
    for each in words:
        give(me, 1, "coin" + each)

@action("say", "Say")
def says(me: Player, words: str):
    for each in words:
        say("Well.")

@action("ask", "Ask")
def asks(me: Player, words: str):
    for each in words:
        state_of("Merchant")
"""
HEADS = {
    "program_events": '@every("day")\ndef f{n}(): pass\n',
    "program_actions": '@action("f{n}", "F")\ndef f{n}(me: Player): pass\n',
    "program_hooks": '@after("proposals.comment")\ndef f{n}(): pass\n',
    "program_views": '@view("F{n}")\ndef f{n}(): return bars({{}})\n',
    "program_assets": 'currency("c{n}", "cs{n}")\n',
}


@dataclass(frozen=True)
class Way:
    """How a bound is met: by an act with `inputs` for a turn and a size, which adds it to what is
    `there`, or has it by itself. `says` is what the refusal says where it does not count."""

    act: str
    inputs: Callable[[int, int], dict[str, Any]]
    size: int = 1
    there: Callable[[Game], int] = lambda game: 0
    adds: bool = False
    longest: int = 0  # where there is no act that is a thousand times as large
    says: str = "at most {most:,} .*this would be {found:,}"
    by_form: bool = True

    @property
    def is_the_operators(self) -> bool:
        return self.act == "rulebook.amend"


def adding(
    act: str, inputs: Callable[[int], dict[str, Any]], size: int = 1, there: int = 0, **more: Any
) -> Way:
    """One whose acts are all alike, and of which each adds to what is there."""
    return Way(act, lambda turn, _: inputs(turn), size, lambda game: there, adds=True, **more)


def amended(text: str) -> dict[str, str]:
    return {"rule": PLAIN, "text": text, "reason": "a test"}


def declaring(head: str) -> Way:
    def inputs(turn: int, size: int) -> dict[str, str]:
        heads = "".join(head.format(n="abcdefghij"[each]) for each in range(size))
        return amended(f"{turn}\n```python\n{heads}```")

    there = {"@action": 3, "currenc": 5}.get(head[:7], 0)
    return Way("rulebook.amend", inputs, 3, lambda game: there, longest=10)


def worded(act: str) -> Way:
    """The walk's action, which ends at the bound and counts no further."""

    def inputs(turn: int, size: int) -> dict[str, str]:
        return {"words": "abcde"[:size]}

    return Way(f"rule.merchant.{act}", inputs, 4, longest=5, says="at most {most:,} ")


def enacting(turn: int, size: int) -> dict[str, str]:
    each = "Enact a rule titled “T{turn} {n}” with the text: {{ x }}\n\n"
    return {"title": "T", "body": "".join(each.format(turn=turn, n=n) for n in range(size))}


def moved(turn: int) -> dict[str, Any]:
    to = {"amount": 1, "asset": "dollary", "giver": "Mint", "receiver": "Madrid"}
    return {**to, "reason": f"No. {turn}"}


def the_rest(what: str) -> Callable[[Game], int]:
    """What of the rulebook's is not the plain rule's."""

    def rest(game: Game) -> int:
        book, plain = committed_rules(game), game.rules.get(title=PLAIN).text
        own = {"characters": len(plain), "pieces": pieces_in(plain)}[what]
        return int(getattr(book, what)) - own

    return rest


OTHERS = ("Madrid", "Zed", "Yin", "Omar")
FOR = ("FOR", "AGAINST")
WALKS = {
    "body": Way("proposals.submit", lambda turn, size: {"title": "T", "body": "x" * size}, 10),
    "changes": Way("proposals.submit", enacting, 2, longest=400),
    "votes": adding(
        "proposals.vote", lambda turn: {"proposal": "p1", "choice": FOR[turn % 2]}
    ),
    "rule": Way("rulebook.amend", lambda turn, size: amended("x" * (size - 1)), 2_000),
    "rule_pieces": Way("rulebook.amend", lambda turn, size: amended("a\n" * (size - 1)), 300),
    "rulebook": Way(
        "rulebook.amend", lambda turn, size: amended("x" * (size - 1)), 2_000,
        the_rest("characters"),
    ),
    "rulebook_pieces": Way(
        "rulebook.amend", lambda turn, size: amended("a\n" * (size - 1)), 300, the_rest("pieces"),
    ),
    **{bound: declaring(head) for bound, head in HEADS.items()},
    "moves": worded("moves"),
    "sentences": worded("say"),
    "questions": worded("ask"),
    "proposals_of_player": adding("proposals.submit", lambda turn: proposed(turn), there=1),
    "proposals": adding("proposals.submit", lambda turn: proposed(turn), there=2),
    "waiting_of_player": adding("proposals.submit", lambda turn: proposed(turn), 100, there=1),
    "waiting": adding("proposals.submit", lambda turn: proposed(turn), 100, there=2),
    "remarks_of_player": adding("proposals.comment", lambda turn: said(turn, "text")),
    "remarks": adding("proposals.comment", lambda turn: said(turn, "text")),
    "motions": adding("ledger.correct", moved),
    "motions_of_player": adding("ledger.correct", moved, says="have announced {most} things"),
    "announced": adding("ledger.correct", moved, 23),
    "announced_of_player": adding("ledger.correct", moved, 23),
    "drafts_of_player": adding("aceofspades.propose", lambda turn: contested(turn)),
    "drafts": adding("aceofspades.propose", lambda turn: contested(turn)),
    "requests_of_player": adding(
        "aceofspades.request_judgement", lambda turn: {"text": f"Is it {turn}?"}
    ),
    "requests": adding(
        "aceofspades.request_judgement", lambda turn: {"text": f"Is it {turn}?"}
    ),
    "offers_of_contestant": adding(
        "aceofspades.offer",
        lambda turn: {"to": ["Madrid"], "gives": {"Red": turn}, "takes": {"Black": 1}},
        says="You have {most} open offers", by_form=False,
    ),
    "pacts_of_contestant": adding(
        "aceofspades.ally", lambda turn: {"others": [OTHERS[turn - 1]]},
        says="You have agreed to {most} pacts",
    ),
    "offers_of_settler": adding(
        "settlers.offer_trade",
        lambda turn: {"to": OTHERS[turn - 1], "give": {"wood": 1}, "take": {"stone": 1}},
        by_form=False,
    ),
}  # fmt: skip
QUICK = ("body", "announced", "moves")
SLOW = ("changes", "votes")  # which make hundreds of something

# Of these nothing is refused: what happens ends there and says so, and its own tests hold that.
TOLD = {
    "versions",  # proposals/tests/actions/test_bounds.py: in this game none is revised
    "rolls", "calls", "program_bytes",  # nomic/engine/programs/tests/test_bounds.py
    "rules", "edited", "tries",  # proposals/tests/events/test_bounds.py
    "event_changes", "by_hand", "listed",  # proposals/tests/events/test_one_event.py
    "act_bytes", "event_bytes",  # below
    "reports",  # nomic/operations/recalculation/tests
}  # fmt: skip


def test_each_bound_of_a_game_is_walked() -> None:
    assert {each.name for each in game_bounds()} == WALKS.keys() | TOLD


def bounded(game: Game, bound: str, most: int) -> None:
    change = {"bound": bound, "most": most, "reason": "a test"}
    take(game.slug, None, "games.set_bound", change)


def proposed(turn: int) -> dict[str, Any]:
    return {"title": f"No. {turn}", "body": "x" * 100}


def said(turn: int, field: str) -> dict[str, Any]:
    return {"proposal": "p1", field: f"So it is, {turn}."}


def contested(turn: int) -> dict[str, Any]:
    return {"number": 500 + turn, "text": "Nothing.", "visibility": "public"}


@pytest.fixture
def player(db: None) -> Player:
    """Murphy, in a game of everything, where Madrid and Murphy have proposed something."""
    game = new_game("table", "demo", pace="manual", start=WEDNESDAY)[0]
    murphy, *others = (seat(game, name) for name in ("Murphy", *OTHERS))
    for each in (murphy, *others):
        take("table", each, "aceofspades.join")
        take("table", each, "settlers.join")
    for each in (others[0], murphy):
        take("table", each, "proposals.submit", {"title": "First", "body": "x"})
    wood = {"amount": 9, "asset": "wood", "giver": "Mint", "receiver": "Murphy"}
    take("table", None, "ledger.correct", {**wood, "reason": "a test"})
    walk = game.rules.get(title="Merchant").text + f"\n```python{PROGRAM}```"
    take("table", None, "rulebook.amend", {"rule": "Merchant", "text": walk, "reason": "a test"})
    return murphy


def apart(bounds: Iterable[str]) -> list[tuple[str, ...]]:
    """The bounds in few groups, no two of one met by the same act: a game can be at all of one."""
    groups: list[dict[str, str]] = []  # the bounds by their acts
    for bound in bounds:
        act = WALKS[bound].act
        if all(act in group for group in groups):
            groups.append({})
        next(group for group in groups if act not in group)[act] = bound
    return [tuple(group.values()) for group in groups]


LATER = [each for each in WALKS if each not in QUICK + SLOW]
GROUPS = [
    pytest.param(QUICK, id="-".join(QUICK)),
    *(pytest.param(each, id="-".join(each), marks=pytest.mark.thorough) for each in apart(LATER)),
    *(pytest.param((each,), id=each, marks=pytest.mark.slow) for each in SLOW),
]


def test_each_walk_is_done() -> None:
    assert sorted(each for group in GROUPS for each in group.values[0]) == sorted(WALKS)


@dataclass(frozen=True)
class Walk:
    """A game that is at a bound: who passes it, `beyond` by one and by a thousand times."""

    bound: str
    way: Way
    actor: Player | None
    most: int
    found: int
    beyond: list[dict[str, Any]]

    def told(self, most: int) -> str:
        """What is said where that is the bound."""
        return self.way.says.format(most=most, found=self.found)


@pytest.mark.thorough
@pytest.mark.parametrize("bounds", GROUPS)
def test_a_bound_is_met_exactly_and_passed_by_nobody(
    bounds: tuple[str, ...], player: Player
) -> None:
    game = Game.objects.get(slug="table")
    walks = [met_exactly(game, bound, player) for bound in bounds]
    before = heads(game)
    for walk in walks:
        is_bounded("table", walk, walk.most)
        for sentence in by_all_doors(walk.way, player, walk.beyond[0]):
            assert re.search(walk.told(walk.most), sentence), (walk.bound, sentence)
    for cache in all_caches():  # as in a process that has just begun
        cache.clear()
    are_bounded_as_a_copy(game, "copy", [(walk, walk.most) for walk in walks])
    assert heads(game) == before
    for walk in walks:
        if walk.most > 1:
            bounded(game, walk.bound, 1)  # what is there stays, and comes along
        with pytest.raises(Refused, match=walk.told(1)):
            take("table", walk.actor, walk.way.act, walk.beyond[0])
    are_bounded_as_a_copy(game, "lower", [(walk, 1) for walk in walks])
    for walk in walks:
        bounded(game, walk.bound, walk.found)
        assert take("table", walk.actor, walk.way.act, walk.beyond[0]).entry, walk.bound
    game.refresh_from_db()
    assert replay(game)[1] is None


def met_exactly(game: Game, bound: str, player: Player) -> Walk:
    """Set the bound, and let the game come to it."""
    way = WALKS[bound]
    actor = None if way.is_the_operators else player
    most = way.there(game) + way.size
    bounded(game, bound, most)
    assert take("table", actor, way.act, way.inputs(1, way.size)).entry, bound
    beyond = [way.inputs(2, way.size + 1)]
    if not way.adds:
        beyond.append(way.inputs(2, way.longest or 1000 * most))
    return Walk(bound, way, actor, most, most + (way.size if way.adds else 1), beyond)


def is_bounded(slug: str, walk: Walk, most: int) -> None:
    """Nothing that is beyond that bound happens in the game of that slug."""
    actor = walk.actor and Player.objects.get(game__slug=slug, name=walk.actor.name)
    for each in walk.beyond:
        why = walk.told(most) if each is walk.beyond[0] else "at most"
        with pytest.raises((Refused, Malformed), match=why):
            take(slug, actor, walk.way.act, each)


def heads(game: Game) -> tuple[Any, ...]:
    game.refresh_from_db()
    return game.last_entry, game.record_head, game.sealed_count, game.sealed_head


def copied(game: Game, slug: str) -> Game:
    key = bytes(Master.objects.get(game=game).key)
    game.refresh_from_db()
    return import_game(list(lines_of(game, key)), slug=slug)


def are_bounded_as_a_copy(game: Game, slug: str, walks: list[tuple[Walk, int]]) -> None:
    """The game that is imported is the same, and goes on beyond each of its bounds as little."""
    copy = copied(game, slug)
    assert heads(copy) == heads(game)
    for walk, most in walks:
        is_bounded(slug, walk, most)
    assert heads(copy) == heads(game)


def by_all_doors(way: Way, player: Player, inputs: dict[str, Any]) -> Iterator[str]:
    """What the API says of it, and what the form does."""
    user: Any = player.user
    if way.is_the_operators:
        user = User.objects.create_superuser("operator")
    program = {"Authorization": f"Bearer {make_token(user, 'a test')[1]}"}
    address = f"/api/v1/games/table/actions/{way.act}"
    answer = Client().post(address, inputs, content_type="application/json", headers=program)
    assert answer.status_code == 409
    yield answer.content.decode()
    if way.by_form:
        client = Client()
        client.force_login(user)
        office = "/office" if way.is_the_operators else ""
        page = client.post(f"{office}/g/table/act/{way.act}/", inputs)
        assert page.status_code == 409
        yield page.content.decode()


@pytest.mark.thorough
def test_an_act_that_records_too_much_is_refused_wherever_it_comes_from(player: Player) -> None:
    game, submit = player.game, "proposals.submit"
    size = len(text_of(cast("Entry", take("table", player, submit, proposed(1)).entry)))
    bounded(game, "act_bytes", size)
    assert take("table", player, submit, proposed(2)).entry
    before = Game.objects.get(pk=game.pk).last_entry
    longer = {**proposed(3), "body": "x" * 101}
    told = f"at most {size:,} bytes of the record, and this would be {size + 1:,}"
    with pytest.raises(Refused, match=told):
        take("table", player, submit, longer)
    assert player.user is not None
    secret = make_token(player.user, "a test")[1]
    program = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "once"}
    address = f"/api/v1/games/table/actions/{submit}"
    wide = {**longer, "body": "x" * 1000 * size}
    for sent in (longer, wide):
        answer = Client().post(address, sent, content_type="application/json", headers=program)
        assert answer.status_code in (409, 413, 422), answer.content
    client = Client()
    client.force_login(player.user)
    page = client.post(f"/g/table/act/{submit}/", longer, follow=True)
    assert (page.status_code < 500, told in page.content.decode()) == (True, True)
    game.refresh_from_db()
    assert (game.last_entry, replay(game)[1]) == (before, None)


@pytest.mark.thorough
def test_an_event_that_would_record_too_much_waits_until_the_bound_is_another(
    player: Player,
) -> None:
    game = player.game
    bounded(game, "event_bytes", 1)
    advance("table", WEDNESDAY + timedelta(days=14))
    game.refresh_from_db()
    assert game.stuck_error.startswith("nomic.engine.table.TooMuchRecorded: An event")
    bounded(game, "event_bytes", 40_000_000)
    take("table", None, "games.retry_appointment")
    advance("table", WEDNESDAY + timedelta(days=14))
    game.refresh_from_db()
    assert (game.stuck_at, replay(game)[1]) == (None, None)
    copy = copied(game, "copy")
    assert (copy.record_head, copy.settings) == (game.record_head, game.settings)


def test_who_sets_a_bound_sees_what_it_is(db: None) -> None:
    game = new_game("table", "agora-races", pace="manual", start=WEDNESDAY)[0]
    bounded(game, "rolls", 1234)
    operator = Client()
    operator.force_login(User.objects.create_superuser("root"))
    page = operator.get("/office/g/table/act/games.set_bound/").content.decode()
    assert re.search(r'<option value="rolls"[^>]*>rolls \(1,234 now\)</option>', page)


@pytest.mark.thorough
def test_what_each_preset_begins_with_is_far_from_its_bounds(db: None) -> None:
    for preset in PRESETS:
        game = new_game(preset, preset, pace="manual", start=WEDNESDAY)[0]
        book, most = committed_rules(game), usual_bounds()
        assert 5 * book.public < most["rules"], preset
        assert 5 * book.characters < most["rulebook"], preset
        assert 5 * book.pieces < most["rulebook_pieces"], preset
        begun = max(len(text_of(entry)) for entry in game.entries.all())
        assert 5 * begun < most["event_bytes"], preset
