"""Which requests a web process takes on: a game, a visitor, a costly page each have a share of it.

All is in this process's memory and costs no call. A claim that has shown itself slow holds fewer
threads than one that is quick, and what it may not have is refused at once; a quick one waits for a
moment. Some threads are always left for what claims nothing: health, accounts, the office.

How slow is slow was measured. In a healthy game in which 32 act at once, each waits for the game's
lock behind those that have threads as well, four of eight in each of two processes: half of the
answers take 0.3 seconds and one in a hundred 0.7 where the machine has nothing else to do, and 1.4
and 2.0 where it has five times as much to do as it can. So seconds alone do not tell a bad game
from a busy one on a busy machine. Others do: where nobody has asked for anything else lately,
nobody is harmed, and a shared claim is slow for nobody. It has half of the threads then as if it
were quick, and waits longer for them. Where others have asked, what is LONG is what a bad game's
acts take, which work for half a second or wait for more at the lock; a few of them are TOO_MUCH.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, log2
from threading import Event, Lock
from time import monotonic

LONG = 1.0  # seconds of a request that are no strain
TOO_MUCH = 2.0  # seconds of strain that make a claim slow
_MOST_STRAIN = 8.0  # so that who was slow once is so no longer after two half-lives
_HALF_LIFE = 5.0  # seconds
_LATELY = 10.0  # seconds for which who asked counts as one of the others
_ALONE = 3  # times as long waits who harms nobody by that
_LOOK = 0.1  # seconds after which one that waits looks whether the claim is slow meanwhile
_FORGOTTEN = 600.0  # seconds after which a request that never ended is held no more
_KNOWN = 10_000  # claims that are remembered


@dataclass(frozen=True, slots=True)
class Claim:
    """The subject of a request by its `key`, and how many threads those of the same may hold in
    this process: `quick` as long as they are quick, `slow` where they were slow lately. Of `shared`
    claims that are slow, all together hold half of the threads."""

    key: str
    quick: int
    slow: int
    shared: bool = False


SITE = "site"  # the claim that is full where all threads are held that claims may hold


class Full(Exception):
    """There is no place for that claim; another try is worth its while in so many seconds."""

    def __init__(self, claim: Claim, seconds: int) -> None:
        super().__init__(claim.key)
        self.claim, self.seconds = claim, seconds


@dataclass(slots=True)
class _Held:
    """The requests of one claim that are being answered, by when they began, and how much longer
    than they should the last ones took."""

    begun: list[float] = field(default_factory=list)
    strain: float = 0.0
    at: float = 0.0

    def strain_at(self, now: float) -> float:
        under_way = sum(max(0.0, now - began - LONG) for began in self.begun)
        return self._left(now) + under_way

    def end(self, begun: float, now: float) -> None:
        self.begun.remove(begun)
        self.strain = min(self._left(now) + max(0.0, now - begun - LONG), _MOST_STRAIN)
        self.at = now

    def _left(self, now: float) -> float:
        return float(self.strain * 0.5 ** ((now - self.at) / _HALF_LIFE))


@dataclass(slots=True, eq=False)
class Place:
    """The claims that a request holds from the moment `begun` (seconds, monotonic)."""

    claims: Sequence[Claim]
    begun: float = 0.0
    granted: Event = field(default_factory=Event)


class Places:
    """The threads of this process that requests with claims may hold."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._lock = Lock()
        self._held: dict[str, _Held] = {}
        self._taken: list[Place] = []
        self._waiting: list[Place] = []
        self._asked: dict[str, float] = {}  # by the last two of different shared claims, or of none

    def enter(self, claims: Sequence[Claim], patience: float) -> Place:
        """A place for a request with these claims, which `leave` gives back; raises Full.

        No more wait for a claim than may have it, since they hold threads as well.
        Waits so many seconds for it while it is a quick claim that is in the way, and longer where
        nobody else asks for anything.
        """
        place = Place(claims)
        since = monotonic()
        with self._lock:
            key = next((claim.key for claim in claims if claim.shared), "")
            self._asked.pop(key, None)
            self._asked[key] = since
            if len(self._asked) > 2:
                del self._asked[next(iter(self._asked))]
            if self._give(place, monotonic(), self._waiting):
                return place
            waiting = Counter(
                claim.key for waiting_place in self._waiting for claim in waiting_place.claims
            )
            if crowded := next(
                (claim for claim in claims if waiting[claim.key] >= claim.quick), None
            ):
                raise Full(crowded, self._wait(crowded, since))
            self._waiting.append(place)
        while not place.granted.wait(_LOOK if patience else 0):
            with self._lock:
                now = monotonic()
                if place.granted.is_set():
                    break
                claim = self._full(place, now)
                is_alone = claim is not None and not self._are_others(claim, now)
                until = since + patience * (_ALONE if is_alone else 1)
                if claim and (now >= until or self._is_slow(claim, now)):
                    self._waiting.remove(place)
                    raise Full(claim, self._wait(claim, now))
                if not claim and now >= until:  # who came first is in the way, and nothing else
                    self._waiting.remove(place)
                    self._take(place, now)
                    break
        return place

    def _are_others(self, claim: Claim, now: float) -> bool:
        """Whether anything was asked for lately that is not of that claim."""
        return any(key != claim.key and now - at < _LATELY for key, at in self._asked.items())

    def leave(self, place: Place) -> None:
        """The request is answered: its place goes to those who wait, in their order. Once."""
        with self._lock:
            if place not in self._taken:
                return
            now = monotonic()
            self._end(place, now)
            for waiting in tuple(self._waiting):
                earlier = self._waiting[: self._waiting.index(waiting)]
                if self._give(waiting, now, earlier):
                    self._waiting.remove(waiting)
                    waiting.granted.set()

    def _give(self, place: Place, now: float, earlier: Sequence[Place]) -> bool:
        keys = {claim.key for claim in place.claims}
        overtaken = any(claim.key in keys for waiting in earlier for claim in waiting.claims)
        if overtaken or self._full(place, now):
            return False
        self._take(place, now)
        return True

    def _take(self, place: Place, now: float) -> None:
        place.begun = now
        self._taken.append(place)
        for claim in place.claims:
            self._held.setdefault(claim.key, _Held(at=now)).begun.append(now)

    def _end(self, place: Place, now: float) -> None:
        self._taken.remove(place)
        for claim in place.claims:
            self._held[claim.key].end(place.begun, now)
        if len(self._held) > _KNOWN:
            for key, held in [*self._held.items()]:
                if not held.begun and held.strain_at(now) < TOO_MUCH:
                    del self._held[key]

    def _full(self, place: Place, now: float) -> Claim | None:
        """The first claim that may hold no more now."""
        for forgotten in [
            place_taken for place_taken in self._taken if now - place_taken.begun > _FORGOTTEN
        ]:
            self._end(forgotten, now)
        claims = place.claims
        in_all = max(1, self.threads - 1)
        if claims and len(self._taken) >= in_all:
            return Claim(SITE, in_all, in_all)
        for claim in claims:
            held = self._held.get(claim.key)
            slow = self._is_slow(claim, now)
            limit = claim.slow if slow else claim.quick
            if not slow and claim.shared and self._are_others(claim, now):
                limit = max(1, claim.quick // 2)  # since all of a process share one processor
            if held and len(held.begun) >= limit:
                return claim
            if slow and claim.shared:
                shared = (
                    held_claim
                    for place_taken in self._taken
                    for held_claim in place_taken.claims
                    if held_claim.shared
                )
                are_slow = sum(self._is_slow(held_claim, now) for held_claim in shared)
                if are_slow >= max(1, self.threads // 2):
                    return claim
        return None

    def _is_slow(self, claim: Claim, now: float) -> bool:
        if claim.shared and not self._are_others(claim, now):
            return False
        held = self._held.get(claim.key)
        return held is not None and held.strain_at(now) > TOO_MUCH

    def _wait(self, claim: Claim, now: float) -> int:
        """Seconds after which the claim would be quick again, if nothing of it were under way."""
        held = self._held.get(claim.key)
        strain = min(held.strain_at(now), _MOST_STRAIN) if held else 0.0
        return max(1, ceil(_HALF_LIFE * log2(strain / TOO_MUCH))) if strain > TOO_MUCH else 1
