"""`python -m nomic.embedded up | down | env`"""

import argparse
import sys

from nomic.embedded import servers
from nomic.embedded.places import home
from nomic.embedded.postgres import ServerWouldNotStart


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m nomic.embedded")
    parser.add_argument("what", choices=["up", "down", "env"])
    here = home()
    match parser.parse_args().what:
        case "up":
            servers.up(here)
        case "down":
            servers.down(here)
            return 0
    print(f"DATABASE_URL={here.database_url}")
    print(f"REDIS_URL={here.redis_url}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ServerWouldNotStart as reason:
        sys.exit(str(reason))
