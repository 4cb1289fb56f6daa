from django.apps import AppConfig


class StandardConfig(AppConfig):
    name = "nomic.standard"
    label = "standard"

    def ready(self) -> None:
        from nomic.standard import (  # noqa: F401 (they register)
            clockwork,
            corrections,
            doubts,
            motions,
            offices,
            seats,
            voices,
        )
