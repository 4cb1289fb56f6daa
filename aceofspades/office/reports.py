"""The Contestmaster's weekly report: what everybody may know, and no secret (113, 225)."""

from collections.abc import Mapping
from typing import Any

from aceofspades.api import (
    MOST_TABLED,
    last_transfers,
    proposal_to_dict,
    public_figures,
    reckoning_to_dict,
    regulation_to_dict,
    tabled_to_dict,
)
from aceofspades.rules.marks import as_shown
from aceofspades.secrecy.view import View
from aceofspades.state.reading import CONTESTMASTER
from nomic.engine.table import Table
from nomic.governance.reports import (
    NONE,
    Columns,
    Facts,
    Report,
    Section,
    minute,
    report,
    to_the_minute,
)

R113 = "Regulation 113"
_MOST_MOVES = 50


@report
class ContestmasterReport(Report):
    """The public figures of the contest, its book and its proposals (Regulations 113 and 225)."""

    name = "contestmaster"
    title = "The Contestmaster's weekly report"
    subgame = "aceofspades"
    office = CONTESTMASTER
    rule = R113

    def facts(self, table: Table) -> Facts:
        """Facts that nobody is kept from seeing. The worths of alliances are counted outside the
        record, and so stand on the contest's page alone, up to the Reckoning: then they are those
        of their hands."""
        view = View(table, None)
        state = view.state
        figures = public_figures(state)
        alliances: list[Facts] = []
        for alliance in view.alliances:
            row: Facts = {"number": alliance.number, "size": alliance.size}
            # After the Reckoning also who is in it, and what they are worth in all.
            if state.contest.worths_in is not None:
                members = alliance.members or []
                worth = {each.name: each.worth or 0.0 for each in state.figures}
                row["members"] = members
                row["worth"] = as_shown(sum(worth[name] for name in members))
            alliances.append(row)
        reckoning = dict(reckoning_to_dict(state))
        if "worths" in reckoning:
            reckoning["worths"] = {
                each.name: as_shown(each.worth) for each in state.figures if each.worth is not None
            }
        return {
            "deck": figures["deck_count"],
            "contestants": state.names,
            "hands": figures["hand_counts"],
            "dealt": figures["cards_dealt"],
            "transfers": last_transfers(state, _MOST_MOVES),
            "regulations": [
                _without_text(regulation_to_dict(view, regulation))
                for regulation in state.regulations
            ],
            "proposals": [
                _without_text(proposal_to_dict(view, proposal)) for proposal in state.proposals
            ],
            "alliances": alliances,
            "tabled": [tabled_to_dict(act) for act in state.open_acts[:MOST_TABLED]],
            "reckoning": reckoning,
        }

    def summary(self, facts: Facts) -> list[str]:
        reckoning = facts["reckoning"]
        when, is_or_was = minute(reckoning["due"] or ""), "was" if reckoning["done"] else "is"
        lines = [
            f"{len(facts['contestants'])} contestants, {facts['deck']} cards in the Deck.",
            f"The Moment of Reckoning {is_or_was} {when}."
            if when
            else "No Moment of Reckoning is set.",
        ]
        if reckoning.get("finalists"):
            lines.append(f"Finalists: {', '.join(reckoning['finalists'])}.")
        if reckoning.get("semigenius"):
            lines.append(f"Semigenius: {', then '.join(reckoning['semigenius'])}.")
        return lines

    def parts(self, facts: Facts) -> list[Section]:
        worths = facts["reckoning"].get("worths", {})
        are_disclosed = any("members" in alliance for alliance in facts["alliances"])
        columns = {**_ALLIANCES, **(_AFTERWARDS if are_disclosed else {})}
        return [
            Section(
                "Contestants",
                ("Contestant", "Cards", "Dealt", *(("Worth",) if worths else ())),
                [
                    (
                        name,
                        facts["hands"].get(name, 0),
                        facts["dealt"].get(name, 0),
                        *((worths.get(name, NONE),) if worths else ()),
                    )
                    for name in facts["contestants"]
                ],
                "Nobody has joined.",
            ),
            Section.of("Alliances", columns, facts["alliances"], "There is none."),
            Section.of("Proposals", _PROPOSALS, facts["proposals"], "There has been none."),
            Section.of("Tabled acts", _TABLED, facts["tabled"], "None waits."),
            Section.of(
                "Cards on the move", _MOVES, reversed(facts["transfers"]), "No card has moved."
            ),
            Section.of("The book", _BOOK, facts["regulations"], "There is no regulation."),
        ]


def _without_text(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if name != "text"}


# The columns of the tables, each with the fact that it shows

_ALLIANCES: Columns = {"Alliance": "number", "Contestants": "size"}
_AFTERWARDS: Columns = {"Worth": "worth", "Who": "members"}
_PROPOSALS: Columns = {
    "Proposal": "number",
    "Regulation": "regulation",
    "Visibility": "visibility",
    "By": lambda proposal: proposal["by"] or CONTESTMASTER,
    "Status": "status",
    "FOR": "for",
    "AGAINST": "against",
}
_TABLED: Columns = {"Act": "number", "What": "kind", "Done at (UTC)": to_the_minute("due")}
_MOVES: Columns = {
    "Moment (UTC)": to_the_minute("at"),
    "What": "kind",
    "From": "from",
    "To": "to",
    "Cards": "cards",
}
_BOOK: Columns = {
    "Regulation": "number",
    "Class": "class",
    "Visibility": "visibility",
    "Who needs to know": lambda row: [
        f"{name} ({kind})" for name, kind in row.get("known_by", {}).items()
    ],
}
