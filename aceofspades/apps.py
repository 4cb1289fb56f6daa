from django.apps import AppConfig


class AceOfSpadesConfig(AppConfig):
    name = "aceofspades"
    verbose_name = "The Ace of Spades"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from aceofspades.actions import alliances, ballots, knowledge, members, offers
        from aceofspades.events import opening, reckoning
        from aceofspades.office import desk, reports
        from aceofspades.actions import tabling, transfers
        from aceofspades.state import counting
        from aceofspades import subgame
