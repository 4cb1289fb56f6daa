"""Clients that act through the API, keep every receipt, and ask again where an answer was lost."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import Any

COMMENT, GAIN = "proposals.comment", "horses.gain_dollaries"
RULE = "Weekly Race Actions"
THROW = "rule.weekly-race-actions.throw"  # by a program of that rule
ACTS = {COMMENT: 60, THROW: 30, GAIN: 10}  # of a hundred; a gain is refused but once a week
PROGRAM = """
@action("throw", "Throw for the pot")
def throw(me: Player):
    state["pot"] = state.get("pot", 0) + roll(6)
    give(me, 1, "dollary")
    say(f"{me} throws, and {state['pot']} are in the pot.")

@after("proposals.comment")
def counted(me: Player):
    state["remarks"] = state.get("remarks", 0) + 1

@every("week", title="The pot is emptied")
def emptied():
    owner = players()[roll(len(players())) - 1]
    give(owner, state.pop("pot", 0), "dollary")
    say(f"{owner} has the pot.")

@view("The pot")
def pot():
    return bars({"pot": state.get("pot", 0), "remarks": state.get("remarks", 0)})
"""
_PATIENCE = 300.0  # seconds for which an act is sent again and again
_AWAY = 503

Record = Mapping[int, Mapping[str, Any]]


@dataclass
class Act:
    """What a client wants done once. `status` and `told` are of the answer that settled it."""

    slug: str
    name: str
    inputs: dict[str, Any]
    key: str
    tries: int = 0
    lost: int = 0  # answers, after the whole request was sent
    status: int = 0
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def receipt(self) -> dict[str, Any] | None:
        """The entry that it made; None while there is no answer, and where it was refused."""
        return self.told if self.status in (200, 201) else None


class Client(Thread):
    """One player's program, which acts until `enough` and then settles what it has begun."""

    def __init__(
        self, player: str, token: str, port: int, slugs: Sequence[str], seed: int, enough: Event
    ) -> None:
        super().__init__(name=player, daemon=True)
        self.player, self.token, self.port, self.slugs = player, token, port, slugs
        self.enough = enough
        self.random = random.Random(f"{seed} {player}")
        self.acts: list[Act] = []
        self.unexpected: Counter[int] = Counter()
        self.made = 0  # receipts

    def run(self) -> None:
        while not self.enough.wait(self.random.uniform(0, 0.4)):
            act = self._next()
            self.acts.append(act)
            self.settle(act)

    def _next(self) -> Act:
        number = len(self.acts) + 1
        [name] = self.random.choices([*ACTS], [*ACTS.values()])
        said = {"proposal": "p1", "text": f"The remark {number} of {self.player}."}
        slug = self.random.choice(self.slugs)
        return Act(slug, name, said if name == COMMENT else {}, f"act-{number}")

    def settle(self, act: Act) -> None:
        """Send it until there is a receipt or a refusal, the same key each time."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            answer = self.send(act)
            if answer and answer[0] in (200, 201, 409):
                act.status, act.told = answer
                self.made += act.receipt is not None
                return
            if answer and answer[0] != _AWAY:
                self.unexpected[answer[0]] += 1
            time.sleep(self.random.uniform(1.0, 2.0) if answer else self.random.uniform(0.1, 0.6))

    def send(self, act: Act) -> tuple[int, dict[str, Any]] | None:
        """What is answered; None where nothing is, or where it is cut short."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = False
        try:
            connection.connect()
            act.tries += 1
            connection.request(
                "POST",
                f"/api/v1/games/{act.slug}/actions/{act.name}",
                json.dumps(act.inputs),
                {"Authorization": f"Bearer {self.token}", "Idempotency-Key": act.key},
            )
            sent = True
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, HTTPException, ValueError):
            act.lost += sent
            return None
        finally:
            connection.close()


@dataclass(frozen=True, slots=True)
class Books:
    """What the clients' receipts say against what the records hold. All but `acts` are counts."""

    acts: list[Act]
    lost_receipts: int
    doubled: int

    @property
    def receipts(self) -> int:
        return sum(act.receipt is not None for act in self.acts)

    @property
    def refused(self) -> int:
        return sum(act.status == 409 for act in self.acts)

    @property
    def unsettled(self) -> int:
        return sum(act.status == 0 for act in self.acts)

    @property
    def lost_answers(self) -> int:
        return sum(act.lost for act in self.acts)

    @property
    def done_before_the_retry(self) -> int:
        """Acts whose first answer did not arrive, and which had been done all the same."""
        return sum(act.status == 200 for act in self.acts)


def compare(acts: list[Act], players: set[str], records: Mapping[str, Record]) -> Books:
    """Look each receipt up, word for word, and count the clients' entries that have none.

    Two acts with one receipt are one receipt lost. An entry without a receipt is an act doubled,
    or done though it was refused.
    """
    kept: set[tuple[str, int]] = set()
    for act in acts:
        entry = records[act.slug].get((act.receipt or {}).get("seq", 0))
        if entry is not None and entry == act.receipt:
            kept.add((act.slug, entry["seq"]))
    receipts = sum(act.receipt is not None for act in acts)
    theirs = {
        (slug, seq)
        for slug, record in records.items()
        for seq, entry in record.items()
        if entry["actor"] in players and entry["name"] in ACTS
    }
    return Books(acts, receipts - len(kept), len(theirs - kept))


def ask_again(clients: Sequence[Client]) -> tuple[int, int]:
    """Send every act once more that was sent more than once; how many, and how many of them got
    something else than the first receipt."""
    again = [(client, act) for client in clients for act in client.acts if act.tries > 1]
    done = [(client, act) for client, act in again if act.receipt]
    other = sum(client.send(act) != (200, act.receipt) for client, act in done)
    return len(done), other
