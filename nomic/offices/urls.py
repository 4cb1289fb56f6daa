"""The officers' site at /office/: first the books of every game, then those of each subgame."""

from django.urls import path
from django.utils.module_loading import autodiscover_modules

from nomic.offices import game_books  # noqa: F401 (its books come first)
from nomic.offices.site import office

autodiscover_modules("office.books")

__all__ = ["office", "urlpatterns"]

urlpatterns = [path("office/", office.urls)]
