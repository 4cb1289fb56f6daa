from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0006_rows_of_one_game"),
    ]

    operations = [
        migrations.RenameModel("Told", "Outgoing"),
    ]
