"""Who asks for another past, would have it made so, tries acts out or brings heads and receipts
learns nothing that is sealed: whatever others do in private, each answer is the same to the byte
and takes as many queries."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, transaction
from django.urls import reverse

from aceofspades.tests import canaries
from aceofspades.tests.secrecy.private_acts import IN_TURN, PRIVATE_ACTS
from nomic.engine.restoring import row_changes, rows_by_model
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.ratification import (
    FORMAT,
    RATIFY,
    RECORD_REPORT,
    Makes,
    hash_of,
    read,
    written,
)
from nomic.governance.reports import reports_of
from nomic.ledger.models import AssetVisibility, Balance
from nomic.notices.models import Outgoing
from nomic.operations.setup import advance, new_game
from nomic.operations.tasks import make_report
from nomic.record.keys import head_of
from nomic.record.models import EntryKind
from nomic.web.models import Guest
from nomic.web.proof import witness
from nomic.web.tests.secrecy.test_dry_runs import real_actions, tried, tries
from nomic.web.tests.watchers import Watcher, told
from proposals.tests.secrecy.test_secrets import NDAY_9
from settlers.tests.secrecy.test_secrets_live import thugs_isle
from tests.kit import WEDNESDAY, around, seat, user_of
from tests.kit.games import roll_after_nothing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wall", "often")]

type Found = dict[tuple[str, ...], Any]
_MOST = 2  # rows of a model that are guessed at
_SEEN = "| While voting lasts | yes |"
_HASHES = re.compile(r"\b(?:[0-9a-f]{128}|[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{8}…)")
# By which games of one slug are told apart.
_KEYS = re.compile(r"game=\d+\b|\bv=[0-9a-f]{20}\b|-[0-9]+/\"|(?<=')\d+(?=/)")
# Which change with each hash, and so with each that is anchored.
_BY_HASH = ("Content-Length", "ETag", "Nomic-Head", "X-Request-ID")


@pytest.fixture
@around
def wall() -> Iterator[None]:
    """The wall's time stands still: what differs between two looks differs for another reason."""
    with time_machine.travel(WEDNESDAY, tick=False):
        yield


@pytest.fixture
def often(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as one likes, and no worker beside the test."""
    settings.API_REQUESTS_A_MINUTE = 0
    often = dict.fromkeys(("dry_runs", "recalculations", "recalculations_of_player"), 10**9)
    settings.BOUNDS = {**settings.BOUNDS, **often}
    monkeypatch.setattr(witness, "AN_HOUR", 10**9)
    monkeypatch.setattr("nomic.governance.recalculation.revision._CALCULATORS", [])
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", lambda question: None)


# The games, those who may not know, and what others do in private meanwhile


@dataclass
class World:
    """A game in which somebody is about to act in private, and the players who may not know."""

    game: Game
    rival: Player  # of whoever acts in private
    officer: Player
    acts: tuple[Callable[[], Any], ...]
    eyes: dict[str, Watcher] = field(init=False)

    def __post_init__(self) -> None:
        guest, host, operator = (user_of(name) for name in ("guest-1", "hilda", "operator"))
        Guest.objects.get_or_create(user=guest, defaults={"place": "", "made_at": wall_now()})
        User.objects.filter(pk=operator.pk).update(is_superuser=True, is_staff=True)
        Game.objects.filter(pk=self.game.pk).update(host=host)
        self.game.refresh_from_db()
        everybody: dict[str, User | Player | None] = {
            "rival": self.rival,
            "nobody": None,
            "outsider": user_of("juan"),
            "guest": guest,
            "officer": self.officer,
            "host": host,
            "operator": user_of("operator"),
        }
        self.eyes = {name: Watcher.of(who) for name, who in everybody.items()}


def _bribes() -> World:
    game = thugs_isle()
    murphy, madrid, jason = (game.players.get(name=name) for name in ("Murphy", "Madrid", "Jason"))

    def bribe(**items: int) -> Callable[[], Any]:
        return lambda: take(game.slug, murphy, "settlers.bribe", {"items": items})

    return World(game, madrid, jason, (bribe(wheat=7_654_321), bribe(wheat=3, stone=1)))


def _votes() -> World:
    game = new_game("table", "b-nomic-5e33", pace="manual", start=WEDNESDAY)[0]
    murphy, madrid, snail = (seat(game, name) for name in ("Murphy", "Madrid", "snail"))
    take(game.slug, snail, "games.take_office", {"office": "Chairman"})
    text = game.rules.get(title="Voting").text.replace(_SEEN, _SEEN.replace("yes", "no"))
    take(game.slug, None, "rulebook.amend", {"rule": "Voting", "text": text, "reason": "secrecy"})
    take(
        game.slug, murphy, "proposals.submit", {"title": "Spoons", "body": "Give Murphy 3 points."}
    )
    advance(game.slug, NDAY_9)

    def vote(choice: str) -> Callable[[], Any]:
        return lambda: take(game.slug, madrid, "proposals.vote", {"proposal": 1, "choice": choice})

    return World(game, murphy, snail, (vote("AGAINST"), vote("FOR")))


def _cards() -> World:
    game = canaries.a_contest()
    canaries.deal(game)
    canaries.plant(game)
    acts = tuple(lambda act=act: PRIVATE_ACTS[act](game) for several in IN_TURN for act in several)
    return World(game, game.players.get(name="Madrid"), game.players.get(name="Jason"), acts)


WORLDS = {"bribes": _bribes, "votes": _votes, "cards": _cards}


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest, db: None) -> World:
    return WORLDS[request.param]()


# Looking, and taking back whatever was done for it


@contextmanager
def taken_back() -> Iterator[None]:
    """What is done in the block is undone, and the next time its rows have the same numbers."""
    cache.clear()
    with connection.cursor() as cursor:
        table = Recalculation._meta.db_table
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), 70000)", [table])
    savepoint = transaction.savepoint_create()
    try:
        yield
    finally:
        transaction.savepoint_rollback(savepoint)


def counted(ask: Callable[..., Any], *question: Any) -> tuple[Any, ...]:
    """All that an answer tells, and after how many queries it was given."""
    queries = 0

    def counting(execute: Any, sql: Any, *more: Any) -> Any:
        nonlocal queries
        queries += "pg_locks" not in str(sql)  # looked at every so often in seconds
        return execute(sql, *more)

    with connection.execute_wrapper(counting):
        response = ask(*question)
    status, headers, cookies, _, body = told(response)
    headers = {name: headers[name] for name in headers if name not in _BY_HASH}
    return status, headers, cookies, _HASHES.sub("#", _KEYS.sub("", body)), queries


def sent(watcher: Watcher, rest: str, body: Any) -> Any:
    """The answer to what that watcher's program sends to an address of the game."""
    return watcher.program.post(
        f"/api/v1/games/table/{rest}",
        json.dumps(body),
        content_type="application/json",
        headers=watcher.headers,
    )


def shown(world: World, kind: str, where: Iterable[str]) -> Found:
    """What everybody is shown at these addresses."""
    return {
        (kind, name, address): counted(watcher.get, address)
        for address in where
        for name, watcher in world.eyes.items()
    }


def differing(before: Found, after: Found) -> list[Any]:
    assert before.keys() == after.keys()
    return [
        (place, before[place], after[place]) for place in before if before[place] != after[place]
    ]


def is_told_alike(world: World, look: Callable[[], Found], *, each: bool = False) -> None:
    """Nobody is answered otherwise after what is done in private; perhaps after `each` of it."""
    look()  # what a process makes once
    before = look()
    for place, act in enumerate(world.acts, 1):
        act()
        if each or place == len(world.acts):
            assert differing(before, look()) == []


# Recalculations, and ratifying them


def revisions(world: World, *, every: bool) -> list[dict[str, Any]]:
    """A public act of each kind struck, or one alone, and what else somebody may ask for."""
    played = world.game.entries.exclude(kind=EntryKind.EVENT).order_by("seq")
    kinds = dict(played.values_list("name", "seq"))
    joined = played.filter(name="games.join").values_list("seq", flat=True)
    name = world.rival.name
    some: list[dict[str, Any]] = [{"strike": kinds["games.join"]}]
    if not every:
        return some
    event = world.game.entries.filter(kind=EntryKind.EVENT).values_list("seq", flat=True)[:1]
    return [
        *({"strike": seq} for seq in sorted({*kinds.values(), *joined, *event, 1, 9_999})),
        {"change": kinds["games.join"], "inputs": {"name": "Nobody at all"}},
        *(
            {"insert": {"name": act, "actor": name, "inputs": inputs}, "after": joined[0]}
            for act, inputs in (
                ("games.leave", {}),
                ("settlers.bribe", {"items": {"wheat": 1}}),
                ("proposals.vote", {"proposal": 1, "choice": "FOR"}),
                ("aceofspades.vote", {"proposal": 1, "vote": "FOR"}),
            )
        ),
    ]


def asked_for(world: World, wanted: Collection[dict[str, Any]]) -> Found:
    """The answers to who asks for these, their reports, and what comes of ratifying them."""
    found: Found = {}
    for revision in wanted:
        words = json.dumps(revision)
        for name, watcher in world.eyes.items():
            with taken_back():
                asking = counted(sent, watcher, "recalculations", revision)
                found["asked", words, name] = asking
        with taken_back():
            letters = {*Outgoing.objects.values_list("pk", flat=True)}
            seat(world.game, "a newcomer")  # so that what was done in private is of the past
            sent(world.eyes["rival"], "recalculations", revision)
            found |= _reported(world, words)
            new = Outgoing.objects.exclude(pk__in=letters).order_by("pk")
            told_of = new.values_list("kind", "url", "about", "text", "to")
            found["notices", words] = [
                _HASHES.sub("#", _KEYS.sub("", str(letter))) for letter in told_of
            ]
    return found


def _reported(world: World, words: str) -> Found:
    asked = Recalculation.objects.first()
    if asked is None:
        return {}
    make_report(asked.pk)
    asked.refresh_from_db()
    page = reverse("recalculation", args=["table", asked.pk])
    listed = "/api/v1/games/table/recalculations"
    where = [page, f"{page}?format=json", f"{page}?format=text", f"{listed}/{asked.pk}", listed]
    found: Found = {
        ("report", words, "refusal"): asked.refusal,
        **shown(world, f"report {words}", where),
    }
    if not asked.report:
        return found
    report = {"report": asked.report["ratifiable"]}
    for name, watcher in world.eyes.items():
        for act in (RATIFY, RECORD_REPORT):
            dry = f"actions/{act}?dry_run=1"
            found[f"dry {act}", words, name] = counted(sent, watcher, dry, report)
    return found | _ratified(world, words, report)


def _ratified(world: World, words: str, report: dict[str, str]) -> Found:
    found: Found = {}
    rival = world.eyes["rival"]
    for act in (RECORD_REPORT, RATIFY):
        found["act", words, act] = counted(sent, rival, f"actions/{act}", report)
    for motion in world.game.motions.filter(action=RATIFY):
        others = world.game.players.filter(active=True).exclude(pk=world.rival.pk)
        for other in others.order_by("pk"):
            motion.refresh_from_db()
            if not motion.end:
                take("table", other, "games.support", {"motion": motion.number})
        motion.refresh_from_db()
        found["motion", words] = motion.end, motion.note
        found |= shown(world, f"motion {words}", [f"/g/table/motions/{motion.number}/"])
    texts = world.game.entries.order_by("-seq").values_list("seq", "name", "text")[:10]
    found["record", words] = [*map(str, texts)]
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    "every",
    [
        pytest.param(False, id="one past", marks=pytest.mark.brief),
        pytest.param(True, id="every past", marks=pytest.mark.slow),
    ],
)
def test_no_report_tells_that_somebody_has_acted_in_private(world: World, every: bool) -> None:
    wanted = revisions(world, every=every)
    assert any(answer[0] == 202 for place, answer in asked_for(world, wanted[-1:]).items()
               if place[0] == "asked") or every  # fmt: skip
    is_told_alike(world, lambda: asked_for(world, wanted))


@pytest.mark.thorough
def test_what_the_command_prints_tells_nothing_that_is_sealed(world: World) -> None:
    [revision] = revisions(world, every=False)

    def printed() -> Found:
        found: Found = {}
        with taken_back():
            seat(world.game, "a newcomer")
            for options in ([], ["--json"]):
                out, err = io.StringIO(), io.StringIO()
                number = str(revision["strike"])
                call_command(
                    "recalculate", "table", "--strike", number, *options, stdout=out, stderr=err
                )
                found[("printed", *options)] = _HASHES.sub("#", out.getvalue() + err.getvalue())
        return found

    is_told_alike(world, printed)


@pytest.mark.thorough
def test_how_far_a_recalculation_is_does_not_tell_how_much_is_sealed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    [revision] = revisions(world, every=False)
    steps: list[tuple[int, ...]] = []
    monkeypatch.setattr(
        "nomic.operations.tasks.note_progress", lambda *progress: steps.append(progress)
    )

    def looked() -> Found:
        steps.clear()
        with taken_back():
            seat(world.game, "a newcomer")
            sent(world.eyes["rival"], "recalculations", revision)
            make_report(Recalculation.objects.get().pk)
        return {("steps",): [*steps]}

    is_told_alike(world, looked)
    assert steps[-1][1:] == (world.game.last_entry + 1, world.game.last_entry + 1)


def _contest(secret: str, **cards: int) -> World:
    """One in which that regulation is secret, and Murphy has given Babe these cards."""
    game = canaries.a_contest(secret=secret)
    canaries.deal(game)
    canaries.act(game, "Murphy", "transfer", to="Babe", cards=cards)
    return World(game, game.players.get(name="Madrid"), game.players.get(name="Jason"), ())


@pytest.mark.thorough
def test_two_contests_with_other_hands_and_regulations_have_the_same_reports(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    roll_after_nothing(monkeypatch)
    found = []
    for secret, cards in (
        (canaries.SECRET, {"Hearts": 3}),
        ("A longer text\n\nabout something else", {"Green": 2, "Red": 1}),
    ):
        world = _contest(secret, **cards)
        wanted = [*revisions(world, every=False), {"strike": world.game.last_entry}]
        asked_for(world, wanted)  # what a process makes once
        found.append(asked_for(world, wanted) | published(world))
        Game.objects.filter(pk=world.game.pk).update(slug=f"past-{world.game.pk}")
    assert differing(*found) == []


# Reports that nobody has calculated, and such as were made before something could be sealed


def made_up(game: Game, **makes: Any) -> str:
    """A report of that game in which this is made so."""
    nothing: Makes = {"balances": [], "switches": [], "rules": [], "rows": [], "appointments": []}
    return written(
        {
            "format": FORMAT,
            "game": game.identity,
            "as_of": game.last_entry,
            "head": game.record_head,
            "revision": {"strike": 2},
            "makes": {**nothing, **makes},  # type: ignore[typeddict-item]
            "against": [],
            "rest": "0" * 64,
        }
    )


def guesses(game: Game) -> Iterator[dict[str, Any]]:
    """What is so of hidden rows, cards and moments, and then what is not, as a report makes it."""
    rows = rows_by_model(game, ())
    for label in rows:
        for key, row in islice(rows[label].items(), _MOST):
            true = row_changes({label: {key: row}}, {label: {}})
            wrong = json.loads(json.dumps(true))
            for column, cell in wrong[0]["was"].items():
                if column not in wrong[0]["row"]:
                    wrong[0]["was"][column] = [cell, "and more"]
            yield {"rows": true}
            yield {"rows": wrong}
            yield {"rows": row_changes({label: {}}, {label: {key: row}})}
    private = Balance.objects.filter(
        holder__game=game, asset__visibility=AssetVisibility.PRIVATE, amount__gt=0
    )
    for holder, asset, amount in private.values_list("holder__name", "asset__name", "amount")[
        :_MOST
    ]:
        yield {"balances": [(holder, asset, amount, amount + 1)]}
    waiting = game.appointments.waiting()
    for kind, subject, due in waiting.values_list("kind", "subject", "due"):
        yield {"appointments": [(kind, subject, due.isoformat(), "game", "cancelled")]}


@pytest.mark.thorough
def test_a_report_that_somebody_makes_up_is_no_way_to_guess(world: World) -> None:
    for act in world.acts:
        act()
    game = Game.objects.get(pk=world.game.pk)
    rival, answers = world.eyes["rival"], set()
    claims = [*guesses(game)]
    assert len(claims) > 20
    sent(rival, f"actions/{RATIFY}", {"report": made_up(game)})  # what a process reads once
    for makes in claims:
        report = {"report": made_up(game, **makes)}
        assert read(report["report"]), makes
        for act in (RATIFY, RECORD_REPORT):
            for address in (f"actions/{act}?dry_run=1", f"actions/{act}"):
                status, _, _, body, queries = counted(sent, rival, address, report)
                answers.add((address, status, body, queries))
    assert len(answers) == 4, answers
    assert {status for _, status, _, _ in answers} == {409}
    assert all("made no such report" in body for _, _, body, _ in answers)


def test_an_old_report_does_not_tell_of_what_was_sealed_since(db: None) -> None:
    """One in which Murphy's bribe is put in, of a time when there was no secret to it."""
    game = thugs_isle()
    madrid, murphy = game.players.get(name="Madrid"), game.players.get(name="Murphy")
    with taken_back():
        take("table", murphy, "settlers.bribe", {"items": {"wheat": 2}})
        [bribe] = rows_by_model(game, ())["settlers.bribe"].items()
    change = {"settlers.bribe": dict([bribe])}
    report = made_up(game, rows=row_changes({"settlers.bribe": {}}, change))
    game.recalculations.create(
        by=madrid, revision={"strike": 2}, asked_at=wall_now(), hash=hash_of(report)
    )
    rival = Watcher.of(madrid)
    found = []
    sent(rival, f"actions/{RATIFY}?dry_run=1", {"report": report})  # what a process reads once
    for items in ({}, {"wheat": 2}, {"wheat": 3}):
        if items:
            take("table", murphy, "settlers.bribe", {"items": items})
        for act in (RATIFY, RECORD_REPORT):
            found.append(counted(sent, rival, f"actions/{act}?dry_run=1", {"report": report}))
    assert found[:2] == found[2:4] == found[4:]
    for status, _, _, body, _ in found:
        assert status == 409
        assert "What players do in private in “settlers” is sealed until it is opened" in body


# Reports of offices, dry runs, heads and receipts


def published(world: World) -> Found:
    """What the reports of offices say, as they would be now and as they are published."""
    reports = [*reports_of(world.game)]
    where = [
        f"/api/v1/games/table/reports/{report.name}?format={form}"
        for report in reports
        for form in ("json", "text", "html", "csv")
    ]
    where += [reverse("report", args=["table", report.name]) for report in reports]
    found = shown(world, "as it is", where)
    for report in reports:
        with taken_back():
            for name, watcher in world.eyes.items():
                dry = "actions/reports.publish?dry_run=1"
                body = {"report": report.name}
                found["dry", report.name, name] = counted(sent, watcher, dry, body)
            operator = world.eyes["operator"]
            act = counted(sent, operator, "actions/reports.publish", body)
            found["published", report.name] = act
            entry = world.game.entries.latest("seq")
            found["entry", report.name] = _HASHES.sub("#", f"{entry.text} {entry.outcome}")
    return found


@pytest.mark.thorough
def test_no_office_s_report_tells_that_somebody_has_acted_in_private(world: World) -> None:
    is_told_alike(world, lambda: published(world))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "who",
    [
        pytest.param("rival", marks=pytest.mark.brief),
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("nobody", "outsider", "guest", "officer", "host", "operator")
        ),
    ],
)
def test_no_dry_run_tells_that_somebody_has_acted_in_private(world: World, who: str) -> None:
    watcher = world.eyes[who]
    name = watcher.user.get_username() if watcher.user else ""
    attempts = [
        (action.name, inputs)
        for action in real_actions()
        for inputs in tries(world.game, action, name)
    ]

    def tried_out() -> Found:
        found: Found = {}
        for place, (act, inputs) in enumerate(attempts):
            if watcher.user is None:
                answer, queries = sent(watcher, f"actions/{act}?dry_run=1", inputs), 0
                assert answer.status_code in (401, 404, 422)
            else:
                answer, queries = tried(watcher, act, inputs)
            found[act, str(place)] = answer.status_code, answer.content, queries
        return found

    is_told_alike(world, tried_out)


def brought(world: World) -> list[str]:
    """Heads and receipts that somebody may bring, true and false."""
    game = world.game
    claim = {"says": "nomic receipt 1", "game": game.identity, "hash": "ab" * 32, "key": "cd" * 8}
    sealed = {"said": {**claim, "book": "settlers", "number": None, "content": "ef" * 32}}
    return [
        str(head_of(game)),
        f"{game.last_entry}:{'0' * 64}",
        f"{game.last_entry + 1}:{'1' * 64}",
        "neither",
        json.dumps({**sealed, "signature": "00" * 64, "opens": {"items": {"wheat": 3}}}),
    ]


@pytest.mark.thorough
def test_no_witness_tells_that_somebody_has_acted_in_private(world: World) -> None:
    pieces = brought(world)

    def looked() -> Found:
        page = reverse("witness", args=["table"])
        found = shown(world, "page", [page, "/api/v1/games/table/witness"])
        with taken_back():
            for name, watcher in world.eyes.items():
                for piece in pieces:
                    form = {"heads": piece, "name": "Somebody", "seen": "on"}
                    found["brought", name, piece] = counted(watcher.browser.post, page, form)
                    heads = (
                        {"receipts": [json.loads(piece)]} if piece[0] == "{" else {"heads": [piece]}
                    )
                    found["sent", name, piece] = counted(
                        sent, watcher, "witness", {**heads, "seen": True}
                    )
            found |= shown(world, "seen", [page, "/api/v1/games/table/witness"])
        return found

    is_told_alike(world, looked)


@pytest.mark.thorough
def test_a_made_up_receipt_of_what_is_sealed_is_answered_as_one_of_nothing(world: World) -> None:
    world.acts[0]()
    kept = world.game.sealed_entries.latest("pk")
    *_, piece = brought(world)
    claim = json.loads(piece)
    answers = set()
    sent(world.eyes["rival"], "witness", {"receipts": [claim]})  # what a process reads once
    for book, digest in ((kept.book, kept.content_hash), (kept.book, "ab" * 32), ("x", "ab" * 32)):
        claim["said"] |= {"book": book, "hash": digest, "key": head_of(world.game).key}
        body = {"receipts": [claim], "seen": True}
        status, _, _, said, queries = counted(sent, world.eyes["rival"], "witness", body)
        answers.add((status, re.sub(r'"brought": ?"[^"]*"', "", said), queries))
    assert len(answers) == 1


@pytest.mark.thorough
def test_who_looks_on_sees_the_worlds_as_they_are(world: World) -> None:
    """Something is sealed by each of the acts, so that there is something that could be told."""
    before = world.game.sealed_entries.count()
    for act in world.acts:
        act()
    assert world.game.sealed_entries.count() >= before + len(world.acts)
