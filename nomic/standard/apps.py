from django.apps import AppConfig


class StandardConfig(AppConfig):
    name = "nomic.standard"
    label = "standard"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from nomic.standard import powers, bounds, reports
        from nomic.standard import (
            bots,
            clockwork,
            corrections,
            doubts,
            motions,
            offices,
            seats,
            unfitted,
            voices,
            voters,
        )
        from nomic.standard.hosting import acts, moderation, switching
        from nomic.standard.recalculation import ratifying
