"""The addresses of the races' pages, and their panel on a game's home."""

from django.urls import path, reverse

from horses.web import views
from horses.web.payouts import best_bets, payouts_of
from nomic.notices.mail import tell_more
from nomic.web.hosting.talk import topic
from nomic.web.panels import home_panel, told_of_a_season

urlpatterns = [path("g/<slug:slug>/horses/", views.horses, name="horses")]

topic("race", lambda slug, number: reverse("horses", args=[slug]), views.is_race)
home_panel("horses", "horses/_panel.html", views.panel, shared="horses/_share.svg")
told_of_a_season("horses", "The best bets", best_bets)
tell_more(payouts_of)
