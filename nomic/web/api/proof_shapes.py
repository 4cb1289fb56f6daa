"""Answers of the API about heads and receipts: what was signed, by which key, and who saw it."""

from base64 import b64encode
from typing import Annotated, Any

from ninja import Schema
from pydantic import BeforeValidator

from nomic.web.api.formats import Moment


class Statement(Schema):
    """What a signature of this site is of; its canonical form (RFC 8785) is signed. A private act's
    has no `number`, but the hash of its `content`."""

    says: str
    game: str
    book: str
    number: int | None
    hash: str
    content: str | None
    key: str


class Receipt(Schema):
    """What the site has signed of an act. `doubt` is empty, or says what is wrong with the head
    that the request named."""

    said: Statement
    signature: str
    public_key: str
    doubt: str


class Key(Schema):
    """The public half of a key by which this site signs (Ed25519), in use from a wall moment until
    the next one began. What an old one has signed stays signed."""

    name: str
    public: str
    begun_at: Moment


class Witness(Schema):
    """Somebody has seen a head, at a wall moment; `holds` tells whether it is of the record. One
    that is not, with a signature of this site, proves that two histories were told."""

    who: str
    head: Annotated[str, BeforeValidator(str)]
    at: Moment
    holds: bool
    entry: int | None


class Stamped(Schema):
    """A service outside (RFC 3161) has said that it saw this head at that wall moment; what it has
    stamped is the `digest`, the SHA-256 of the head's statement."""

    number: int
    head: Annotated[str, BeforeValidator(str)]
    digest: str
    service: str
    at: Moment


class Stamp(Stamped):
    """It with the service's answer, whole, in base64. Whether the service has signed it, `openssl
    ts -verify` tells with the service's certificate."""

    answer: Annotated[str, BeforeValidator(lambda answer: b64encode(answer).decode())]


class Heads(Schema):
    """The head of the record, who has seen which, and which were stamped, the newest first.
    `published_in` is the entry by which the operator has published the whole game, whose file is at
    …/whole; null where there is none."""

    head: str
    seen: list[Witness]
    published_in: int | None
    stamps: list[Stamped]


class Brought(Schema):
    """Heads, or receipts as files, to be checked; with `seen` it is kept that the caller has seen
    them."""

    heads: list[str] = []
    receipts: list[dict[str, Any]] = []
    seen: bool = False


class Verdict(Schema):
    """What one of these is worth. `holds`: it is of this record; `is_signed`: this site has signed
    it; where it is signed and does not hold, two histories were told."""

    brought: str
    sentence: str
    holds: bool
    is_signed: bool


class Receipts(Schema):
    """The caller's acts, newest first, each with what the site has signed of it."""

    receipts: list[dict[str, Any]]
    older: int | None
