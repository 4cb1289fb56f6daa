"""What a service of stamps is asked, and which of its answers count."""

import hashlib
import shutil
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.record.stamps import NoStamp, moment_of, query

# Of `openssl ts -reply`, with three certificates, which stand in it in the order they were given.
ANSWER = (Path(__file__).parent / "stamp.tsr").read_bytes()
DIGEST = hashlib.sha256(b"hello\n").digest()
NONCE = 0xCBCFE251B2036286
GRANTED = bytes.fromhex("3003020100")
SHA_1 = bytes.fromhex("0609608648016503040200")


def test_the_moment_of_a_stamp_is_read() -> None:
    assert moment_of(ANSWER, DIGEST, NONCE) == datetime(2026, 11, 22, 21, 6, 58, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (GRANTED, bytes.fromhex("3003020102"), "status 2"),
        (DIGEST, bytes(32), "something else"),
        (bytes.fromhex("0609608648016503040201050004"), SHA_1 + b"\5\0\4", "something else"),
        (NONCE.to_bytes(8), bytes(8), "another question"),
        (b"\x18\x0f2026", b"\x18\x0f2O26", "none of RFC 3161"),
        (b"\x18\x0f20261122", b"\x18\x0f20261322", "none of RFC 3161"),
        (bytes.fromhex("2a864886f70d0109100104"), bytes(11), "none of RFC 3161"),
    ],
)
def test_an_answer_that_is_no_stamp_of_this_is_none(old: bytes, new: bytes, why: str) -> None:
    with pytest.raises(NoStamp, match=why):
        moment_of(_with(old, new), DIGEST, NONCE)


def _with(old: bytes, new: bytes) -> bytes:
    assert old in ANSWER
    return ANSWER.replace(old, new)


@pytest.mark.parametrize(
    "answer",
    [
        *(b"", b"\x30", b"\x30\x80\0\0", b"\x30\xff", b"\x30\x84\xff\xff\xff\xff", b"<html>"),
        *(ANSWER + b"\0\0", ANSWER[:-1], ANSWER[:40], b"\x30\x05" + GRANTED, b"\x30\0"),
        b"\x30\x82\x20\x04\x30\x82\x20\x00\x02\x82\x1f\xfc" + b"\x7f" * 8188,
    ],
)
def test_what_is_none_or_cut_short_is_refused(answer: bytes) -> None:
    with pytest.raises(NoStamp):
        moment_of(answer, DIGEST, NONCE)


@given(st.integers(0, len(ANSWER) - 1), st.binary(min_size=1, max_size=9))
def test_whatever_is_in_an_answer_it_is_a_moment_or_no_stamp(at: int, put: bytes) -> None:
    with suppress(NoStamp):
        moment_of(ANSWER[:at] + put + ANSWER[at + len(put) :], DIGEST, NONCE)


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs the program openssl")
@pytest.mark.parametrize("nonce", [1, 127, 128, 2**62 + 1, 2**63 - 1])
def test_a_service_reads_what_it_is_asked(nonce: int, tmp_path: Path) -> None:
    asked = tmp_path / "asked.tsq"
    asked.write_bytes(query(DIGEST, nonce))
    command = ["openssl", "ts", "-query", "-in", str(asked), "-text"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert f"Nonce: 0x{nonce:02X}" in told
    assert "Certificate required: yes" in told
    assert "Hash Algorithm: sha256" in told
    assert query(DIGEST, nonce).count(DIGEST) == 1
