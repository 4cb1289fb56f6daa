"""The WSGI application that the web server runs."""

import os

from django.core.wsgi import get_wsgi_application

from nomic.engine.warm_up import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")

application = get_wsgi_application()
warm_up()
