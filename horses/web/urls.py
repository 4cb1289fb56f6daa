"""The addresses of the races' pages."""

from django.urls import path

from horses.web import views

urlpatterns = [path("g/<slug:slug>/horses/", views.horses, name="horses")]
