"""gunicorn's threads against granian, with wrk, on a small view: `python -m bench.webserver`.

Both get two processes of eight threads. The rounds alternate, so that whatever else the machine
does meets both. Needs wrk (Debian: apt-get install wrk) and both servers installed; prints JSON
and a table. Everything stays on 127.0.0.1 and in a scratch database.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import psycopg

from nomic.embedded import servers
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import home

ROUNDS, SECONDS, CLIENTS = 3, 4, (1, 8, 32)
DATABASE = "nomic_bench_webserver"
APPLICATION = "bench.webserver.site:application"


def command(server: str, port: int) -> list[str]:
    programs = Path(sys.executable).parent
    return {
        "gunicorn": [
            *(str(programs / "gunicorn"), APPLICATION, "--bind", f"127.0.0.1:{port}"),
            *("--workers", "2", "--threads", "8", "--keep-alive", "30", "--log-level", "error"),
        ],
        "granian": [
            *(str(programs / "granian"), APPLICATION, "--host", "127.0.0.1", "--port", str(port)),
            *("--interface", "wsgi", "--workers", "2", "--blocking-threads", "8"),
            *("--http", "1", "--no-ws", "--log-level", "error"),
        ],
    }[server]


@contextmanager
def scratch_database() -> Iterator[str]:
    """A database of its own with Django's tables and the two that the view touches."""
    servers.up(home())
    with psycopg.connect(home().database("postgres"), autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {DATABASE}")
        url = home().database(DATABASE)
        with psycopg.connect(url) as own:
            own.execute("CREATE TABLE bench_row (id int PRIMARY KEY, n int NOT NULL DEFAULT 0)")
            own.execute("INSERT INTO bench_row SELECT generate_series(1, 9)")
            own.execute("CREATE TABLE bench_act (id bigserial PRIMARY KEY, what text NOT NULL)")
        yield url
        admin.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


def sign_in(url: str) -> str:
    """A signed-in session's cookies; run in a process of its own, since it sets Django up."""
    code = (
        "import bench.webserver.site\n"
        "from django.core.management import call_command\n"
        "from django.test import Client\n"
        "from django.contrib.auth.models import User\n"
        "for app in ('contenttypes', 'auth', 'sessions'):\n"
        "    call_command('migrate', app, verbosity=0)\n"
        "client = Client()\n"
        "client.force_login(User.objects.create_user('snail'))\n"
        "print(client.cookies['sessionid'].value)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DATABASE_URL": url},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@contextmanager
def running(server: str, url: str) -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen(command(server, port), env={**os.environ, "DATABASE_URL": url})
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/up/", timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def measure(port: int, session: str, method: str, clients: int, folder: Path) -> dict[str, float]:
    """One round: requests per second, p50 and p99 in milliseconds, answers that were no success."""
    token = "a" * 32
    script = folder / "request.lua"
    script.write_text(
        f'wrk.method = "{method}"\n'
        + ('wrk.body = "what=bet"\n' if method == "POST" else "")
        + 'wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"\n'
        + f'wrk.headers["Cookie"] = "sessionid={session}; csrftoken={token}"\n'
        + f'wrk.headers["X-CSRFToken"] = "{token}"\n'
        + "done = function(s, l, r) io.write(string.format("
        + '"FIGURES %f %f %f %d\\n", s.requests / s.duration * 1e6, l:percentile(50) / 1e3, '
        + "l:percentile(99) / 1e3, s.errors.status + s.errors.connect + s.errors.read "
        + "+ s.errors.timeout)) end\n"
    )
    wrk = ["wrk", "-t1", f"-c{clients}", f"-d{SECONDS}s", "--latency", "-s", str(script)]
    done = subprocess.run(
        [*wrk, f"http://127.0.0.1:{port}/floor/"], check=True, capture_output=True, text=True
    )
    found = re.search(r"FIGURES (\S+) (\S+) (\S+) (\S+)", done.stdout)
    assert found, done.stdout
    per_second, p50, p99, failed = map(float, found.groups())
    return {"per_second": per_second, "p50": p50, "p99": p99, "failed": failed}


def bench() -> list[dict[str, Any]]:
    rounds: dict[tuple[str, str, int], list[dict[str, float]]] = {}
    with scratch_database() as url, tempfile.TemporaryDirectory() as folder:
        session = sign_in(url)
        for _, server in product(range(ROUNDS), ("gunicorn", "granian")):
            with running(server, url) as port:
                measure(port, session, "GET", 8, Path(folder))  # warms threads and connections
                for method, clients in product(("GET", "POST"), CLIENTS):
                    figures = measure(port, session, method, clients, Path(folder))
                    rounds.setdefault((method, server, clients), []).append(figures)
    return [
        {"method": method, "server": server, "clients": clients}
        | {name: round(statistics.median(r[name] for r in all_of), 2) for name in all_of[0]}
        for (method, server, clients), all_of in sorted(rounds.items())
    ]


def main() -> int:
    beside = Path(sys.executable).parent
    if missing := [
        p
        for p in ("wrk", "gunicorn", "granian")
        if not shutil.which(p, path=f"{beside}:{os.environ['PATH']}")
    ]:
        print(f"Not installed: {', '.join(missing)}.", file=sys.stderr)
        return 1
    rows = bench()
    print(json.dumps(rows))
    print("| request | server | clients | per second | p50 ms | p99 ms | failed |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        print("| " + " | ".join(str(value) for value in row.values()) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
