from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "nomic.operations"
    label = "operations"
