from django.apps import AppConfig


class StandardConfig(AppConfig):
    name = "nomic.standard"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from nomic.standard import powers, reports
        from nomic.standard.hosting import bounds
        from nomic.standard import (
            bots,
            clockwork,
            corrections,
            doubts,
            rulebook_keeping,
            motions,
            offices,
            seats,
            voices,
        )
        from nomic.standard.hosting import acts, bringing, players, switching
        from nomic.standard.recalculation import ratifying
