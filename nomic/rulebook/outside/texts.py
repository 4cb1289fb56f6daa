"""Bytes as text."""

from nomic.rulebook.outside.checking import Fault


def as_text(given: bytes, name: str) -> str:
    """The text, its lines ended as in UNIX; raises Fault where it is no UTF-8."""
    try:
        return given.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = given.count(b"\n", 0, error.start) + 1
        raise Fault(
            f"{name}, line {line}: the byte 0x{given[error.start]:02X} is not UTF-8. Save the file"
            " as UTF-8 first."
        ) from None
