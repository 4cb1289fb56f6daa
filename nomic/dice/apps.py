from django.apps import AppConfig


class DiceConfig(AppConfig):
    name = "nomic.dice"
    label = "dice"
