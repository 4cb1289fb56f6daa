"""What is meant for one person alone left for Discord from the start; whoever kept that without
choosing it has others read it."""

from django.db import migrations

_FOR_ONE_ALONE = {"offer", "duty", "closing"}


def let_it_stay_on_the_site(apps, schema_editor):
    choices = apps.get_model("notices", "Choices").objects.filter(kinds__has_key="discord")
    for each in choices.iterator():
        kept = [kind for kind in each.kinds["discord"] if kind not in _FOR_ONE_ALONE]
        each.kinds["discord"] = kept
        each.save(update_fields=["kinds"])


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_what_people_are_told")]

    operations = [migrations.RunPython(let_it_stay_on_the_site, migrations.RunPython.noop)]
