"""Making the reports that players have asked for."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from django.db import connection

from nomic.games.bounds import RECALCULATED, RECALCULATION_SECONDS
from nomic.operations.recalculation.past import Progress
from nomic.operations.recalculation.report import recalculate, remove_copies
from nomic.operations.recording import BadRecording
from nomic.standard.models import Recalculation
from nomic.standard.recalculation.asked import note_progress
from nomic.standard.recalculation.revision import CannotRecalculate, Revision

log = logging.getLogger(__name__)
_FAULT = "The program failed at it. The site's operator finds the error in the log."
LOCK = 0x4E6F6D69635265  # of this database: whoever makes a report holds it


@contextmanager
def alone() -> Iterator[bool]:
    """Whether this is the only report being made as long as this lasts: the other processes of the
    worker are for games that go on. What one that was ended has left is removed then.

    A transaction on a connection of its own holds the lock: a pooler leaves it that connection, and
    it ends with the process.
    """
    own = connection.copy()
    try:
        own.set_autocommit(False)
        with own.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
            (is_alone,) = cursor.fetchone()
        if is_alone:
            remove_copies()
        yield is_alone
    finally:
        own.close()


def _patient(asked: Recalculation) -> Progress:
    """What is told how far it is, and raises CannotRecalculate where it is too long for a worker,
    or has taken it too long: `manage.py recalculate` has no such bounds."""
    begun = monotonic()

    def told(played: int, of: int) -> None:
        command = f"manage.py recalculate {asked.game.slug}"
        if of > RECALCULATED.count:
            raise CannotRecalculate(
                f"This past has {of:,} acts, and this site plays {RECALCULATED.count:,} again at"
                f" most. Ask the site's operator for `{command}`."
            )
        if monotonic() - begun > RECALCULATION_SECONDS.most:
            raise CannotRecalculate(
                f"This takes longer than the {RECALCULATION_SECONDS.most:,.0f} seconds that this"
                f" site has for it: {played:,} of {of:,} acts were played. Ask the site's operator"
                f" for `{command}`."
            )
        note_progress(asked.pk, played, of)

    return told


def make(key: int) -> None:
    """Make the report of that recalculation, unless it is made or gone already."""
    asked = Recalculation.objects.select_related("game").filter(pk=key).first()
    if asked is None or asked.is_done:
        return
    try:
        report = recalculate(asked.game, Revision.of(asked.revision), _patient(asked))
    except (CannotRecalculate, BadRecording) as error:
        asked.refusal = str(error)
    except Exception:
        log.exception("The recalculation %s of “%s” failed", key, asked.game.slug)
        asked.refusal = _FAULT
    else:
        asked.report, asked.hash = report.plain(), report.hash
    asked.save(update_fields=["report", "hash", "refusal"])
