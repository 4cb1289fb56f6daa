from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "nomic.web"
    label = "pages"
