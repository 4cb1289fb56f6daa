"""The addresses of the races' pages, and their panel on a game's home."""

from django.urls import path, reverse

from horses.web import for_programs, races, views
from horses.web.payouts import best_bets, payouts_of
from nomic.notices.mail import adds_to_letters
from nomic.web.api.subgames import adds_to_api
from nomic.web.hosting.talk import topic
from nomic.web.moments import register_moment
from nomic.web.panels import register_highlights, register_home_panel

_ALL = "g/<slug:slug>/horses/"

urlpatterns = [
    path(_ALL, views.horses, name="horses"),
    path(f"{_ALL}races/", races.races, name="races"),
    path(f"{_ALL}races/<int:number>/", races.race, name="race"),
]

topic("race", lambda slug, number: reverse("horses", args=[slug]), views.is_race)
register_home_panel("horses", "horses/_panel.html", views.panel, shared="horses/_share.svg")
register_moment("horses", "horses/_moment.html", races.newly_ended)
register_highlights("horses", "The best bets", best_bets)
adds_to_letters(payouts_of)

adds_to_api(for_programs.router)
