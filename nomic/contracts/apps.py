from django.apps import AppConfig


class ContractsConfig(AppConfig):
    name = "nomic.contracts"
    verbose_name = "Contracts"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401
        from nomic.contracts import actions, subgame
