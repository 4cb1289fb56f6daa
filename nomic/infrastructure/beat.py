"""What says that it is time: each task in a queue of its own, in which one order waits at most."""

from typing import Any

from celery import beat


class Scheduler(beat.Scheduler):  # type: ignore[misc]
    """Celery's, which sends no order while the one before waits: where no worker took any for an
    hour, the first one does not have to throw thousands away before it looks at the games."""

    def apply_async(
        self, entry: Any, producer: Any = None, advance: bool = True, **options: Any
    ) -> Any:
        queue = entry.options["queue"]
        channel = (producer or self.producer).channel
        if channel.queue_declare(queue=queue).message_count:
            return None
        return super().apply_async(entry, producer=producer, advance=advance, **options)
