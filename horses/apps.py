from django.apps import AppConfig


class HorsesConfig(AppConfig):
    name = "horses"
    verbose_name = "The races"

    def ready(self) -> None:
        from horses import actions, powers, corrections, events, reports, switches  # noqa: F401, I001 (as pages list them)
        from horses.races import THE_RACES
        from nomic.play.subgames import register

        register(THE_RACES)
