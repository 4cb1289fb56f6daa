"""A machine in a folder, on which the commands of docs/operating.md are run as they stand there.

Its PostgreSQL and Valkey are the bundled ones. What belongs to a whole machine (users, packages,
systemd, certificates) has stand-ins: `systemctl` starts and stops what the units say.
"""

import os
import re
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from nomic.embedded import postgres
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT, Home

GUIDE = ROOT / "docs" / "operating.md"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
_PLACES = re.compile(r"(?<![\w.@/])/(etc|srv|root|usr/local|var/(?:lib|backups|www))/")
_SUDO = """#!/bin/sh
while :; do
    case $1 in
        -u) export PGUSER="$2"; shift 2 ;;
        --preserve-env=*) shift ;;
        /usr/share/*) exit 0 ;;
        *) exec "$@" ;;
    esac
done
"""
_RUNUSER = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""
# Nobody has another owner here, and what is installed knows the folder as the machine.
_INSTALL = r"""#!/bin/sh
set -e
mode=0755 folder= files=
for word; do
    case $word in
        --directory) folder=1 ;;
        --mode=*) mode=${word#--mode=} ;;
        --owner=*) ;;
        *) files="$files $word" last=$word ;;
    esac
done
for file in $files; do
    if [ "$folder" ]; then mkdir -p "$file"; chmod "$mode" "$file"; continue; fi
    [ "$file" = "$last" ] && break
    to=$last; [ -d "$last" ] && to=$last/$(basename "$file")
    sed -E 's#(^|[^[:alnum:]_.@/])/(etc|srv|var/lib|var/backups)/#\1{root}/\2/#g' "$file" >"$to"
    chmod "$mode" "$to"
done
"""
_GIT = """#!/bin/sh
[ "$1" = clone ] || exit 0
rmdir "$3"
exec ln -s {tree} "$3"
"""
_SYSTEMCTL = '''#!{python}
"""Starts and stops what the units of this machine say; others are nobody's here."""
import json, os, signal, subprocess, sys, time
from pathlib import Path

UNITS, STATE = Path("{root}/etc/systemd/system"), Path("{root}/running.json")

def settings(name):
    kind, _, part = name.removesuffix(".service").partition("@")
    file = UNITS / (f"{{kind}}@.service" if part else name)
    if not file.exists():
        file = UNITS / f"{{name}}.service"
    found = {{}}
    for line in file.read_text().splitlines() if file.exists() else ():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found[key] = f"{{found[key]}} {{value}}" if key in found else value.replace("%i", part)
    return found

def start(name):
    unit = settings(name)
    for wanted in unit.get("Wants", "").split():
        if wanted.startswith("nomic@"):
            start(wanted)
    if "ExecStart" not in unit or name in running:
        return
    env = {{key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}}
    for word in unit.get("Environment", "").split():
        key, _, env[key] = word.partition("=")
    for line in Path(unit["EnvironmentFile"]).read_text().splitlines():
        key, _, env[key] = line.partition("=")
    command = unit["ExecStart"].split()
    where = unit["WorkingDirectory"]
    if unit.get("Type") == "oneshot":
        subprocess.run(command, env=env, cwd=where, check=True)
        return
    out = open("{root}/journal", "ab")
    process = subprocess.Popen(command, env=env, cwd=where, stdout=out, stderr=out, stdin=-3,
                               start_new_session=True)
    running[name] = process.pid

def stop(name):
    for each in settings(name).get("Wants", "").split():
        stop(each)
    number = running.pop(name, None)
    if number is None:
        return
    os.kill(number, signal.SIGTERM)
    file = Path(f"/proc/{{number}}/stat")
    while file.exists() and " Z " not in file.read_text():
        time.sleep(0.1)

running = json.loads(STATE.read_text()) if STATE.exists() else {{}}
verb, *names = [word for word in sys.argv[1:] if not word.startswith("-")]
for name in names:
    if verb in ("stop", "restart"):
        stop(name)
    if verb in ("start", "restart", "enable"):
        start(name)
    STATE.write_text(json.dumps(running))
'''
_NOTHING = "#!/bin/sh\nexit 0\n"
_WITHOUT = ("apt-get", "useradd", "certbot", "nginx", "caddy", "promtool", "journalctl", "chgrp")


def blocks(heading: str) -> list[str]:
    """The commands under that heading of the guide and those below it, block by block."""
    marks = re.match("#+", heading)
    assert marks
    page = GUIDE.read_text()
    _, found, after = page.partition(f"\n{heading}\n")
    assert found, heading
    ends = re.search(
        rf"^#{{1,{len(marks[0])}}} ", re.sub(r"```.*?```", _blank, after, flags=re.S), re.M
    )
    return _BLOCK.findall(after[: ends.start()] if ends else after)


def _blank(code: re.Match[str]) -> str:
    return "-" * len(code[0])


@dataclass
class Machine:
    """The machine in that folder, with the servers of that home."""

    root: Path
    home: Home
    port: int = field(default_factory=free_port)
    stream_port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        for place in ("bin", "etc/postgresql/18/main/conf.d", "etc/redis", "etc/systemd/system",
                      "etc/nginx/sites-available", "etc/nginx/sites-enabled", "etc/caddy",
                      "etc/pgbouncer", "etc/prometheus", "usr/local/sbin", "root"):  # fmt: skip
            (self.root / place).mkdir(parents=True)
        told = {"root": self.root, "tree": ROOT, "python": ROOT / ".venv" / "bin" / "python"}
        programs = {
            "sudo": _SUDO,
            "runuser": _RUNUSER,
            "install": _INSTALL.replace("{root}", str(self.root)),
            "git": _GIT.format(**told),
            "systemctl": _SYSTEMCTL.format(**told),
            "python3": _NOTHING,  # makes the .venv that is there
            **dict.fromkeys(_WITHOUT, _NOTHING),
        }
        for name, text in programs.items():
            program = self.root / "bin" / name
            program.write_text(text)
            program.chmod(program.stat().st_mode | stat.S_IXUSR)

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, commands: str) -> str:
        """What these commands of the guide print, run one after the other on this machine; fails
        where one of them does."""
        programs = (self.root / "bin", self.root / "usr/local/sbin", postgres.bin_folder())
        env = {
            "PATH": ":".join((*map(str, programs), os.environ["PATH"])),
            "HOME": str(self.root / "root"),
            "PGHOST": str(self.home.sockets),
            "PGUSER": "postgres",
            "REPOSITORY": "https://nomic.example/nomic.git",
            "VERSION": "v1.1",
        }
        here = self.as_here(commands)
        done = subprocess.run(
            ["sh", "-eu", "-c", here], env=env, cwd=self.root, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{here}\n{done.stdout}\n{done.stderr}\n{self.journal()}"
        return done.stdout + done.stderr

    def as_here(self, commands: str) -> str:
        """The same commands with this machine's folders, servers and port."""
        text = _PLACES.sub(rf"{self.root}/\1/", commands)
        text = text.replace("/var/run/postgresql", str(self.home.sockets))
        text = text.replace("redis://127.0.0.1:6379/0", self.home.redis_url)
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")
        mail = re.compile(r"^NOMIC_MAIL_URL=.*$", re.M)
        ports = f"PORT={self.port}\nNOMIC_STREAM_PORT={self.stream_port}"
        small = f"{ports}\nNOMIC_WEB_WORKERS=1\nNOMIC_WORKER_PROCESSES=1"
        return mail.sub(small, text)

    def journal(self) -> str:
        """What the site's processes have written."""
        file = self.root / "journal"
        return file.read_text()[-4000:] if file.exists() else ""
