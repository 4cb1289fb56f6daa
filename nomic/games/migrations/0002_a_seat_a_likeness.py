"""A name that looks like a player’s counts as taken."""

from django.conf import settings
from django.db import migrations, models

import nomic.games.names


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="player",
            name="one_seat_a_name",
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                models.F("game"), nomic.games.names.Likeness("name"), name="one_seat_a_likeness"
            ),
        ),
    ]
