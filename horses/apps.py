from django.apps import AppConfig


class HorsesConfig(AppConfig):
    name = "horses"
    verbose_name = "The races"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from horses.actions import betting, powers, horsened
        from horses import events
        from horses.office import desk, reports
        from horses.actions import switches
        from horses import subgame
