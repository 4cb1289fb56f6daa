"""Which version of a rule is played by while the text in force cannot be read."""

from collections.abc import Sequence

import pytest

from nomic.rulebook.charts import Gap, RuleTables, needed_of
from nomic.rulebook.last_readable import Texts, Unread, faults, last_readable
from nomic.rulebook.tables import TableBroken

KNOWN = {"Tolls": (("GATE", "COINS"),), "Ferries": (("GATE", "PLACE"),)}


def toll(coins: str) -> str:
    return f"| GATE | COINS |\n| --- | --- |\n| North | {coins} |"


def faults_in(texts: Texts) -> list[TableBroken]:
    def read() -> int:
        return RuleTables(texts, KNOWN).table("Tolls", "GATE").whole("North", "COINS")

    def ferry() -> None:
        gates = RuleTables(texts, KNOWN).table("Tolls", "GATE").rows
        for row in RuleTables(texts, KNOWN).table("Ferries", "GATE").rows:
            if row not in gates:
                raise TableBroken(f"There is no gate {row}.", "Tolls")

    return faults([read, ferry])


def gaps_in(texts: Texts) -> list[Gap]:
    needed = needed_of(KNOWN, {"Tolls": f"{toll('1')}\n| South | 2 |"})
    return [gap for each in needed for gap in each.gaps(texts.get(each.rule, ""))]


def played(now: str, *before: str, **others: Sequence[str]) -> tuple[dict[str, str], list[Unread]]:
    """The texts to play by; `before` are the earlier versions of Tolls, the oldest first."""
    versions = {"Tolls": before, **others}
    current = {"Tolls": now} | {rule: texts[-1] for rule, texts in others.items()}

    def earlier(rule: str) -> list[tuple[int, str]]:
        texts = versions[rule] if rule == "Tolls" else versions[rule][:-1]
        return list(enumerate(texts, 1))[::-1]

    texts, unread = last_readable(current, faults_in, earlier, gaps_in)
    return texts, list(unread)


def test_texts_that_can_be_read_are_played_as_they_are():
    assert played(toll("3"), toll("2")) == ({"Tolls": toll("3")}, [])


def test_the_last_version_that_can_be_read_counts():
    texts, (unread,) = played(toll("banana"), toll("1"), toll("2"), toll("apple"))
    assert texts == {"Tolls": toll("2")}
    assert (unread.rule, unread.version) == ("Tolls", 2)
    assert "“banana” under COINS for North" in str(unread)
    assert str(unread).startswith("“Tolls” is played as of version 2: ")


def test_what_could_never_be_read_is_not_played():
    texts, unread = last_readable({"Tolls": toll("banana")}, faults_in, lambda rule: (), gaps_in)
    assert texts == {"Tolls": toll("banana")}
    assert [each.version for each in unread] == [None]
    assert str(unread[0]).startswith("“Tolls” is not played: ")


def test_where_two_rules_do_not_fit_the_one_counts_as_of_before_that_makes_them_fit():
    ferry = "| GATE | PLACE |\n| --- | --- |\n| {} | shore |"
    texts, (unread,) = played(toll("2"), Ferries=[ferry.format("North"), ferry.format("South")])
    assert texts["Ferries"] == ferry.format("North")
    assert (unread.rule, unread.version) == ("Ferries", 1)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("Gates are free.", "The text of Tolls has no table with the columns GATE, COINS any more"),
        (toll("3").replace("COINS", "FEE"), "no table with the columns GATE, COINS any more"),
        (toll(""), "“GATE” of Tolls has nothing under COINS for North any more"),
        (toll("3").replace("North", "South"), "“GATE” of Tolls has no row “North” any more"),
    ],
)
def test_what_a_version_before_had_is_lost(now: str, told: str):
    versions = [(1, toll("2"))]
    texts, (unread,) = last_readable({"Tolls": now}, lambda own: [], lambda rule: versions, gaps_in)
    assert (texts, unread.version) == ({"Tolls": toll("2")}, 1)
    assert told in unread.sentence


@pytest.mark.parametrize("version", [None, "1 of the one repealed in entry 5"])
def test_what_the_rule_itself_never_had_is_off(version: str | None):
    """South is in no version, and what another rule had was repealed with it."""
    versions = [(version, f"{toll('2')}\n| South | 2 |")]
    now = {"Tolls": toll("3")}
    assert last_readable(now, faults_in, lambda rule: versions, gaps_in) == (now, ())
