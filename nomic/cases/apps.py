from django.apps import AppConfig


class CasesConfig(AppConfig):
    name = "nomic.cases"
    verbose_name = "Cases"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from nomic.cases import actions, events, remedies
        from nomic.cases.office import desk
        from nomic.cases import subgame
