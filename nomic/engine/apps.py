from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "nomic.engine"
    label = "play"

    def ready(self) -> None:
        from nomic.engine import subgames  # noqa: F401 (it follows what changes, before all others)
        from nomic.engine.programs import additions  # noqa: F401 (so do these)
