"""`manage.py signing-key`: take the key in use into the site's public list, and show that."""

from typing import Any

from django.core.management.base import BaseCommand

from nomic.games.clock import iso
from nomic.record.keys import known_keys, signer


class Command(BaseCommand):
    help = (
        "Shows the public keys by which this site signs and has signed. To change the key, set"
        " NOMIC_SIGNING_KEY to another secret (openssl rand -hex 32) on every machine, start the"
        " site anew and call this: old keys stay in the list, and what they signed stays valid."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """One line a key, oldest first: from when, its name, its public half."""
        current = signer().public
        for key in known_keys():
            use = "in use" if key.public == current else "old"
            self.stdout.write(f"{iso(key.begun_at)}  {key.name}  {key.public}  {use}")
