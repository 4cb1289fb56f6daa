"""How much each benchmark does: whole, quick, or as little as shows that it runs."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Size:
    """`posts` is by number of clients; windows are in seconds; `rounds` are taken by turns."""

    name: str
    rounds: int
    warm_up: int
    posts: dict[int, int] = field(default_factory=dict)
    post_games: int = 1
    crowd: int = 32
    actions: int = 100
    transfers: int = 100
    players: tuple[int, ...] = (10, 1000)
    weeks: int = 1
    due_games: int = 100
    window: float = 2.0
    entries: tuple[int, ...] = (10, 1000)
    views: int = 5
    proposals: tuple[int, ...] = (50, 100)
    ballots: tuple[int, ...] = (5, 10)
    rules: tuple[int, ...] = (20,)
    settlers: tuple[int, ...] = (10, 100)
    hands: tuple[int, ...] = (10, 100)
    recalculated: tuple[int, ...] = (20, 40)
    long: tuple[int, ...] = (40, 80)
    many: int = 60
    moves: int = 20


WHOLE = Size(
    "whole",
    rounds=3,
    warm_up=200,
    posts={1: 120, 8: 320, 32: 640},
    post_games=130,
    crowd=320,
    actions=240,
    transfers=300,
    players=(10, 1_000, 100_000),
    weeks=3,
    due_games=10_000,
    window=8.0,
    entries=(10, 1_000, 100_000),
    views=30,
    proposals=(2_500, 5_000, 10_000),
    ballots=(100, 1_000),
    rules=(500,),
    settlers=(10, 1_000, 10_000),
    hands=(10, 1_000),
    recalculated=(300, 1_000, 3_000),
    long=(2_000, 20_000),
    many=10_000,
    moves=1_000,
)
QUICK = Size(
    "quick",
    rounds=2,
    warm_up=100,
    posts={1: 60, 8: 160, 32: 320},
    post_games=44,
    crowd=100,
    actions=100,
    transfers=150,
    players=(10, 1_000, 10_000),
    weeks=3,
    due_games=2_000,
    window=4.0,
    entries=(10, 1_000, 10_000),
    views=15,
    proposals=(1_000, 2_000, 4_000),
    ballots=(50, 500),
    rules=(500,),
    settlers=(10, 1_000, 5_000),
    hands=(10, 1_000),
    recalculated=(300, 1_000),
    long=(500, 2_000),
    many=10_000,
    moves=1_000,
)
TINY = Size(
    "tiny",
    rounds=1,
    warm_up=4,
    posts={1: 4, 2: 8},
    post_games=2,
    crowd=4,
    actions=4,
    transfers=5,
    players=(10, 30),
    weeks=1,
    due_games=40,
    window=0.5,
    entries=(10, 60),
    views=2,
)
SIZES = {size.name: size for size in (WHOLE, QUICK, TINY)}
