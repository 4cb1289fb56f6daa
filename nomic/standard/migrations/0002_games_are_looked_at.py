"""Let the next sweep look at every game whose record has no settings of its offices yet."""

from django.db import migrations
from django.db.models.functions import Now


def wake(apps, schema_editor):
    games = apps.get_model("games", "Game").objects.filter(scratch=False, stuck_at__isnull=True)
    games.exclude(settings__has_key="offices").update(wakes_at=Now())


class Migration(migrations.Migration):
    dependencies = [("standard", "0001_motions"), ("games", "0004_a_game_is_won")]

    operations = [migrations.RunPython(wake, migrations.RunPython.noop)]
