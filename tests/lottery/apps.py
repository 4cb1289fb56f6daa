from django.apps import AppConfig


class LotteryConfig(AppConfig):
    name = "tests.lottery"
    verbose_name = "The lottery"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401
        from nomic.engine.subgames import register
        from tests.lottery import actions, events
        from tests.lottery.office import desk, reports
        from tests.lottery.subgame import THE_LOTTERY_OF_A_GAME

        register(THE_LOTTERY_OF_A_GAME)
