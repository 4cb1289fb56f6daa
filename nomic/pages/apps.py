from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "nomic.pages"
    label = "pages"
