"""`python -m nomic.embedded WHAT`: the bundled servers, and each process of the site."""

import argparse
import os
import subprocess
import sys

from nomic.embedded import servers
from nomic.embedded.bundled import ServerWouldNotStart
from nomic.embedded.commands import CHECKED, COMMANDS, can_start
from nomic.embedded.play import CannotPlay, need_port, play
from nomic.infrastructure.paths import ROOT, home

WHAT = """
  play     everything on this machine: servers, web, worker, beat
  up       start the bundled PostgreSQL and Valkey, print their addresses
  down     stop them
  env      print their addresses
  test     run the test suite, pytest's options allowed, on the bundled servers
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m nomic.embedded",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=WHAT + "".join(f"  {n:<8} {c.__doc__}\n" for n, c in COMMANDS.items()),
    )
    parser.add_argument("what", choices=["play", "up", "down", "env", "test", *COMMANDS])
    arguments, rest = parser.parse_known_args()
    tree = home()
    match arguments.what:
        case "play":
            play()
        case "up":
            servers.up(tree)
            print_addresses()
        case "down":
            servers.down(tree)
        case "env":
            print_addresses()
        case "test":
            return test(rest)
        case name:
            if name == "web":
                need_port(os.environ)
            if name in CHECKED and (failed := subprocess.call(can_start(name))):
                return failed
            if name == "web":
                host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
                tree.keep_port(port)
                print(f"The web server starts, at http://{host}:{port}", flush=True)
            command = COMMANDS[name](os.environ)
            os.chdir(ROOT)
            os.execv(command[0], command)  # so that signals reach it directly
    return 0


def print_addresses() -> None:
    print(f"DATABASE_URL={home().database_url}")
    print(f"REDIS_URL={home().redis_url}")


def test(options: list[str]) -> int:
    """The suite; servers that were down before are down after."""
    started = servers.up(home(), servers.needed(os.environ))
    # What one process has compiled, the suite's other ones read.
    around = {name: os.environ[name] for name in os.environ if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", *options]
    try:
        return os.spawnve(os.P_WAIT, sys.executable, command, around)
    finally:
        servers.down(home(), started)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CannotPlay, ServerWouldNotStart) as reason:
        sys.exit(str(reason))
