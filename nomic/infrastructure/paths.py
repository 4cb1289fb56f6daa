"""Where this tree is, where the bundled servers keep their data, and how they are reached.

No Django in this file.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]

# A Unix socket's path has room for 107 bytes on Linux and 103 on macOS.
LONGEST_SOCKET = 103


@dataclass(frozen=True, slots=True)
class Home:
    """One folder with everything that the bundled servers own: data, logs, sockets, secret key."""

    folder: Path

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"

    @property
    def valkey(self) -> Path:
        return self.folder / "valkey"

    @property
    def logs(self) -> Path:
        return self.folder / "log"

    @property
    def port(self) -> str:
        """That at which the web server listens, or did when it ran last; 8000 before that."""
        try:
            return (self.folder / "port").read_text()
        except OSError:
            return "8000"

    def keep_port(self, port: str) -> None:
        """Let what is started beside the web server, such as a command, know its port."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "port").write_text(port)

    def lock(self, server: str) -> Path:
        return self.folder / f"{server}.lock"

    @property
    def sockets(self) -> Path:
        """The folder of both sockets; in a deep tree a short one under /tmp stands in."""
        beside = self.folder / "run"
        if len(os.fsencode(beside / ".s.PGSQL.5432")) <= LONGEST_SOCKET:
            return beside
        mark = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:12]
        return Path("/tmp") / f"nomic-{os.getuid()}-{mark}"  # noqa: S108 - made 0700, owner checked

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def database_url(self) -> str:
        return self.database("nomic")

    def database(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={quote(str(self.sockets), safe='/')}"

    @property
    def redis_url(self) -> str:
        return f"unix://{quote(str(self.valkey_socket), safe='/')}?db=0"


def home() -> Home:
    """The home of this tree: `var/` beside manage.py, or the folder that NOMIC_VAR names."""
    return Home(Path(os.environ.get("NOMIC_VAR") or ROOT / "var").resolve())
