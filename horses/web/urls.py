"""The addresses of the races' pages, and their panel on a game's home."""

from django.urls import path

from horses.web import views
from nomic.web.panels import home_panel

urlpatterns = [path("g/<slug:slug>/horses/", views.horses, name="horses")]

home_panel("horses", "horses/_panel.html", views.panel, shared="horses/_share.svg")
