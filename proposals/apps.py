from django.apps import AppConfig


class ProposalsConfig(AppConfig):
    name = "proposals"
    verbose_name = "Proposals"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from proposals.actions import players, chair, counting, decisions, manual_changes
        from proposals.events import appointments
        from proposals.office import desk, reports
        from proposals.actions import switches
        from proposals import subgame
