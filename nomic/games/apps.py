from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "nomic.games"
    label = "games"
