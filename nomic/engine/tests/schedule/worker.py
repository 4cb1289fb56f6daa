"""A worker in a process of its own: it sweeps until the game it is told of has nothing due.

As a real one does, it survives a database that goes away: that sweep fails, a later one succeeds.
Called as `python -m nomic.engine.tests.schedule.worker SLUG`, with the site's own environment.
"""

import os
import sys
import time

import django


def main(slug: str) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")
    django.setup()
    from django.db import Error, InterfaceError, close_old_connections, connection

    import nomic.engine.tests.tiny  # noqa: F401 (its subgame and events)
    from nomic.engine.catch_up import sweep
    from nomic.games.models import Game

    failed = 0
    until = time.monotonic() + 40
    while time.monotonic() < until:
        try:
            sweep()
            game = Game.objects.get(slug=slug)
            if game.next_due is None or game.next_due > game.anchor_game:
                return failed
        except (Error, InterfaceError):
            failed += 1
            connection.close()
            time.sleep(0.05)
        close_old_connections()
    return 99


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
