"""The addresses of the cases' pages."""

from django.urls import path, reverse

from nomic.cases.web import feed, for_programs, listing, playing, sheets, views
from nomic.web.api.subgames import adds_to_api
from nomic.web.hosting.talk import topic

_ALL = "g/<slug:slug>/cases/"
_ONE = f"{_ALL}<int:number>/"

urlpatterns = [
    path(_ALL, views.cases, name="cases"),
    path(f"{_ALL}new/", sheets.case_new, name="case_new"),
    path(f"{_ALL}preview/", sheets.case_preview, name="case_preview"),
    path(f"{_ALL}find/", sheets.case_find, name="case_find"),
    path(f"{_ALL}list/", listing.cases_listed, name="cases_listed"),
    path(f"{_ALL}feed/", feed.feed, name="cases_feed"),
    path(_ONE, views.case, name="case"),
    path(f"{_ONE}argue/", sheets.case_argue, name="case_argue"),
    path(f"{_ONE}judge/", sheets.case_judge, name="case_judge"),
    path(f"{_ONE}play/<int:place>/", playing.case_play, name="case_play"),
    path(f"{_ONE}texts/<int:place>/", views.case_text, name="case_text"),
]

topic("case", lambda slug, number: reverse("case", args=[slug, number]), views.is_case)

adds_to_api(for_programs.router)
