import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("standard", "0006_reports_on_the_record")]

    operations = [
        migrations.AddField("motion", "label", models.CharField(max_length=40, default="Motion")),
        migrations.AddField("motion", "sealed", models.JSONField(default=dict)),
        migrations.AlterField(
            "motion",
            "by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="motions",
                to="games.player",
            ),
        ),
        migrations.RemoveConstraint("motion", "one_motion_a_number"),
        migrations.AddConstraint(
            "motion",
            models.UniqueConstraint(fields=("game", "label", "number"), name="one_motion_a_number"),
        ),
        migrations.RenameField("voice", "way", "side"),
    ]
