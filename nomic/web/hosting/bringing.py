"""Rulebooks that are brought from elsewhere: a page takes one, a worker reads it, a game begins
with it, or it is forgotten after some hours.

Whoever brings one has a share of a worker as a game has: what the reading takes fills a bucket that
the share empties, and while there is more in it than a burst, nothing else of theirs is read.
"""

import json
import logging
import os
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import cache as cache_once
from hashlib import sha256
from math import ceil
from time import monotonic
from typing import Any, Self

from django.contrib.auth.models import User
from django.core.cache import cache

from nomic.engine.fairness.background_work import leave_to_worker, work
from nomic.engine.subgames import shipped_in
from nomic.games.bounds import (
    BROUGHT_SECONDS,
    GAME_SHARE,
    RULE_PIECES,
    RULEBOOK,
    RULEBOOK_PIECES,
)
from nomic.games.clock import wall_now
from nomic.games.presets import PRESETS
from nomic.rulebook.formats.reader_process import read_apart
from nomic.rulebook.formats.values import Account, Brought, BroughtRule, FileChoices, Heading
from nomic.rulebook.passages import fingerprint, passages_of, pieces_in
from nomic.web.models import Bringing

KEPT = timedelta(hours=6)
TYPED = "what you typed"  # the name of what came from no file
_WORK = "bring_rules"
_LEAST_WORDS = 6  # of a passage that is no coincidence
_BURST = 5.0  # seconds of a processor that nobody waits for: a few tries at a large rulebook
_LOOKED_THROUGH = 2.0  # seconds for passages that the program could carry out
_FAULT = "The program failed at it. The site's operator finds the error in the log."
log = logging.getLogger(__name__)


class NotNow(Exception):
    """Nothing more of theirs is read just now; the sentence says when again."""


@dataclass(frozen=True, slots=True)
class CoverageOffer:
    """A passage that the program could carry out: where it knows the words from."""

    passage: str
    rule: str
    preset: str


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule of a brought rulebook as a list has it; `changes` and `words` are counts."""

    number: str
    title: str
    power: str
    rule_class: str
    category: str
    parent: str
    changes: int
    words: int
    offers: tuple[CoverageOffer, ...] = ()


@dataclass(frozen=True, slots=True)
class Understood:
    """What a worker has understood of a rulebook, as far as pages list it."""

    lines: tuple[RuleLine, ...] = ()
    repealed: int = 0
    changes: int = 0
    annotations: int = 0
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    account: Account = field(default=Account())
    headings: tuple[Heading, ...] = ()
    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, packed: bytes | memoryview) -> Self:
        """That of which `_packed` made these bytes."""
        facts = _unpacked(packed)
        lines = tuple(
            RuleLine(
                **{**line, "offers": tuple(CoverageOffer(**offer) for offer in line["offers"])}
            )
            for line in facts.pop("lines")
        )
        account = Account.of(facts.pop("account"))
        headings = tuple(Heading(**heading) for heading in facts.pop("headings"))
        return cls(lines, account=account, headings=headings, **facts)


def send(user: User, name: str, content: bytes, choices: FileChoices | None = None) -> None:
    """Have a worker read these bytes of a file of that name; what was understood before stays until
    this is, too. Call `check_turn` first."""
    draft = Bringing.objects.draft_of(user)
    row = Bringing.objects.create(
        user=user,
        name=name[:200],
        sent=content,
        choices=asdict(choices or FileChoices()),
        sent_at=wall_now(),
    )
    # Of two that are sent at once, the later stays.
    earlier = Bringing.objects.filter(user=user, pk__lt=row.pk)
    earlier.exclude(pk=draft.pk if draft else 0).delete()
    leave_to_worker(_WORK, row.pk)


def send_again(row: Bringing, choices: FileChoices) -> None:
    """Have a worker read what was sent once more, with what the user says of it beside what they
    have said before. Call `check_turn` first."""
    before = choices_of(row)
    choices = FileChoices(
        {**before.headings, **choices.headings}, {**before.fields, **choices.fields}
    )
    sent = Bringing.objects.values_list("sent", flat=True).get(pk=row.pk)
    send(row.user, row.name, bytes(sent), choices)


def choices_of(row: Bringing) -> FileChoices:
    """What the user says of what they have sent."""
    return FileChoices(**row.choices)


def check_turn(user: User) -> None:
    """Raise NotNow where something of theirs is being read, or was for longer than their share."""
    if Bringing.objects.filter(user=user, read_at=None).exists():
        raise NotNow("What you sent before is being read still. Wait for it, or forget it first.")
    check_share(user)


def check_share(user: User) -> None:
    """Raise NotNow where what they have brought has taken more than their share."""
    until = cache.get(_busy(user.pk), 0.0)
    wait = until - wall_now().timestamp() - _BURST / GAME_SHARE.most
    if wait > 0:
        raise NotNow(
            "What you brought before took long, and others want the site too. Go on in"
            f" {ceil(wait)} seconds."
        )


def ask_again(row: Bringing) -> None:
    """Have it read, where a worker has lost the word."""
    leave_to_worker(_WORK, row.pk)


def forget(user: User) -> None:
    """Keep nothing more of what the user has brought."""
    Bringing.objects.filter(user=user).delete()


def forget_old() -> int:
    """Let what has begun no game for some hours go; returns how many rows went."""
    return Bringing.objects.filter(sent_at__lt=wall_now() - KEPT).delete()[0]


def rules_of(row: Bringing) -> Brought:
    """The rules of a rulebook of which all was understood."""
    return Brought.of(_unpacked(Bringing.objects.values_list("packed", flat=True).get(pk=row.pk)))


def rule_of(row: Bringing, place: int) -> BroughtRule:
    """The rule in force at that place, from 1 on."""
    facts = _unpacked(Bringing.objects.values_list("packed", flat=True).get(pk=row.pk))
    return BroughtRule.of(facts["rules"][place - 1])


@work(_WORK)
def read_sent(key: int, within: float) -> None:
    """Read what was sent, unless it is read or forgotten already."""
    row = Bringing.objects.filter(pk=key, read_at=None).first()
    if row is None:
        return
    since = _processor()
    try:
        name = "" if row.name == TYPED else row.name
        seconds = min(BROUGHT_SECONDS.most, within)
        brought = read_apart(bytes(row.sent), name, seconds, choices_of(row))
    except Exception:
        log.exception("Reading what user %s brought failed", row.user_id)
        brought = Brought(faults=(_FAULT,))
    brought = replace(brought, faults=brought.faults or tuple(_too_much(brought)))
    row.summary = _packed(asdict(_understood(brought)))
    if not brought.faults:
        row.packed = _packed(brought.facts())
        row.digest = sha256(row.packed).hexdigest()[:16]
    row.read_at = wall_now()
    names = ("summary", "packed", "digest", "read_at")
    # Where it was forgotten meanwhile, it stays so; one before is the draft no more.
    read = Bringing.objects.filter(pk=key).update(**{name: getattr(row, name) for name in names})
    if read and row.digest:
        Bringing.objects.filter(user=row.user_id, pk__lt=key).delete()
    charge(row.user_id, _processor() - since)


def _too_much(brought: Brought) -> Iterator[str]:
    """Why a game has no room for these rules, by the bounds with which it begins."""
    texts = [rule.text for rule in brought.rules]
    counts = {
        RULEBOOK: sum(map(len, texts)),
        RULEBOOK_PIECES: sum(map(pieces_in, texts)),
        RULE_PIECES: max(map(pieces_in, texts), default=0),
    }
    for bound, count in counts.items():
        if count > bound.most:
            most = f"{bound.most:,} {bound.unit}"
            yield f"{bound.subject} has at most {most}, and here are {count:,}."


def _understood(brought: Brought) -> Understood:
    until = monotonic() + _LOOKED_THROUGH
    lines = tuple(
        RuleLine(
            rule.number,
            rule.title,
            rule.power,
            rule.rule_class,
            rule.category[:200],
            rule.parent[:200],
            len(rule.history),
            len(rule.text.split()),
            tuple(offers(rule)) if monotonic() < until else (),
        )
        for rule in brought.rules
    )
    return Understood(
        lines,
        len(brought.repealed),
        sum(len(rule.history) for rule in brought.rules),
        sum(len(rule.annotations) for rule in brought.rules),
        brought.faults,
        brought.notes,
        brought.account,
        brought.headings,
        brought.fields,
    )


def offers(rule: BroughtRule) -> list[CoverageOffer]:
    """The passages that stand word by word in a rule that a kind of game begins with. They are
    offered and not taken: a vote may enact that rule, and the program plays it then."""
    shipped = _shipped_passages()
    matches = (shipped.get(fingerprint(passage.text)) for passage in passages_of(rule.text))
    return [offer for offer in matches if offer]


@cache_once
def _shipped_passages() -> dict[str, CoverageOffer]:
    return {
        fingerprint(passage.said): CoverageOffer(passage.said, rule.title, preset.title)
        for preset in PRESETS.values()
        for rule in shipped_in(preset.rulebooks)
        for passage in passages_of(rule.text)
        if len(passage.said.split()) >= _LEAST_WORDS
    }


def _processor() -> float:
    """The seconds of a processor that this process has had, with the processes that it has ended: a
    busy machine is nobody's fault."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def charge(user: int, seconds: float) -> None:
    """Note that so many seconds of a processor went to what that user has brought."""
    now = wall_now().timestamp()
    until = max(cache.get(_busy(user), 0.0) or 0.0, now) + seconds / GAME_SHARE.most
    cache.set(_busy(user), until, ceil(until - now) + 1)


def _busy(user: int) -> str:
    return f"nomic:bringing:{user}"


def _packed(facts: dict[str, Any]) -> bytes:
    return zlib.compress(json.dumps(facts).encode())


def _unpacked(packed: bytes | memoryview) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(zlib.decompress(packed))
    return facts
