"""The Celery tasks of the operations, and making the reports that players have asked for. A task
carries no state."""

import logging
from time import monotonic

from celery import shared_task
from django.db import InterfaceError, OperationalError, transaction
from django.urls import reverse

from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import glance
from nomic.games.bounds import RECALCULATED, RECALCULATION_SECONDS
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.ratification import motions_to_ratify
from nomic.governance.recalculation.revision import (
    CannotRecalculate,
    Covered,
    Revision,
    is_opened,
    later,
    may_await,
    note_progress,
    opened,
    times_begun,
)
from nomic.notices.outbox import write
from nomic.operations.recalculation import report
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.scratch import holding
from nomic.operations.stamping import stamp_all

log = logging.getLogger(__name__)
_AGAIN_IN = 5  # seconds
_MOST_BEGUN = 5  # times that one is begun of which no worker tells how it ended
_BROKEN_OFF = (
    f"It was begun {_MOST_BEGUN} times, and each time the worker ended before it was done: it may"
    " need more memory than there is. Ask the site's operator for `manage.py recalculate`."
)
_FAULT = "The program failed at it. The site's operator finds the error in the log."
LOCK = 0x4E6F70  # of this database: whoever makes a report holds it, and so there is one at a time

stamp_heads = shared_task(name="nomic.operations.tasks.stamp_heads")(stamp_all)


@shared_task(
    name="nomic.operations.tasks.recalculate",
    autoretry_for=(OperationalError, InterfaceError),
    retry_backoff=_AGAIN_IN,
)
def recalculate(key: int) -> None:
    """Make the report of a recalculation that was asked for; once made, it stays. Those of other
    games wait meanwhile: the other processes of the worker are for games that go on."""
    with holding(LOCK) as is_alone:
        if is_alone:
            make_report(key)
        else:
            recalculate.apply_async((key,), countdown=_AGAIN_IN)


def make_report(key: int) -> None:
    """Make the report of that recalculation, unless it is made or gone already.

    The past may be too long for a worker, or take it too long: `manage.py recalculate` has no such
    bounds.
    """
    recalculation = Recalculation.objects.select_related("game").filter(pk=key).first()
    if recalculation is None or (recalculation.is_done and not is_opened(recalculation)):
        return
    if recalculation.game.recorded_reports.filter(hash=recalculation.hash).exists():
        # What the record holds, or has been made so already, stays as it was told.
        recalculation.awaits = []
        recalculation.save(update_fields=["awaits"])
        return
    if recalculation.hash and any(
        not motion.end for motion in motions_to_ratify(recalculation.game, recalculation.hash)
    ):
        return  # what is proposed stays as it was told until that is decided
    has_waited = bool(recalculation.awaits)
    start, awaited = monotonic(), list[str]()
    refusal, plain_report, hash_of_it = "", None, ""

    def report_progress(played: int, of: int) -> None:
        command = f"manage.py recalculate {recalculation.game.slug}"
        if of > RECALCULATED.count:
            raise CannotRecalculate(
                f"This past has {of:,} acts, and this site plays {RECALCULATED.count:,} again at"
                f" most. Ask the site's operator for `{command}`."
            )
        if monotonic() - start > RECALCULATION_SECONDS.most:
            raise CannotRecalculate(
                f"This takes longer than the {RECALCULATION_SECONDS.most:,.0f} seconds that this"
                f" site has for it: {played:,} of {of:,} acts were played. Ask the site's operator"
                f" for `{command}`."
            )
        note_progress(recalculation.pk, played, of)

    try:
        if has_waited and times_begun(key) > _MOST_BEGUN:  # each minute, until it is done
            raise CannotRecalculate(_BROKEN_OFF)
        calculated = report.recalculate(
            recalculation.game, Revision.of(recalculation.revision), report_progress
        )
    except Covered as covered:
        # What is sealed anew meanwhile is not waited for again: that could go on for ever.
        if not has_waited and may_await(recalculation.game, recalculation.by):
            awaited, refusal = covered.parts, later(covered)
        else:
            refusal = str(covered)
    except (CannotRecalculate, BadRecording) as error:
        refusal = str(error)
    except (OperationalError, InterfaceError):  # of the database, and not of the past
        raise
    except Exception:
        log.exception("The recalculation %s of “%s” failed", key, recalculation.game.slug)
        refusal = _FAULT
    else:
        plain_report, hash_of_it = calculated.plain(), calculated.hash
        sealed_parts = {*calculated.left_out, *calculated.hidden}
        if sealed_parts and not has_waited and may_await(recalculation.game, recalculation.by):
            awaited = sorted(sealed_parts)
    recalculation.report, recalculation.hash, recalculation.refusal, recalculation.awaits = (
        plain_report,
        hash_of_it,
        refusal,
        awaited,
    )
    with transaction.atomic():
        recalculation.save(update_fields=["report", "hash", "refusal", "awaits"])
        if has_waited:
            _tell(recalculation)


def _tell(recalculation: Recalculation) -> None:
    """Let who asked know that what was sealed has been opened, and what came of it."""
    game = recalculation.game
    comes = "cannot be made, and says why" if recalculation.refusal else "is made, with all of it"
    past = Revision.of(recalculation.revision)
    text = f"What was sealed has been opened: your recalculation of the game {past} {comes}."
    url = reverse("recalculation", args=[game.slug, recalculation.pk])
    about = f"recalculation/{recalculation.pk}"
    concern = Concern(NoticeKind.ANSWER, text, url, frozenset({recalculation.by_id}), about=about)
    write(glance(game), [concern])


@shared_task(name="nomic.operations.tasks.recalculate_opened")
def recalculate_opened() -> None:
    """Have those recalculations made that have waited for something to be opened. Each is made
    once: asked for twice, the second time finds it made."""
    with holding(LOCK) as is_alone:  # else it is made already, or another one first
        keys = opened() if is_alone else []
    for key in keys:
        recalculate.delay(key)
