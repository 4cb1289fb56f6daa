from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "nomic.play"
    label = "play"

    def ready(self) -> None:
        from nomic.play import clockwork, corrections, doubts, reports, seats  # noqa: F401 (they register)
