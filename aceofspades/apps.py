from django.apps import AppConfig


class AceOfSpadesConfig(AppConfig):
    name = "aceofspades"
    verbose_name = "The Ace of Spades"

    def ready(self) -> None:
        from aceofspades import (  # noqa: F401 (each registers what it has)
            agreements,
            ballots,
            knowledge,
            members,
            offers,
            opening,
            reckoning,
            remedies,
            reports,
            tabling,
            transfers,
        )
        from aceofspades.contest import THE_ACE
        from nomic.play.subgames import register

        register(THE_ACE)
