"""The proposals that a text conflicts with and depends on, as a preview tells them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.urls import reverse

from nomic.engine.table import Table
from proposals.models import LinkKind, Proposal, Success
from proposals.state.reading import Handle, state_of

_KINDS = {LinkKind.CONFLICT: "Conflicts with", LinkKind.DEPENDENCY: "Depends on"}


@dataclass(frozen=True, slots=True)
class PreviewedLink:
    """A proposal that this one conflicts with or depends on."""

    does: str
    label: str
    url: str
    status: str


def previewed_links(
    table: Table, links: Mapping[str, Iterable[Handle]], own: Proposal | None
) -> tuple[PreviewedLink, ...]:
    """What becomes of each link as of now; `own` is the proposal that has them."""
    named = [(kind, handle) for kind, handles in links.items() for handle in handles]
    found = state_of(table).find_all([handle for _, handle in named])
    told = []
    for kind, handle in named:
        other = found.get(handle)
        if other is None:
            sentence = f"There is no proposal {handle} in this game."
            told.append(PreviewedLink(_KINDS[LinkKind(kind)], sentence, "", ""))
            continue
        url = reverse("proposal", args=[table.game.slug, other.handle])
        itself = own is not None and other.pk == own.pk
        status = "itself, which cannot be" if itself else other.status
        if other.success in (Success.WON, Success.LOST):
            status = f"{status}, {other.success}"
        told.append(PreviewedLink(_KINDS[LinkKind(kind)], str(other), url, status))
    return tuple(told)
