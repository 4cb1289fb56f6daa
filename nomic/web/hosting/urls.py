"""The addresses of what a game's host does, of invitations, and of the talk at the table."""

from django.urls import path

from nomic.web.hosting import complaints, host, invitations, start, talk

urlpatterns = [
    path("start/", start.start_game, name="start_game"),
    path("i/<str:token>/", invitations.invitation, name="invitation"),
    path("g/<slug:slug>/host/", host.host, name="host"),
    path("g/<slug:slug>/host/invite/", host.invite, name="invite"),
    path("g/<slug:slug>/host/invite/<str:nonce>/withdraw/", host.withdraw, name="withdraw_link"),
    path("g/<slug:slug>/host/asking/<str:name>/", host.answer, name="answer_asking"),
    path("g/<slug:slug>/join/ask/", invitations.ask, name="ask_to_join"),
    path("g/<slug:slug>/talk/", talk.talk, name="talk"),
    path("g/<slug:slug>/talk/<int:number>/", talk.remark, name="remark"),
    path("g/<slug:slug>/complain/", complaints.complain, name="complain"),
]
