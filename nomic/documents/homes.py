"""Documents that another room keeps, such as the texts of contracts: what each is there, and on
which page it stands."""

from collections.abc import Callable
from typing import NamedTuple

from nomic.documents.models import Document


class Home(NamedTuple):
    """What a document is in the room that keeps it, “Contract 3”, and the name of its page there,
    which takes the game and the document's number."""

    title: str
    page: str


type _Finder = Callable[[Document], Home | None]
_FINDERS: list[_Finder] = []


def keeps_documents(finder: _Finder) -> _Finder:
    """Let that function find the home of the documents that its room keeps."""
    _FINDERS.append(finder)
    return finder


def home_of(document: Document) -> Home | None:
    """The home of a document that another room keeps; None where none does."""
    return next((home for finder in _FINDERS if (home := finder(document))), None)
