from typing import Any

from django.db import migrations, models
from django.db.models import F


def keep_their_numbers(apps: Any, schema_editor: Any) -> None:
    """The numbers that records and links have told stay; each game goes on from its highest."""
    apps.get_model("standard", "Remark").objects.update(number=F("id"))


class Migration(migrations.Migration):
    dependencies = [("standard", "0004_recalculations_are_asked_for")]

    operations = [
        migrations.AddField("remark", "number", models.PositiveIntegerField(null=True)),
        migrations.RunPython(keep_their_numbers, migrations.RunPython.noop),
        migrations.AlterField("remark", "number", models.PositiveIntegerField()),
        migrations.AddConstraint(
            "remark",
            models.UniqueConstraint(fields=("game", "number"), name="one_remark_a_number"),
        ),
    ]
