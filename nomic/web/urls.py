"""The addresses of everybody's pages."""

from django.urls import URLPattern, URLResolver, include, path

from nomic.web.views import (
    act,
    dice,
    guests,
    home,
    ledger,
    lobby,
    motion,
    motions,
    record,
    reports,
    rules,
    seat,
    settings,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", lobby.lobby, name="lobby"),
    path("try/", guests.try_it, name="try_it"),
    path("keep/", guests.keep_seat, name="keep_seat"),
    path("settings/", settings.settings, name="settings"),
    path("settings/tokens/", settings.tokens, name="tokens"),
    path("settings/tokens/<int:number>/revoke/", settings.revoke_token, name="revoke_token"),
    path("g/<slug:slug>/", home.home, name="game"),
    path("g/<slug:slug>/join/", lobby.join, name="join"),
    path("g/<slug:slug>/seat/", seat.seat, name="seat"),
    path("g/<slug:slug>/motions/", motions.motions, name="motions"),
    path("g/<slug:slug>/say/", act.say, name="say"),
    path("g/<slug:slug>/act/<str:name>/", act.act, name="act"),
    path("g/<slug:slug>/act/<str:name>/brings/", act.brings, name="brings"),
    path("g/<slug:slug>/rules/", rules.rules, name="rules"),
    path("g/<slug:slug>/rules/<slug:page>/", rules.rule, name="rule"),
    path("g/<slug:slug>/motions/<int:number>/", motion.motion, name="motion"),
    path("g/<slug:slug>/record/", record.record, name="record"),
    path("g/<slug:slug>/record/feed/", record.feed, name="record_feed"),
    path("g/<slug:slug>/record/<int:seq>/", record.entry, name="entry"),
    path("g/<slug:slug>/ledger/", ledger.ledger, name="ledger"),
    path("g/<slug:slug>/ledger/<str:name>/", ledger.statement, name="statement"),
    path("g/<slug:slug>/reports/", reports.reports, name="reports"),
    path("g/<slug:slug>/reports/<str:name>/", reports.report, name="report"),
    path("g/<slug:slug>/dice/", dice.dice, name="dice"),
    path("api/", include("nomic.web.api.urls")),
]
