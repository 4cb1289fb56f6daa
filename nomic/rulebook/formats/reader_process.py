"""Reading a stranger's rulebook in a process of its own, which has a processor and memory up to a
bound: what the libraries make of a hostile file harms nobody else.

The process is `python -m nomic.rulebook.formats.reader_process`. Pure but for that.
"""

import json
import resource
import subprocess
import sys
from dataclasses import asdict, replace
from math import ceil
from pathlib import Path

from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import Account, Brought, FileChoices, Heading

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
    said = {"name": name, **asdict(choices or FileChoices())}
    sent = json.dumps(said).encode() + b"\n" + content
    try:
        done = subprocess.run(
            call, input=sent, capture_output=True, cwd=_ROOT, timeout=_WALL * ceil(seconds)
        )
    except subprocess.TimeoutExpired:
        return _fault(_too_long(name, seconds))
    if done.returncode == _TOO_MUCH_MEMORY:
        return _fault(
            f"{name or 'The text'} takes more memory to be read than this site has for it. Send"
            " it in a simpler form, or in fewer words."
        )
    if done.returncode < 0:  # by the signal that ends who has used up its processor
        return _fault(_too_long(name, seconds))
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-2000:])
    facts = json.loads(done.stdout)
    return replace(
        Brought.of(facts),
        faults=tuple(facts["faults"]),
        notes=tuple(facts["notes"]),
        account=Account.of(facts["account"]),
        headings=tuple(Heading(**heading) for heading in facts["headings"]),
        fields=tuple(facts["fields"]),
    )


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
        said = json.loads(sys.stdin.buffer.readline())
        choices = FileChoices(said["headings"], said["fields"])
        brought = read(sys.stdin.buffer.read(), said["name"], choices)
        told = {"account": asdict(brought.account), "headings": list(map(asdict, brought.headings))}
        told |= {name: getattr(brought, name) for name in ("faults", "notes", "fields")}
        sys.stdout.write(json.dumps(brought.facts() | told))
    except MemoryError:
        return _TOO_MUCH_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(_main())
