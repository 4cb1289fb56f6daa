from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("aceofspades", "0002_the_deck_remembers_that_it_was_low")]

    operations = [
        migrations.AlterField(
            model_name="tabled",
            name="end",
            field=models.CharField(
                blank=True,
                choices=[
                    ("done", "Done"),
                    ("prevented", "Prevented"),
                    ("failed", "found to be impossible"),
                    ("withdrawn", "Withdrawn"),
                ],
                max_length=10,
            ),
        ),
    ]
