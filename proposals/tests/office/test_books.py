"""What the officers' books show of proposals."""

import pytest

from nomic.offices.site import office
from proposals.models import Comment, Errand, Proposal, Strike, Version, Vote

_SHOWN = {
    Proposal: "game serial number author title body version index proposal_class coauthors status"
    " success passed submitted_at submitted_in opened_at opened_in closes_at closed_at closed_in"
    " strength stamina outcome figures reasons effects",
    Version: "proposal number title body conflicts dependencies index proposal_class coauthors"
    " entry",
    Vote: "proposal player word at entry",
    Strike: "reason entry",
    Errand: "proposal place sentence why made_in done_in cited note",
    Comment: "proposal player text at entry",
}


@pytest.mark.parametrize("model", _SHOWN)
def test_a_book_shows_what_everybody_may_know_and_no_column_more(model: type) -> None:
    fields = [field.removesuffix("_told") for field in office.books[model].fields]
    assert fields == _SHOWN[model].split()
