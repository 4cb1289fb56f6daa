"""Single spots of a rule that are tapped, changed and proposed."""

import re

import pytest
from django.test import Client

from nomic.games.models import Game, Player
from nomic.rulebook.models import Rule
from proposals.models import Draft, Proposal
from tests.kit import Visitor, at_the_table, on_one_line, tight


def page_of(client: Client, title: str) -> str:
    rule = Rule.objects.get(title=title)
    return client.get(f"/g/table/rules/rule-{rule.pk}/").content.decode()


def address(client: Client, title: str, row: str, words: str) -> str:
    """Where a tap on the cell with these words in that row leads."""
    page = page_of(client, title)
    line = next(line for line in re.findall(r"<tr>.*?</tr>", page, re.DOTALL) if f">{row}<" in line)
    return re.search(rf'href="([^"]+)"[^>]*>{re.escape(words)}</a>', line)[1]


def amend(game: Game, old: str, new: str) -> None:
    with at_the_table(game) as table:
        text = table.rules.text("Horse Multiplier")
        table.rules.amend("Horse Multiplier", text.replace(old, new))


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def fargo(player: Player, visit: Visitor) -> str:
    return address(visit(player), "Horse Multiplier", "Fargo", "7")


def test_a_figure_is_tapped_typed_and_proposed(
    player: Player, visit: Visitor, htmx: Visitor, fargo: str
) -> None:
    client = visit(player)
    assert "<del>7</del>" in client.get(fargo).content.decode()
    look = htmx(player).post(fargo, {"words": "9", "do": "look"}).content.decode()
    assert "A bet on Fargo would pay 9 times its stake if Fargo came first, not 7." in look
    assert "Propose this" not in look
    composer = client.post(fargo, {"words": "9", "do": "propose"}, follow=True).content.decode()
    assert 'value="Fargo: 9 instead of 7"' in composer
    assert "replace the row “Fargo” of the table “HORSE” with “| Fargo | 9 |" in composer
    fields = r'<input type="hidden" name="(key|window|seen|saw)" value="([^"]*)"'
    draft = Draft.objects.get()
    sent = {**dict(re.findall(fields, composer)), "title": draft.title, "body": draft.body}
    client.post("/g/table/proposals/new/", {**sent, "do": "submit"})
    assert Proposal.objects.get().title == "Fargo: 9 instead of 7"
    assert not Draft.objects.exists()


def test_several_taps_gather_in_one_draft(player: Player, visit: Visitor, fargo: str) -> None:
    client = visit(player)
    back = client.post(fargo, {"words": "9", "do": "gather"}, follow=True).content.decode()
    assert "Added to your draft “Fargo: 9 instead of 7”" in back
    jersey = address(client, "Weekly Race Actions", "Get a jersey", "1")
    client.post(jersey, {"words": "2", "do": "propose"})
    draft = Draft.objects.get()
    assert draft.title == "2 changes of 2 rules"
    assert draft.body.count("In the rule") == 2
    client.post(jersey, {"words": "1", "do": "gather"})
    client.post(fargo, {"words": "7", "do": "gather"})
    assert not Draft.objects.exists()


def test_a_tap_may_begin_a_draft_of_its_own(player: Player, visit: Visitor, fargo: str) -> None:
    client = visit(player)
    client.post("/g/table/proposals/new/", {"title": "x", "body": "Spoons shine.", "do": "save"})
    client.post(fargo, {"words": "9", "do": "propose"})  # the other holds prose
    client.post(fargo, {"words": "8", "do": "propose", "into": "new"})
    bodies = Draft.objects.order_by("pk").values_list("title", flat=True)
    assert [*bodies] == ["x", "Fargo: 9 instead of 7", "Fargo: 8 instead of 7"]


def test_what_the_table_does_not_take_is_said_and_can_be_meant(
    player: Player, visit: Visitor, fargo: str
) -> None:
    answer = visit(player).post(fargo, {"words": "nine", "do": "propose"})
    page = on_one_line(answer.content.decode())
    assert answer.status_code == 409
    assert "The table does not take this." in page
    assert 'value="nine"' in page
    assert not Draft.objects.exists()
    visit(player).post(fargo, {"words": "nine", "do": "propose", "anyway": "yes"})
    assert "| Fargo | nine |" in Draft.objects.get().body


def test_a_rule_that_changed_meanwhile_is_said_with_what_stands_there_now(
    game: Game, player: Player, visit: Visitor, fargo: str
) -> None:
    amend(game, "| Fargo | 7 |", "| Fargo | 8 |")
    answer = visit(player).post(fargo, {"words": "9", "do": "propose"})
    assert "where “7” stood is “8” now" in on_one_line(answer.content.decode())
    assert 'value="9"' in answer.content.decode()
    amend(game, "| Fargo |", "| Margo |")
    answer = visit(player).post(fargo, {"words": "9", "do": "propose"})
    assert answer.status_code == 409
    assert "“7” stands there no more" in on_one_line(answer.content.decode())
    assert "<blockquote>9</blockquote>" in tight(answer.content.decode())
    with at_the_table(game) as table:
        table.rules.repeal("Horse Multiplier")
    assert "was repealed meanwhile" in on_one_line(visit(player).get(fargo).content.decode())


def test_nobody_taps_without_a_seat_or_what_is_not_there(
    player: Player, visit: Visitor, fargo: str
) -> None:
    assert 'class="spot"' not in page_of(visit(), "Horse Multiplier")
    assert visit().get(fargo).status_code == 302
    assert visit(player).get(fargo.replace("/cell/", "/figure/")).status_code == 404
    assert visit(player).get(re.sub(r"\d+/$", "1/", fargo)).status_code == 404
    assert visit(player).get(re.sub(r"/spot/\d+/", "/spot/0/", fargo)).status_code == 404


@pytest.mark.parametrize("do", ["look", "propose", "gather"])
def test_signs_that_no_draft_can_have_are_refused(
    player: Player, visit: Visitor, fargo: str, do: str
) -> None:
    answer = visit(player).post(fargo, {"words": "9\0", "do": do, "into": "\0"})
    assert answer.status_code in (200, 409)
    assert not Draft.objects.exists()


def test_of_two_taps_that_contradict_the_later_counts(
    player: Player, visit: Visitor, fargo: str
) -> None:
    for words in ("9", "8"):
        visit(player).post(fargo, {"words": words, "do": "gather"})
    body = Draft.objects.get().body
    assert "| Fargo | 8 |" in body
    assert "| Fargo | 9 |" not in body


def test_a_sentence_of_twenty_kilobytes_is_taken_or_kept_in_sight(
    player: Player, visit: Visitor
) -> None:
    client, long = visit(player), f"{'Horses are slow, ' * 1250}and so are we."
    sentence = re.search(r'href="([^"]+/sentence/\d+/)"', page_of(client, "Horse Multiplier"))
    assert sentence is not None
    look = client.post(sentence[1], {"words": long, "do": "look"})
    assert look.status_code == 200
    assert long in on_one_line(look.content.decode())
    client.post(sentence[1], {"words": long, "do": "propose"})
    assert long in Draft.objects.get().body
