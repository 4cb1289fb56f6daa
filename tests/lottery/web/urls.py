"""The address of the lottery's page."""

from django.urls import path

from tests.lottery.web import views

urlpatterns = [path("g/<slug:slug>/lottery/", views.lottery, name="lottery")]
