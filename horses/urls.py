"""The addresses of the races' pages."""

from django.urls import path

from horses import views

urlpatterns = [path("g/<slug:slug>/horses/", views.horses, name="horses")]
