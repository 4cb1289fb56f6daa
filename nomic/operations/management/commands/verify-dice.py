"""manage.py verify-dice SLUG"""

from nomic.operations.management.commands._verify_dice import Command

__all__ = ["Command"]
