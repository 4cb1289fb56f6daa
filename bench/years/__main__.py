"""`python -m bench.years FOLDER [--slug NAME] [--json]`, or `make years FOLDER=… SLUG=… JSON=1`: a
year that happened elsewhere, played into the database of the site (DATABASE_URL, or that of the
bundled servers while `make play` runs)."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")
    django.setup()
    from bench.years.command import Command  # its models can be had only now

    Command().run_from_argv(["python -m", "bench.years", *sys.argv[1:]])
