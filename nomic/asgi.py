"""The ASGI application of the process that streams (`python -m nomic.embedded stream`)."""

import os
import resource

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")
django.setup()

from nomic.web.api.stream.application import Streams  # noqa: E402 (it has models)

# Each stream is an open file, and a shell's usual 1,024 would be fewer than the bound.
_, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_most, _most))

application = Streams()
