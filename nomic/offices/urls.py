"""The officers' site at /office/: its pages, then the books of every game and of each subgame."""

from django.urls import path
from django.utils.module_loading import autodiscover_modules

from nomic.offices import (
    desk,
    game_books,  # noqa: F401 (its books come first)
    officer_actions,
    operator_pages,
    report_pages,
    site_texts,
    user_pages,
)
from nomic.offices.site import office

autodiscover_modules("office.books")

office.page("", desk.front, "index")
office.page("reported/", operator_pages.complaints, "complaints")
office.page("shares/", operator_pages.shares, "shares")
office.page("users/", user_pages.users, "users")
office.page("users/<int:number>/", user_pages.user, "user")
office.page("pages/", site_texts.site_texts, "site_texts")
office.page("g/<slug:slug>/", desk.desk, "desk")
office.page("g/<slug:slug>/reports/<str:name>/", report_pages.paper, "paper")
office.page("g/<slug:slug>/act/<str:name>/", officer_actions.act, "act")

__all__ = ["office", "urlpatterns"]

urlpatterns = [path("office/", office.urls)]
