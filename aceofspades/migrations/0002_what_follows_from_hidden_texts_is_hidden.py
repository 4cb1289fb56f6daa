"""Games that began when hidden tables were played by tell nobody from now on what follows from them,
and let no more of them be written."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from aceofspades.charts import Charts

_BY_HAND, _READINGS, _READING = "aceofspades.by_hand", "readings", "aceofspades.worths_alone"
_RECKONING = "aceofspades.reckoning"


def go_by_the_reading(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for game in apps.get_model("games", "Game").objects.filter(settings__has_key=_BY_HAND):
        known = game.settings.get(_READINGS, {})
        if _READING in known:
            continue
        since = {_READING: game.last_entry}
        game.settings = {**game.settings, _READINGS: {**known, **since}}
        game.save(update_fields=["settings"])
        if _charts(apps, game).is_hidden("bounds", "day"):
            waiting = apps.get_model("play", "Appointment").objects.filter(
                game=game, kind=_RECKONING, status="waiting"
            )
            waiting.update(hidden=True)


def _charts(apps: Apps, game: Any) -> Charts:
    rows = apps.get_model("aceofspades", "Regulation").objects.filter(
        contest__game=game, rule__repealed_in__isnull=True
    )
    found = list(rows.select_related("rule"))
    return Charts(
        [(each.number, each.rule.text) for each in found],
        frozenset(each.number for each in found if each.rule.visibility != "public"),
        frozenset(each.number for each in found if each.rule.rule_class == "immutable"),
        played=True,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("aceofspades", "0001_the_contest_is_laid_out"),
        ("games", "0004_a_game_is_won"),
        ("play", "0002_a_moment_may_be_hidden"),
    ]

    operations = [migrations.RunPython(go_by_the_reading, migrations.RunPython.noop)]
