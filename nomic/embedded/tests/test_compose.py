"""docker-compose.yml runs the same commands as `make play`, and everything it waits for exists."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from nomic.embedded.commands import COMMANDS, STARTED
from nomic.games.bounds import site_bounds
from nomic.infrastructure.paths import ROOT

Service = dict[str, Any]


@pytest.fixture(scope="module")
def services() -> dict[str, Service]:
    found: dict[str, Service] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())[
        "services"
    ]
    return found


def test_each_part_of_the_site_runs_a_command_that_play_runs(services: dict[str, Service]) -> None:
    ours = {name: part["command"] for name, part in services.items() if "build" in part}
    assert set(ours) == {"web", "stream", "worker", "beat", "migrate"}
    for name, command in ours.items():
        assert command == ["python", "-m", "nomic.embedded", name]
        assert name in COMMANDS


def test_nothing_starts_before_the_tables_are_up_to_date(services: dict[str, Service]) -> None:
    for name in STARTED:
        before = services[name]["depends_on"]
        assert before["migrate"]["condition"] == "service_completed_successfully"
        assert before["valkey"]["condition"] == "service_healthy"
    assert services["migrate"]["depends_on"]["postgres"]["condition"] == "service_healthy"


def test_who_is_waited_for_to_be_healthy_says_how_it_is(services: dict[str, Service]) -> None:
    for part in services.values():
        for name, wish in part.get("depends_on", {}).items():
            assert wish["condition"] != "service_healthy" or "healthcheck" in services[name]


def test_no_secret_stands_in_the_file(services: dict[str, Service]) -> None:
    for part in services.values():
        for name, value in part.get("environment", {}).items():
            if name.endswith(("PASSWORD", "_KEY")):
                assert value.startswith("${")


def test_every_setting_that_is_told_of_reaches_the_site(services: dict[str, Service]) -> None:
    told = re.findall(r"^\| (`.+?) \|", (ROOT / "docs" / "scaling.md").read_text(), re.M)
    names = {name for cell in told for name in re.findall(r"`([A-Z_]+)`", cell)}
    names |= {bound.setting for bound in site_bounds()}
    of_one_machine = {"HOST", "PORT", "NOMIC_VAR", "NOMIC_DEBUG"}
    for part in services.values():
        if "build" in part:
            assert set(part["environment"]) == names - of_one_machine


def test_the_database_and_the_broker_are_not_open_to_the_network(
    services: dict[str, Service],
) -> None:
    assert [name for name, part in services.items() if "ports" in part] == [
        *("web", "stream", "proxy"),
    ]
    assert services["web"]["ports"] == ["127.0.0.1:${PORT:-8000}:8000"]
    assert services["proxy"]["profiles"] == ["tls"]


def test_everything_that_goes_on_says_how_it_is(services: dict[str, Service]) -> None:
    assert {name for name, part in services.items() if "healthcheck" not in part} == {"migrate"}


def test_what_a_container_keeps_outlives_it(services: dict[str, Service]) -> None:
    for name in STARTED:
        assert "var:/srv/nomic/var" in services[name]["volumes"]
    assert "backups:/backups" in services["backup"]["volumes"]
    whole = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    used = [place for part in services.values() for place in part.get("volumes", ())]
    named = {place.partition(":")[0] for place in used}
    assert {name for name in named if "/" not in name} == set(whole["volumes"])
    assert all((ROOT / name).exists() for name in named if "/" in name)


def test_the_file_says_which_compose_it_needs() -> None:
    about = (ROOT / "docker-compose.yml").read_text().partition("services:")[0]
    assert "It needs Compose v2" in about


def test_the_trial_of_it_is_skipped_with_a_reason_where_there_is_no_docker(tmp_path: Path) -> None:
    for name in ("dirname", "mktemp", "rm"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    sh = str(shutil.which("sh"))
    command = [sh, str(ROOT / ".ci" / "compose")]
    tried = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert (tried.returncode, tried.stdout) == (0, "compose: skipped, docker is not here.\n")


def test_the_trial_of_it_knows_a_stand_in_for_every_image(services: dict[str, Service]) -> None:
    known = re.findall(r"^        (\S+)\*\) is_here", (ROOT / ".ci" / "compose").read_text(), re.M)
    fetched = [part["image"] for part in services.values() if "build" not in part]
    assert fetched
    for image in fetched:
        assert [name for name in known if image.startswith(name)], image


def test_the_workflow_runs_what_a_change_has_to_pass() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    runs = [
        step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step
    ]
    assert {"sh .ci/run", "sh .ci/compose"} <= set(runs)
