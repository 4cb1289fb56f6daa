"""The WSGI application that the web server runs."""

import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application
from django.db import connection

from nomic.engine.warm_up import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")

application = get_wsgi_application()
warm_up()
import_module("nomic.engine.restored").look_at_the_start()  # it has models, which are there now
connection.close()  # each thread that answers has its own
