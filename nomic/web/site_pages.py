"""The pages about the site itself: what its operator has written, or what is shipped."""

from dataclasses import dataclass
from functools import cache as cache_once
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email
from django.urls import reverse

from nomic.games.clock import wall_now
from nomic.web.models import SitePage

LONGEST_PAGE = 50_000  # characters
CONTACT = "contact"
_validate_https = URLValidator(schemes=["https"])
_SHIPPED = Path(__file__).parent / "site_texts"


@dataclass(frozen=True, slots=True)
class PageKind:
    """A page of the site: the name of its file, its title, and the name of its address."""

    name: str
    title: str
    address: str


KINDS = {
    kind.name: kind
    for kind in (
        PageKind("about", "About this site", "about"),
        PageKind("privacy", "Privacy", "privacy"),
        PageKind("imprint", "Imprint", "imprint"),
        PageKind("rules", "Rules of this site", "site_rules"),
    )
}


@cache_once
def shipped(name: str) -> str:
    """The text of that page as it comes with the program."""
    return (_SHIPPED / f"{name}.md").read_text()


def text_of(name: str) -> str:
    """The text of that page in Markdown: the operator's, else the one that is shipped."""
    page = SitePage.objects.filter(name=name).first()
    return page.text if page else shipped(name)


def contact() -> str:
    """Where faults of the site's security are told, as an address (URI): the operator's e-mail or
    page, else the imprint."""
    page = SitePage.objects.filter(name=CONTACT).first()
    if page is None:
        return f"{settings.ADDRESS}{reverse('imprint')}"
    return page.text if "://" in page.text else f"mailto:{page.text}"


def write_page(name: str, text: str) -> None:
    """Let that page say this from now on; one without text is the shipped one again.

    Raises ValidationError where it is too long, or where a contact is no address.
    """
    text = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not text or (name != CONTACT and text == shipped(name).strip()):
        SitePage.objects.filter(name=name).delete()
        return
    if len(text) > LONGEST_PAGE:
        raise ValidationError(f"A page has at most {LONGEST_PAGE:,} characters.")
    if name == CONTACT:
        (_validate_https if "://" in text else validate_email)(text)
    SitePage.objects.update_or_create(name=name, defaults={"text": text, "changed_at": wall_now()})
