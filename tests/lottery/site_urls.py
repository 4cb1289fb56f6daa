"""Which address leads to which room, on a site with a lottery."""

from django.urls import include, path

from nomic.urls import handler500 as handler500
from nomic.urls import urlpatterns as the_house

urlpatterns = [path("", include("tests.lottery.web.urls")), *the_house]
