"""Stamps: a service outside says by RFC 3161 when it has seen a head. Here is what it is asked, and
what its answer has to be. DER is read by hand: services send the certificates of an answer in any
order, which `cryptography.hazmat.asn1` refuses."""

import re
from datetime import UTC, datetime
from typing import NamedTuple


class Element(NamedTuple):
    """A piece of DER."""

    tag: int
    content: bytes


_BOOLEAN = 0x01
_INTEGER = 0x02
_BYTES = 0x04
_NAME = 0x06
_TIME = 0x18
_SEQUENCE = 0x30
_FIRST = 0xA0
_SHA_256 = bytes.fromhex("608648016503040201")  # 2.16.840.1.101.3.4.2.1
_SIGNED = bytes.fromhex("2a864886f70d010702")  # 1.2.840.113549.1.7.2
_STAMP = bytes.fromhex("2a864886f70d0109100104")  # 1.2.840.113549.1.9.16.1.4
_GRANTED = (0, 1)  # as it was asked for, or with changes that the other checks judge
_A_MOMENT = re.compile(rb"([0-9]{14})(?:\.([0-9]{1,9}))?Z")


class NoStamp(Exception):
    """There is no stamp; the text says why."""


def query(digest: bytes, nonce: int) -> bytes:
    """The question for a stamp of that SHA-256, with the service's certificate in the answer."""
    method = _der(_SEQUENCE, _der(_NAME, _SHA_256), b"\x05\x00")
    imprint = _der(_SEQUENCE, method, _der(_BYTES, digest))
    parts = (_whole(1), imprint, _whole(nonce), _der(_BOOLEAN, b"\xff"))
    return _der(_SEQUENCE, *parts)


def moment_of(answer: bytes, digest: bytes, nonce: int) -> datetime:
    """The moment of the stamp in the answer, if it is granted, of that SHA-256, and made for that
    question; raises NoStamp. Whether the service has signed it is not looked at."""
    try:
        [whole] = _elements(answer)
        status, *token = _opened(whole, _SEQUENCE)
        code = _number(_opened(status, _SEQUENCE)[0])
        if code not in _GRANTED:
            raise NoStamp(f"The service refuses with the status {str(code)[:20]}.")
        # What the token is a signature of, and that is a TSTInfo.
        kind, signed = _opened(token[0], _SEQUENCE)
        [signed_data] = _opened(signed, _FIRST)
        inner, content = _opened(_opened(signed_data, _SEQUENCE)[2], _SEQUENCE)
        [(tag, stamp)] = _opened(content, _FIRST)
        if (kind, inner, tag) != ((_NAME, _SIGNED), (_NAME, _STAMP), _BYTES):
            raise ValueError(kind)
        [whole] = _elements(stamp)
        info = _opened(whole, _SEQUENCE)
        method, imprint = _opened(info[2], _SEQUENCE)
        if _opened(method, _SEQUENCE)[0] != (_NAME, _SHA_256) or imprint != (_BYTES, digest):
            raise NoStamp("The stamp is of something else.")
        if [_number(part) for part in info[5:] if part[0] == _INTEGER] != [nonce]:
            raise NoStamp("The stamp answers another question.")
        tag, written = info[4]
        moment = _A_MOMENT.fullmatch(written) if tag == _TIME else None
        if moment is None:
            raise ValueError(written)
        seconds = datetime.strptime(moment[1].decode(), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        return seconds.replace(microsecond=int((moment[2] or b"0").ljust(6, b"0")[:6]))
    except (ValueError, IndexError):
        raise NoStamp("The answer is none of RFC 3161.") from None


def _opened(element: Element, tag: int) -> list[Element]:
    if element.tag != tag:
        raise ValueError(element.tag)
    return _elements(element.content)


def _elements(encoded: bytes) -> list[Element]:
    """All that stands there one after another; raises ValueError where it is cut short."""
    elements, at = [], 0
    while at < len(encoded):
        tag, size, start = encoded[at], encoded[at + 1], at + 2
        if size == 0x80:
            raise ValueError("of no length that it tells")
        if size > 0x80:
            start += size - 0x80
            size = int.from_bytes(encoded[at + 2 : start])
        at = start + size
        if at > len(encoded):
            raise ValueError("cut short")
        elements.append(Element(tag, encoded[start:at]))
    return elements


def _number(element: Element) -> int:
    if element.tag != _INTEGER or not element.content:
        raise ValueError(element.tag)
    return int.from_bytes(element.content, signed=True)


def _whole(number: int) -> bytes:
    return _der(_INTEGER, number.to_bytes(number.bit_length() // 8 + 1))


def _der(tag: int, *parts: bytes) -> bytes:
    """Of less than 128 bytes, as all that is asked."""
    content = b"".join(parts)
    assert len(content) < 0x80
    return bytes((tag, len(content))) + content
