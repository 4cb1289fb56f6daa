"""The demonstration's data: a TOML file a subgame, beside this one."""

import tomllib
from pathlib import Path
from typing import Any


def read(name: str) -> dict[str, Any]:
    """The values in the file `name`.toml beside this one."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
