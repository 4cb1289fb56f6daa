from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "nomic.operations"

    def ready(self) -> None:
        from nomic.governance.recalculation.revision import register_calculator
        from nomic.operations.setup import new_game
        from nomic.operations.tasks import recalculate
        from nomic.web.hosting.game_starter import register_starter

        register_starter(new_game)
        register_calculator(recalculate.delay)
