from django.apps import AppConfig


class GovernanceConfig(AppConfig):
    name = "nomic.governance"

    def ready(self) -> None:
        # Each registers what it has, in the order in which pages list it.
        # ruff: noqa: F401, I001
        from nomic.governance import powers, reports
        from nomic.governance.hosting import bounds
        from nomic.governance import (
            bots,
            clockwork,
            corrections,
            doubts,
            rulebook_keeping,
            motions,
            offices,
            seats,
            renaming,
            absence,
            switches,
            motion_voting,
            acts_by_rows,
            on_behalf,
            elections,
        )
        from nomic.governance.hosting import acts, holidays, moving_in, players, program_switches
        from nomic.governance.recalculation import ratification
