"""What the web server runs."""

import os

from django.core.wsgi import get_wsgi_application

from nomic.rulebook.changes.reading import read_changes

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")

application = get_wsgi_application()

# The first instruction that a process reads builds the grammar, for which no player should wait.
read_changes("Repeal rule 4.")
