from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "nomic.engine"
    label = "play"

    def ready(self) -> None:
        from nomic.engine import (  # noqa: F401 (so do these)
            rule_currencies,
            rule_switches,
            subgames,
        )
        from nomic.engine.programs import additions  # noqa: F401 (and these)
