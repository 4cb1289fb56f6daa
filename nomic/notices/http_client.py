"""Calling addresses that players gave, so that none of them leads inward.

The name is resolved once, every address that it has is looked at, and what was looked at is what is
connected to: no second answer of a name server is ever asked for. No redirect is followed, no proxy
is asked, and of what comes back nothing is read but the status.
"""

import asyncio
import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.conf import settings

_EACH_STEP, _ALTOGETHER = 5.0, 10.0  # seconds
_A_REST = 60  # seconds in which who took a call and did not answer in time gets no other
_SENDS = "http11.send_request_headers.started"  # as httpcore names it
_LONGEST_WAIT = 24 * 60 * 60  # seconds that a receiver may ask for
_COMMON_PORTS = frozenset({80, 443})
_NO_PUBLIC_ADDRESS = "Its name leads to no public address."


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a call. Where it did not reach anybody, `problem` says why, and it may be made
    again, after so many seconds if the receiver says so; not where `again` says no. Without a
    problem it was taken, or nobody can tell: then it is not made again, and after so many seconds
    the next. `gone` is what the other side says of its own address."""

    problem: str = ""
    wait: int = 0
    again: bool = True
    gone: bool = False


class _Inward(Exception):
    """The name leads nowhere, or to where no caller from outside could come."""


def url_fault(url: str) -> str:
    """The fault of the address as it is written, as a sentence; "" if it may be called."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "This is no web address. Write one that begins with https://."
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "This is no web address. Write one that begins with https://."
    if parts.username or parts.password:
        return "Write the address without a user name and password."
    if port is not None and port not in _COMMON_PORTS and port < 1024:
        return "Only the ports 80 and 443 and those from 1024 on are called."
    return ""


async def post(url: str, body: bytes, headers: Mapping[str, str]) -> CallResult:
    """Send the body there, as JSON unless a header says otherwise; within 15 seconds, whatever the
    other side does."""
    try:
        async with asyncio.timeout(_EACH_STEP):
            addresses = await _addresses_of(url)
    except (_Inward, OSError, UnicodeError, TimeoutError):
        return CallResult(_NO_PUBLIC_ADDRESS)
    reached = asyncio.Event()
    try:
        async with asyncio.timeout(_ALTOGETHER):
            for address in addresses:
                with suppress(httpx.ConnectError, httpx.ConnectTimeout):
                    return await _post(url, address, body, headers, reached)
    except (TimeoutError, httpx.HTTPError):
        if reached.is_set():
            return CallResult(wait=_A_REST)  # it may have come through, and nothing is sent twice
    except httpx.InvalidURL:
        return CallResult(_NO_PUBLIC_ADDRESS)
    return CallResult("Nobody answers there.")


async def _post(
    url: str, address: str, body: bytes, headers: Mapping[str, str], reached: asyncio.Event
) -> CallResult:
    """Call that address; `reached` is set before the first byte of the call is sent."""

    async def follow(step: str, _: Any) -> None:
        if step == _SENDS:
            reached.set()

    target = httpx.URL(url)
    async with httpx.AsyncClient(
        trust_env=False, follow_redirects=False, timeout=_EACH_STEP
    ) as client:
        request = client.build_request(
            "POST",
            target.copy_with(host=address),
            content=body,
            headers={
                "Content-Type": "application/json",
                **headers,
                "Host": target.netloc.decode("ascii"),
                "User-Agent": "Nomic",
            },
            extensions={"sni_hostname": target.raw_host.decode("ascii"), "trace": follow},
        )
        answer = await client.send(request, stream=True)
        await answer.aclose()
    if answer.is_success:
        return CallResult()
    asked = answer.headers.get("Retry-After", "")
    wait = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 9 else 0
    gone = answer.status_code in (404, 410)
    return CallResult(f"It answered {answer.status_code}.", min(wait, _LONGEST_WAIT), gone=gone)


async def _addresses_of(url: str) -> list[str]:
    """All addresses of the url's host; _Inward unless each of them is public.

    A name server that hangs keeps its thread and nobody else: the loop's own threads would be
    waited for at its end.
    """
    if url_fault(url):
        raise _Inward
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    resolver = ThreadPoolExecutor(1)
    try:
        resolved = await asyncio.get_running_loop().run_in_executor(
            resolver, partial(socket.getaddrinfo, parts.hostname, port, type=socket.SOCK_STREAM)
        )
    finally:
        resolver.shutdown(wait=False, cancel_futures=True)
    addresses = [str(answer[4][0]) for answer in resolved]
    if not addresses or not all(map(is_public, addresses)):
        raise _Inward
    return addresses


def is_public(address: str) -> bool:
    """Whether that address is one of the public internet's, or of a network that the operator lets
    be called (NOMIC_WEBHOOK_NETWORKS)."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    ips = [parsed]
    if isinstance(parsed, IPv6Address):  # the addresses of the older internet to which it leads
        inner = (parsed.ipv4_mapped, parsed.sixtofour, *(parsed.teredo or ()))
        ips += [ip for ip in inner if ip is not None]
    if all(any(ip in network for network in settings.WEBHOOK_NETWORKS) for ip in ips):
        return True
    return all(
        ip.is_global
        and not (ip.is_multicast or ip.is_reserved or getattr(ip, "is_site_local", False))
        for ip in ips
    )
