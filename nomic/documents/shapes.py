"""The fields of documents as the API answers them."""

from typing import Literal, TypedDict


class DocumentShape(TypedDict):
    """A document: `version` is the number of its newest version, `versions` tells of all, and
    `withdrawn_in` the entry in which its author withdrew it. As it reads now it was doubted in the
    entry `doubted_in`, or is undoubted since that of `undoubted_in`. `visible_to` are the names of
    those who read one that is sealed, or “everybody”; a sealed one stands in no entry yet."""

    number: int
    kind: str
    title: str
    author: str
    version: int
    entry: int | None
    withdrawn_in: int | None
    doubted_in: int | None
    undoubted_in: int | None
    visible_to: list[str] | Literal["everybody"]


class DocumentVersionShape(TypedDict):
    """A version: its title, who gave it, and the entry in which they did."""

    number: int
    title: str
    by: str
    entry: int


class WholeDocumentShape(DocumentShape):
    """A document with its text, the passages of it, and its versions, the oldest first."""

    text: str
    passages: list[str]
    versions: list[DocumentVersionShape]
