from django.apps import AppConfig


class UrgentConfig(AppConfig):
    name = "nomic.operations.urgent"
    label = "urgent"
