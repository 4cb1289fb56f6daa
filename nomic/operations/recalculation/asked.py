"""Making the reports that players have asked for."""

from __future__ import annotations

import logging
from functools import partial

from nomic.operations.recalculation.report import recalculate
from nomic.operations.recording import BadRecording
from nomic.standard.models import Recalculation
from nomic.standard.recalculation.asked import note_progress
from nomic.standard.recalculation.revision import CannotRecalculate, Revision

log = logging.getLogger(__name__)
_FAULT = "The program failed at it. The site's operator finds the error in the log."


def make(key: int) -> None:
    """Make the report of that recalculation, unless it is made or gone already."""
    asked = Recalculation.objects.select_related("game").filter(pk=key).first()
    if asked is None or asked.is_done:
        return
    try:
        report = recalculate(
            asked.game, Revision.of(asked.revision), partial(note_progress, asked.pk)
        )
    except (CannotRecalculate, BadRecording) as error:
        asked.refusal = str(error)
    except Exception:
        log.exception("The recalculation %s of “%s” failed", key, asked.game.slug)
        asked.refusal = _FAULT
    else:
        asked.report, asked.hash = report.plain(), report.hash
    asked.save(update_fields=["report", "hash", "refusal"])
