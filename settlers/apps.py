from django.apps import AppConfig


class SettlersConfig(AppConfig):
    name = "settlers"
    verbose_name = "The isle"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from settlers.actions import settlers
        from settlers.events import appointments
        from settlers.actions import onlooker
        from settlers.office import desk, reports
        from settlers.actions import switches, trades
        from settlers import subgame
