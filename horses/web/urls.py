"""The addresses of the races' pages, and their panel on a game's home."""

from django.urls import path, reverse

from horses.web import views
from horses.web.payouts import best_bets, payouts_of
from nomic.notices.mail import adds_to_letters
from nomic.web.hosting.talk import topic
from nomic.web.panels import register_highlights, register_home_panel

urlpatterns = [path("g/<slug:slug>/horses/", views.horses, name="horses")]

topic("race", lambda slug, number: reverse("horses", args=[slug]), views.is_race)
register_home_panel("horses", "horses/_panel.html", views.panel, shared="horses/_share.svg")
register_highlights("horses", "The best bets", best_bets)
adds_to_letters(payouts_of)
