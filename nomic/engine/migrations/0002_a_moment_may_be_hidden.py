from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="appointment",
            name="hidden",
            field=models.BooleanField(default=False),
        ),
    ]
