from django.apps import AppConfig


class OfficesConfig(AppConfig):
    name = "nomic.offices"
    label = "offices"
