from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "nomic.notices"

    def ready(self) -> None:
        from nomic.notices import outbox  # noqa: F401 - it follows the games
