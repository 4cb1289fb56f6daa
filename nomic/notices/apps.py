from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "nomic.notices"

    def ready(self) -> None:
        # Checks of the deployment, and what follows the games.
        from nomic.notices import mail_checks, outbox  # noqa: F401
