"""Reading a stranger's rulebook in a process of its own, which has a processor and memory up to a
bound: what the libraries make of a hostile file harms nobody else.

The process is `python -m nomic.rulebook.formats.reader_process`. Pure but for that.
"""

import json
import resource
import subprocess
import sys
from dataclasses import asdict
from math import ceil
from pathlib import Path

from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import Brought, FileChoices

_ROOT = Path(__file__).parents[3]
_ADDRESSES = 2**30  # bytes that it may map
_WALL = 3  # times as long may it take where others have the processor
_TOO_MUCH_MEMORY = 3  # its exit code


def read_apart(
    content: bytes, name: str, seconds: float, choices: FileChoices | None = None
) -> Brought:
    """The rulebook in these bytes of a file of that name, as `read` gives it, within so many
    seconds of a processor; where they do not suffice, nothing but that fault."""
    call = [sys.executable, "-m", __name__, str(ceil(seconds)), str(_ADDRESSES)]
    request = {"name": name, "choices": asdict(choices or FileChoices())}
    try:
        process = subprocess.run(
            call,
            input=json.dumps(request).encode() + b"\n" + content,
            capture_output=True,
            cwd=_ROOT,
            timeout=_WALL * ceil(seconds),
        )
    except subprocess.TimeoutExpired:
        return _fault(_too_long(name, seconds))
    if process.returncode == _TOO_MUCH_MEMORY:
        return _fault(
            f"{name or 'The text'} takes more memory to be read than this site has for it. Send"
            " it in a simpler form, or in fewer words."
        )
    if process.returncode < 0:  # by the signal that ends who has used up its processor
        return _fault(_too_long(name, seconds))
    if process.returncode:
        raise RuntimeError(process.stderr.decode(errors="replace")[-2000:])
    return Brought.of(json.loads(process.stdout))


def _too_long(name: str, seconds: float) -> str:
    return (
        f"{name or 'The text'} takes longer to be read than the {ceil(seconds)} seconds that this"
        " site has for it. Send it in a simpler form, or ask the site's operator for `manage.py"
        " newgame`."
    )


def _fault(sentence: str) -> Brought:
    return Brought(faults=(sentence,))


def _main() -> int:
    seconds, addresses = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        request = json.loads(sys.stdin.buffer.readline())
        choices = FileChoices(**request["choices"])
        brought = read(sys.stdin.buffer.read(), request["name"], choices)
        sys.stdout.write(json.dumps(brought.facts() | brought.remarks()))
    except MemoryError:
        return _TOO_MUCH_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(_main())
