"""Writing down what is to be told, in the transaction of what it tells.

One statement for an entry that concerns anybody, however many: who they are is found out later, by
whoever spreads it. Nothing secret comes here: of what is for some players' eyes alone they are told
that there is something, and where.
"""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from django.contrib.auth import get_user_model
from django.db import Error
from django.db.models import Q
from django.urls import reverse

from nomic.engine.actions import find_action
from nomic.engine.outcomes import Concern, NoticeKind, UnknownAction
from nomic.engine.restored import RESTORED
from nomic.engine.subgames import all_subgames, rulebook_keeper
from nomic.engine.table import Follower, Table, follow, glance
from nomic.games.calendars import week_start
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game, Player
from nomic.games.wins import win_sentence
from nomic.governance.absence import SILENCE
from nomic.governance.bots import MARK
from nomic.governance.desks import Duty
from nomic.governance.doubts import ANSWER, DOUBT, duty_to_answer
from nomic.governance.elections import CLOSED, COUNTED
from nomic.governance.hosting.acts import DECLINE_OFFER, HAND_OVER, WITHDRAW_OFFER
from nomic.governance.hosting.moving_in import CLAIM_SEAT
from nomic.governance.hosting.talk import named_in
from nomic.governance.models import Motion, Remark
from nomic.governance.motions import JOIN, MOTION, SUPPORT, AnnouncedAction, action_of
from nomic.governance.offices import APPOINT
from nomic.governance.on_behalf import as_done
from nomic.governance.renaming import RENAME
from nomic.governance.reports import PUBLISHING, WEEKLY, duty_to_publish, find_report
from nomic.notices.models import AccountLetter, Outgoing
from nomic.record.models import Entry, SealedEntry

log = logging.getLogger(__name__)

AHEAD = timedelta(days=1)  # of game time, within which something comes up
STALE = timedelta(days=1)  # of wall time, after which nobody need be told of something
_LONGEST, _LONGEST_URL = 400, 300
_ANSWERING = frozenset({ANSWER, SUPPORT, MOTION})
_OF_SEATS = frozenset({JOIN, CLAIM_SEAT, RENAME})
_REPORTING = frozenset(PUBLISHING)
_SAID = (NoticeKind.NAMED, NoticeKind.REPLY)  # who is told of one of these is not of the other


class _Outbox(Follower):
    def set_aside(self, game: Game, wall: datetime) -> None:
        """Its host, who keeps its rulebook, and who runs the site may do something about it; what
        was lost by a restore all players are told."""
        office = game.offices.filter(name=rulebook_keeper(game)).first()
        keepers = [office.holder_id] if office and office.holder_id else []
        runs = Q(pk=game.host_id or 0) | Q(is_superuser=True)
        Outgoing.objects.create(
            game=game,
            kind=NoticeKind.DUTY,
            text=one_line(f"“{game.title}” is set aside. {game.set_aside}", _LONGEST),
            url=reverse("game", args=[game.slug]),
            to=None if game.restored else keepers,
            users=list(get_user_model().objects.filter(runs).values_list("pk", flat=True)),
            at=wall,
            about=f"{game.pk}/set aside/{iso(wall)}",
        )

    def entry_written(self, table: Table, entry: Entry | SealedEntry) -> None:
        game = table.game
        if game.scratch:
            return
        if entry.name == RESTORED:  # its time stood still, however long it was held
            write(table, [_of_a_restore(table, entry)], where=str(entry.seq))
            return
        due = game.clock.wall(table.now) if game.rate else None
        if due is not None and table.wall - due > STALE:
            return  # it comes more than a day late: after an outage, or an import
        if isinstance(entry, Entry):
            concerns = [*_of_everybody(table, entry)]
            where = str(entry.seq)
        else:
            concerns, where = [], f"s{entry.seq}"
        concerned = table.concerned - {entry.actor_id or 0}
        if concerned:
            text = "Something new is for you alone. You can read it on the game's pages."
            url = reverse("game", args=[game.slug])
            concerns.append(Concern(NoticeKind.OFFER, text, url, frozenset(concerned)))
        write(table, concerns, but=entry.actor_id, where=where)


follow(_Outbox())


def write(
    table: Table, concerns: Iterable[Concern], *, but: int | None = None, where: str = ""
) -> None:
    """Let these players be told, without the one whose key is `but`; one statement, or none.

    `where` is what they are told of, where the concerns do not say what they are about.
    """
    game = table.game
    about = {kind: f"{where}/{'said' if kind in _SAID else kind}" for kind in NoticeKind}
    rows = [
        Outgoing(
            game=game,
            kind=concern.kind,
            text=one_line(concern.text, _LONGEST),
            url=concern.url[:_LONGEST_URL],
            to=None if concern.to is None else sorted(concern.to),
            users=sorted(concern.users),
            but=but,
            at=table.wall,
            # Where time stands still, nothing runs out.
            until=game.clock.wall(concern.until) if concern.until and game.clock.rate else None,
            about=f"{game.pk}/{concern.about or about[concern.kind]}"[:120],
        )
        for concern in concerns
        if concern.to is None or concern.to or concern.users
    ]
    if rows:
        Outgoing.objects.bulk_create(rows)


def write_account_letter(to: str, subject: str, body: str) -> None:
    """Let that letter be sent: whoever is answered waits for no mail server, and sees none fail."""
    wall = wall_now()
    AccountLetter.objects.create(to=to, subject=subject, body=body, at=wall, due_at=wall)


def one_line(text: str, longest: int) -> str:
    """The text as one line of at most so many characters, all of them printable."""
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _of_a_restore(table: Table, entry: Entry | SealedEntry) -> Concern:
    """That the game goes on, which its players had been told is held."""
    text = f"“{table.game.title}” goes on. {entry.text}"
    url = reverse("entry", args=[table.game.slug, entry.seq])
    return Concern(NoticeKind.DUTY, text, url)


def _of_everybody(table: Table, entry: Entry) -> Iterator[Concern]:
    """Whom a public entry concerns."""
    url = partial(reverse, "entry", args=[table.game.slug, entry.seq])
    if entry.actor_id and "@" in str(entry.inputs) and not is_bot(entry.actor):  # spares a walk
        named = _keys(table.game, _strings(entry.inputs))
        yield Concern(NoticeKind.NAMED, f"You were named: {entry.text}", url(), named)
    act_entry = as_done(entry)
    its_subgame = act_entry.name.partition(".")[0]
    try:
        concerns = [
            concern
            for subgame in all_subgames()
            if subgame.name == its_subgame
            or (subgame.hears_programs and "programs" in entry.outcome)
            for concern in subgame.concerns(table, act_entry)
        ]
    except Error:  # the transaction is broken by it, and nothing more can be written in it
        raise
    except Exception:  # a fault in what the subgame says stops no game
        log.exception("Nobody could be told of entry %s of the game %s", entry.seq, table.game.slug)
    else:
        yield from concerns
    if entry.name in _REPORTING and entry.outcome.get("facts") is not None:
        report = reverse("report", args=[table.game.slug, entry.outcome["report"]])
        yield Concern(NoticeKind.REPORT, entry.text, report)
    if entry.name in _ANSWERING and "doubt" in entry.outcome:
        doubt = table.game.entries.filter(seq=entry.outcome["doubt"]).values_list("actor")
        asker = frozenset(actor for (actor,) in doubt if actor)
        yield Concern(NoticeKind.ANSWER, entry.text, url(), asker)
    is_the_hosts = entry.actor is not None and entry.actor.user_id == table.game.host_id
    yield from _of_officers(table, entry)
    yield from _of_those_named(table, entry)
    if entry.name in _OF_SEATS and not is_the_hosts:
        yield from host_concerns(table.game, entry.text, reverse("host", args=[table.game.slug]))
    if entry.name == HAND_OVER and entry.inputs["player"]:
        offered = _keys_of(table.game, [entry.inputs["player"]])
        page = reverse("host", args=[table.game.slug])
        yield Concern(NoticeKind.OFFER, entry.text, f"{page}#offer", offered)
    if entry.name == HAND_OVER and not entry.inputs["player"]:
        # Any of the players may become it by the others' support; until then it is the operator's.
        operators = get_user_model().objects.filter(is_superuser=True, is_active=True)
        page = reverse("host", args=[table.game.slug])
        runs = frozenset(operators.values_list("pk", flat=True))
        yield Concern(NoticeKind.HOST, entry.text, page, users=runs)
    if entry.name in (HAND_OVER, WITHDRAW_OFFER) and "offered_before" in entry.outcome:
        before = _keys_of(table.game, [entry.outcome["offered_before"]])
        yield Concern(NoticeKind.OFFER, entry.text, url(), before)
    if entry.name == DECLINE_OFFER:
        yield from host_concerns(table.game, entry.text, reverse("host", args=[table.game.slug]))
    if entry.name == APPOINT and entry.inputs["player"]:
        appointed = _keys_of(table.game, [entry.inputs["player"]])
        yield Concern(NoticeKind.DUTY, entry.text, url(), appointed)
    if entry.name in (CLOSED, COUNTED) and "election" in entry.outcome:
        page = reverse("elections", args=[table.game.slug])
        kind = NoticeKind.VOTE if "ends" in entry.outcome else NoticeKind.RESULT
        yield Concern(kind, entry.text, f"{page}#election-{entry.outcome['election']}")
    if entry.name == SILENCE and entry.outcome.get("away"):
        text = (
            f"You are away: nobody waits for you in “{table.game.title}”, where you have been"
            " silent. You are back with your next act, and get no letters about this game until"
            " then."
        )
        page = reverse("game", args=[table.game.slug])
        silent = _keys_of(table.game, entry.outcome["away"])
        yield Concern(NoticeKind.AWAY, text, page, silent)
    for win in table.wins:
        yield Concern(NoticeKind.RESULT, f"{win_sentence(win.player.name, win.how)}.", url())


def _of_officers(table: Table, entry: Entry) -> Iterator[Concern]:
    """That a report of an office is doubted or waits for its officer, or that they let something
    go by."""
    officers = {entry.outcome["breach"]["officer"]} if "breach" in entry.outcome else set()
    is_waiting = entry.name == WEEKLY and entry.outcome.get("facts") is None
    about = ""
    name = entry.outcome.get("report") if is_waiting or entry.name == DOUBT else None
    if name is not None:
        report = find_report(name)
        office = report.office_in(table.game)
        officers.add(table.directory.offices.get(office))
        duty = duty_to_publish(report, entry.at) if is_waiting else duty_to_answer(entry)
        if comes_up(duty, table.now):  # else a reminder is to come when it does
            about = about_duty(office, duty, table.now)
    if holders := {holder for holder in officers if holder}:
        url = reverse("entry", args=[table.game.slug, entry.seq])
        to = _keys_of(table.game, holders)
        yield Concern(NoticeKind.DUTY, entry.text, url, to, about=about)


def comes_up(duty: Duty, now: datetime) -> bool:
    """Whether that duty is due by now or within a day of game time, or undated."""
    return duty.due is None or duty.due <= now + AHEAD


def about_duty(office: str, duty: Duty, now: datetime) -> str:
    """What a notice of that duty is about, so that its officer is told of it once: by the entry in
    which it comes up, or by a reminder."""
    when = duty.due or week_start(now)  # one without a moment comes anew each week
    key = f"{office}|{duty.title}|{when:%Y-%m-%d %H:%M}"
    return f"duty/{sha256(key.encode()).hexdigest()[:40]}"


def _of_those_named(table: Table, entry: Entry) -> Iterator[Concern]:
    """That something about them was announced, or has ended, or was corrected at once."""
    game, number = table.game, entry.outcome.get("motion")
    if "end" in entry.outcome:
        motions = game.motions.filter(label=Motion.LABEL, ended_in=entry.seq)
        acts = [(action_of(motion), motion.inputs, motion.number) for motion in motions]
    else:
        try:
            act = find_action(entry.name, table)
        except UnknownAction:  # an event, or what a program of the rules added
            return
        acts = [(act, entry.inputs, number)] if isinstance(act, AnnouncedAction) else []
    for act, inputs, motion_number in acts:
        if names := act.concerned(inputs):
            page = ("motion", motion_number) if motion_number else ("entry", entry.seq)
            url = reverse(page[0], args=[game.slug, page[1]])
            to = _keys_of(game, names)
            yield Concern(NoticeKind.NAMED, f"This is about you: {entry.text}", url, to)


def host_concerns(game: Game, text: str, url: str) -> Iterator[Concern]:
    """The text for the game's host, whether they play in it or not; nothing where there is none."""
    if game.host_id:
        yield Concern(NoticeKind.HOST, text, url, frozenset(), users=frozenset({game.host_id}))


def is_bot(player: Player | None) -> bool:
    """Whether the program plays for that player: what it says calls nobody."""
    return player is not None and player.name.endswith(MARK)


def _keys(game: Game, texts: Iterable[str]) -> frozenset[int]:
    """The keys of the players whom one of these texts names."""
    names = named_in(game, texts).values()
    return _keys_of(game, names) if names else frozenset()


def _keys_of(game: Game, names: Iterable[str]) -> frozenset[int]:
    return frozenset(game.players.filter(name__in=names).values_list("pk", flat=True))


def tell_of_remark(remark: Remark) -> None:
    """Let those be told who are named in what was just said at the table, or worded anew, each once
    of one remark; not what was said, which may be gone when they come to read it."""
    game, player = remark.game, remark.player
    if is_bot(player):
        return
    url = f"{reverse('talk', args=[game.slug])}#remark-{remark.number}"
    named = _keys(game, [remark.text])
    concern = Concern(NoticeKind.NAMED, f"{player} named you at the table.", url, named)
    write(glance(game, remark.at), [concern], but=player.pk, where=f"r{remark.number}")


def _strings(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for inner in content.values():
            yield from _strings(inner)
    elif isinstance(content, list):
        for inner in content:
            yield from _strings(inner)
