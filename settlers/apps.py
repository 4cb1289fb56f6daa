from django.apps import AppConfig


class SettlersConfig(AppConfig):
    name = "settlers"
    verbose_name = "The isle"

    def ready(self) -> None:
        from nomic.play.subgames import register
        from settlers import (  # noqa: F401 (each registers what it has)
            actions,
            bribery,
            corrections,
            events,
            onlooker,
            reports,
            switches,
            trades,
        )
        from settlers.isle import THE_ISLE

        register(THE_ISLE)
