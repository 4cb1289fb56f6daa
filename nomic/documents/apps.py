from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "nomic.documents"
    verbose_name = "Documents"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from nomic.documents.actions import publishing, undoubted, sealing
        from nomic.documents import events, shelf, subgame
