"""What a correction that was announced will change, looked at by anybody while it waits."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString

from nomic.games.models import Player
from nomic.play.outcomes import Busy, Malformed
from nomic.play.rehearsal import Covered, Seen, TookTooLong, imagined, seen_since, states
from nomic.rulebook.differences import differences, render_differences
from nomic.rulebook.tables import TableBroken
from nomic.standard.corrections import Correction
from nomic.standard.models import Motion
from nomic.standard.motions import CannotBeDone, action_of, carried_out

_SECONDS = 1.5  # that the database may work at one statement of it


@dataclass(frozen=True, slots=True)
class Preview:
    """What it will change as far as the viewer may see it, or the sentence why that is not shown.

    `rewordings` are the titles of rules with the differences of their texts.
    """

    text: str = ""
    seen: Seen | None = None
    rewordings: tuple[tuple[str, SafeString], ...] = ()
    sentence: str = ""


def preview_of(motion: Motion, viewer: Player | None) -> Preview | None:
    """What the motion would change now, learned by carrying it out and undoing that.

    None where it has ended, or is no correction: then there is nothing to be shown beforehand.
    """
    act = action_of(motion)
    if motion.end or not isinstance(act, Correction):
        return None
    try:
        return _preview(motion, act, viewer)
    except (Busy, Covered, TookTooLong) as why:
        return Preview(sentence=str(why) or "What this would do takes too long to be shown here.")
    except (CannotBeDone, Malformed, TableBroken) as cannot:
        return Preview(sentence=f"As things are now it cannot be done: {cannot}")


def _preview(motion: Motion, act: Correction, viewer: Player | None) -> Preview:
    with imagined(motion.game, seconds=_SECONDS) as table:
        before = states(table, viewer, {motion.action.partition(".")[0]})
        done = carried_out(table, motion, act)
        seen = seen_since(table, before, viewer)
    changed = (
        (each.title, render_differences(differences(each.before, each.after)))
        for each in seen.rewordings
    )
    return Preview(done.text, seen, tuple(changed))
