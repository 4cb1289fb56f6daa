"""Ports for the servers that tests and measurements start."""

import fcntl
import os
import socket
import tempfile
from pathlib import Path

# Any below where the system takes those that it gives to whoever asks for one: of these it might
# give away the very port before the server that a test starts listens there.
_ports = iter(range(20_000, 32_768))
_locks = open(Path(tempfile.gettempdir()) / f"nomic-ports-{os.getuid()}", "w")  # noqa: SIM115


def free_port() -> int:
    """A port of 127.0.0.1 at which nobody listens. No other call gives the same, in no process,
    until this one ends."""
    for port in _ports:
        try:
            fcntl.lockf(_locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:  # another process has it
            continue
        return port
    raise RuntimeError("Each of the ports is taken.")
