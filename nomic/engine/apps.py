from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "nomic.engine"
    label = "play"

    def ready(self) -> None:
        from nomic.engine import reports  # noqa: F401 (it registers)
