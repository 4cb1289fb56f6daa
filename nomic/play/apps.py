from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "nomic.play"
    label = "play"

    def ready(self) -> None:
        from nomic.play import reports  # noqa: F401 (it registers)
