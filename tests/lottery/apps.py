from django.apps import AppConfig


class LotteryConfig(AppConfig):
    name = "tests.lottery"
    verbose_name = "The lottery"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401
        from tests.lottery import actions, events, subgame
        from tests.lottery.office import desk, reports
