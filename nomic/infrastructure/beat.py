"""What says that it is time: each task in a queue of its own, in which one order waits at most."""

from contextlib import suppress
from time import monotonic
from typing import Any

from celery import beat

from nomic.infrastructure.paths import home

_EVERY = 5.0  # seconds


class Scheduler(beat.Scheduler):  # type: ignore[misc]
    """Celery's, which sends no order while the one before waits: where no worker took any for an
    hour, the first one does not have to throw thousands away before it looks at the games. The
    file `beat` in the site's folder is touched meanwhile, by which its health is known."""

    _touched_at = -_EVERY

    def tick(self, *args: Any, **options: Any) -> Any:
        if monotonic() - self._touched_at >= _EVERY:
            self._touched_at = monotonic()
            with suppress(OSError):
                (home().folder / "beat").touch()
        return super().tick(*args, **options)

    def apply_async(
        self, entry: Any, producer: Any = None, advance: bool = True, **options: Any
    ) -> Any:
        queue = entry.options["queue"]
        channel = (producer or self.producer).channel
        if channel.queue_declare(queue=queue).message_count:
            return None
        return super().apply_async(entry, producer=producer, advance=advance, **options)
