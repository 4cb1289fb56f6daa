from django.apps import AppConfig


class OfficesConfig(AppConfig):
    name = "nomic.offices"
    label = "offices"


class ThemeConfig(AppConfig):
    """Unfold's templates and styles; its own entry would load all of its site for every command."""

    name = "unfold"
