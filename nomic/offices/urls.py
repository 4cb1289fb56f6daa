"""The officers' site stands at /office/."""

from django.urls import path

from nomic.offices.site import open_site

office = open_site()

urlpatterns = [path("office/", office.urls)]
