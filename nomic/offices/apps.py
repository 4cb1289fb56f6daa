from django.apps import AppConfig


class ThemeConfig(AppConfig):
    """Unfold's templates and styles; its own entry would load all of its site for every command."""

    name = "unfold"
    default = False
