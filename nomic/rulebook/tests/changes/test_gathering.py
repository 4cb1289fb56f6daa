"""Changes of single spots, gathered in a body of the closed language."""

import pytest

from horses.rulebook import shipped_texts
from nomic.rulebook.changes.gathering import NotGathered, Rules, gathered, headline, takes_more
from nomic.rulebook.in_force import RulesInForce, RuleText
from nomic.rulebook.spots import Spot, SpotKind, played_by, same_spot, spot_at, spots_of

FARGO = (
    "In the rule “Horse Multiplier”, replace the row “Fargo” of the table “HORSE” with"
    " “| Fargo | {} | {} | 5 | 1 | 0 |”."
)


def rules_of(texts: dict[str, str]) -> Rules:
    in_force = (
        RuleText(pk, title, text, 1, 1) for pk, (title, text) in enumerate(texts.items(), 1)
    )
    return Rules(RulesInForce(in_force), share_titles=False)


RACES = rules_of(dict(shipped_texts()))


def rule(title: str, rules: Rules = RACES) -> RuleText:
    return next(each for each in rules.public if each.title == title)


def spot(title: str, words: str, row: str = "", rules: Rules = RACES) -> Spot:
    found = spots_of(rule(title, rules).text)
    return next(s for s in found if s.words == words and row in ("", s.row))


def tap(body: str, title: str, words: str, new: str, row: str = "", rules: Rules = RACES) -> str:
    return gathered(body, rules, rule(title, rules), spot(title, words, row, rules), new)


def test_a_cell_is_written_as_its_table_s_row() -> None:
    body = tap("", "Horse Multiplier", "7", "9", "Fargo")
    assert body == FARGO.format(9, 6)
    assert headline(body, RACES) == "Fargo: 9 instead of 7"


def test_a_second_cell_of_the_row_joins_the_first() -> None:
    body = tap(FARGO.format(9, 6), "Horse Multiplier", "6", "8", "Fargo")
    assert body == FARGO.format(9, 8)
    assert headline(body, RACES) == "Fargo: 9 and 8 instead of 7 and 6"


def test_what_is_changed_back_is_changed_no_more() -> None:
    assert tap(FARGO.format(9, 6), "Horse Multiplier", "7", "7", "Fargo") == ""


def test_another_rule_gets_a_sentence_of_its_own() -> None:
    body = tap(FARGO.format(9, 6), "Weekly Race Actions", "1", "2", "Get a jersey")
    assert body.startswith(FARGO.format(9, 6) + "\n\nIn the rule “Weekly Race Actions”")
    assert headline(body, RACES) == "2 changes of 2 rules"


def test_a_name_in_the_first_column_is_replaced_with_its_row() -> None:
    body = tap("", "Weekly Race Actions", "3", "4", "3")
    assert "replace the row “3” of the table “BET” with “| 4 | 3 |”" in body


def test_a_sentence_is_quoted_whole() -> None:
    body = tap("", "Horses", "There is one of each.", "There are two of each.")
    assert body == (
        "In the rule “Horses”, replace “There is one of each.” with “There are two of each.”."
    )


def test_quotes_and_line_breaks_stand_in_braces() -> None:
    body = tap("", "Horses", "There is one of each.", "There are two.\n\nThey are “twins”.")
    assert body.endswith("with\n{\nThere are two.\n\nThey are “twins”.\n}")
    assert takes_more(body)


def test_two_figures_of_one_sentence_become_one_change() -> None:
    rules = rules_of({"Gains": "A player gains 2 points and loses 3 hoofs each week."})
    body = tap("", "Gains", "2", "4", rules=rules)
    body = tap(body, "Gains", "3", "5", rules=rules)
    assert body == (
        "In the rule “Gains”, replace “A player gains 2 points and loses 3 hoofs each week.” with"
        " “A player gains 4 points and loses 5 hoofs each week.”."
    )


@pytest.mark.parametrize(
    ("body", "words", "new", "why"),
    [
        ("", "There is one of each.", " ", "Type what is to stand there"),
        ("", "There is one of each.", "There is one of each.", "stands there already"),
        ("Repeal the rule “Horses”.", "There is one of each.", "x", "repeals “Horses”"),
        (
            "In the rule “Horses”, replace “There is one of each.” with “None.”.",
            "There is one of each.",
            "x",
            "Your draft changes already what stands there",
        ),
        ("", "There is one of each.", "x {", "cannot be written as one sentence"),
        pytest.param("", "There is one of each.", "x" * 60_000, "60,000 characters", id="long"),
    ],
)
def test_what_cannot_be_gathered_is_said(body: str, words: str, new: str, why: str) -> None:
    with pytest.raises(NotGathered, match=why):
        tap(body, "Horses", words, new)


def test_of_equal_sentences_the_lines_around_tell_which() -> None:
    text = "A cat sleeps. It is grey.\n\nA dog runs. It is grey.\n"
    rules = rules_of({"Pets": text})
    second = [s for s in spots_of(text) if s.words == "It is grey."][1]
    with pytest.raises(NotGathered, match="Your draft changes already"):
        gathered("", rules, rule("Pets", rules), second, "It is black.")


def test_a_body_with_prose_takes_no_more() -> None:
    assert takes_more(FARGO.format(9, 6))
    assert not takes_more("The moon is made of cheese.")
    assert not takes_more("Enact { a rule")


def test_a_spot_is_found_again_in_another_version() -> None:
    text = rule("Horse Multiplier").text
    fargo = spot("Horse Multiplier", "7", "Fargo")
    later = "A word before.\n\n" + text.replace("| Fargo | 7 |", "| Fargo | 8 |")
    found = same_spot(fargo, later)
    assert found is not None
    assert (found.words, later[found.start : found.end]) == ("8", "8")
    assert same_spot(fargo, text.replace("| Fargo ", "| Margo ")) is None
    assert spot_at(text, fargo.start, SpotKind.CELL) == fargo


def test_wiki_rows_and_aligned_charts_have_spots() -> None:
    wiki = "! Roll !! Visitor\n| 5 || Merchant\n"
    aligned = "HORSE    COST  STEPS\n-------------------\nFargo      6      1\n"
    for text, words in ((wiki, "Merchant"), (aligned, "6")):
        found = next(s for s in spots_of(text) if s.words == words)
        assert text[found.start : found.end] == words


def test_people_s_rules_have_sentences_alone() -> None:
    kinds = {s.kind for s in played_by(rule("Horses").text, None)}
    assert kinds == {SpotKind.SENTENCE}
