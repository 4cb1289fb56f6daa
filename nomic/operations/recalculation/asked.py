"""Making the reports that players have asked for."""

import logging
from contextlib import AbstractContextManager
from time import monotonic

from nomic.games.bounds import RECALCULATED, RECALCULATION_SECONDS
from nomic.operations.recalculation.report import recalculate
from nomic.operations.recording import BadRecording
from nomic.operations.scratch import holding
from nomic.standard.models import Recalculation
from nomic.standard.recalculation.revision import CannotRecalculate, Revision, note_progress

log = logging.getLogger(__name__)
_FAULT = "The program failed at it. The site's operator finds the error in the log."
LOCK = 0x4E6F70  # of this database: whoever makes a report holds it


def alone() -> AbstractContextManager[bool]:
    """Whether this is the only report being made as long as this lasts: the other processes of the
    worker are for games that go on."""
    return holding(LOCK)


def make(key: int) -> None:
    """Make the report of that recalculation, unless it is made or gone already.

    The past may be too long for a worker, or take it too long: `manage.py recalculate` has no such
    bounds.
    """
    asked = Recalculation.objects.select_related("game").filter(pk=key).first()
    if asked is None or asked.is_done:
        return
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

    try:
        report = recalculate(asked.game, Revision.of(asked.revision), told)
    except (CannotRecalculate, BadRecording) as error:
        asked.refusal = str(error)
    except Exception:
        log.exception("The recalculation %s of “%s” failed", key, asked.game.slug)
        asked.refusal = _FAULT
    else:
        asked.report, asked.hash = report.plain(), report.hash
    asked.save(update_fields=["report", "hash", "refusal"])
