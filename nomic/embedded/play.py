"""`make play`: the whole site on one machine, from nothing to an address, and to nothing again."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import httpx
import psycopg

from nomic.embedded import servers, supervisor
from nomic.embedded.commands import COMMANDS, static_is_gathered
from nomic.embedded.supervisor import Child, say
from nomic.infrastructure.paths import ROOT, Home, home

_PATIENCE = 3.0  # seconds for the children to end, and then for each server
_AT_MOST = 9.0  # seconds for all of it: whatever hangs is killed then
_OFTEN = 30.0  # seconds in which the site is looked at ten times a second
_IDLE = 90.0  # seconds without work after which it does not come up any more
_AT_WORK = 1.0  # seconds of a processor: looks alone cost less in that time
_SAID_EVERY = 20.0  # seconds
_MOST_DEATHS = 4  # of the children together
SERVERS_EVERY = 2.0  # seconds between two looks at the bundled servers
_NOTHING_OR_UNFINISHED = (
    "SELECT NOT EXISTS (SELECT FROM games_game) OR EXISTS (SELECT FROM pages_filling)"
)


class CannotPlay(Exception):
    """The site cannot be started here; the message says why and what would help."""


class _Enough(Exception):
    """Somebody asked to stop before all was up."""


def play() -> None:
    """Run web, worker, beat and stream until SIGINT, SIGTERM or SIGHUP. Raises CannotPlay."""
    tree, enough = home(), threading.Event()

    def end(_number: int, _frame: object) -> None:
        if not enough.is_set():
            enough.set()
            insist = threading.Timer(_AT_MOST, _kill_all, [tree])
            insist.daemon = True
            insist.start()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    os.environ.pop(supervisor.MARK, None)  # of whoever started us: the servers are to have none
    with _alone(tree), _servers(tree) as env, _kept_up(tree, env):
        need_port(env)
        tree.keep_port(env.get("PORT", "8000"))
        env.setdefault("NOMIC_STREAM_PORT", _free_port(env))
        children: list[Child] = []
        try:
            say("play", "bringing the tables and the style sheets up to date")
            _run(["migrate"] if static_is_gathered() else ["static", "migrate"], env, enough)
            say("play", "starting the web server")
            _start(children, "web", env)
            _wait_until(children, env, enough, ("healthz", "database"), "come up")
            if _wants_a_demonstration(tree, env):
                say("play", f"The demonstration is being prepared; {_address(env)} shows how far.")
                _run(["demo"], env, enough, children)
            say("play", "starting what keeps appointments")
            _start(children, "worker", env)
            _start(children, "beat", env)
            _start(children, "stream", env)
            # Beat says that it is time to look, and the worker looks.
            _wait_until(children, env, enough, ("readyz", "worker"), "keep its appointments")
            _greet(env)
            while not enough.wait(0.5):
                for child in children:
                    child.look_after()
        except _Enough:
            pass
        finally:
            say("play", "stopping")
            supervisor.end([child.process for child in children], _PATIENCE)


@contextmanager
def _alone(tree: Home) -> Iterator[None]:
    """One `play` at a time in one tree: two would fight over the port and the servers.

    So what runs at its beginning is what one that was killed has left; it is ended.
    """
    tree.folder.mkdir(parents=True, exist_ok=True)
    with open(tree.folder / "play.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotPlay("`make play` is running in this folder already.") from None
        supervisor.end_what_is_left(tree.folder)
        yield


@contextmanager
def _servers(tree: Home) -> Iterator[dict[str, str]]:
    """The children's environment, with both servers up; those started here stop at the end."""
    env = {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
        supervisor.MARK: str(tree.folder),
    }
    started_file = _started_file(tree)
    left_over = _started_servers(tree)  # what one that was killed could not stop is ours now
    if servers.needed(env):
        say("play", f"starting the bundled servers under {tree.folder}")
    started = servers.up(tree, servers.needed(env))
    started_file.write_text(" ".join({*left_over, *started}))
    if started:
        say("play", f"started {' and '.join(started)} under {tree.folder}")
    try:
        yield env
    finally:
        servers.down(tree, _started_servers(tree), _PATIENCE)
        started_file.unlink()


def _started_file(tree: Home) -> Path:
    return tree.folder / "started-by-play"


def _started_servers(tree: Home) -> list[str]:
    """The bundled servers that `play` has started here and not stopped."""
    started_file = _started_file(tree)
    names = started_file.read_text().split() if started_file.exists() else []
    return [name for name in names if name in servers.SERVERS]


def _kill_all(tree: Home) -> NoReturn:
    """End this process, and all that it has started, at once."""
    say("play", "something does not end: it is killed", 31)
    try:
        supervisor.end_what_is_left(tree.folder, 0)
        servers.kill(tree, _started_servers(tree))
    finally:
        os._exit(1)


@contextmanager
def _kept_up(tree: Home, env: dict[str, str], every: float = SERVERS_EVERY) -> Iterator[None]:
    """As long as this lasts, a bundled server that has ended is started again.

    In a thread for each: a database that replays its log for a minute keeps nobody from
    looking after all else meanwhile.
    """
    enough = threading.Event()

    def look(name: str) -> None:
        while not enough.wait(every):
            try:
                if servers.up(tree, [name]):
                    say("play", f"{name} had ended and was started again", 31)
            except Exception as reason:  # whatever a server does, the next look is due
                say("play", str(reason), 31)

    looking = [threading.Thread(target=look, args=[server]) for server in servers.needed(env)]
    for thread in looking:
        thread.start()
    try:
        yield
    finally:
        enough.set()
        for thread in looking:
            thread.join()


def need_port(env: Mapping[str, str]) -> None:
    """Raises CannotPlay where something listens there already, or another web server is about to:
    two would share the port, and each answer some of what is asked. As long as this process runs,
    or what it becomes, no other one gets through here."""
    host, port = env.get("HOST", "127.0.0.1"), env.get("PORT", "8000")
    try:
        for family, kind, _, _, address in socket.getaddrinfo(
            host, int(port), type=socket.SOCK_STREAM
        ):
            with socket.socket(family, kind) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        if sys.platform == "linux":  # a name that is of the machine's network, as ports are
            held = socket.socket(socket.AF_UNIX)
            held.bind(f"\0nomic web {host} {port}")
            held.set_inheritable(True)
            held.detach()
    except (OSError, ValueError, OverflowError) as reason:
        cause = reason.strerror if isinstance(reason, OSError) else reason
        raise CannotPlay(
            f"Port {port} cannot be had ({cause}): perhaps a web server runs there already. For"
            " another: PORT=8001 make play"
        ) from None


def _free_port(env: Mapping[str, str]) -> str:
    """A port at which nothing listens yet; the web server sends whoever wants a stream there."""
    host = env.get("HOST", "127.0.0.1")
    family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind) as probe:
        probe.bind(address)
        return str(probe.getsockname()[1])


def _run(
    names: list[str], env: dict[str, str], enough: threading.Event, children: Iterable[Child] = ()
) -> None:
    """Run these to their ends, side by side, looking after the children meanwhile.

    Raises CannotPlay if one fails, _Enough when told.
    """
    running = {
        name: subprocess.Popen(
            COMMANDS[name](env),
            env=env,
            cwd=ROOT,
            start_new_session=True,
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        for name in names
    }
    for name, process in running.items():
        supervisor.pass_on(name, process)
    try:
        while any(process.poll() is None for process in running.values()):
            if enough.wait(0.05):
                raise _Enough
            for child in children:
                child.look_after()
    finally:
        supervisor.end([*running.values()], _PATIENCE)
    if failed := [name for name, process in running.items() if process.returncode]:
        raise CannotPlay(f"`python -m nomic.embedded {failed[0]}` failed; the reason stands above.")


def _wants_a_demonstration(tree: Home, env: dict[str, str]) -> bool:
    """Where nothing is played yet, or its filling was cut short, and not in public: its password is
    known to everybody."""
    if env.get("NOMIC_ORIGIN"):
        return False
    try:
        with psycopg.connect(env.get("DATABASE_URL") or tree.database_url) as connection:
            row = connection.execute(_NOTHING_OR_UNFINISHED).fetchone()
    except psycopg.OperationalError as reason:
        raise CannotPlay(f"The database ended before all was up: {reason}") from reason
    return bool(row and row[0])


def _start(children: list[Child], name: str, env: dict[str, str]) -> None:
    child = Child(name, COMMANDS[name](env), env, supervisor.COLOURS[len(children)])
    children.append(child)
    child.start()


def _address(env: Mapping[str, str]) -> str:
    return f"http://localhost:{env.get('PORT', '8000')}"


def _wait_until(
    children: list[Child],
    env: Mapping[str, str],
    enough: threading.Event,
    sign: tuple[str, str],
    task: str,
) -> None:
    """Look after the children until the site's page of that name says that the part is well.

    A busy machine may take minutes for it: as long as they live and work at it, they are waited
    for. Raises CannotPlay where they end again and again, or have done nothing for a while; _Enough
    when told.
    """
    page, part = sign
    began = worked_at = said_at = time.monotonic()
    deaths = sum(child.deaths for child in children)
    spent = supervisor.spent(children)
    while _health(f"{_address(env)}/{page}").get(part) is not True:
        now = time.monotonic()
        if enough.wait(0.1 if now - began < _OFTEN else 1.0):  # each look is work for them, too
            raise _Enough
        if (spent_by_now := supervisor.spent(children)) > spent + _AT_WORK or spent_by_now < spent:
            worked_at, spent = now, spent_by_now
        if sum(child.deaths for child in children) - deaths >= _MOST_DEATHS:
            raise CannotPlay(f"The site did not {task}: what runs it ended again and again.")
        if now - worked_at > _IDLE:
            raise CannotPlay(
                f"The site did not {task}, and did nothing for {_IDLE:.0f} seconds; its log stands"
                " above."
            )
        if now - said_at > _SAID_EVERY:
            said_at = now
            say("play", f"not there after {now - began:.0f} s: the machine is busy; waiting on")
        for child in children:
            child.look_after()


def _greet(env: Mapping[str, str]) -> None:
    """Say where the site is, now that all of it runs."""
    say("play", "")
    say("play", f"The table is set: {env.get('NOMIC_ORIGIN') or _address(env)}")
    if not env.get("NOMIC_ORIGIN"):
        say("play", "Sign in as snail (the Horsened, Assessor and Onlooker), Murphy, Madrid, juan,")
        say("play", "Jason or ais523; the password of all is horses-run. Or sign up as yourself.")
    say("play", "Ctrl-C stops everything; the next start finds the same games.")
    say("play", "")


def _health(url: str) -> dict[str, Any]:
    """The JSON that the site answers there, whatever the status; {} where it answers none."""
    with suppress(httpx.HTTPError, ValueError):
        return dict(httpx.get(url, timeout=5, trust_env=False).json())
    return {}
