"""Hidden rules, which are disclosed and not amended, and immutable ones, which stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import DatabaseError, transaction

from nomic.dice.models import Master
from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.setup import begin, lay_out
from nomic.rulebook.limits import BadRule, NoSuchRule, RuleIsHidden, RuleIsImmutable
from nomic.rulebook.models import Rule, RuleVersion, Visibility
from nomic.rulebook.shipped import BadHead, ShippedRule, shipped_rules
from nomic.rulebook.tests.test_book import now, preset, titles  # noqa: F401 - a fixture
from tests.kit import at_the_table


@pytest.fixture
def hidden(game: Game) -> Game:
    """A secret rule and a private one, each with a number."""
    with at_the_table(game) as table:
        table.rules.enact("Secret", "Secret.\n", number="340", visibility="secret")
        table.rules.enact("Private", "Private.\n", number="350", visibility="private")
    return Game.objects.get(pk=game.pk)


def key(game: Game, title: str) -> int:
    return game.rules.get(title=title, repealed_in__isnull=True).pk


def test_a_rule_is_found_by_its_key_be_it_hidden(hidden: Game):
    pk = key(hidden, "Secret")
    rule = now(hidden).find(pk)
    assert (rule.title, rule.visibility, rule.is_public) == ("Secret", "secret", False)
    assert now(hidden).text(pk) == "Secret.\n"
    with pytest.raises(NoSuchRule):
        now(hidden).find(0)


def test_a_key_means_the_hidden_rule_where_a_title_means_the_public_one(hidden: Game):
    pk = key(hidden, "Secret")
    with at_the_table(hidden) as table:
        table.rules.enact("Secret", "Open.\n", number="340")
        assert table.rules.find("Secret").text == "Open.\n"
        assert [rule.text for rule in table.rules.repeal(pk)] == ["Secret.\n"]
        with pytest.raises(NoSuchRule):
            table.rules.find(pk)
        assert table.rules.find_rule(number="340").text == "Open.\n"


def test_a_secret_rule_becomes_private_and_then_public_with_its_one_version(hidden: Game):
    pk = key(hidden, "Secret")
    with at_the_table(hidden) as table:
        table.rules.disclose([pk], Visibility.PRIVATE)
        assert table.rules.find(pk).visibility == "private"
    assert titles(hidden) == []
    assert Rule.objects.get(pk=pk).disclosed_in is None
    with at_the_table(hidden) as table:
        table.rules.disclose([pk])
        assert table.rules.find_rule(number="340").title == "Secret"
        seq = table.seq
    assert titles(hidden) == ["Secret"]
    rule = Rule.objects.get(pk=pk)
    assert (rule.visibility, rule.disclosed_in, rule.version) == ("public", seq, 1)
    assert list(rule.versions.values_list("text", flat=True)) == ["Secret.\n"]
    with at_the_table(hidden) as table:
        assert table.rules.amend("Secret", "Open.\n").version == 2


def test_nothing_is_hidden_from_those_who_may_read_it(hidden: Game):
    with at_the_table(hidden) as table:
        table.rules.enact("Open", "Text.\n")
        keys = [table.rules.find(title).pk for title in ("Private", "Open")]
        for visibility in (Visibility.SECRET, Visibility.PRIVATE):
            table.rules.disclose([*keys, 0], visibility)
        assert [table.rules.find(pk).visibility for pk in keys] == ["private", "public"]
        with pytest.raises(ValueError, match="blue"):
            table.rules.enact("Blue", "Text.\n", visibility="blue")
        assert table.rules.changes == 1


@pytest.mark.parametrize(("title", "number"), [("Secret", ""), ("Other", "340")])
def test_a_rule_that_becomes_private_keeps_names_that_a_public_one_has(
    hidden: Game, title: str, number: str
):
    pk = key(hidden, "Secret")
    with at_the_table(hidden) as table:
        table.rules.enact(title, "Text.\n", number=number)
        table.rules.disclose([pk], Visibility.PRIVATE)
        assert (table.rules.find(pk).title, table.rules.find(pk).number) == ("Secret", "340")
    assert titles(hidden) == [title]
    assert Rule.objects.get(pk=pk).visibility == "private"


def test_a_repealed_rule_stays_hidden_until_its_key_is_disclosed(hidden: Game):
    pk = key(hidden, "Private")
    with at_the_table(hidden) as table:
        table.rules.repeal(pk)
        table.rules.enact("Private", "Text.\n", number="350")
    assert Rule.objects.get(pk=pk).visibility == "private"
    with at_the_table(hidden) as table:
        table.rules.disclose([pk])
    assert Rule.objects.get(pk=pk).visibility == "public"
    assert titles(hidden) == ["Private"]
    assert now(hidden).find("Private").text == "Text.\n"


def test_a_hidden_rule_gets_no_other_text_or_title(hidden: Game):
    with at_the_table(hidden) as table:
        for change in (
            lambda: table.rules.amend("Secret", "Other.\n"),
            lambda: table.rules.amend("Secret", "Secret.\n", new_title="Plot"),
            lambda: table.rules.retitle(key(hidden, "Private"), "Plot"),
        ):
            with pytest.raises(RuleIsHidden):
                change()
        table.rules.enact("Fresh", "Text.\n", visibility="secret")
        with pytest.raises(RuleIsHidden):
            table.rules.amend("Fresh", "Other.\n")


def test_the_database_keeps_hidden_rules_to_one_version_and_public_ones_public(hidden: Game):
    secret, private = (hidden.rules.filter(title=title) for title in ("Secret", "Private"))
    for rows, fields, said in (
        (secret, {"version": 2}, "a_hidden_rule_has_one_version"),
        (secret, {"known_as": "Plot"}, "a_hidden_rule_has_one_version"),
        (secret, {"disclosed_in": 1}, "only_a_public_rule_was_disclosed"),
        (secret, {"visibility": "blue"}, "rules_are_public_private_or_secret"),
        (private, {"visibility": "secret"}, "cannot be hidden"),
    ):
        with pytest.raises(DatabaseError, match=said), transaction.atomic():
            rows.update(**fields)
    private.update(visibility="public")
    with pytest.raises(DatabaseError, match="cannot be hidden"), transaction.atomic():
        private.update(visibility="private")


def test_the_audit_agrees_with_disclosures(hidden: Game):
    with at_the_table(hidden) as table:
        table.rules.disclose([table.rules.find("Secret").pk])
        table.rules.transmute("Secret", "immutable")
    assert not [finding for finding in audit(hidden) if finding.wrong]


def test_what_is_immutable_is_neither_amended_nor_renamed_nor_repealed(game: Game):
    with at_the_table(game) as table:
        book = table.rules
        book.enact("Regulation 101", "Text.\n", number="101", rule_class="immutable")
        before = book.find("Regulation 101")
        for change in (
            lambda: book.amend("Regulation 101", "Other.\n"),
            lambda: book.amend(before.pk, "Other.\n"),
            lambda: book.retitle("Regulation 101", "Plot"),
            lambda: book.renumber("Regulation 101", "1"),
            lambda: book.repeal("Regulation 101"),
        ):
            with pytest.raises(RuleIsImmutable) as refused:
                change()
            assert str(refused.value).startswith("The rule “Regulation 101” is immutable: ")
            assert isinstance(refused.value, BadRule)
        assert book.find("Regulation 101") == before
    assert now(game).find("Regulation 101").is_immutable


def test_no_rule_goes_that_has_an_immutable_one_under_it(game: Game):
    with at_the_table(game) as table:
        parent = table.rules.enact("Parent", "Text.\n")
        child = table.rules.enact("Child", "Text.\n", parent=parent)
        table.rules.enact("Plot", "Text.\n", parent=child, rule_class="immutable")
        with pytest.raises(RuleIsImmutable) as refused:
            table.rules.repeal("Parent")
        assert str(refused.value).startswith("A rule under “Parent” is immutable: ")
    assert titles(game) == ["Parent", "Child", "Plot"]


def test_a_rule_is_transmuted_by_who_may_and_changed_then(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Regulation 101", "Text.\n", rule_class="immutable")
    with at_the_table(game) as table:
        table.rules.transmute("Regulation 101", "mutable")
        table.rules.amend("Regulation 101", "Other.\n")
        table.rules.transmute("Regulation 101", "immutable")
        with pytest.raises(ValueError, match="golden"):
            table.rules.transmute("Regulation 101", "golden")
    found = now(game).find("Regulation 101")
    assert (found.text, found.version, found.is_immutable) == ("Other.\n", 2, True)
    assert game.rules.get().rule_class == "immutable"


def shipped(folder: Path, head: str) -> ShippedRule:
    (folder / "rule.md").write_text(f"---\ntitle: Unity\n{head}\n---\nText.\n")
    shipped_rules.cache_clear()
    return shipped_rules(folder, "test")[0]


def test_a_shipped_text_tells_its_class_and_who_may_read_it(tmp_path: Path):
    rule = shipped(tmp_path, "class: immutable")
    assert (rule.rule_class, rule.visibility) == ("immutable", "public")
    assert rule.facts()["rule_class"] == "immutable"
    rule = shipped(tmp_path, "visibility: secret")
    assert (rule.rule_class, rule.visibility) == ("mutable", "secret")
    for wrong in ("class: golden", "visibility: none"):
        with pytest.raises(BadHead):
            shipped(tmp_path, wrong)


def test_what_goes_without_saying_is_not_in_the_record_and_what_is_hidden_cannot_be(
    tmp_path: Path,
):
    told = shipped(tmp_path, "number: 7").facts()
    assert set(told) == {"title", "text", "source", "number", "parent", "position", "origin"}
    with pytest.raises(BadHead, match="on the record"):
        shipped(tmp_path, "visibility: private").facts()


def test_a_game_begins_with_the_classes_that_its_record_tells_and_mutable_ones_else(
    game: Game, tmp_path: Path
):
    old = shipped(tmp_path, "number: 1").facts()
    new = shipped(tmp_path, "class: immutable").facts() | {"title": "Order"}
    first = game.entries.get(seq=1)
    inputs = {**first.inputs, "identity": "other", "rules": [old, new]}
    other = lay_out("other", inputs, begins=game.anchor_game, wall=game.anchor_wall, scratch=True)
    Master.objects.create(game=other, key=bytes(32))
    begin(other, inputs, game.anchor_game, game.anchor_wall)
    assert dict(other.rules.values_list("title", "rule_class")) == {
        "Unity": "mutable",
        "Order": "immutable",
    }


def test_the_entry_that_enacts_a_secret_rule_does_not_tell_its_text(hidden: Game):
    told = hidden.entries.latest("seq")
    assert "Secret" not in f"{told.text} {told.inputs} {told.outcome}"
    assert RuleVersion.objects.filter(rule__game=hidden).count() == 2


def test_several_are_disclosed_at_once_and_what_a_public_rule_is_called_gives_way(hidden: Game):
    keys = list(hidden.rules.values_list("pk", flat=True))
    with at_the_table(hidden) as table:
        table.rules.enact("Secret", "Open.\n")
        table.rules.enact("Other", "Open.\n", number="350")
        table.rules.repeal(key(hidden, "Private"))
    open_before = hidden.rules.get(title="Other").pk
    with at_the_table(hidden) as table:
        table.rules.disclose([*keys, open_before])
        seq = table.seq
    assert titles(hidden) == ["Secret (disclosed)", "Secret", "Other"]
    told = hidden.rules.filter(pk__in=keys).values_list("title", "number", "disclosed_in")
    assert list(told) == [("Secret (disclosed)", "340", seq), ("Private", "350", seq)]
    assert hidden.rules.get(pk=open_before).disclosed_in is None
    assert not [finding for finding in audit(hidden) if finding.wrong]
