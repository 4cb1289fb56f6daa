"""docs/operating.md: its commands are run, its files are read by what they are for."""

import json
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families as parse

from nomic.embedded import servers
from nomic.embedded.commands import STARTED
from nomic.embedded.tests import test_standby
from nomic.embedded.tests.machine import GUIDE, Machine, blocks
from nomic.infrastructure.paths import ROOT, Home

FILES = GUIDE.parent / "operating"
_METRIC = re.compile(r"\bnomic_[a-z_]+\b")
_ENDINGS = ("_bucket", "_count", "_sum", "_total")
OTHERS = {"nomic_lost"}  # a database


def found_in(*texts: str) -> set[str]:
    """The metrics that are named there, as families."""
    names = {name for text in texts for name in _METRIC.findall(text)} - OTHERS
    return {re.sub(rf"({'|'.join(_ENDINGS)})$", "", name) for name in names}


def test_every_metric_that_is_named_is_told_at_metrics(
    client: Client, db: None, settings: Any, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN, settings.BACKUPS = "a token", str(tmp_path)
    (tmp_path / "x.dump").touch()
    for _ in range(2):  # the first one is counted in the second
        answer = client.get("/metrics", headers={"Authorization": "Bearer a token"})
    told = {family.name for family in parse(answer.content.decode())}
    rules = yaml.safe_load((FILES / "nomic-alerts.yml").read_text())
    alerts = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    board = json.loads((FILES / "grafana.json").read_text())
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    in_the_guide = found_in(GUIDE.read_text())
    assert found_in(*alerts, *shown) <= told
    assert {name for name in told if name.startswith("nomic_")} == in_the_guide
    assert len(alerts) > 10


def test_every_file_that_is_named_is_there() -> None:
    page = GUIDE.read_text()
    named = set(re.findall(r"(?:\]\(|/srv/nomic/docs/)(operating/[\w.@-]+)", page))
    assert {file.name for file in FILES.iterdir()} == {Path(name).name for name in named}
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.+)$", page, re.M)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", page)) <= anchors
    for link in re.findall(r"\]\(([\w./-]+)", page):
        assert (GUIDE.parent / link).exists(), link


@pytest.mark.parametrize(
    "name", ["nomic@.service", "nomic.target", "nomic-backup.service", "nomic-backup.timer"]
)
def test_a_unit_runs_what_is_there(name: str) -> None:
    unit = RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(FILES / name)
    if name == "nomic.target":
        wanted = unit["Unit"]["Wants"].split()
        assert wanted == [f"nomic@{part}.service" for part in STARTED]
    if unit.has_section("Service"):
        words = unit["Service"]["ExecStart"].split()
        assert [*words[:3], "web"] == [
            "/srv/nomic/.venv/bin/python", "-m", "nomic.embedded", "web"
        ] or (ROOT / words[1]).exists()  # fmt: skip


_TOOLS: dict[str, list[str]] = {
    "Caddyfile": ["caddy", "validate", "--adapter", "caddyfile", "--config"],
    "nomic-alerts.yml": ["promtool", "check", "rules"],
}


@pytest.mark.parametrize("name", _TOOLS)
def test_a_file_is_accepted_by_what_reads_it(name: str) -> None:
    program, *words = _TOOLS[name]
    if not shutil.which(program):
        pytest.skip(f"{program} is not here")
    env = {"NOMIC_ORIGIN": "https://nomic.example", "HOME": "/nonexistent"}
    command = [str(shutil.which(program)), *words, str(FILES / name)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_failover_is_the_one_that_is_tested() -> None:
    played = Path(test_standby.__file__).read_text()
    commands = " ".join(blocks("## Failover"))
    statements = re.findall(r'psql --command "(.+)"', commands)
    assert statements
    for words in (*statements, "--write-recovery-conf", "--checkpoint=fast"):
        assert words in commands
        assert f'"{words}"' in played


_DUMPS = """#!/bin/sh
for word; do
    case $word in --file=*) echo x >"${word#*=}" ;; esac
done
[ ! -e "$FAILS" ]
"""


def test_a_backup_that_fails_leaves_nothing_and_old_ones_go(tmp_path: Path) -> None:
    programs, kept = tmp_path / "bin", tmp_path / "kept"
    programs.mkdir()
    kept.mkdir()
    for name in ("pg_dump", "pg_restore"):
        (programs / name).write_text(_DUMPS)
        (programs / name).chmod(0o755)
    env = {"PATH": f"{programs}:/usr/bin:/bin", "FAILS": str(tmp_path / "fails")}
    for name, age in (("20220801T000107Z", 9), ("20220801T010107Z", 9), ("20220101T000107Z", 40)):
        old = kept / f"nomic-{name}.dump"
        old.touch()
        subprocess.run(["touch", "--date", f"{age} days ago", str(old)], check=True)
    command = ["sh", str(FILES / "backup"), str(kept)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    new = Path(done.stdout.strip())
    assert {file.name for file in kept.iterdir()} == {"nomic-20220801T000107Z.dump", new.name}
    assert new.stat().st_mode & 0o777 == 0o600
    new.unlink()
    (tmp_path / "fails").touch()
    assert subprocess.run(command, env=env).returncode != 0
    assert [file.name for file in kept.iterdir()] == ["nomic-20220801T000107Z.dump"]


@pytest.fixture
def machine() -> Iterator[Machine]:
    with tempfile.TemporaryDirectory(prefix="nomic-test-") as name:
        home = Home(Path(name).resolve() / "var")
        servers.up(home)
        with psycopg.connect(home.database("postgres"), autocommit=True) as connection:
            connection.execute("DROP DATABASE nomic")
        machine = Machine(Path(name).resolve() / "machine", home)
        try:
            yield machine
        finally:
            machine.run("systemctl stop nomic.target")
            servers.down(home)


@pytest.mark.slow
def test_a_site_is_set_up_restored_and_upgraded_by_the_guide_alone(machine: Machine) -> None:
    for commands in blocks("## With systemd"):
        printed = machine.run(commands)
    assert "in use" in printed  # the keys by which it signs
    assert "the letter is a file" in printed
    backup, export = blocks("## Backup")
    machine.run(backup)
    machine.run(export)
    machine.run("nomic manage.py pause agora --reason 'This is lost.'")
    machine.run(
        "nomic manage.py shell -v0 -c 'from nomic.engine.restored import keep_heads; keep_heads()'"
    )
    restore, ended, go_on, forget = blocks("## Restore")
    printed = machine.run(restore)
    lost = re.search(r"agora: .*Entry (\d+) of this game", printed)
    assert lost, printed
    assert f"Entry {lost[1]} of this game" in page(machine, "/g/agora/")
    assert "(0 rows)" in machine.run(ended)
    printed = machine.run(go_on)
    assert "The disk of the database broke on Monday" in printed
    assert "is lost" in page(machine, f"/g/agora/record/{lost[1]}/")
    machine.run(forget)
    machine.run(blocks("## Failover")[0])  # test_standby.py plays the others
    for heading in ("## Upgrade, and going back", "## PgBouncer"):
        for commands in blocks(heading):
            machine.run(commands)
    figures, *prometheus = blocks("## What to watch")
    assert "nomic_backup_age_seconds" in machine.run(figures)
    for commands in (*prometheus, *blocks("## Logs")):
        machine.run(commands)
    assert all(json.loads(line) for line in machine.journal().splitlines() if line.startswith("{"))


def page(machine: Machine, path: str) -> str:
    request = urllib.request.Request(machine.site + path, headers={"X-Forwarded-Proto": "https"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())
