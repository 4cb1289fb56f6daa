"""manage.py signing-key"""

from nomic.operations.management.commands._signing_key import Command

__all__ = ["Command"]
