from django.apps import AppConfig


class SharesConfig(AppConfig):
    name = "nomic.shares"
    label = "shares"
