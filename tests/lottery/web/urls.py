"""The address of the lottery's page, and its panel on a game's home."""

from django.urls import path

from nomic.web.panels import register_home_panel
from tests.lottery.web import views

urlpatterns = [path("g/<slug:slug>/lottery/", views.lottery, name="lottery")]

register_home_panel("lottery", "lottery/_panel.html", views.panel)
