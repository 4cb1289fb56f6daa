"""The numbers that the rule texts' tables give, and what is said of tables that are wrong."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from nomic.games.clock import END_OF_TIME
from nomic.rulebook.tables import TableBroken
from proposals.rulebook import shipped_texts
from proposals.rules import EDITIONS
from proposals.rules.ballots import Electorate
from proposals.tests.paper import ballot

SEEDS = Path(__file__).parents[4] / "shared/seeds"


def with_text(edition: str, title: str, old: str, new: str) -> dict[str, str]:
    """The shipped texts after an amendment of one of them."""
    texts = shipped_texts(edition)
    assert old in texts[title]
    return {**texts, title: texts[title].replace(old, new)}


@pytest.mark.parametrize("edition", ["refresh-2006", "rule-5e33"])
def test_b_nomics_nweek_is_of_twelve_ndays_and_voting_begins_with_the_ninth(edition):
    terms = EDITIONS[edition].shipped_terms()
    assert (terms.nweek_ndays, terms.nday_hours, terms.voting_from_nday) == (12, 24, 9)
    assert (terms.clock_off_at_voting, terms.clock_off_at_end) == (False, True)
    assert terms.votes_seen is True


def test_rule_5e33_asks_for_one_vote_for_two_vested_players():
    terms = EDITIONS["rule-5e33"].shipped_terms()
    assert (terms.stamina_votes, terms.stamina_vested, terms.stamina_share) == (1, 2, "one half")


def test_agoras_terms_are_those_of_its_tables():
    assert asdict(EDITIONS["adoption-index"].shipped_terms()) == {
        "distribution_hours": 0,
        "voting_days": 7,
        "default_strength": 3,
        "most_strength": 15,
        "quorum": 3,
        "votes_seen": True,
        "classes": {"Ordinary": Decimal("1.0"), "Democratic": Decimal("2.0")},
    }
    assert EDITIONS["adoption-index"].shipped_terms().classes == {"Ordinary": 1, "Democratic": 2}


def test_blognomics_terms_are_those_of_its_tables():
    terms = EDITIONS["quorum"].shipped_terms()
    assert (terms.timed_hours, terms.least_votes) == (48, 2)
    assert [terms.quorum(players) for players in (0, 1, 2, 14, 15)] == [1, 1, 2, 8, 8]


@pytest.mark.parametrize("part", range(1, 5))
def test_a_quorums_most_players_have_it_and_one_more_has_another(part):
    row = f"| More than | {part} | 5 |"
    terms = EDITIONS["quorum"].terms(with_text("quorum", "Proposals", "| More than | 1 | 2 |", row))
    for quorum in range(1, 50):
        most = terms.most_players(quorum)
        assert terms.quorum(most) <= quorum < terms.quorum(most + 1)


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_texts_without_tables_say_no_numbers(edition):
    for texts in ({}, dict.fromkeys(edition.rules, "All in prose.")):
        with pytest.raises(TableBroken):
            edition.terms(texts)


@pytest.mark.parametrize(
    ("edition", "title", "old", "new", "name", "value"),
    [
        ("refresh-2006", "Proposals", "| Begins | 9 |", "| Begins | 5 |", "voting_from_nday", 5),
        ("refresh-2006", "The Clock", "nweek | 12 |", "nweek | 20 |", "nweek_ndays", 20),
        (
            "refresh-2006",
            "The Clock",
            "begins | no |",
            "begins | Yes |",
            "clock_off_at_voting",
            True,
        ),
        ("rule-5e33", "The Clock", "ends | yes |", "ends | no |", "clock_off_at_end", False),
        ("rule-5e33", "Voting", "| Begins | 9 |", "| Begins | 1 |", "voting_from_nday", 1),
        ("rule-5e33", "Voting", "lasts | yes |", "lasts | no |", "votes_seen", False),
        (
            "rule-5e33",
            "Proposals",
            "| At least | 1 | 2 |",
            "| At least | 2 | 3 |",
            "stamina_share",
            "2/3",
        ),
        ("adoption-index", "Voting", "otherwise | 3 |", "otherwise | 1 |", "default_strength", 1),
        ("adoption-index", "Voting", "distribution | 7 |", "distribution | 4 |", "voting_days", 4),
        (
            "adoption-index",
            "Proposals",
            "Ordinary | 1.0 |",
            "Ordinary | 1.5 |",
            "classes",
            {"Ordinary": Decimal("1.5"), "Democratic": Decimal("2.0")},
        ),
        ("quorum", "Proposals", "after | 48 |", "after | 12 |", "timed_hours", 12),
        ("quorum", "Proposals", "least | 2 |", "least | 4 |", "least_votes", 4),
    ],
)
def test_amended_numbers_are_played_by(edition, title, old, new, name, value):
    terms = EDITIONS[edition].terms(with_text(edition, title, old, new))
    assert getattr(terms, name) == value


def test_an_amended_strength_and_stamina_decide_a_tally():
    agora, b_nomic = EDITIONS["adoption-index"], EDITIONS["rule-5e33"]
    weak = agora.terms(with_text("adoption-index", "Voting", "otherwise | 3 |", "otherwise | 1 |"))
    found = agora.tally([ballot(1, 2, 1)], Electorate(9), weak).results[1]
    assert found.figures["ratio"] == "2/1"
    most = b_nomic.terms(
        with_text("rule-5e33", "Proposals", "| At least | 1 | 2 |", "| At least | 2 | 3 |")
    )
    found = b_nomic.tally([ballot(1, 3)], Electorate(9, vested=5), most).results[1]
    assert found.reasons == (
        "Discarded: its Stamina of 3 is less than 2/3 of the 5 Vested players.",
    )


@pytest.mark.parametrize(
    ("edition", "title", "old", "new", "words"),
    [
        ("refresh-2006", "Proposals", "| Begins | 9 |", "| Begins | 13 |", "from 1 to 12"),
        (
            "refresh-2006",
            "Proposals",
            "| Begins | 9 |",
            "| Begins | 0 |",
            "“0” under NDAY for Begins",
        ),
        ("refresh-2006", "Proposals", "| Begins | 9 |", "| Starts | 9 |", "no row “Begins”"),
        (
            "refresh-2006",
            "Proposals",
            "| VOTING | NDAY |",
            "| VOTING | DAY |",
            "has no table with",
        ),
        ("refresh-2006", "The Clock", "| no |", "| perhaps |", "instead of yes or no"),
        ("refresh-2006", "The Clock", "| 12 |", "| twelve |", "“twelve”"),
        ("refresh-2006", "The Clock", "nday | 1 | 24 |", "nday | 1 | 24 | 7 |", "cannot be read"),
        ("rule-5e33", "The Clock", "| 1 | 24 |", "| 1 | 10001 |", "from 1 to 10000"),
        (
            "rule-5e33",
            "The Clock",
            "| LENGTH | NDAYS |",
            "| LENGTH | DAYS |",
            "has no table with",
        ),
        ("rule-5e33", "Proposals", "| At least | 1 | 2 |", "| At least | 1 | 0 |", "from 1 to"),
        ("adoption-index", "Voting", "| 15 |", "| -15 |", "“-15”"),
        ("adoption-index", "Voting", "otherwise | 3 |", "otherwise | 16 |", "from 0 to 15"),
        ("adoption-index", "Voting", "| 7 |", "| " + "9" * 5000 + " |", "…”"),
        ("adoption-index", "Proposals", "| 2.0 |", "| two |", "a number in tenths, from 0 to 99.9"),
        ("adoption-index", "Proposals", "| 2.0 |", "| NaN |", "a number in tenths"),
        ("adoption-index", "Proposals", "| 2.0 |", "| 1.75 |", "“1.75” under LEAST ADOPTION"),
        ("adoption-index", "Proposals", "| 2.0 |", "| 100000 |", "from 0 to 99.9"),
        ("adoption-index", "Proposals", "| Democratic |", f"| {'x' * 80} |", "of 80 characters"),
        ("adoption-index", "Proposals", "| Democratic |", "|  |", "has nothing under “CLASS”"),
        ("adoption-index", "Voting", "| 15 |", "| 40000 |", "from 1 to 30000"),
        ("adoption-index", "Proposals", "| Democratic |", "| Ordinary |", "stands twice"),
        ("quorum", "Proposals", "| 1 | 2 |", "| 2 | 2 |", "nobody is left"),
        ("quorum", "Proposals", "| 48 |", "| 4.8 |", "a whole number from 0"),
    ],
)
def test_a_table_that_is_wrong_is_named_with_its_rule(edition, title, old, new, words):
    with pytest.raises(TableBroken) as broken:
        EDITIONS[edition].terms(with_text(edition, title, old, new))
    assert broken.value.rule == title
    assert title in broken.value.sentence
    assert words in broken.value.sentence
    assert len(broken.value.sentence) < 250


def test_an_nweek_is_short_enough_to_end_within_the_calendar():
    texts = shipped_texts("refresh-2006")
    clock = texts["The Clock"].replace("nweek | 12 |", "nweek | 1000 |")
    longest = EDITIONS["refresh-2006"].terms(
        {**texts, "The Clock": clock.replace("| 1 | 24 |", "| 1 | 1000 |")}
    )
    length = longest.nweek_ndays * timedelta(hours=longest.nday_hours)
    assert END_OF_TIME + length < datetime.max.replace(tzinfo=UTC)
    with pytest.raises(TableBroken) as broken:
        EDITIONS["refresh-2006"].terms(
            {**texts, "The Clock": clock.replace("| 1 | 24 |", "| 1 | 10000 |")}
        )
    assert broken.value.sentence == (
        "The table “LENGTH” of The Clock makes an nweek of 10,000,000 hours; it has at most"
        " 1,000,000."
    )


@pytest.mark.parametrize("name", ["A", "A" * 60])
def test_a_class_has_a_name_of_one_character_to_sixty(name):
    texts = with_text("adoption-index", "Proposals", "| Democratic |", f"| {name} |")
    assert list(EDITIONS["adoption-index"].terms(texts).classes) == ["Ordinary", name]


def test_classes_may_be_anything_that_a_proposal_can_have():
    texts = with_text("adoption-index", "Proposals", "| 2.0 |", "| 99.9 |\n| Free | 0 |")
    classes = EDITIONS["adoption-index"].terms(texts).classes
    assert list(classes.items())[1:] == [("Democratic", Decimal("99.9")), ("Free", Decimal(0))]
    without = "".join(
        line
        for line in texts["Proposals"].splitlines(keepends=True)
        if not line.startswith(("| Ordinary", "| Democratic", "| Free"))
    )
    with pytest.raises(TableBroken):
        EDITIONS["adoption-index"].terms({**texts, "Proposals": without})
