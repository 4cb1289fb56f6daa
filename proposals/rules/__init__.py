"""The editions of the proposal rule: how each counts a ballot. Nothing here knows Django."""

from typing import Any

from proposals.rules.each_votes import AdoptionIndex, Consent, Majority
from proposals.rules.edition import Edition
from proposals.rules.nweek_votes import Refresh2006, Rule5E33
from proposals.rules.quorum import Quorum

EDITIONS: dict[str, Edition[Any]] = {
    edition.name: edition
    for edition in (Refresh2006(), Rule5E33(), AdoptionIndex(), Quorum(), Majority(), Consent())
}
