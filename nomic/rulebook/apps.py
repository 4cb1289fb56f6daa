from django.apps import AppConfig


class RulebookConfig(AppConfig):
    name = "nomic.rulebook"
    label = "rulebook"
