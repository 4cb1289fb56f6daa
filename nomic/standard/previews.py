"""Previews of a correction that was announced, for anybody who looks while it waits."""

import logging
from dataclasses import dataclass
from time import monotonic

from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.utils.safestring import SafeString

from nomic.engine.dry_run import Covered, Seen, TookTooLong, imagined, seen_since, states
from nomic.engine.outcomes import Busy, Malformed, UnknownGame
from nomic.engine.shares.giving_way import Stay
from nomic.games.bounds import PAGE_SECONDS
from nomic.games.models import Player
from nomic.rulebook.shown.differences import Differences
from nomic.rulebook.tables import TableBroken
from nomic.standard.corrections import Correction
from nomic.standard.models import Motion
from nomic.standard.motions import CannotBeDone, action_of

_KEPT, _WORKING = 60, 10  # seconds
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Preview:
    """The changes as far as the viewer may see them, or the sentence why they are not shown.

    `rewordings` are the titles of rules with the differences of their texts.
    """

    text: str = ""
    seen: Seen | None = None
    rewordings: tuple[tuple[str, SafeString], ...] = ()
    sentence: str = ""


def preview_of(motion: Motion, viewer: Player | None) -> Preview | None:
    """The changes that the motion would make now, learned by carrying it out and undoing that.

    That needs the game's lock, so it is done once for whoever looks again. None where it has ended,
    or is no correction: then there is nothing to be shown beforehand.
    """
    act = action_of(motion)
    if motion.end or motion.game.is_closed or not isinstance(act, Correction):
        return None
    # The same as long as nothing has happened in the game, in public or in private.
    at = f"{motion.game.last_entry}:{motion.game.sealed_count}"
    key = f"nomic:motion:{motion.pk}:{at}:{viewer.pk if viewer else ''}"
    found: Preview | None = cache.get(key)
    if found is None:
        if cache.add(f"{key}:at-work", 1, _WORKING) is False:
            return Preview(sentence=str(Busy()))
        try:
            found = _preview(motion, act, viewer)
            cache.set(key, found, _KEPT)
        except Busy as busy:
            return Preview(sentence=str(busy))
        finally:
            cache.delete(f"{key}:at-work")
    return found


def _preview(motion: Motion, act: Correction, viewer: Player | None) -> Preview:
    most = PAGE_SECONDS.most
    stay = Stay(monotonic() + most)
    try:
        with imagined(motion.game, seconds=most, wait=most, stay=stay) as table:
            before = states(table, viewer, {motion.action.partition(".")[0]})
            done = act.bring_about(table, motion)
            table.follow_the_rules()
            seen = seen_since(table, before, viewer)
    except (Covered, TookTooLong) as why:
        return Preview(sentence=str(why) or "What this would do takes too long to be shown here.")
    except (CannotBeDone, Malformed, TableBroken) as cannot:
        return Preview(sentence=f"As things are now it cannot be done: {cannot}")
    except (Busy, UnknownGame, OperationalError, InterfaceError):
        raise  # another look may manage it
    except Exception:
        log.exception("%s in the game %s could not be previewed", motion, motion.game.slug)
        return Preview(
            sentence="The program fails at it as things are now, and it will not be done."
        )
    page = Differences()
    changed = ((each.title, page.show(each.before, each.after)) for each in seen.rewordings)
    return Preview(done.text, seen, tuple(changed))
