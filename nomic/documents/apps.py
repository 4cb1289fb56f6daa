from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "nomic.documents"
    verbose_name = "Documents"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401
        from nomic.documents import actions, events, shelf, subgame
