"""The program's races agree with the slow ones, which were written from the source alone."""

import json
import pickle
from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horses.models import Bet, Gear, Motivation, Race, Runner, Turn
from horses.rules.on_paper import race
from horses.tests.rules.slow_charts import AGORA, COSTS, HORSES
from horses.tests.rules.slow_game import SlowGame
from horses.tests.rules.slow_race import slow_race
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.calendars import month_start, next_week, week_start
from nomic.games.models import Game, Player
from nomic.infrastructure.database.compiled_queries import CompiledQuery, CompiledValues
from nomic.ledger.models import Balance
from nomic.operations.setup import advance, new_game, seat_practice_players
from tests.kit import examples, seat

HORSE = st.sampled_from(HORSES)


@st.composite
def fields(draw) -> dict:
    """Eight horses somewhere on the track; at most the first two places are taken."""
    horses = {
        name: {
            "position": draw(st.integers(0, 16) | st.integers(13, 16)),
            "place": None,
            "pulls": draw(st.lists(HORSE, unique=True, max_size=4)),
        }
        for name in HORSES
    }
    for place, name in enumerate(draw(st.lists(HORSE, unique=True, max_size=2)), 1):
        horses[name] |= {"position": 16, "place": place}
    return horses


RUNS = st.lists(st.tuples(HORSE, st.integers(1, 3)).map(list), max_size=30)


@settings(max_examples=examples(300))
@given(horses=fields(), runs=RUNS)
def test_a_race_on_paper_agrees_move_by_move(horses, runs):
    case = {"horses": horses, "runs": runs}
    assert json.loads(race(json.dumps(case))) == slow_race(case)


# A whole game

BEGINS = datetime(2022, 8, 1, tzinfo=UTC)
NAMES = ["player1", "player2", "player3", "player4"]


ACTIONS = {
    *("horses.bet", "horses.get_jersey", "horses.get_helmet", "horses.buy", "horses.nudge"),
    *("horses.gain_dollaries", "horses.fargo_power", "horses.nacho_power", "horses.rubert_power"),
    *("horses.sugar_power", "horses.cannon_power", "horses.destructor_power", "horses.transfer"),
}


# What is asked again after every act, composed once.
_HELD = CompiledValues(
    lambda: Balance.objects.filter(is_mint=False).values_list(
        "holder__name", "asset__name", "amount"
    )
)
_SEATED = CompiledValues(
    lambda: Player.objects.filter(active=True).order_by("name").values_list("name")
)
_RUNNING = CompiledQuery(lambda: Race.objects.filter(ended_in__isnull=True))
_RUNNERS = CompiledQuery(Runner.objects.all)
_GEAR = CompiledValues(lambda: Gear.objects.values_list("player__name", "horse", "kind"))
_BETS = CompiledValues(lambda: Bet.objects.values_list("player__name", "horse", "dollaries"))
_MOTIVATED = CompiledValues(lambda: Motivation.objects.values_list("galloper", "distance"))
_TURNS = CompiledValues(lambda: Turn.objects.values_list("player__name", "what"))


def state_of_the_program(game: Game) -> dict:
    """What the database holds, read without the program's own bridge."""
    now = game.anchor_game
    week, month = week_start(now).date(), month_start(now).date()
    players = sorted(name for (name,) in _SEATED.all(game=game.pk))
    held = Counter(
        {(holder, asset): amount for holder, asset, amount in _HELD.all(holder__game=game.pk)}
    )
    (running,) = _RUNNING.all(game=game.pk)
    runners = _RUNNERS.all(race=running.pk)
    motivated = _MOTIVATED.first(game=game.pk, week=week)
    gear = _GEAR.all(race=running.pk)
    bets = Counter()
    for name, horse, dollaries in _BETS.all(race=running.pk):
        bets[name, horse] += dollaries
    return {
        "race": running.number,
        "players": players,
        "dollaries": {name: held[name, "dollary"] for name in players},
        "hooves": {name: held[name, "hoof"] for name in players},
        "points": {name: held[name, "points"] for name in players},
        "owners": {
            horse: name for (name, horse), amount in held.items() if amount and horse in HORSES
        },
        "positions": {runner.name: runner.position for runner in runners},
        "places": {runner.name: runner.place for runner in runners},
        "pulls": {runner.name: sorted(runner.pulls) for runner in runners},
        "jerseys": sorted((name, horse) for name, horse, kind in gear if kind == "jersey"),
        "helmets": sorted((name, horse) for name, horse, kind in gear if kind == "helmet"),
        "bets": dict(bets),
        "motivated": [*motivated] if motivated else None,
        "weekly": sorted(
            name for name, what in _TURNS.all(game=game.pk, period=week) if what == "weekly"
        ),
        "monthly": sorted(
            (name, what)
            for name, what in _TURNS.all(game=game.pk, period=month)
            if what != "weekly"
        ),
    }


def state_of_the_slow(slow: SlowGame) -> dict:
    bets = Counter()
    for name, horse, dollaries in slow.bets:
        bets[name, horse] += dollaries
    return {
        "race": slow.race,
        "players": sorted(slow.players),
        "dollaries": {name: slow.dollaries[name] for name in slow.players},
        "hooves": {name: slow.hooves[name] for name in slow.players},
        "points": {name: slow.points[name] for name in slow.players},
        "owners": slow.owners,
        "positions": slow.positions,
        "places": slow.places,
        "pulls": {horse: sorted(slow.pulls[horse]) for horse in HORSES},
        "jerseys": sorted(map(tuple, slow.jerseys)),
        "helmets": sorted(map(tuple, slow.helmets)),
        "bets": dict(bets),
        "motivated": slow.motivated,
        "weekly": sorted(slow.weekly_action_used),
        "monthly": sorted(map(tuple, slow.monthly_power_used)),
    }


def some_move(random: Random, slow: SlowGame, name: str) -> tuple[str, dict, str, tuple]:
    """An action with its inputs, and the same as a method of the slow game with its arguments."""
    horse, other, third = random.choice(HORSES), random.choice(HORSES), random.choice(HORSES)
    dollaries, forward = random.choice([1, 2, 3]), random.random() < 0.7
    to = random.choice([*slow.players, name, AGORA])
    via = {"via_alexia": random.random() < 0.25}
    stake = {"horse": horse, "dollaries": dollaries}
    jersey = {"horse": horse, "added_pull": other}
    power = {"horse": horse, "pulling_horse": other, "added_pull": third}
    nudge = {"horse": horse, "direction": "forward" if forward else "back"}
    by, via_too = (1 if forward else -1), via["via_alexia"]
    return random.choice(
        [
            ("horses.bet", stake | via, "bet", (name, horse, dollaries, via_too)),
            ("horses.get_jersey", jersey | via, "jersey", (name, horse, other, via_too)),
            ("horses.get_helmet", {"horse": horse} | via, "helmet", (name, horse, via_too)),
            ("horses.buy", {"horse": horse} | via, "buy", (name, horse, via_too)),
            ("horses.nudge", nudge | via, "nudge", (name, horse, by, via_too)),
            ("horses.gain_dollaries", via, "gain", (name, via_too)),
            ("horses.fargo_power", {"horse": horse} | via, "fargo", (name, horse, via_too)),
            ("horses.nacho_power", power | via, "nacho", (name, horse, other, third, via_too)),
            ("horses.rubert_power", stake | via, "rubert", (name, horse, dollaries, via_too)),
            ("horses.sugar_power", {"horse": horse} | via, "sugar", (name, horse, via_too)),
            ("horses.cannon_power", {}, "cannon", (name,)),
            ("horses.destructor_power", {"horse": horse}, "destructor", (name, horse)),
            ("horses.transfer", {"horse": horse, "to": to}, "transfer", (name, horse, to)),
        ]
    )


def a_likely_move(random: Random, slow: SlowGame, done: Counter) -> tuple[str, dict, str, tuple]:
    """Mostly one that the slow game allows, often of the kind done least; the rest at random."""
    moves = [some_move(random, slow, random.choice(NAMES)) for _ in range(150)]
    if random.random() < 0.3:
        return moves[0]
    legal: dict[str, tuple[str, dict, str, tuple]] = {}
    kept = pickle.dumps(slow)
    tried = pickle.loads(kept)  # noqa: S301 - our own
    for move in moves:
        action, _, method, arguments = move
        if action not in legal and getattr(tried, method)(*arguments):
            legal[action] = move
            tried = pickle.loads(kept)  # noqa: S301 - our own, as it was before that move
    if random.random() < 0.9:
        legal.pop("horses.transfer", None)
    rarest = min(legal.values(), key=lambda move: done[move[0]], default=moves[0])
    return random.choice([*legal.values(), moves[0], *[rarest] * len(legal)])


class Comparison:
    """One game, played by the program and by the slow one side by side."""

    def __init__(
        self, slug: str, seed: int, *, deputised: bool, seated: int = 4, ahead: int = 0
    ) -> None:
        """`ahead` is how many steps all horses have gone when it begins."""
        self.slug, self.random = slug, Random(seed)
        game, _ = new_game(slug, "agora-races", pace="manual", start=BEGINS)
        Game.objects.filter(pk=game.pk).update(
            settings={**game.settings, "horses.motivate_for_the_horsened": deputised}
        )
        seat_practice_players(slug, seated)
        self.game = Game.objects.get(slug=slug)
        self.slow, self.now, self.seen = SlowGame(NAMES[:seated]), BEGINS, 0
        Runner.objects.filter(race__game=game).update(position=ahead)
        self.slow.positions = dict.fromkeys(HORSES, ahead)
        self.legal, self.refused = Counter(), Counter()
        self.agree("the beginning")

    def agree(self, after: object) -> None:
        program, slow = state_of_the_program(self.game), state_of_the_slow(self.slow)
        differing = {key: (program[key], slow[key]) for key in slow if program[key] != slow[key]}
        assert not differing, f"after {after}: (program, slow) {differing}"

    def play(self, weeks: int) -> None:
        for _ in range(weeks):
            self._week()

    def _week(self) -> None:
        end = next_week(self.now)
        for hour in sorted(self.random.sample(range(166), 3)):
            self.pass_time(max(self.now, week_start(self.now) + timedelta(hours=hour)))
            for _ in range(self.random.randint(1, 5)):
                self.somebody_acts()
        self.pass_time(end)
        self.agree(f"the week that ended at {end}")

    def pass_time(self, to: datetime) -> None:
        if month_start(to) != month_start(self.now):
            self.slow.new_month()
        advance(self.slug, to)
        self.game, self.now = Game.objects.get(slug=self.slug), to
        for entry in self.game.entries.filter(seq__gt=self.seen).order_by("seq"):
            self.follow(entry)
            self.seen = entry.seq

    def follow(self, entry) -> None:
        """Let the slow game do what happened by itself in the program's."""
        if entry.kind != "event":
            return
        if entry.name == "horses.run":
            run = self.slow.week()
            assert {name: entry.outcome[name] for name in run} == run
            paid = {"dollary": Counter(), "points": Counter()}
            for payout in entry.outcome["payouts"]:
                paid[payout["asset"]][payout["player"]] += payout["amount"]
            assert paid == self.slow.paid
            self.legal["a race's end"] += run["race_ended"]
            self.legal["a week without a run"] += not run["ran"]
        elif "galloper" in entry.outcome:
            assert self.slow.motivate(entry.outcome["galloper"], entry.outcome["distance"])

    def somebody_acts(self) -> None:
        chance = self.random.random()
        if chance < 0.02:
            self.leave_or_join()
        elif chance < 0.2:
            self.motivate(self.random.choice(self.slow.players))
        else:
            action, inputs, method, arguments = a_likely_move(self.random, self.slow, self.legal)
            name = arguments[0]
            done = self.take(name, action, inputs)
            assert bool(done) == getattr(self.slow, method)(*arguments), (name, action, inputs)
            self.agree((name, action, inputs))
            self.legal[action] += bool(done)
            self.refused[action] += not done

    def motivate(self, name: str) -> None:
        entry = self.take(name, "horses.motivate", {})
        assert bool(entry) == (self.slow.motivated is None)
        if entry:
            self.slow.motivate(entry.outcome["galloper"], entry.outcome["distance"])
        self.agree((name, "motivates"))

    def leave_or_join(self) -> None:
        name = self.random.choice(NAMES)
        if name not in self.slow.players:
            assert self.take(name, "games.join", {"name": name})
            self.slow.join(name)
        elif len(self.slow.players) > 1:
            assert self.take(name, "games.leave", {})
            self.slow.leave(name)
        self.agree((name, "leaves or comes"))

    def take(self, name: str, action: str, inputs: dict):
        try:
            return take(self.slug, self.game.players.get(name=name), action, inputs).entry
        except Refused:
            return None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("seed", "deputised", "weeks", "ahead"),
    [
        pytest.param(1, True, 12, 13, marks=pytest.mark.brief, id="a race near its end"),
        pytest.param(1, True, 40, 0, marks=pytest.mark.slow, id="deputised"),
        pytest.param(2, False, 40, 0, marks=pytest.mark.slow, id="not deputised"),
    ],
)
def test_a_whole_game_agrees_move_by_move(seed, deputised, weeks, ahead):
    comparison = Comparison(f"agreement-{seed}", seed, deputised=deputised, ahead=ahead)
    comparison.play(weeks)
    assert comparison.legal["a race's end"] >= 1
    assert deputised == (comparison.legal["a week without a run"] == 0)
    assert len(comparison.legal) == len(ACTIONS) + 2
    assert set(comparison.refused) == ACTIONS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(each, marks=pytest.mark.slow) for each in range(2, 8))]
)
def test_the_first_race_agrees_whoever_comes_when(seed):
    comparison = Comparison(f"beginning-{seed}", seed, deputised=bool(seed % 2), seated=0)
    slow, random = comparison.slow, comparison.random
    for day in range(1, 22):
        comparison.pass_time(BEGINS + timedelta(days=day))
        comparison.agree(f"day {day}")
        name = random.choice(NAMES)
        if random.random() < 0.3 and name not in slow.players:
            seat(comparison.game, name)
            slow.join(name)
        elif name in slow.players and random.random() < 0.2:
            assert comparison.take(name, "games.leave", {})
            slow.leave(name)
        elif name in slow.players:
            did = comparison.take(name, "horses.gain_dollaries", {})
            assert bool(did) == slow.gain(name, False)
            if random.random() < 0.3:
                comparison.motivate(name)
        comparison.agree(f"{name} on day {day}")


@pytest.mark.django_db(transaction=True)
def test_the_comparison_notices_another_price(monkeypatch):
    monkeypatch.setitem(COSTS, "Sugar", 5)
    monkeypatch.setitem(COSTS, "Rubert", 5)
    comparison = Comparison("different", 1, deputised=True)
    with pytest.raises(AssertionError, match=r"horses\.buy"):
        comparison.play(weeks=40)
