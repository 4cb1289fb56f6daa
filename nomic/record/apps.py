from django.apps import AppConfig


class RecordConfig(AppConfig):
    name = "nomic.record"

    def ready(self) -> None:
        """Let `manage.py check --deploy` know what to ask."""
        from nomic.record import keys  # noqa: F401
