from django.apps import AppConfig


class RecordConfig(AppConfig):
    name = "nomic.record"
    label = "record"
