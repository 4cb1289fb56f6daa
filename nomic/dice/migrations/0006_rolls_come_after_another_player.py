from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dice", "0005_rolls_by_seat_count_and_nonce"),
    ]

    operations = [
        migrations.RenameField(model_name="roll", old_name="nonce", new_name="after"),
        migrations.AlterField(
            model_name="roll",
            name="after",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
    ]
