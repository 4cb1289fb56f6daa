from django.apps import AppConfig


class ProposalsConfig(AppConfig):
    name = "proposals"
    verbose_name = "Proposals"

    def ready(self) -> None:
        from nomic.play.subgames import register
        from proposals import actions, chair, errands, events, reports, switches  # noqa: F401
        from proposals.assembly import THE_ASSEMBLY

        register(THE_ASSEMBLY)
