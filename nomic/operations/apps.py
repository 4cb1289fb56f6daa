from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "nomic.operations"

    def ready(self) -> None:
        from nomic.operations.setup import new_game
        from nomic.operations.tasks import recalculate
        from nomic.standard.recalculation.revision import calculated_by
        from nomic.web.hosting.starting import register_starter

        register_starter(new_game)
        calculated_by(recalculate.delay)
