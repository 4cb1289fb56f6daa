"""For all that players see there is a correction, or a reason why there is none."""

from __future__ import annotations

from typing import Any

from django.apps import apps

from nomic.engine.actions import find_action
from nomic.engine.models import SwitchSetting
from nomic.engine.rows import models_of
from nomic.engine.subgames import all_subgames
from nomic.games.guards import EntryNumber
from nomic.governance.corrections import Correction, RowCorrection

FOLLOWS = "follows from what happened, and a ratified recalculation makes it as it should be"
WRITTEN = "is a text as somebody wrote it, and what it should have said is said anew"
JUDGED = "is what was said and done in a case, and a motion opens the judgement again"
ANEW = "is the author's to say anew, who revises it"
# In the contest. A correction is told to everybody before it is made, and waits for objections; so
# it would tell what is hidden, and made in private nobody could object to it. Cards, who takes part
# and mutable regulations are what Regulation 114 lets the Contestmaster set right.
REMEDIES = "is set right by a judgement's remedy and nothing else (Regulation 114)"
VOTED = "stands once it was given (Regulation 109), and is secret until the Reckoning (235)"
OFFERED = "is private to its parties (Regulation 125): who made it withdraws it, and cards that it "
OFFERED += "moved are put right by a remedy"
ALLIED = "is private to the members (Regulation 230), who leave an alliance or decline a pact "
ALLIED += "themselves, and form another"
AGREED = "is what players have agreed among themselves: they enter, leave and change a contract "
AGREED += "by its own terms, and what it paid is put right in the ledger"
TOLD = "is what a contestant alone was told (Regulation 104), and is told anew"
# By the model: the corrections that there are of its rows, or why there are none; where its columns
# differ in that, by the column, but for those that say of which thing the row is or name an entry.
type Fate = tuple[str, ...] | str
CORRECTIONS: dict[str, Fate | dict[str, Fate]] = {
    **dict.fromkeys(("contracts.contract", "contracts.party", "contracts.request"), AGREED),
    **dict.fromkeys(("contracts.consent", "contracts.contractstate"), AGREED),
    "documents.document": WRITTEN,
    "documents.documentversion": WRITTEN,
    "documents.sealeddocument": WRITTEN,
    "documents.reader": WRITTEN,
    **dict.fromkeys(("cases.case", "cases.assignment", "cases.casetext"), JUDGED),
    **dict.fromkeys(
        ("cases.barring", "cases.exhibit", "cases.reading", "cases.request", "cases.consequence"),
        JUDGED,
    ),
    "horses.race": FOLLOWS,
    "horses.runner": {
        "name": "is the horse's own",
        "position": ("horses.correct_position",),
        "finish": "is the number in the rule's table as the race began",
        "place": ("horses.correct_place",),
        "pulls": ("horses.correct_pulls",),
    },
    "horses.gear": ("horses.correct_gear",),
    "horses.bet": ("horses.correct_bet",),
    "horses.turn": ("horses.correct_turn",),
    "horses.motivation": ("horses.correct_motivation",),
    "proposals.proposal": {
        "serial": "is the record's count",
        "number": "is the officer's to give, once, greater than all before; it stays",
        **dict.fromkeys(
            (
                *("title", "body", "remarks", "units", "version"),
                *("index", "proposal_class", "coauthors"),
            ),
            ANEW,
        ),
        **dict.fromkeys(("own_quorum", "own_index"), ("proposals.set_decision",)),
        **dict.fromkeys(
            ("status", "success", "passed", "outcome", "strength", "stamina"),
            ("proposals.announce", "proposals.withdraw_decision"),
        ),
        **dict.fromkeys(("submitted_at", "opened_at", "closes_at", "closed_at"), FOLLOWS),
        **dict.fromkeys(("law", "secret", "by_hand", "awaits_since", "prepared"), FOLLOWS),
        **dict.fromkeys(("figures", "reasons", "effects", "takes_effect"), FOLLOWS),
    },
    "proposals.version": WRITTEN,
    "proposals.link": "is what the author lists, who revises it",
    "proposals.vote": ("proposals.correct_vote", "proposals.strike_vote"),
    "proposals.strike": ("proposals.correct_vote",),  # to the word that was struck
    "proposals.resolution": ("proposals.resolve_vote",),
    "proposals.ballotstrength": ("proposals.set_ballot_strength",),
    "proposals.comment": WRITTEN,
    "proposals.errand": ("proposals.carry_out", "proposals.take_up"),
    "proposals.votingstrength": ("proposals.set_strength",),
    "proposals.nweekclock": "is the officer's to turn at once; which nweek it is "
    "follows from what happened, and a ratified recalculation makes it as it should be",
    "settlers.isle": {
        **dict.fromkeys(("is_on", "begun_at", "production", "first", "second"), FOLLOWS),
        **dict.fromkeys(("produced_at", "postponed_at", "arrived_for", "watchers"), FOLLOWS),
        "deck": ("settlers.correct_deck",),
        **dict.fromkeys(("arrival", "visitor"), ("settlers.correct_visitor",)),
    },
    "settlers.settler": {
        **dict.fromkeys(
            ("wheat_domain", "sheep_domain", "stone_domain", "wood_domain", "brick_domain"),
            ("settlers.correct_domain",),
        ),
        "buildings": ("settlers.correct_settlement",),
        "ready": ("settlers.correct_ready",),
        **dict.fromkeys(("injured", "victim"), ("settlers.correct_list",)),
        **dict.fromkeys(("harvested_in", "traded_in", "used"), ("settlers.correct_use",)),
    },
    "settlers.ally": ("settlers.correct_ally",),
    "settlers.offer": "moves nothing while it is open, when who made it withdraws it; what an "
    "accepted one moved is corrected in the ledger",
    "settlers.visit": ("settlers.correct_visitor",),
    "settlers.bribe": "is for the Settler and the Onlooker alone, and told anew by the Settler",
    "aceofspades.contest": FOLLOWS,
    "aceofspades.contestant": {
        "active": REMEDIES,
        **dict.fromkeys(("turn", "joined_at", "dealt", "worth", "finalist"), FOLLOWS),
        "semigenius_at": FOLLOWS,
    },
    "aceofspades.move": FOLLOWS,
    "aceofspades.offer": OFFERED,
    "aceofspades.receiver": OFFERED,
    "aceofspades.notice": TOLD,
    "aceofspades.alliance": FOLLOWS,
    "aceofspades.ally": ALLIED,
    "aceofspades.pact": ALLIED,
    "aceofspades.partner": ALLIED,
    "aceofspades.proposal": {
        "number": "is the record's count",
        **dict.fromkeys(("regulation_number", "text", "visibility"), WRITTEN),
        **dict.fromkeys(("up_at", "verdict", "for_votes", "against_votes"), FOLLOWS),
    },
    "aceofspades.vote": VOTED,
    "aceofspades.regulation": REMEDIES,
    "aceofspades.needtoknow": "cannot be taken back from who has read the text",
    "aceofspades.hint": WRITTEN,
    "play.switchsetting": ("games.set_switch",),
    "aceofspades.request": "is judged, and a judgement stands (Regulation 114)",
}


def test_every_model_that_players_see_has_a_correction_or_a_reason() -> None:
    models = [
        model._meta.label_lower for subgame in all_subgames() for model in models_of(subgame.name)
    ]
    models.append(SwitchSetting._meta.label_lower)  # which no subgame keeps, but the rules
    assert sorted(CORRECTIONS) == sorted(
        model for model in models if not model.startswith("lottery.")
    )


def columns(label: str) -> set[str]:
    """What the rows of that model say, beside of which thing they are and in which entry."""
    fields = apps.get_model(label)._meta.concrete_fields
    told = {field.name for field in fields if not (field.primary_key or field.is_relation)}
    return told - {field.name for field in fields if is_of_the_record(field)}


def is_of_the_record(field: Any) -> bool:
    return isinstance(field, EntryNumber) and field.name not in ("harvested_in", "traded_in")


def test_every_column_of_what_is_told_by_columns_has_a_correction_or_a_reason() -> None:
    for label, fates in CORRECTIONS.items():
        if isinstance(fates, dict):
            assert sorted(fates) == sorted(columns(label)), label


def test_what_is_not_corrected_since_it_is_hidden_is_hidden() -> None:
    for label, fate in CORRECTIONS.items():
        if fate in (VOTED, OFFERED, ALLIED, TOLD):
            assert apps.get_model(label).hides, label  # type: ignore[attr-defined]


def test_every_correction_of_the_table_is_one() -> None:
    for label, fates in CORRECTIONS.items():
        for corrections in fates.values() if isinstance(fates, dict) else (fates,):
            for name in corrections if isinstance(corrections, tuple) else ():
                act = find_action(name)
                assert isinstance(act, Correction), name
                if isinstance(act, RowCorrection):
                    assert act.model._meta.label_lower == label
                    told = set(act.columns) or columns(label)
                    assert not isinstance(fates, dict) or told <= fates.keys()
